"""Texts in CSV files that people open in a spreadsheet program.

Invariant: a cell is data. A text that the program would take for a formula has an apostrophe before it.
"""

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_data(value: object) -> object:
    """Return the value of a cell; a text that looks like a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
