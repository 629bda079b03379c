"""Lines of `tablectl status`: another result of the shoe, an impossible ruling, an open case."""

import pytest

from controller.cli.state_lines import _age, lines
from controller.core.clock import SECOND, to_text
from controller.web.api.table_state import build_state
from tests.core.bench import START
from tests.web.bench_screens import bench_after


def test_another_result_of_the_shoe_is_shown_beside_the_tables():
    table = bench_after("open; close; card 9C; card 2D; card KD; card 3H; result banker", confirm="shoe")
    output = list(lines(build_state(table.state, table.due, None, "manager"), table.state.at))
    assert output[1].endswith("result_mismatch: expected finish, got result banker")
    assert output[2] == "  result of the table: winner player, player 9, banker 5, natural yes, cards 4"


def test_a_ruling_not_possible_now_is_shown_with_advice():
    table = bench_after("open; close; card 9C; unread; card KD")
    output = list(lines(build_state(table.state, table.due, None, "manager"), table.state.at))
    reason = "no card is due that could be entered; a card that was read since is taken or burnt"
    assert f"  not now enter: {reason}" in output


def test_an_open_case_is_listed_with_its_number():
    table = bench_after("open; close; card 9C; card 2D; card KD; card 3H; press finish; press dropped")
    opened = next(record for record in table.records if record.kind == "case_opened")
    output = list(lines(build_state(table.state, table.due, None, "manager"), table.state.at))
    commands = f"`tablectl resettle` or `tablectl dismiss {opened.seq}`"
    assert f"open case {opened.seq}: round 1, dropped: {commands}" in output


def test_a_card_of_a_locked_shoe_is_told_in_words():
    table = bench_after("open; close; card 9C; card 5D at outside")
    output = list(lines(build_state(table.state, table.due, None, "manager"), table.state.at))
    reason = "drawn while the shoe was locked, in its settings or in an error: end that at the shoe"
    assert f"  draw 2: 5D, without a place, {reason}" in output


@pytest.mark.parametrize(("seconds", "age"), [(-5, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (125, "2 min 5 s")])
def test_an_age_in_minutes_and_seconds_is_never_negative(seconds, age):
    """A clock that was set back makes no age negative."""
    assert _age(to_text(START), START + seconds * SECOND) == age
