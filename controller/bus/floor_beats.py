"""Heartbeats of floors: each floor says every second whether it can send the alerts for faults.

While one floor can, tables leave their alerts to it. So a heartbeat is signed, has the present time and counts once:
forged, old or repeated heartbeats silence no table.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ..outputs.hold import SILENT
from . import names as n
from .keys import is_signed, sign
from .signed_commands import LATE

EVERY = 1.0  # seconds
WORD = "tablectl_floor"  # first part of the subject


class Process(NamedTuple):
    """Process that runs a floor: the name of its PC, and a random text of its own."""

    host: str
    run: str


UNNAMED = Process("", "")


class FloorBeat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Heartbeat of a floor: its name, the time, whether this floor sends the fault alerts, and its process.

    `unheard`: tables on the bus for which it sends none, because it cannot use their messages.
    """

    name: str
    at: int  # milliseconds of Unix time
    calls: bool
    host: str = ""
    run: str = ""
    unheard: tuple[str, ...] = ()


def subject_of(studio: str, floor: str) -> str:
    """Return the NATS subject for the heartbeats of a floor; `*`: of every floor."""
    return f"{WORD}.{studio}.{floor}"


def beat(
    seed: str, subject: str, *, calls: bool, now: float, process: Process = UNNAMED, unheard: Sequence[str] = ()
) -> tuple[bytes, dict[str, str]]:
    """Build a signed heartbeat: message body and headers. `now`: Unix time in seconds."""
    heartbeat = FloorBeat(subject.rpartition(".")[2], round(now * 1000), calls, *process, tuple(unheard))
    body = msgspec.json.encode(heartbeat)
    return body, {n.SIGNATURE: sign(seed, _signed_bytes(subject, body)).decode()}


def beat_in(keys: Mapping[str, str], subject: str, headers: Mapping[str, str] | None, body: bytes) -> FloorBeat | None:
    """Heartbeat in a message; None if it is none, or not signed with the key of its floor. `keys`: by floor."""
    name = subject.rpartition(".")[2]
    key, signature = keys.get(name), (headers or {}).get(n.SIGNATURE, "")
    if key is None or not is_signed(key, _signed_bytes(subject, body), signature):
        return None
    try:
        heartbeat = msgspec.json.decode(body, type=FloorBeat)
    except msgspec.MsgspecError:
        return None
    return heartbeat if heartbeat.name == name else None


def _signed_bytes(subject: str, body: bytes) -> bytes:
    return subject.encode() + b"\n" + body


class ClockLead(NamedTuple):
    """Greatest lead of a floor's clock over our monotonic clock, at the arrival of its heartbeats, in seconds.

    A heartbeat with a much smaller lead came late. Covers only the last one to two minutes, since a clock may be set
    back. `now`: lead in the present minute; `before`: in the minute before; `since`: start of the present minute.
    """

    since: float
    now: float
    before: float

    def with_one(self, up: float, ahead: float) -> "ClockLead":
        """Return this lead updated by one heartbeat.

        `up`: seconds since our start; `ahead`: lead of the floor's clock in this heartbeat.
        """
        if up - self.since <= LATE:
            return self._replace(now=max(self.now, ahead))
        return ClockLead(up, ahead, self.now if up - self.since <= 2 * LATE else ahead)

    @property
    def greatest(self) -> float:
        """Greatest lead in the present and the previous minute, in seconds."""
        return max(self.now, self.before)


class FloorBeats:
    """Verifier of floor heartbeats. `keys`: public keys of floors, by name.

    `hear`: called for each valid heartbeat, with the floor's name and whether it sends alerts; with a `table`, whether
    it sends those of this table.
    """

    def __init__(
        self,
        keys: Mapping[str, str],
        hear: Callable[[str, bool], None],
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        table: str = "",
    ) -> None:
        self._keys, self._hear, self._clock, self._steady, self._began = keys, hear, clock, steady, steady()
        self._table = table
        self._last: dict[str, int] = {}  # by floor: time in its last heartbeat, milliseconds
        self._ahead: dict[str, ClockLead] = {}

    def take(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> bool:
        """Verify a floor heartbeat and report it. Returns False if it is stale, replayed or unsigned."""
        heartbeat = beat_in(self._keys, subject, headers, body)
        if heartbeat is None or not self._is_new(heartbeat.name, heartbeat.at):
            return False
        self._hear(heartbeat.name, heartbeat.calls and self._table not in heartbeat.unheard)
        return True

    def _is_new(self, name: str, at: int) -> bool:
        """True if a heartbeat is later than the one before, signed since our start, and came in time; notes it."""
        if at <= self._last.get(name, 0):
            return False
        age, up = self._clock() - at / 1000, self._steady() - self._began
        if abs(age) > LATE or age > up:
            return False
        self._last[name] = at
        ahead = at / 1000 - self._steady()
        lead = self._ahead[name] = self._ahead.get(name, ClockLead(up, ahead, ahead)).with_one(up, ahead)
        return lead.greatest - ahead <= SILENT


class Twins:
    """Watch for other processes that run a floor under the same name and key, by their heartbeats.

    `process`: this one; None for an observer, to which each process of the floor is another one.
    """

    def __init__(
        self, floor: str, key: str, process: Process | None = None, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._keys, self._process, self._steady = {floor: key}, process, steady
        self._heard: dict[Process, float] = {}

    def take(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> None:
        """Note the process that has sent a heartbeat of this floor. The clocks of two PCs may differ."""
        heartbeat = beat_in(self._keys, subject, headers, body)
        if heartbeat is not None and (process := Process(heartbeat.host, heartbeat.run)) != self._process:
            self._heard = {**{one: self._heard[one] for one in self.live_processes}, process: self._steady()}

    @property
    def live_processes(self) -> list[Process]:
        """Other processes heard within the last SILENT seconds, in order."""
        return sorted(one for one, at in self._heard.items() if self._steady() - at < SILENT)
