"""What can be told from a record: replay, figures, stories of rounds, what a ruling would do."""
