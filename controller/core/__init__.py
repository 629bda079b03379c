"""The table without I/O and without a clock: records, the state they fold to, and what is decided about an event.

    event ──▶ decide(state, event) ──▶ records ──▶ (journal) ──▶ apply(state, record) ──▶ state

The one rule: nothing in here opens, reads, writes or waits; time arrives with events, in microseconds since 1970 UTC.
"""
