"""State is the fold of all records: live, from the bytes of the journal, and from the last checkpoint."""

from itertools import accumulate, combinations

import msgspec
import pytest

from controller.core.decide import decide
from controller.core.encoding import BadRecord, decode, decode_input, encode, encode_input
from controller.core.fold import BrokenFold, apply, fold
from controller.core.position import Position
from controller.core.records import AFTERWARDS, Checkpoint, Opened
from controller.core.state import State
from controller.games import GAMES

from .bench import Bench
from .chance import Judge
from .salts import unsalted


def text(state):
    """Return a state as JSON, with the bets in play, which no checkpoint contains."""
    return msgspec.json.encode(state, enc_hook=dict)


@pytest.mark.parametrize("read", [decode, decode_input])
def test_a_record_that_cannot_be_read_says_why(read):
    with pytest.raises(BadRecord, match="Input data was truncated") as refused:
        read(b'{"at"')
    assert refused.value.message.parts == {"error": "Input data was truncated"}


class Fold(Judge):
    """Every record is folded again, from its bytes and from the last checkpoint, to the same state."""

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
    """Sequence numbers have no gap, only a set clock goes back, and each record names its own round."""

    def look(self, before, event, records, after):
        state = before
        for record in records:
            number = state.round.number + isinstance(record.what, Opened)
            assert record.seq == state.seq + 1
            assert record.at >= state.at or record.kind == "clock_set"
            about_any = record.kind in AFTERWARDS
            assert about_any or record.round in ((number,) if state.live else (number, None))
            state = apply(state, record)


class SameAgain(Judge):
    """The same state and event give the same records again, and deciding leaves the state unchanged."""

    def look(self, before, event, records, after):
        was = text(before)
        bench = self.bench
        again = decide(bench.house, Position(GAMES), before, event, bench.now)
        assert again.records == [unsalted(record) for record in records]
        assert again.state == after
        assert text(before) == was


def test_a_record_out_of_turn_breaks_the_fold():
    records = Bench().records
    with pytest.raises(BrokenFold, match="3 after 1"):
        fold(State(), [records[0], records[2]])


@pytest.mark.parametrize("end", ["card KH; card 3S", "rule cancel by manager because late"])
def test_bets_that_leave_together_fold_as_each_alone(end):
    table = Bench("baccarat")
    bets = "; ".join(f"bet p{number} {market} 1.00" for number in range(4) for market in ("banker", "tie"))
    table.says(f"open; {bets}; close; card 9C; card 2D; {'press manager; ' if 'rule' in end else ''}{end}")
    assert [record.kind for record in table.records].count("refunded" if "rule" in end else "paid") == 8
    states = list(accumulate(table.records, apply, initial=State()))
    for first, last in combinations(range(len(states)), 2):
        assert text(fold(states[first], table.records[first:last])) == text(states[last])


def test_payments_missing_or_exchanged_break_the_fold():
    table = Bench("baccarat")
    table.says("open; bet p1 tie 1.00; bet p2 tie 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KH; card 3S")
    paid = next(place for place, record in enumerate(table.records) if record.kind == "paid")
    before, (first, second, third), after = (
        table.records[:paid],
        table.records[paid : paid + 3],
        table.records[paid + 3 :],
    )
    for wrong in ([second, third], [first, third], [first, second], [second, first, third], [first, third, second]):
        with pytest.raises(BrokenFold):
            fold(State(), [*before, *wrong, *after])
