"""No record's hash gives a hidden card away to somebody who knows all but the card and its salt."""

import pytest

from controller.core import events as e
from controller.core.views import view

from .bench import Bench
from .chance import Judge
from .salts import given_away, unsalted

DEALT = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D"  # next: the dealer's two cards, face down
HIDDEN = f"{DEALT}; card KS; card QS"
SEATS = "shuffled; open; bet p1 seat1 main 1.00; bet p2 seat2 main 1.00; close; card 9C; card 7D; card 8D; card 7H"
HOLE = f"{SEATS}; card 6C; card KS"
FLOP = "card 2H; card 3H; card 4S"


class Salted(Judge):
    """A record that hides something from a shift manager has a salt, and so has the input behind it."""

    def look(self, before, event, records, after):
        salt = None
        for record in records:
            salt = record.input.salt if record.input else salt
            auditor_view, manager_view = (view(unsalted(record), audience) for audience in ("auditor", "manager"))
            if any(manager_view.get(name) != value for name, value in auditor_view.items() if name != "input"):
                assert record.salt, record
            assert record.salt in (None, salt)


def played(says, *events, game="casino_holdem"):
    table = Bench(game, {"decks": 1} if game == "blackjack" else None)
    table.says(says)
    table.do(*events)
    return table.records


def blackjack(says):
    return played(says, game="blackjack")


ROUNDS = {
    "dealt": (played(HIDDEN), "KS QS"),
    "dealt, and the next cards": (played(f"{HIDDEN}; {FLOP}"), "KS QS"),
    "a hole card": (blackjack(HOLE), "KS"),
    "read in a pause": (played(f"{DEALT}; press manager; card KS; card QS"), "KS QS"),
    "after a pause": (played(f"{HIDDEN}; press manager; rule resume by m because x; {FLOP}"), "KS QS"),
    "corrected": (played(f"{HIDDEN}; press manager; rule correct 3 5D by m because misread"), "KS 5D"),
    "corrected, and refused": (
        played(f"{HIDDEN}; press manager", e.Rule("correct", "m", "x", draw=3, card="KS", fault=1)), "KS"
    ),
    "named in a reason": (played(HIDDEN, e.KeyPressed("manager"), e.Rule("resume", "m", "KS")), "KS QS"),
    "entered by hand": (played(f"{DEALT}; unread; rule enter KS by m because manual"), "KS"),
    "slid again": (played(f"{DEALT}; unread; card KS; rule rescan by m because again"), "KS"),
    "laid elsewhere": (played(f"{DEALT}; card KS at board"), "KS"),
    "burnt": (played(f"{DEALT}; card KS at board; rule burn by m because bent"), "KS"),
    "one hand is void": (blackjack(f"{HOLE}; press manager; rule void_hand seat1 by m because x"), "KS"),
    "the round is void": (played(f"{HIDDEN}; press manager; rule cancel by m because x"), "KS QS"),
    "void with a card that lay loose": (played(f"{DEALT}; press manager; card KS; rule cancel by m because x"), "KS"),
    "restarted": (played(f"{DEALT}; card KS; restart; rule resume by m because x; card QS; {FLOP}"), "KS QS"),
    "read after a restart": (played(f"{DEALT}; restart; card KS; rule rescan by m because x"), "KS"),
    "never shown": (played(f"{HIDDEN}; {FLOP}; decide p1 fold"), "KS QS"),
    "never shown, two rounds later": (
        played(f"{HIDDEN}; {FLOP}; decide p1 fold; shuffled; open; close; press manager; rule cancel by m"), "KS QS"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROUNDS)
def test_no_hash_gives_a_hidden_card_away(name):
    records, hidden = ROUNDS[name]
    for card in hidden.split():
        assert given_away(records, card) == []


@pytest.mark.parametrize("name", ROUNDS)
def test_without_salts_a_hash_gives_each_hidden_card_away(name):
    records, hidden = ROUNDS[name]
    for card in hidden.split():
        assert given_away([unsalted(record) for record in records], card)


def test_no_earlier_hash_gives_a_revealed_card_away():
    records = played(f"{HIDDEN}; {FLOP}; decide p1 call; card 9C; card 9S")
    shown = next(record.seq for record in records if record.kind == "revealed")
    before = records[: shown - 1]
    assert {"KS", "QS"} == set(records[shown - 1].what.cards)
    assert given_away(before, "KS") == given_away(before, "QS") == []


def test_an_unread_hidden_card_is_salted_as_a_read_one():
    drawn, faulted = played(f"{DEALT}; unread")[-2:]
    assert (drawn.what.card, drawn.what.hidden) == (None, True)
    assert drawn.salt == faulted.salt == drawn.input.salt


def test_a_card_dealt_face_up_has_no_salt():
    (dealt,) = played(DEALT)[-1:]
    assert (dealt.what.face_up, dealt.salt, dealt.input.salt) == (True, None, None)
