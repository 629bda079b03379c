"""The table without I/O and without a clock: records, state, and decisions about events.

    event ──▶ decide(state, event) ──▶ records ──▶ (journal) ──▶ apply(state, record) ──▶ state

Invariant: nothing in here opens, reads, writes or waits; time arrives with events, in microseconds since 1970 UTC.
"""
