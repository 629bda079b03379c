"""Accounts of a table's record: what is counted from records, once, for every figure that shows it."""
