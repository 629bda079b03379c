"""The loop that owns a table: what comes in, deadlines, halting."""
