"""Client of the bus that reconnects without end, and one-line messages for connection errors."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from errno import ECONNREFUSED
from pathlib import Path
from typing import Any

import nats.errors
import structlog
from nats.js.errors import APIError

from ..config.bus import BusLine
from ..config.mistakes import BadConfig
from ..core.coded_message import CodedMessage, coded
from ..text.coded import CodedError, render
from ..text.errors import system_message
from .connection import NatsClient
from .keys import BusCredentials, credentials_in

PING = 2  # seconds between two pings; after three without an answer the client leaves the server
AGAIN = 1  # seconds between two attempts to connect
CONNECT = 2  # seconds for one attempt
ONCE = 5.0  # seconds for a connection without reconnecting (`connect_once`)
TOO_FEW = 10008  # error code: less than a majority of the servers is up
NO_STREAM = 10059  # error code: no stream of this name
REFUSALS = {  # message for each error code of a server
    TOO_FEW: "too_few_servers",
    NO_STREAM: "no_stream",
    10005: "no_cluster",  # no suitable peers for placement
    10023: "too_little_room",  # insufficient resources
    10047: "too_little_room",  # insufficient storage resources available
    10074: "no_cluster",  # replicas > 1 not supported in non-clustered mode
}
FAILED = (nats.errors.Error, OSError, TimeoutError)  # all that the client raises for connection, server and stream


def failure_text(error: BaseException) -> str:
    """Return why something failed, as an English line for logs."""
    return render(reason_of(error))


def reason_of(error: BaseException) -> CodedMessage | str:
    """Return why something failed: a coded message, or the text of the system or server."""
    if isinstance(error, ssl.SSLError):
        why = getattr(error, "verify_message", None) or error.reason or error
        return coded("bus_certificate", reason=str(why))
    if isinstance(error, nats.errors.TimeoutError | TimeoutError):
        return coded("no_answer")
    if isinstance(error, APIError):
        code = REFUSALS.get(error.err_code or 0)
        return coded(code) if code else error.description or type(error).__name__
    if isinstance(error, ConnectionRefusedError):
        return os.strerror(ECONNREFUSED).lower()  # asyncio's own text names an internal call
    text = system_message(error) if isinstance(error, OSError) else str(error)
    if "authorization violation" in text.lower():
        return coded("bus_key_refused")
    return " ".join(text.replace("nats: ", "").split()) or type(error).__name__


def options(section: BusLine, credentials: BusCredentials, inbox: str) -> dict[str, Any]:
    """Build the connection options for nats-py. Raises BadConfig if the CA file cannot be read."""
    encrypted = any(server.startswith("tls:") for server in section.servers)
    try:  # only for an encrypted bus: reading the system's certificates takes 30 ms
        context = ssl.create_default_context(cafile=section.ca) if encrypted or section.ca else None
    except OSError as error:
        raise BadConfig(render(coded("bus_ca", path=str(section.ca), reason=system_message(error)))) from None
    return {
        "servers": list(section.servers),
        "inbox_prefix": inbox.encode(),
        "connect_timeout": CONNECT,
        "ping_interval": PING,
        **({"tls": context} if encrypted else {}),
        **credentials.options,
    }


class BusFailed(CodedError):
    """Bus cannot be reached, or refuses a request; the text says why."""


@asynccontextmanager
async def connect_once(section: BusLine, inbox: str) -> AsyncIterator[NatsClient]:
    """Connect for the duration of the block, without reconnecting. Raises BusFailed, Unusable."""
    client, parameters = NatsClient(), options(section, credentials_in(Path(section.credentials or "")), inbox)
    try:
        async with asyncio.timeout(ONCE):
            await _connect(client, parameters)
        yield client
    except FAILED as error:
        raise BusFailed(coded("bus_unreachable", host=", ".join(section.servers), reason=reason_of(error))) from None
    finally:
        await client.close()


async def _connect(client: NatsClient, options: dict[str, Any]) -> None:
    """Connect by trying each server once; the client's own retries take minutes. Raises nats' errors."""
    left, refused = len(options["servers"]), asyncio.get_running_loop().create_future()

    async def count_failure(error: Exception) -> None:
        nonlocal left
        left -= 1
        if left <= 0 and not refused.done():
            refused.set_result(error)

    connecting = asyncio.create_task(client.connect(**options, allow_reconnect=False, error_cb=count_failure))
    try:
        await asyncio.wait((connecting, refused), return_when=asyncio.FIRST_COMPLETED)
    finally:
        connecting.cancel()
        await asyncio.wait((connecting,))
    if connecting.cancelled():
        raise refused.result()
    connecting.result()


class BusClient:
    """Client of the bus in the event loop that opens it.

    `there`: set while connected; `up`: set once the function of `greet_on_connect` has accepted this connection.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self.client, self.there, self.up = NatsClient(), asyncio.Event(), asyncio.Event()
        self.trouble: CodedMessage | str | None = coded("bus_silent_yet")
        self._options = options
        self._back = asyncio.Event()
        self._was_asked = False  # True once `open` has tried to connect; nats-py cannot close a client before that
        self._log = structlog.get_logger()

    async def open(self) -> None:
        """Connect to the bus, retrying until connected; afterwards the client reconnects by itself."""
        self._was_asked = True
        while not self.client.is_connected:
            try:
                await self.client.connect(
                    **self._options,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=AGAIN,
                    error_cb=self._note_error,
                    disconnected_cb=self._note_disconnect,
                    reconnected_cb=self._note_connection,
                )
            except FAILED as error:
                await self._note_error(error)
                await asyncio.sleep(AGAIN)
        await self._note_connection()

    async def close(self) -> None:
        """Disconnect from the bus for good: the client does not reconnect."""
        self.there.clear()
        self.up.clear()
        if self._was_asked:
            await self.client.close()

    def greet_again(self) -> None:
        """Stop publishing until the function of `greet_on_connect` has accepted the connection again."""
        self.up.clear()
        self._back.set()

    async def _note_connection(self) -> None:
        self.trouble = coded("bus_not_looked_at")
        self._log.info("bus_reached", server=str(self.client.connected_url and self.client.connected_url.netloc))
        self.there.set()
        self._back.set()

    async def _note_disconnect(self) -> None:
        self.there.clear()
        self.up.clear()
        self.trouble = coded("bus_cut")

    async def _note_error(self, error: Exception) -> None:
        reason = reason_of(error)
        if not self.client.is_connected and self.trouble != reason:
            self.trouble = reason
            self._log.warning("bus_not_reached", reason=render(reason))
        elif self.client.is_connected:
            self._log.warning("bus_says", reason=render(reason))

    async def greet_on_connect(self, greet: Callable[[], Awaitable[bool]]) -> None:
        """Call `greet` after each connect until cancelled; others may publish once it returns True."""
        while True:
            await self._back.wait()
            self._back.clear()
            while self.client.is_connected:
                if await greet():
                    self.trouble = None
                    self.up.set()
                    break
                await asyncio.sleep(AGAIN)
