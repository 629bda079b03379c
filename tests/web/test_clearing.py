"""After a ruling the dealer's screen says which cards to move, so that they lie as recorded."""

import pytest

from controller.lab.testing.judge import Judge
from controller.text.faults import Words
from controller.web.screens.clearing import cards_to_handle, has_come_back
from controller.web.screens.dealer import dealer
from tests.web.bench_screens import bench_after, bench_look, dealer_screen

WRONG = "open; close; card 9C; card 6D at player"
EARLY_FINISH = "open; close; card 2C; card 3D; card 4H; press finish"
FIRST_BURNT = f"{EARLY_FINISH}; rule burn 1 by anna because x"


class LieAsRecorded(Judge):
    """After the dealer has done what the screen says, each card lies where the record has it."""

    def __init__(self, bench):
        super().__init__(bench)
        self.lies = {}

    def look(self, before, event, records, after):
        if (before.round.number, before.live) != (after.round.number, after.live):
            self.lies = {}
        for draw in after.round.draws:
            place = draw.place if draw.source == "reader" else None
            self.lies.setdefault(draw.number, (place, draw.fate))
        if not after.live or after.fault is not None:
            return
        work = cards_to_handle(after.round)
        self.lies |= {draw.number: (draw.place, draw.fate) for draws in work for draw in draws}
        placed = {draw.number: draw.place for draw in after.round.draws if draw.fate == "placed"}
        assert {number: place for number, (place, _) in self.lies.items() if number in placed} == placed
        gone = (draw for draw in after.round.draws if draw.fate in ("burnt", "carried") and draw.out)
        off = {draw.number for draw in gone if not has_come_back(draw, after.round)}
        assert off <= {number for number, (_, fate) in self.lies.items() if fate in ("burnt", "carried")}


@pytest.mark.parametrize(
    ("script", "head", "text"),
    [
        (f"{WRONG}; rule move 2 banker by anna because x", "PLACE THE CARD", "6♦ to BANKER"),
        (f"{WRONG}; rule burn 2 by anna because x", "TAKE THESE OFF", "six of diamonds"),
        ("open; close; card 9C; unread; card 5D; rule rescan by anna because x", "PLACE THE CARD", "5♦ to BANKER"),
        (
            f"{EARLY_FINISH}; rule burn 2 by anna because x; rule move 3 banker by anna because y",
            "PUT THE CARDS RIGHT",
            "take off 3♦; 4♥ to BANKER",
        ),
        (
            f"{FIRST_BURNT}; rule move 2 player by anna because y; rule move 3 banker by anna because z",
            "PUT THE CARDS RIGHT",
            "take off 2♣; 3♦ to PLAYER; 4♥ to BANKER",
        ),
    ],
)
def test_rulings_say_which_cards_to_put_where(script, head, text):
    shown = dealer_screen(script=script)
    assert (shown.next.head, shown.next.text) == (head, text)
    assert shown.then.tone == "deal"
    assert dealer_screen(script=f"{script}; card 7S").then is None


def test_cards_to_move_are_shown_again_after_a_restart():
    script = f"{WRONG}; rule move 2 banker by anna because x"
    before, restarted = (
        dealer_screen(script=one) for one in (script, f"{script}; restart; rule resume by anna because y")
    )
    assert (restarted.next, restarted.then, restarted.clears) == (before.next, before.then, before.clears)


def test_a_face_down_card_is_moved_without_its_value():
    hidden = "shuffled; open; bet p1 ante 10.00; close; card 9C; card 6D; card 8S at player"
    screen = dealer(
        bench_look(bench_after(f"{hidden}; rule move 3 dealer by anna because x", "casino_holdem")), Words("en")
    )
    assert (screen.next.head, screen.next.text) == ("PLACE THE CARD", "face-down card to DEALER")


def test_a_carried_card_that_comes_back_is_only_placed():
    script = (
        "open; close; card TH; card 4C; card 9C; press manager; unread; card 2C; card 8H;"
        "rule resume by m because x; rule burn by m because x; press manager;"
        "rule carry seen no by m because x; rule void 5 by m because x"
    )
    work = cards_to_handle(bench_after(script, carry=True, confirm="dealer").state.round)
    assert [[draw.number for draw in draws] for draws in work] == [[4], [7], []]


def test_a_kept_card_still_waits_after_the_next_is_burnt():
    script = (
        "open; close; card 9C; card TH; card TC; card 8H; press finish; card 4D; rule carry seen no by m because x;"
        "open; close; unread; rule burn by m because x"
    )
    work = cards_to_handle(bench_after(script, carry=True).state.round)
    assert [[draw.number for draw in draws] for draws in work] == [[2], [1], []]
