"""Last frames of the shoe: shown as bytes, unless one may hold a card that lies face down."""

import pytest

from controller.core.clock import to_text
from controller.core.fault_matrix import hides
from controller.station.device_events import ShoeEvents
from controller.station.frames import ROOM, Frames
from drivers import events as d
from tests.core.bench import START, Bench

HOLDEM = "shuffled; open; bet p1 ante 1.00; close"


class ShoeAtTable:
    """Shoe at a table, with the frames that are kept of it."""

    def __init__(self, game, text):
        self.table = Bench(game, reveal="auto")
        self.frames = Frames(hides=hides(self.table.house.game))
        self.table.says(text)

    def says(self, *events):
        for one in events:
            before = self.table.state
            ShoeEvents(self.table.do, "t")(one)
            self.frames.hear(one, self.table.now, before, self.table.state)

    def cards(self, *cards):
        self.says(*(d.CardRead(card, raw=card.encode()) for card in cards))

    def bytes(self):
        return [frame.bytes for frame in self.frames.shown_frames(self.table.state)]


def test_frames_are_shown_latest_first_with_their_draw():
    shoe = ShoeAtTable("baccarat", "open; close")
    # made-up bytes: frames are shown unchanged, whatever they mean
    shoe.says(d.StandBy(b"\x05S"), d.CardRead("9H", raw=b"\x05D9"), d.CardUnreadable(b"\x05E"))
    latest, card, _ = shoe.frames.shown_frames(shoe.table.state)
    assert (card.said, card.bytes, card.size, card.draw, card.at) == ("CardRead", "05 44 39", 3, 1, to_text(START))
    assert (latest.said, latest.draw) == ("CardUnreadable", 2)
    shoe.table.says("rule cancel by anna because x; open")
    assert [frame.draw for frame in shoe.frames.shown_frames(shoe.table.state)] == [None] * 3


def test_a_hidden_cards_frame_is_withheld_until_its_reveal():
    shoe = ShoeAtTable("casino_holdem", HOLDEM)
    shoe.cards("AC", "7D", "KS", "QS")
    assert shoe.bytes() == [None, None, "37 44", "41 43"]
    shoe.cards("2C", "3C", "4C")
    shoe.table.says("decide p1 call")
    shoe.cards("5C")
    assert shoe.bytes()[4:6] == [None, None]
    shoe.cards("6H")  # the last card: the dealer's cards are turned over
    assert None not in shoe.bytes()


def test_frames_of_hidden_cards_are_shown_after_the_round():
    shoe = ShoeAtTable("casino_holdem", HOLDEM)
    shoe.cards("AC", "7D", "KS", "QS")
    shoe.table.says("press manager; rule cancel by anna because x")
    assert None not in shoe.bytes()


def test_a_second_copy_of_a_hidden_card_is_shown():
    shoe = ShoeAtTable("casino_holdem", HOLDEM)
    shoe.cards("AC", "7D", "KS", "QS", "KS")
    assert shoe.table.fault is None
    assert shoe.bytes()[0] == "4b 53"


def test_a_withheld_frame_shows_no_length():
    shoe = ShoeAtTable("casino_holdem", HOLDEM)
    shoe.says(d.CardRead("AC", raw=b"AC"), d.CardRead("7D", raw=b"7D"), d.CardRead("TS", raw=b"10S"))
    assert [frame.size for frame in shoe.frames.shown_frames(shoe.table.state)] == [None, 2, 2]


@pytest.mark.parametrize(("game", "shown"), [("casino_holdem", None), ("baccarat", "4b 53")])
def test_garbage_is_withheld_where_cards_may_be_hidden(game, shown):
    shoe = ShoeAtTable(game, HOLDEM if game == "casino_holdem" else "open; close")
    shoe.says(d.Garbage(b"KS", "its check is wrong"))
    assert shoe.bytes() == [shown]
    assert next(shoe.frames.shown_frames(shoe.table.state)).size == (None if shown is None else 2)


def test_an_unrecorded_card_is_withheld_where_cards_may_be_hidden():
    shoe = ShoeAtTable("casino_holdem", HOLDEM)
    state = shoe.table.state
    shoe.frames.hear(d.CardRead("KS", raw=b"KS"), shoe.table.now, state, state)  # the record could not be written
    assert shoe.bytes() == [None]


def test_cards_of_a_shoe_change_are_shown():
    shoe = ShoeAtTable("casino_holdem", "shoe change")
    shoe.cards("KS")
    assert shoe.bytes() == ["4b 53"]


def test_only_the_latest_frames_with_bytes_are_kept():
    shoe = ShoeAtTable("baccarat", "open")
    shoe.says(*(d.StandBy(bytes([number])) for number in range(ROOM + 3)), d.Lost("gone"), d.StandBy())
    assert len(shoe.bytes()) == ROOM
    assert shoe.bytes()[0] == f"{ROOM + 2:02x}"
