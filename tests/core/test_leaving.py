"""A dealer leaves during a round: the round is dealt to its end, then the table has no dealer."""

import pytest

from controller.core import events as e
from controller.core.life import RESTING
from tests.core.bench import Bench
from tests.core.chance import Judge

BACCARAT = ["open", "bet p1 player 10.00", "close", "card 9C", "card 2D", "card KH", "card 3S", "press finish"]
HOLDEM = [
    "shuffled", "open", "bet p1 ante 10.00", "close", "card KS", "card 9S", "card 2D", "card 2H", "card 7S", "card 5S",
    "card 2S", "decide p1 call", "card 4D", "card 3C", "press finish", "press finish",
]  # fmt: skip
FAULTY = [*BACCARAT[:4], "press manager", "ack by m", "rule resume by m because seen", *BACCARAT[4:]]
VOID = [*BACCARAT[:4], "press manager", "rule cancel by m because over"]
LATE = [*BACCARAT, "card 4D", "rule burn by m because stray"]  # the round is over, and paused by a card
RESTARTED = [*BACCARAT[:5], "restart", "rule resume by m because back", *BACCARAT[5:]]
SILENT = [*BACCARAT[:4], "wait 5m", "rule resume by m because there", *BACCARAT[4:]]
SCRIPTS = [("baccarat", one) for one in (BACCARAT, FAULTY, VOID, LATE, RESTARTED, SILENT)] + [("casino_holdem", HOLDEM)]


class Leaves(Judge):
    """A leaving dealer stays the dealer until the round or pause is over; then the table has none."""

    def look(self, before, event, records, after):
        assert not (after.leaving and after.life in RESTING)
        assert not after.leaving or after.dealer == before.dealer
        assert before.dealer == after.dealer or after.life in RESTING or any(one.kind == "cancelled" for one in records)


def played(game, lines):
    table = Bench(game, confirm="dealer")
    for line in lines:
        table.says(line)
    return table


def round_records(table):
    """Return kind, time and round of all records but those about dealers, checkpoints and ignored events."""
    about = ("dealer_leaving", "dealer_changed", "checkpoint", "ignored")
    return [(one.kind, one.at, one.round) for one in table.records if one.kind not in about]


@pytest.mark.parametrize(("game", "lines"), SCRIPTS)
def test_a_leave_during_a_round_changes_only_the_next_dealer(game, lines):
    apart = played(game, lines)
    for count in range(1, len(lines) + 1):
        table = played(game, [*lines[:count], "leave", *lines[count:]])
        opened = [one for one in table.records if one.kind == "opened"]
        if not opened:
            continue
        assert round_records(table) == round_records(apart)
        assert (table.state.dealer, table.state.leaving, table.life) == (None, False, apart.life)
        (gone,) = (what for what in table.facts("dealer_changed") if what.to is None)
        assert (gone.before, opened[0].dealer) == ("dealer", "dealer")


def test_a_leave_between_rounds_removes_the_dealer_at_once():
    table = Bench(confirm="dealer")
    table.says("leave; open")
    assert (table.facts("dealer_changed")[-1].before, table.state.dealer) == ("dealer", None)
    assert table.facts("dealer_leaving") == []
    assert table.facts("start_refused")[-1].reason == "no_dealer"


def test_a_second_leave_and_a_leave_without_dealer_are_ignored():
    table = played("baccarat", ["open", "leave", "leave"])
    assert len(table.facts("dealer_leaving")) == 1
    assert table.facts("ignored")[-1].reason == "leaving_already"
    table.says("; ".join(BACCARAT[1:]))
    table.says("leave")
    assert table.facts("ignored")[-1].reason == "no_dealer"


def test_a_dealer_who_left_does_not_rule_on_their_round():
    table = played("baccarat", [*BACCARAT[:4], "leave", *BACCARAT[4:], "dealer d2", "card 4D"])
    table.says("rule burn by dealer because mine")
    assert table.facts("ruling_refused")[0].reason == "own_round"


def test_the_checkpoint_after_a_leave_has_no_leaving_dealer():
    table = played("baccarat", ["open", "leave", *BACCARAT[1:]])
    assert [one.kind for one in table.records][-2:] == ["dealer_changed", "checkpoint"]
    assert b"leaving" not in bytes(table.facts("checkpoint")[-1].state)


def test_a_leave_reported_by_a_shift_manager_names_them():
    table = Bench()
    table.do(e.Leave("anna"))
    assert table.facts("dealer_changed")[-1].by == "anna"
