"""What is now: state, strips, alarms and calls of all tables, as heard on the bus."""
