"""The bus as a witness: it keeps the head of every round, and who has not that record any more is told so.

The rules are those of the anchor. What it remembers was durable in the journal before, so a record that is not behind
it was not rolled back; where somebody has accepted a loss, another epoch has begun, of which it remembers nothing yet.
"""

import asyncio
from pathlib import Path

import msgspec
from msgspec import UNSET
from nats.aio.client import Client
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError

from ..config.bus import BusSection
from ..core.clock import Time, to_text
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import went_on
from ..journal import JournalError, contradicted
from ..text.pc_texts import THE_BUS
from .keys import credentials_in, public_of
from .last import all_sound, is_sound
from .line import BusFailed, once
from .names import HEADS, Place
from .seals import Seals

WHERE = THE_BUS
NO_MESSAGE = 10037  # the error of a stream that has none
AT_A_START = 5.0  # seconds for all of it; a table waits for no bus


class WitnessRefused(JournalError):
    """A record that is not the one which the bus remembers."""


class HeadMessage(Mark, frozen=True):
    """What is kept of the end of a record, and when that was."""

    at: str = ""


def head_message(mark: Mark, at: Time) -> bytes:
    """As it goes over the bus."""
    return msgspec.json.encode(HeadMessage(mark.epoch, mark.seq, mark.hash, mark.table, mark.past, to_text(at)))


async def remembered(client: Client, place: Place, epoch: str, seals: Seals) -> Mark | None:
    """The last that the bus remembers of an epoch, or of a record that went on from it elsewhere; null: nothing.

    What the table's key has not signed is passed over. Raises nats' errors, WitnessRefused.
    """
    stream, subject = client.jetstream(timeout=AT_A_START), place.subject("head")
    try:
        last = await stream.get_last_msg(HEADS, subject)
    except NotFoundError as error:
        if error.err_code != NO_MESSAGE:
            raise
        return None
    newest = _mark(last) if is_sound(last, seals) else None
    if newest is not None and (newest.epoch == epoch or (newest.past is not UNSET and epoch in newest.past)):
        return newest
    heads = [_mark(one) async for one in all_sound(stream, HEADS, subject, last.seq or 0, seals)]
    newest = newest or (heads[-1] if heads else None)
    if newest is not None and newest.past is not UNSET and epoch in newest.past:
        return newest
    return next((mark for mark in reversed(heads) if mark.epoch == epoch), None)


def _mark(kept: RawStreamMsg) -> Mark:
    try:
        return msgspec.json.decode(kept.data or b"", type=Mark)
    except msgspec.MsgspecError:
        where = f"{kept.subject}, message {kept.seq}"
        raise WitnessRefused(f"{where}: expected the head of a record, the bus has something else there") from None


async def asked(section: BusSection, table: str, epoch: str) -> Mark | None:
    """What the bus remembers, asked once. Raises BusFailed, WitnessRefused, Unusable."""
    place = Place(section.studio, table)
    async with once(section, place.inbox) as client, asyncio.timeout(AT_A_START):
        return await remembered(client, place, epoch, seals_of(section, table))


def seals_of(section: BusSection, table: str) -> Seals:
    """Those of a table: its own key has to have signed its heads. Raises BadCredentials."""
    seed = credentials_in(Path(section.credentials or "")).signer
    return Seals(seed, {table: public_of(seed)}, section.floors)


async def admit(section: BusSection, config: str, journal: Path, state: State) -> str | None:
    """Whether a table may start on a record that ends in this state. Raises WitnessRefused, JournalError, Unusable.

    Why that was not seen, where the bus is not reached: then it may.
    """
    if not section.servers or not state.seq:
        return None
    try:
        mark = await asked(section, state.table, state.identity.epoch)
    except BusFailed as error:
        return str(error)
    contradiction = None if mark is None else contradicted(journal, state, mark, WHERE)
    if mark is not None and contradiction is not None:
        raise WitnessRefused(f"{journal}: {contradiction.says}; {_remedy(config, journal, state, mark)}")
    return None


def _remedy(config: str, journal: Path, state: State, mark: Mark) -> str:
    if went_on(state, mark) is not None:
        return "another PC has the table now: this one stays off, or takes it over from there (`tablectl takeover`)"
    accept = f"tablectl journal accept-loss {journal} --witness {config} --by NAME --because TEXT"
    return f"put the newest copy in its place, or go on with what stands: `{accept}`"
