"""What the table knows of faults, irregularities and steps, laid out to be read."""
