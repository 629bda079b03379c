"""Shared documents of all floors: claimed calls, assigned tables and alarms.

An edit whose work is done already changes nothing, so it may be repeated.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from ...bus.bus_client import BusClient
from ...bus.seals import Seals
from ...bus.status import Status
from ...core.clock import SECOND, Time, to_text
from ...text import floor_texts as t
from ...text.faults import Words
from .alarms import UpdatedAlarms, View, is_held, is_shelved, update_alarms
from .documents import AlarmAcknowledgement, Alarms, Assignments, CallClaim, Shelving, is_newer_than, is_of_open_call
from .exchange import SharedDocuments

MINUTES = range(1, 481)
DONE = "done"
ALARMS, ASSIGNMENTS = "alarms", "assignments"

T = TypeVar("T")


class ActingPerson(Protocol):
    """Person who acts at the floor."""

    @property
    def id(self) -> str:
        """Id in the registry of persons."""

    @property
    def name(self) -> str:
        """Name in the registry of persons."""


class ActOutcome(NamedTuple):
    """Outcome of an act. `reason`: code, DONE if done; `terms`: values for its sentence."""

    reason: str
    terms: tuple[tuple[str, str | int], ...] = ()

    @property
    def done(self) -> bool:
        """True if the act was carried out."""
        return self.reason == DONE

    def says(self, words: Words) -> str:
        """Sentence for the outcome in the viewer's language."""
        return words.say(t.ANSWERS[self.reason]).format(**dict(self.terms))


class EditRefused(Exception):
    """Edit refused; `reason` and `terms` say why."""

    def __init__(self, reason: str, **terms: str | int) -> None:
        super().__init__(reason)
        self.outcome = ActOutcome(reason, tuple(terms.items()))


class Shared:
    """Shared documents of one studio, for one floor. `status`: returns a table's last known status."""

    def __init__(
        self,
        line: BusClient,
        studio: str,
        floor: str,
        seals: Seals,
        now: Callable[[], Time],
        status: Callable[[str], Status | None],
    ) -> None:
        self.documents = SharedDocuments(line, studio, seals)
        self._floor, self._seals, self._now, self._status = floor, seals, now, status

    # ── calls ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, table: str, fault: int, person: ActingPerson) -> ActOutcome:
        """Claim the open call of a table for a person. If done, the outcome's terms have the time `at` of the claim."""
        claims = list[CallClaim]()

        def edit(before: CallClaim | None) -> CallClaim:
            claims.append(self._claimed(before, table, fault, person))
            return claims[-1]

        outcome = await self._edit(f"{table}.call", CallClaim, edit)
        return outcome._replace(terms=(("at", claims[-1].at),)) if outcome.done else outcome

    def _claimed(self, before: CallClaim | None, table: str, fault: int, person: ActingPerson) -> CallClaim:
        """Return the person's claim; the one before if it is theirs. Raises EditRefused."""
        status, open_call = self._open(table, fault)
        if before is not None and before.id is not None and is_of_open_call(before, status):
            if before.id == person.id:
                return before
            raise EditRefused("taken", name=before.name)
        if before is not None and before.id is not None and is_newer_than(before, status):
            raise EditRefused("over")
        at, since = to_text(self._now()), status.fault.since if open_call and status.fault is not None else ""
        return CallClaim(status.epoch, open_call, status.seq, person.id, person.name, self._floor, at, since)

    def _open(self, table: str, fault: int) -> tuple[Status, int]:
        """Status of the table, and `fault` again (0: a halt). Raises EditRefused if this call is not open."""
        status = self._status(table)
        if status is None:
            raise EditRefused("no_table")
        halted = status.halted is not None
        call = 0 if halted else None if status.fault is None else status.fault.seq
        if call != fault:
            raise EditRefused("over")
        return status, fault

    async def release(
        self, table: str, fault: int, claimant: str, person: ActingPerson, *, anybodys: bool = False
    ) -> ActOutcome:
        """Release the claim of `claimant` on the open call. `anybodys`: also if that is another person."""

        def edit(before: CallClaim | None) -> CallClaim:
            status, _ = self._open(table, fault)
            if before is None or before.id is None or not is_of_open_call(before, status):
                raise EditRefused("unheld")
            if before.id != claimant:
                raise EditRefused("taken", name=before.name)
            if claimant != person.id and not anybodys:
                raise EditRefused("not_yours", name=before.name)
            return CallClaim(before.epoch, before.fault, before.seq, None)

        return await self._edit(f"{table}.call", CallClaim, edit)

    # ── assignments ──────────────────────────────────────────────────────────────────────────────────────────────

    async def assign(self, table: str, person: str | None, at_most: int | None) -> ActOutcome:
        """Assign a table of the roster to a person; None: to nobody. `at_most`: how many they may have."""

        def edit(before: Assignments | None) -> Assignments:
            after = {one: whose for one, whose in (before or {}).items() if one != table}
            if person is None or (before or {}).get(table) == person:
                return after if person is None else before or {}
            if table not in self._seals.tables:
                raise EditRefused("no_table")
            count = 1 + sum(whose == person and one in self._seals.tables for one, whose in after.items())
            if at_most is not None and count > at_most:
                raise EditRefused("at_most", count=count, most=at_most)
            return {**after, table: person}

        return await self._edit(ASSIGNMENTS, Assignments, edit)

    async def owner(self, table: str) -> str | None:
        """Person that a table is assigned to, read from the bus now. Raises nats' errors."""
        return (await self.documents.read(ASSIGNMENTS, Assignments) or {}).get(table)

    # ── alarms ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def acknowledge(self, key: str, person: ActingPerson) -> ActOutcome:
        """Acknowledge an alarm in a person's name."""

        def edit(before: Alarms | None) -> Alarms:
            held = _require_held(before, key)
            if held[key].acknowledged is not None:
                return held
            acknowledgement = AlarmAcknowledgement(person.id, person.name, to_text(self._now()))
            return {**held, key: msgspec.structs.replace(held[key], acknowledged=acknowledgement)}

        return await self._edit(ALARMS, Alarms, edit)

    async def shelve(self, key: str, minutes: int, because: str, person: ActingPerson) -> ActOutcome:
        """Shelve an alarm for `minutes` (one of MINUTES), with a reason."""
        if minutes not in MINUTES:
            return ActOutcome("minutes")
        if not because.strip():
            return ActOutcome("because")
        until = to_text(self._now() + minutes * 60 * SECOND)

        def edit(before: Alarms | None) -> Alarms:
            held = _require_held(before, key)
            shelved = Shelving(until, person.id, person.name, because.strip())
            return {**held, key: msgspec.structs.replace(held[key], shelved=shelved)}

        return await self._edit(ALARMS, Alarms, edit)

    async def unshelve(self, key: str) -> ActOutcome:
        """End the shelving of an alarm before its time."""

        def edit(before: Alarms | None) -> Alarms:
            held = _require_held(before, key)
            if not is_shelved(held[key], self._now()):
                raise EditRefused("not_shelved")
            return {**held, key: msgspec.structs.replace(held[key], shelved=None)}

        return await self._edit(ALARMS, Alarms, edit)

    async def update_alarms(self, view: Callable[[], View]) -> UpdatedAlarms | None:
        """Update the shared alarms to the causes in `view`; returns None if that failed."""
        results: list[UpdatedAlarms] = []

        def edit(before: Alarms | None) -> Alarms:
            results.append(update_alarms({} if before is None else before, view()))
            return results[-1].alarms if before is not None or results[-1].alarms else {}

        return _combine(results) if await self.documents.change(ALARMS, Alarms, edit) else None

    async def _edit(self, key: str, kind: type[T], edit: Callable[[T | None], T]) -> ActOutcome:
        if self._seals.is_left_out:
            return ActOutcome("outside")
        try:
            return ActOutcome(DONE if await self.documents.change(key, kind, edit) else "unsure")
        except EditRefused as refused:
            return refused.outcome


def _require_held(before: Alarms | None, key: str) -> Alarms:
    """Return the alarms if the alarm of this key is held. Raises EditRefused otherwise."""
    if before is None or key not in before or not is_held(before[key]):
        raise EditRefused("no_alarm")
    return before


def _combine(tries: Sequence[UpdatedAlarms]) -> UpdatedAlarms:
    """Combine the tries of one update: a try without an answer may have been stored, so its raised alarms count."""
    last = tries[-1].alarms
    raised = {key for one in tries for key in one.raised if key in last and last[key].since == one.alarms[key].since}
    cleared = {key for one in tries for key in one.cleared if key in last and last[key].over == one.alarms[key].over}
    return UpdatedAlarms(last, tuple(sorted(raised)), tuple(sorted(cleared)))
