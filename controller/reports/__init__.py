"""What is made of a record afterwards, for those who answer for it."""
