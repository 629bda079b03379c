"""Program in a network of its own, which reaches only some ports of this PC and can be cut off.

Usage: `python -m tests.floor.isolated_program FOLDER PORT,PORT COMMAND...` runs the command in that network. A
connection to one of these ports there goes through a Unix socket in the folder, which both networks share, to the same
port here.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

Reach = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy what the reader receives to the writer until one side ends."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


def bridge(reach: Reach) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """Return a handler that connects each incoming connection with the one that `reach` opens."""

    async def both(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far: asyncio.StreamWriter | None = None
        try:
            far_reader, far = await reach()
            ways = [asyncio.create_task(carry(reader, far)), asyncio.create_task(carry(far_reader, writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.wait(ways)
        except OSError:
            pass  # nobody listens there: the caller sees its connection closed
        finally:
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()

    return both


@asynccontextmanager
async def forward_sockets(folder: Path, ports: Sequence[int]) -> AsyncIterator[None]:
    """Forward the sockets in the folder to these ports of this PC."""
    async with AsyncExitStack() as stack:
        for port in ports:
            reach = bridge(lambda port=port: asyncio.open_connection("127.0.0.1", port))
            server = await asyncio.start_unix_server(reach, folder / str(port))
            stack.callback(server.close)
        yield


async def run_isolated(folder: Path, ports: Sequence[int], command: Sequence[str]) -> int:
    """Forward these ports inside the other network and run the command there; return its exit code."""
    async with AsyncExitStack() as stack:
        for port in ports:
            reach = bridge(lambda port=port: asyncio.open_unix_connection(folder / str(port)))
            server = await asyncio.start_server(reach, "127.0.0.1", port)
            stack.callback(server.close)
        program = await asyncio.create_subprocess_exec(*command, stdin=subprocess.DEVNULL)
        return await program.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(run_isolated(Path(sys.argv[1]), [*map(int, sys.argv[2].split(","))], sys.argv[3:])))
