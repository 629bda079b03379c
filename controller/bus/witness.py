"""Bus as a witness: it stores heads of a table's epochs; records that contradict them are refused.

The rules are those of the anchor; `core.witness` decides which epoch is valid. A head is published only after its
record is durable, so a journal that ends before its head was rolled back.
"""

import asyncio
from pathlib import Path

import msgspec
from msgspec import UNSET
from nats.aio.client import Client
from nats.js.api import RawStreamMsg

from ..config.bus import BusSection
from ..core.clock import Time, to_text
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import last_before_continuation, opponent
from ..journal import JournalError, find_contradiction
from .bus_client import BusFailed, connect_once
from .keys import credentials_in, public_of
from .last_messages import is_sound, messages_after
from .names import EPOCH, HEADS, SEQ, TableNames
from .seals import Seals

WHERE = coded("the_bus")
AT_A_START = 5.0  # seconds in all that a start waits for the bus


class WitnessRefused(JournalError):
    """Record contradicts the head that the bus has stored."""


class Superseded(WitnessRefused):
    """Record belongs to an epoch of its table that is no longer valid."""


class HeadMessage(Mark, frozen=True):
    """Bus message with the head of a journal. `at`: time of the head, ISO 8601."""

    at: str = ""


def head_message(names: TableNames, mark: Mark, at: Time) -> tuple[str, bytes]:
    """Return the subject and body of a head message. `at`: time of the head."""
    body = HeadMessage(mark.epoch, mark.seq, mark.hash, mark.table, mark.past, to_text(at))
    return names.head(0 if mark.past is UNSET else len(mark.past)), msgspec.json.encode(body)


class Heads:
    """Heads of one table and all its epochs on the bus. Skips heads that the table has not signed."""

    def __init__(self, client: Client, names: TableNames, seals: Seals, patience: float = AT_A_START) -> None:
        self.marks: list[Mark] = []  # in the order in which they were stored
        self._stream, self._below, self._seals = client.jetstream(timeout=patience), names.subject(">"), seals
        self._seq = 0  # sequence number of the last message that was read

    async def read(self) -> bool:
        """Read the heads stored since the last call. Returns True if there were any.

        Raises nats' errors, WitnessRefused.
        """
        before = len(self.marks)
        async for one in messages_after(self._stream, HEADS, self._below, self._seq):
            self._seq = one.seq or 0
            if is_sound(one, self._seals):
                self.marks.append(_mark(one))
        return len(self.marks) > before


async def required_head(client: Client, names: TableNames, state: State, seals: Seals) -> Mark | None:
    """Return the head that a record must agree with; None if there is none.

    Raises nats' errors, WitnessRefused.
    """
    heads = Heads(client, names, seals)
    await heads.read()
    return opponent(state, heads.marks)


def _mark(message: RawStreamMsg) -> Mark:
    try:
        return msgspec.json.decode(message.data or b"", type=Mark)
    except msgspec.MsgspecError:
        where = f"{message.subject}, message {message.seq}"
        raise WitnessRefused(coded("head_odd", name=where)) from None


async def ask_for_head(section: BusSection, state: State) -> Mark | None:
    """Ask the bus once for the head that a table's record must agree with.

    Returns None if the bus has none. Raises BusFailed, WitnessRefused, Unusable.
    """
    return await _ask_bus(section, state.table, state)


async def _ask_bus(section: BusSection, table: str, state: State) -> Mark | None:
    names = TableNames(section.studio, table)
    async with connect_once(section, names.inbox) as client, asyncio.timeout(AT_A_START):
        return await required_head(client, names, state, seals_of(section, table))


async def announce(section: BusSection, mark: Mark, at: Time) -> None:
    """Store the head of an epoch that began while its table is stopped. Raises BusFailed."""
    names = TableNames(section.studio, mark.table)
    async with connect_once(section, names.inbox) as client:
        await publish_head(client, names, seals_of(section, mark.table), mark, at)


async def publish_head(client: Client, names: TableNames, seals: Seals, mark: Mark, at: Time) -> None:
    """Publish a head; it is durable when this returns. Raises nats' errors."""
    subject, body = head_message(names, mark, at)
    headers = {**seals.seal(subject, body), EPOCH: mark.epoch, SEQ: str(mark.seq)}
    await client.jetstream(timeout=AT_A_START).publish(subject, body, headers=headers)


def seals_of(section: BusSection, table: str) -> Seals:
    """Return the Seals of one table: heads need the table's own signature. Raises BadCredentials."""
    seed = credentials_in(Path(section.credentials or "")).signer
    return Seals(seed, {table: public_of(seed)}, section.floors)


async def admit(section: BusSection, config: str, table: str, journal: Path, state: State) -> CodedMessage | str | None:
    """Check whether a table may start on a record that ends in `state`, which may be empty.

    Returns None if it may, or the reason why the bus could not be asked; then it may start too. Raises WitnessRefused,
    JournalError, Unusable.
    """
    if not section.servers:
        return None
    try:
        mark = await _ask_bus(section, table, state)
    except BusFailed as error:
        return error.message
    contradiction = None if mark is None else find_contradiction(journal, state, mark, WHERE)
    if mark is not None and contradiction is not None:
        refused = Superseded if contradiction.elsewhere else WitnessRefused
        then = _remedy(config, journal, state, mark)
        raise refused(coded("contradicts", path=str(journal), what=contradiction.message, then=then))
    return None


def _remedy(config: str, journal: Path, state: State, mark: Mark) -> CodedMessage:
    if not state.seq:
        return coded("back_or_new_key")
    if last_before_continuation(state, mark) is not None:
        return coded("another_pc")
    return coded("newest_or_accept", path=str(journal), name=config)
