"""Bus of the studio: publishes a table's record, receives commands, and stores heads as a witness.

Invariant: no card waits for the bus. Its work runs in a thread of its own, and the table keeps dealing while the bus is
down.
"""
