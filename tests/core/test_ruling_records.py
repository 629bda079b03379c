"""What a ruling records: its fault, who and why, values before and after; and who may not see them."""

import pytest

from controller.core.views import view

from .test_rulings import NATURAL, PLAYER_DUE, bench, holdem, rule
from .test_views import OTHERS

HIDING = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D"  # next: the dealer's first card, face down
UNREAD = f"{PLAYER_DUE}; unread"

VALUES = [
    ("resume", f"{PLAYER_DUE}; press manager", {}, {}),
    ("deal", f"{PLAYER_DUE}; press finish", {}, {}),
    ("enter 9H", UNREAD, {"draw": 3, "card": None}, {"draw": 3, "card": "9H", "source": "manual"}),
    ("enter 9H", f"{PLAYER_DUE}; lost shoe", {}, {"card": "9H"}),
    ("rescan", f"{UNREAD}; card 9H", {"unread": 3}, {"draw": 4, "place": None}),
    ("correct 2 4H", f"{PLAYER_DUE}; press manager", {"draw": 2, "card": "2D"}, {"draw": 2, "card": "4H"}),
    (
        "move 3 player",
        f"{PLAYER_DUE}; card 9H at banker",
        {"draw": 3, "place": "banker"},
        {"draw": 3, "place": "player"},
    ),
    ("burn", f"{NATURAL}; card 7H", {"draw": 5, "card": "7H"}, {"draw": 5, "fate": "burnt"}),
    (
        "carry seen no",
        f"{NATURAL}; card 7H",
        {"draw": 5, "card": "7H"},
        {"draw": 5, "fate": "carried", "seen": False},
    ),
    (
        "carry seen yes",
        f"{NATURAL}; card 7H",
        {"draw": 5, "card": "7H"},
        {"draw": 5, "fate": "burnt", "seen": True},
    ),
    ("cancel", f"{PLAYER_DUE}; press manager", {}, {}),
]


@pytest.mark.parametrize(("ruling", "says", "before", "after"), VALUES)
def test_a_ruling_is_recorded_with_the_values_before_and_after(ruling, says, before, after):
    table = bench(says, confirm="dealer", carry=True)
    fault = table.state.fault.seq
    rule(table, ruling)
    (ruled,) = table.facts("ruled")
    assert (ruled.fault, ruled.ruling, ruled.by, ruled.because) == (
        fault,
        ruling.split()[0],
        "manager",
        "seen on camera",
    )
    assert (ruled.before, ruled.after) == (before, after)


def test_a_ruling_refusal_names_the_open_fault():
    table = bench(UNREAD)
    table.says("rule deal by anna because late; rule burn by dealer because mine; ack by dealer")
    refused = table.facts("ruling_refused")
    assert [(one.ruling, one.by, one.reason) for one in refused] == [
        ("deal", "anna", "not_allowed"),
        ("burn", "dealer", "own_round"),
        ("acknowledge", "dealer", "own_round"),
    ]
    assert {one.fault for one in refused[:2]} == {table.state.fault.seq}


@pytest.mark.parametrize("audience", OTHERS)
@pytest.mark.parametrize(
    ("says", "ruling"),
    [
        (f"{HIDING}; unread", "enter KS"),
        (f"{HIDING}; lost shoe", "enter KS"),
        (f"{HIDING}; unread; card KS", "rescan"),
        (f"{HIDING}; card KS at board", "move 3 dealer"),
        (f"{HIDING}; card KS at board", "burn"),
        (f"{HIDING}; card KS; press manager", "correct 3 5D"),
        (f"{HIDING}; card 5D; press manager", "correct 3 KS"),
        (f"{HIDING}; card KS; press manager", "cancel"),
    ],
)
def test_no_ruling_shows_a_card_that_is_or_becomes_hidden(audience, says, ruling):
    table = holdem(says)
    rule(table, ruling)
    assert "KS" not in str([view(record, audience) for record in table.records])


def test_a_card_entered_for_a_lost_shoe_has_source_manual():
    table = bench(f"{PLAYER_DUE}; lost shoe")
    rule(table, "enter 9H")
    draw = table.state.round.draws[2]
    assert (draw.card, draw.fate, draw.source) == ("9H", "placed", "manual")
