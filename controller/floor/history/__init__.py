"""What was: figures, rounds, misreads and reports of all tables, read from the floor's disk."""
