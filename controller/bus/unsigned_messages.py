"""Find and delete heads, statuses, shared documents and rosters in the streams without their author's signature."""

from collections.abc import AsyncIterator, Iterable
from typing import NamedTuple

from nats.aio.client import Client
from nats.js.errors import APIError

from ..config.bus import BusLine
from ..core.coded_message import coded
from ..text.coded import render
from .bus_client import connect_once
from .keys import credentials_in
from .names import CLAIMS, EVENTS, HEADS, KEYS, STATUS
from .roster import publish
from .seals import Seals
from .stream_reader import read
from .studio import Studio

SIGNED = {HEADS: "tablectl.{}.>", **{f"KV_{bucket}": f"$KV.{bucket}.{{}}.>" for bucket in (STATUS, CLAIMS, KEYS)}}
MOST = 500  # messages read at a time
TIMEOUT = 10.0


class UnsignedMessage(NamedTuple):
    """Stored message without its author's signature. `seq`: its sequence number in the stream."""

    stream: str
    subject: str
    seq: int


async def find_unsigned(client: Client, studio: str, seals: Seals) -> AsyncIterator[UnsignedMessage]:
    """Yield the stored heads, statuses, shared documents and rosters that their author has not signed.

    Markers of removed keys are checked like all others, whatever header they have. Raises nats' errors.
    """
    for stream, below in SIGNED.items():
        last_seq = 0
        while messages := await read(client, stream, below.format(studio), last_seq, MOST):
            for one in messages:
                if not seals.is_sound(one.subject, one.headers, one.body):
                    yield UnsignedMessage(stream, one.subject, one.seq)
            last_seq = messages[-1].seq


async def junk(client: Client, studio: str, seals: Seals) -> list[str]:
    """Describe what `tablectl bus mend` would delete, one line for each subject. Raises nats' errors."""
    messages = [one async for one in find_unsigned(client, studio, seals)]
    return [render(coded("messages_unsigned", said=line)) for line in _count_by_subject(messages)]


async def mend_bus(section: BusLine, studio: Studio) -> list[str]:
    """Sign the roster anew; delete all unsigned messages and all durable consumers, with the admin's key.

    Returns one line for each subject and each consumer that was deleted, then one for each stream that refuses
    deletion. Raises BusFailed, Unusable.
    """
    seals = Seals(credentials_in(studio.admin).signer, studio.keys("tables"), studio.keys("floors"), studio.admin_key)
    async with connect_once(section, "_INBOX_admin") as client:
        await publish(client, studio)
        messages = [one async for one in find_unsigned(client, studio.name, seals)]
        stream, deletions, refusals = client.jetstream(timeout=TIMEOUT), list[UnsignedMessage](), dict[str, str]()
        for one in messages:
            try:
                await stream.delete_msg(one.stream, one.seq)
                deletions.append(one)
            except APIError as error:  # a stream created by an earlier version may forbid deletion
                refusals[one.stream] = error.description or str(error)
        consumers = [one async for one in _delete_consumers(client)]
        return [f"{line} taken away" for line in (*_count_by_subject(deletions), *consumers)] + [
            render(coded("stream_keeps_all", name=name, reason=reason)) for name, reason in refusals.items()
        ]


async def _delete_consumers(client: Client) -> AsyncIterator[str]:
    """Delete durable consumers of an earlier version, which no key of the studio may use; yield a line for each."""
    stream = client.jetstream(timeout=TIMEOUT)
    for name in SIGNED.keys() | {EVENTS}:
        for consumer in await stream.consumers_info(name):
            if consumer.config.durable_name is not None:
                await stream.delete_consumer(name, consumer.name)
                yield f"stream {name}: consumer {consumer.name}"


def _count_by_subject(messages: Iterable[UnsignedMessage]) -> list[str]:
    counts: dict[tuple[str, str], int] = {}
    for stream, subject, _ in messages:
        counts[stream, subject] = counts.get((stream, subject), 0) + 1
    return [f"stream {stream}: {count} messages of {subject}" for (stream, subject), count in counts.items()]
