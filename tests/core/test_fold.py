"""State is the fold of all records: live, from the bytes of the journal, and from the last checkpoint on."""

import msgspec
import pytest

from controller.core.decide import decide
from controller.core.encoding import decode, encode, encode_input
from controller.core.fold import BrokenFold, apply, fold
from controller.core.position import Position
from controller.core.records import Checkpoint, Opened
from controller.core.state import State
from controller.games import GAMES

from .bench import Bench
from .chance import Judge
from .salts import unsalted


def text(state):
    """A state as JSON, the bets in play too, which no checkpoint has."""
    return msgspec.json.encode(state, enc_hook=dict)


class Fold(Judge):
    """Every record is folded again from its bytes, and from the last checkpoint."""

    def __init__(self, bench):
        super().__init__(bench)
        self.folded = self.recovered = fold(State(), bench.records)

    def look(self, before, event, records, after):
        for record in records:
            again = decode(encode(record), record.input and encode_input(record.input))
            assert again == record
            self.folded = apply(self.folded, again)
            if isinstance(again.what, Checkpoint):
                self.recovered = msgspec.json.decode(again.what.state, type=State)
            self.recovered = apply(self.recovered, again)
            assert self.recovered == self.folded
        assert self.folded == after
        assert text(self.folded) == text(after)  # a checkpoint has the same bytes, too


class Envelope(Judge):
    """seq without a gap, time that never goes back, the round that a record belongs to."""

    def look(self, before, event, records, after):
        state = before
        for record in records:
            number = state.round.number + isinstance(record.what, Opened)
            assert record.seq == state.seq + 1
            assert record.at >= state.at or record.kind == "clock_set"
            assert record.round in ((number,) if state.live else (number, None))
            state = apply(state, record)


class SameAgain(Judge):
    """A decision depends on the state alone, and leaves the state unchanged."""

    def look(self, before, event, records, after):
        was = text(before)
        bench = self.bench
        again = decide(bench.house, Position(GAMES), before, event, bench.now)
        assert again.records == [unsalted(record) for record in records]
        assert again.state == after
        assert text(before) == was


def test_a_record_out_of_turn_breaks_the_fold():
    records = Bench().records
    with pytest.raises(BrokenFold, match="record 3 came after record 1"):
        fold(State(), [records[0], records[2]])
