"""Bus of the studio: publishes a table's record, receives commands, and stores heads as a witness.

Invariant: no card waits for the bus. Its work runs in a thread of its own; while the bus is away the table deals on.
"""
