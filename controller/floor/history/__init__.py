"""History of all tables, read from the floor's disk: figures, rounds, misreads and reports."""
