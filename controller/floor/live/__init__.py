"""Present state, strips, alarms and calls of all tables, from messages on the bus."""
