"""Event loop of a table: inputs, decisions, deadlines, recording and halting."""
