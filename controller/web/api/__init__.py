"""HTTP API of a table for programs: commands, state, events, and the documents that describe them."""
