"""Scripted shift manager of a demo: the ruling for each fault, and the faults left to people."""

from types import SimpleNamespace

import pytest

from controller.core import events as e
from controller.lab.demo.manager import MANAGER, RULINGS, Manager
from tests.core.bench import Bench, undealt_card
from tests.core.test_catalogue import RAISE


def ruled(table: Bench, left_off: int = 0) -> e.Rule:
    """Return the ruling on the open fault. `left_off`: last record from before the demo."""
    pace = SimpleNamespace(state=table.state, due=table.due)
    manager = Manager(None, pace, lambda: "7H", left_off, 0.0)
    return manager._ruling(table.state.fault)


def fault(code: str, game: str = "baccarat") -> Bench:
    """Return a table with this fault open."""
    return RAISE[code](game)


@pytest.mark.parametrize(
    ("code", "ruling", "because"),
    [
        ("card_before_close", "cancel", "card dealt while bets were open"),
        ("extra_card", "burn", "one card too many"),
        ("unread_card", "rescan", "slid again, read"),
        ("dealer_call", "correct", "the suit was misread"),
        ("duplicate_card", "correct", "the suit was misread"),
    ],
)
def test_each_error_of_a_demo_has_its_ruling(code, ruling, because):
    table = fault(code)
    if code == "unread_card":  # the card was slid through the reader again
        table.do(e.CardOut(undealt_card(table.state, 17, table.house.deck.cards)))
    rule = ruled(table)
    assert (rule.ruling, rule.because, rule.by, rule.fault) == (ruling, because, MANAGER, table.state.fault.seq)
    draws = len(table.state.round.draws)
    assert (rule.draw, rule.card) == ((draws, "7H") if ruling == "correct" else (None, None))


def test_a_ruling_that_is_not_possible_gives_way_to_another():
    table = fault("device_lost")
    assert "resume" not in RULINGS
    rule = ruled(table)
    assert (rule.ruling, rule.because) == ("cancel", "cannot be put right here")


def test_a_fault_from_before_the_demo_is_not_put_right():
    table = fault("extra_card")
    seq = table.state.fault.seq
    assert ruled(table, seq - 1).ruling == "burn"
    rule = ruled(table, seq)
    assert (rule.ruling, rule.because, rule.draw) == ("cancel", "the table was restarted", None)


def test_a_fault_is_past_once_another_or_none_is_open():
    table = fault("unread_card")
    manager = Manager(None, SimpleNamespace(state=table.state, due=table.due), str, 0, 0.0)
    seq = table.state.fault.seq
    assert (manager._is_past(seq), manager._is_past(seq - 1)) == (False, True)
    assert not manager._is_read_again(seq)
    assert manager._is_read_again(seq - 1)
    table.do(e.CardOut(undealt_card(table.state, 17, table.house.deck.cards)))
    manager._pace.state = table.state
    assert manager._is_read_again(seq)
