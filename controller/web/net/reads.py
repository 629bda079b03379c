"""Limit of what a connection reads at once, so that memory does not fragment.

For each read asyncio allocates 256 KiB and frees the unused part. The few hundred bytes that stay fragment the heap, so
that the next 256 KiB do not fit there: over thousands of rounds a table grew by megabytes of unused memory.
"""

from asyncio import BaseTransport

READ = 1 << 14  # bytes of one read


def limit_reads(transport: BaseTransport) -> None:
    """Make this connection, encrypted or not, read at most READ bytes at once."""
    for reader in (transport, getattr(transport, "_ssl_protocol", None)):
        if reader is not None:
            reader.max_size = READ  # type: ignore[union-attr] # asyncio's own, which its types do not have
