"""Reports made from a record afterwards, for the people who are responsible for it."""
