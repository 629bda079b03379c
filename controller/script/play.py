"""One table driven from a script: no devices, a clock that moves only when the script says so.

Everything goes through `decide`, exactly as on a live table.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from ..core import events as e
from ..core.decide import decide
from ..core.decide.past_rounds import with_past
from ..core.encoding import decode, encode
from ..core.fold import fold, state_before
from ..core.house import House
from ..core.notation import cause_text
from ..core.offers import blocked_rulings, possible_rulings
from ..core.position import Position
from ..core.records import Checkpoint, ClockSet, Record
from ..core.state import State
from ..games import GAMES
from ..journal import Journal
from ..rules.procedure import Ask
from .directives import START, Halt, Line, Recorded, Restart, WaitLine

EPOCH = "play"  # of a record that is not stored
BURNT = {"one": 1, "first_card": 2}  # cards burnt from the first shoe, unread, by `[table] burn`


def opening_events(house: House) -> list[e.Event]:
    """Events that open a table: a dealer, and a full shoe with the burn and the count that the house requires."""
    terms = house.terms
    burnt = BURNT.get(terms.burn, 0)
    burning: list[e.Event] = [e.ChangeShoe("play"), e.CutShoe("play"), *[e.CardOut(None)] * burnt] if burnt else []
    full = e.LoadShoe(counted=house.deck.size, receipt="play") if terms.count_in else e.LoadShoe()
    return [e.OpenTable("play"), e.DealerOn("dealer"), *burning, full]


class Play:
    """Table without devices, driven by the lines of a script; keeps its records."""

    def __init__(
        self, house: House, journal: Journal | None = None, begin: State | None = None, epoch: str = EPOCH
    ) -> None:
        """Start at the state `begin`, which is recorded first; by default an open table with a full shoe."""
        self.house = house
        self.now = START if begin is None else begin.at
        self.records: list[Record] = []
        self._journal = journal
        self._start(begin or State(table=house.table))
        if begin is None:
            for event in (e.Begin(epoch), *opening_events(house)):
                self.take(event)
        else:
            checkpoint = Checkpoint(msgspec.Raw(msgspec.json.encode(begin)))
            self._keep([Record(begin.seq + 1, begin.at, house.table, checkpoint)])
            self.state = fold(begin, self.records)

    def _start(self, state: State) -> None:
        self.state = state
        self._position = Position(GAMES)

    def run(self, lines: Iterable[tuple[int, Line]]) -> Iterator[Record]:
        """Run numbered lines of a script; yield the records that each of them causes."""
        for _, line in lines:
            match line:
                case Recorded():  # `__init__` has begun with it
                    pass
                case WaitLine(time=time):
                    self.now += time
                    yield from self.take(e.Tick())
                case Restart(time=time):
                    self.now += time
                    self._start(fold(state_before(self.records[0]), (decode(encode(one)) for one in self.records)))
                    yield from self.take(e.ProgramBack())
                case Halt(time=time, reason=reason, dropped=dropped, message=message):
                    self.now += time
                    yield from self.take(e.JournalBack(reason, dropped, message))
                case event:
                    yield from self.take(event)
        while self.state.is_unfinished:
            yield from self.take(e.Tick())

    def take(self, event: e.Event) -> list[Record]:
        """Decide on one event, record the result and apply it. Raises JournalFailed."""
        before = list[Record]()
        while self.state.is_unfinished and isinstance(
            event, e.Resettle
        ):  # a resettlement can read a round only once it is paid
            before += self.take(e.Tick())
        event = with_past(self.house, self._position, self.state, event, self.records)
        draft = decide(self.house, self._position, self.state, event, self.now)
        self._keep(draft.records)
        self.state = draft.state
        if any(isinstance(record.what, ClockSet) for record in draft.records):
            self.now = self.state.at
        return before + draft.records

    def _keep(self, records: list[Record]) -> None:
        if self._journal is not None:
            self._journal.append(records)
        self.records += records

    def state_line(self) -> dict[str, Any]:
        """Last line of the output of `play`: the table's state and expected step. It is not a record."""
        due = self._position.due(self.state)
        if isinstance(due, Ask) and due.seconds is None:
            due = replace(due, seconds=self.state.round.terms.decision_seconds)
        line: dict[str, Any] = {"kind": "state", "state": self.state.life, "due": msgspec.to_builtins(due)}
        if self.state.fault:
            step = self._position.due(self.state)
            rulings, reasons = possible_rulings(self.state, step), blocked_rulings(self.state, step)
            line["fault"] = {"code": self.state.fault.code, "rulings": list(rulings)}
            line["fault"] |= {"not_now": reasons} if reasons else {}
            line["fault"] |= (
                {"waiting": [cause_text(one.came) for one in self.state.waiting]} if self.state.waiting else {}
            )
        return line
