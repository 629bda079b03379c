"""The controller of one live-dealer table: rule sheets, the round, the record, and the people around it."""
