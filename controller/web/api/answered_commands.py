"""Answered commands of the live round and the one before, by the records they led to, so that repeats are safe.

Invariant: the journal contains key and content of each command, in the input of its decision. A restarted program
therefore knows as much as before. No command is dropped to make room: a client that has sent MOST commands has to wait
for the next round. One exception: a start that is refused again is only counted and has no record, so its key is known
until the program ends. The entries are excluded from garbage collection (`gc`), which would delay a card by 40 ms at
20,000 entries."""

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from ...core import events as e
from ...core.events import Event, Origin
from ...core.records import Ignored, Opened, Record

TAKEN_BACK = "taken_back"
MOST = 100_000  # commands of one client in two rounds, which is some 40 MB


class Span(Struct, frozen=True, gc=False):
    """Range of record numbers, both ends included."""

    first: int
    last: int


class _AnsweredCommand(Struct, frozen=True, gc=False):
    digest: int | None  # hash of the command; None: the bet has not arrived yet and will be refused
    span: Span | None = None  # None: no record followed, or the table could not write it yet
    refused: str | None = None  # reason of a refusal without a record (`RefusedStarts`, `taken_back`)


class AnsweredCommands:
    """Index of answered commands by client and id, for two rounds."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._now: dict[Origin, _AnsweredCommand] = {}
        self._before: dict[Origin, _AnsweredCommand] = {}
        self._counts = Counter[str]()  # by client
        self._last: tuple[Origin, int] | None = None  # key and hash of the command that led to the last record
        self.hear(records)

    def hear(self, records: Iterable[Record]) -> None:
        """Note durable records as answers to the commands in their inputs."""
        for record in records:
            self._hear(record)

    def _hear(self, record: Record) -> None:
        if isinstance(record.what, Opened):
            self._before, self._now = self._now, {}
            self._counts = Counter(key.via for key in self._before)
        if record.input is not None:
            key = record.input.origin
            self._last = None if key is None or key.command is None else (key, _hash(record.input.event))
        if self._last is not None:
            self._note_record(*self._last, record.seq)
            self._take_back(self._last[0], record)

    def _take_back(self, key: Origin, record: Record) -> None:
        """Note the id of a bet that an `unbet` took back before it arrived, also in a pause: it will be refused.

        An `unbet` in a list that was refused as a whole is ignored.
        """
        what, input_ = record.what, record.input
        if input_ is not None and not isinstance(input_.event, e.NotAll) and isinstance(what, Ignored):
            self._refuse_bet(key, what.came)

    def _refuse_bet(self, key: Origin, event: Event) -> None:
        """Mark the bet that an `unbet` names as refused, unless that bet has arrived already."""
        if isinstance(event, e.WithdrawBet) and event.bet is not None:
            bet = replace(key, command=event.bet)
            if bet not in self:
                self._now[bet] = _AnsweredCommand(None, refused=TAKEN_BACK)
                self._counts[key.via] += 1

    def _note_record(self, key: Origin, digest: int, record: int) -> None:
        entry = self._before.pop(key, None) if key not in self._now else self._now[key]
        if entry is None:
            self._counts[key.via] += 1
        first = entry.span.first if entry is not None and entry.span is not None else record
        self._now[key] = _AnsweredCommand(digest, Span(first, record))

    def note_taken(self, key: Origin, event: Event, *, alone: bool = False) -> None:
        """Note that the table has taken a command. `alone`: the command is not part of an all-or-none list.

        A bet that arrives while the `unbet` that names it waits for its turn is refused too.
        """
        if alone:
            self._refuse_bet(key, event)
        if key not in self:
            self._now[key] = _AnsweredCommand(_hash(event))
            self._counts[key.via] += 1

    def note_refused_start(self, key: Origin, event: Event, reason: str) -> None:
        """Note that a start was refused again for this reason, and led to no record of its own."""
        self.note_taken(key, event)
        self._now[key] = _AnsweredCommand(_hash(event), refused=reason)

    def refusal_reason(self, key: Origin) -> str | None:
        """Reason of a refusal without a record: a repeated start, or a bet taken back before it arrived; else None."""
        entry = self._find(key)
        return None if entry is None else entry.refused

    def is_full_for(self, via: str) -> bool:
        """True if no more commands of this client can be known before the next round."""
        return self._counts[via] >= MOST

    def __contains__(self, key: Origin | None) -> bool:
        return key in self._now or key in self._before

    def span(self, key: Origin) -> Span | None:
        """Numbers of the durable records that a command led to; None if there are none yet."""
        entry = self._find(key)
        return None if entry is None else entry.span

    def differs(self, key: Origin, events: Collection[Event]) -> bool:
        """True if this key was used before for a command that equals none of these events."""
        entry = self._find(key)
        return entry is not None and entry.digest is not None and entry.digest not in map(_hash, events)

    def _find(self, key: Origin) -> _AnsweredCommand | None:
        return self._now.get(key) or self._before.get(key)


def _hash(event: Event) -> int:
    """Hash of a command's content, the same for a command sent alone and in a list."""
    command = event.said if isinstance(event, e.NotAll) else event
    if isinstance(command, e.Resettle):
        command = replace(command, past="")  # the table adds this field; it is not part of the command
    elif isinstance(command, e.PlaceBet):
        command = replace(command, id=None, via="")  # both are the key, and older records do not contain them
    elif isinstance(command, e.WithdrawBet):
        command = replace(command, via="")
    return hash((type(command), command))
