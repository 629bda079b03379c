"""What the table shows and does: rendered from its state, after the record is durable."""
