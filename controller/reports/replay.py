"""Auditor's replay of a record: inputs are decided again and the results compared with the record.

With the same program and rule sheet both must be equal to the byte. Otherwise outcomes, payments and refunds are
compared. The replay computes with the pay tables of this program, not with those in the record.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core import sheet
from ..core.coded_message import CodedMessage, Parts, coded
from ..core.decide import decide
from ..core.encoding import BadRecord, decode, decode_input, encode, encode_input
from ..core.fold import apply, fold, state_before
from ..core.house import House
from ..core.position import Position
from ..core.recorded_house import recorded_house
from ..core.state import State
from ..core.withholding import with_salt
from ..journal import Row
from ..rules.game import Game
from ..text.coded import render
from .earlier_rounds import EarlierRounds
from .tally import Difference, Tally

_STARTS = e.Begin | e.NewFile | e.ProgramBack  # inputs with records that say which rules apply from there on
UNPLAYABLE = "replay_failed"  # fault of a round that was opened under another rule sheet
_ENDS_ROUND = b'"kind":"checkpoint"'


class Replay:
    """Replays the rows of a record in order. `program`: version of this program."""

    def __init__(self, games: Mapping[str, Game], program: str) -> None:
        self.records = 0
        self.rounds = 0  # number of rounds that were decided again
        self.read = 0  # number of rounds that could only be read, because the table's settings are not known
        self.differences: list[Difference] = []
        self.others: list[str] = []  # sentences on programs and rule sheets of the record that differ from ours
        self._games, self._program, self._position = games, program, Position(games)
        self._state: State | None = None  # state as decided here; None: not known before the next checkpoint
        self._house: House | None = None  # None: the settings are not known, or the game is not installed
        self._same_rules = False
        self._same_rulings = False  # True: the recording program carried out rulings as this one does
        self._strict = False  # True: this round must be equal to the byte
        self._unlike: r.Record | None = None  # first record of this round that differs
        self._in_step = True  # True: so far in this round the kinds of all records agree
        self._again = False  # True: this round is decided again
        self._rows: list[Row] = []  # rows that follow from the last input
        self._ours: deque[r.Record] = deque()  # records decided here and not compared yet
        self._numbers: dict[int, int] = {}  # number here of each fault and question, by its number in the record
        self._tally = Tally()
        self._earlier = EarlierRounds()

    def take(self, rows: Iterable[Row]) -> None:
        """Take further rows of the record."""
        for row in rows:
            self.records += 1
            if row[2] is not None:
                self._look()
            self._rows.append(row)

    def finish(self) -> None:
        """Finish after the last row. An archive may end before the checkpoint that begins the next file."""
        self._look(cut=True)
        self._tell_unlike()

    def report(self) -> dict[str, Any]:
        """Findings as a dict for JSON: counts and differences."""
        return {
            "records": self.records,
            "rounds": self.rounds,
            "read": self.read,
            "others": self.others,
            "differences": [msgspec.to_builtins(difference) for difference in self.differences],
        }

    def _look(self, *, cut: bool = False) -> None:
        """Compare the rows that follow from the last input. `cut`: the last checkpoint may be missing."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            self._compare(rows, cut=cut)
            if _ENDS_ROUND in rows[-1][1] and rows[0][2] is not None:  # not a round that ends at the begin of a file
                self._end_round(rows[-1])
        except BadRecord as error:
            self._stop_round(render(error.message), _first_unreadable(rows))
        except Exception as error:  # noqa: BLE001 - whatever a damaged record leads to is a finding, not a crash
            what = coded("record_does_not_follow", name=type(error).__name__, error=str(error))
            self._stop_round(render(what), rows[0][0])

    def _stop_round(self, what: str, record: int) -> None:
        self.differences.append(Difference(what, record=record))
        self._state, self._unlike = None, None

    def _compare(self, rows: Sequence[Row], *, cut: bool) -> None:
        payload = rows[0][2]
        input_ = None if payload is None else decode_input(payload)
        if input_ is not None and isinstance(input_.event, _STARTS):
            self._set_up(decode(rows[0][1]))
        if input_ is None or self._state is None or self._house is None:
            self._follow(rows)
            return
        records = self._decided_records(self._house, self._state, input_)
        if cut and len(records) == len(rows) + 1 and isinstance(records[-1].what, r.Checkpoint):
            records.pop()
        if not _is_same(rows, records):
            self._differ([decode(line, payload) for _, line, payload, _ in rows], records)

    # ── valid rules ──────────────────────────────────────────────────────────────────────────────────────────────

    def _set_up(self, configured: r.Record) -> None:
        """Set up the house by a `configured` record and the sheets of this program."""
        what = configured.what
        assert isinstance(what, r.Configured)  # noqa: S101 - a record that says otherwise is damaged
        if configured.seq == 1:
            self._state = State()
        self._house = house = recorded_house(configured.table, what, self._games, self._program)
        if house is None:
            self._tell_other(coded("replay_unknown_game", name=what.game))
            return
        version = (self._program, sheet.digest(house.game))
        self._same_rulings = what.deciding >= r.RULING
        self._same_rules = self._same_rulings and version == (what.program, what.digest)
        live = self._state is not None and self._state.live
        self._strict = self._same_rules and (self._strict or not live)
        if not self._same_rulings:
            self._tell_other(coded("replay_other_rulings"))
        if not self._same_rules:
            their_digest, (program, digest) = what.digest[:12], version
            parts: Parts = {"theirs": what.program, "name": what.game, "said": their_digest, "ours": program}
            self._tell_other(coded("replay_other_rules", **parts | {"our": digest[:12]}))

    def _tell_other(self, message: CodedMessage) -> None:
        if (text := render(message)) not in self.others:
            self.others.append(text)

    def _follow(self, rows: Sequence[Row]) -> None:
        """Fold rows that cannot be decided again: at a file's beginning, or of an unknown game."""
        records = [decode(line) for _, line, _, _ in rows]
        if self._state is None and isinstance(records[0].what, r.Checkpoint):
            self._state = state_before(records[0])
        if self._state is not None:
            self._state = fold(self._state, records)

    # ── deciding again ───────────────────────────────────────────────────────────────────────────────────────────

    def _decided_records(self, house: House, state: State, input_: e.Input) -> list[r.Record]:
        """Records that this program decides for an input, with its salt.

        If two deadlines ran out at once, both are decided, and returned one by one.
        """
        self._again, records = True, list[r.Record]()
        if not self._ours or self._ours[0].input != replace(input_, salt=None):
            records += self._ours  # decided here, but missing in the record
            draft = decide(house, self._position, state, self._renumber(input_.event), input_.at, input_.origin)
            self._see_round(house, state, input_.event, draft.records)
            self._ours, self._state = deque(draft.records), draft.state
        while self._ours:
            records.append(self._ours.popleft())
            if self._ours and self._ours[0].input is not None:
                break
        return with_salt(records, lambda: input_.salt)

    def _see_round(self, house: House, state: State, event: e.Event, records: Sequence[r.Record]) -> None:
        """Compare the round in a resettlement's input with the one decided here."""
        if isinstance(event, e.Resettle) and self._strict and self._earlier.differs(event):
            what = render(coded("replay_other_round"))
            self.differences.append(Difference(what, event.round, records[-1].seq))
        self._earlier.take(house, self._position, state, records)

    def _renumber(self, event: e.Event) -> e.Event:
        """Event with the fault or question number that it has in this replay."""
        if isinstance(event, e.Rule | e.Acknowledge) and event.fault in self._numbers:
            return replace(event, fault=self._numbers[event.fault])
        if isinstance(event, e.Choose) and (event.question in self._numbers or not self._strict):
            return replace(event, question=self._numbers.get(event.question or 0))
        return event

    def _differ(self, theirs: Sequence[r.Record], ours: Sequence[r.Record]) -> None:
        """Note differing records; outcomes and amounts are compared at the end of the round."""
        if not self._strict and self._leaves_out(theirs):
            self._state, self._tally = None, Tally()
            return
        self._tally.take(theirs, ours)
        for kind in (r.Faulted, r.Asked):
            numbers = ([record.seq for record in side if isinstance(record.what, kind)] for side in (theirs, ours))
            self._numbers.update(zip(*numbers, strict=False))
        if self._strict and self._unlike is None:
            pairs = zip_longest(theirs, ours)
            self._unlike = next((one for one, other in pairs if one and one != other), theirs[-1])
        self._in_step = self._in_step and [one.kind for one in theirs] == [one.kind for one in ours]

    def _leaves_out(self, records: Sequence[r.Record]) -> bool:
        """True if the round cannot be decided again from this input on."""
        if any(isinstance(one.what, r.Faulted) and one.what.code == UNPLAYABLE for one in records):
            self._tell_other(coded("replay_stopped", number=records[0].round or 0))
            return True
        return not self._same_rulings and any(isinstance(one.what, r.Ruled | r.Cancelled) for one in records)

    def _end_round(self, row: Row) -> None:
        """Compare the round's sums; the next round begins from the recorded state."""
        self.rounds, self.read = self.rounds + self._again, self.read + (not self._again)
        if self._tally or not self._in_step or self._state is None:
            checkpoint = decode(row[1])
            differences = list(self._tally.close(checkpoint.round))
            self.differences += differences
            if differences:
                self._unlike = None
            if not self._in_step or self._state is None:
                self._state, self._ours = apply(state_before(checkpoint), checkpoint), deque()
        self._tell_unlike()
        self._numbers.clear()
        self._in_step, self._strict, self._again = True, self._same_rules, False

    def _tell_unlike(self) -> None:
        """Report the round's first record that differs from the one decided here; does nothing if all are equal."""
        if self._unlike is not None:
            what = render(coded("record_not_decided", kind=self._unlike.kind))
            self.differences.append(Difference(what, self._unlike.round, self._unlike.seq))
        self._unlike = None


def _first_unreadable(rows: Sequence[Row]) -> int:
    """Number of the first of these rows that is no record; of the first row if all are."""
    for seq, line, payload, _ in rows:
        try:
            decode(line, payload)
        except BadRecord:
            return seq
    return rows[0][0]


def _is_same(rows: Sequence[Row], records: Sequence[r.Record]) -> bool:
    """True if the encoded records equal the rows to the byte."""
    return len(rows) == len(records) and all(
        line == encode(record) and payload == (record.input and encode_input(record.input))
        for (_, line, payload, _), record in zip(rows, records, strict=True)
    )
