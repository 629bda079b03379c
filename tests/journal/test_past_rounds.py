"""Ended rounds are read from the journal and its archives, also after several resettlements."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.past_round import decode_past
from controller.core.records.journal import NAMING
from controller.games import GAMES
from controller.journal import Journal, opening_seq, with_past
from tests.core.bench import Bench
from tests.core.test_resettling import PLAYER, TWO_SEATS
from tests.reports.test_replay import replayed

WHO = "by m with n because misread"
BOTH_OVER = TWO_SEATS.replace("decide seat2 stand; card TH", "decide seat2 hit; card 7H; card TH")  # seat 2 is bust


def write_journal(table, path):
    """Write the records of a table into a journal."""
    with_records = Journal(path)
    for record in table.records:
        with_records.append([record])
    with_records.close()


def read(table, path, number=1):
    event = with_past(path, table.house, GAMES, table.state.revisions, e.Resettle(number, (), "m", "x", "n"))
    return decode_past(event.past)


def test_a_round_is_read_as_the_table_itself_would(tmp_path):
    table = Bench()
    table.says(f"{PLAYER}; {PLAYER}")
    given = table.do(e.Resettle(1, (e.Amendment("cancel"),), "m", "x", "n"))[-1].input.event
    before = Bench()
    before.says(f"{PLAYER}; {PLAYER}")
    write_journal(before, tmp_path / "t.journal")
    assert read(before, tmp_path / "t.journal") == decode_past(given.past)


def test_a_round_is_found_after_later_resettlements(tmp_path):
    table = Bench()
    lines = "; ".join([PLAYER] * 4)
    table.says(f"{lines}; resettle 1 void {WHO}; {PLAYER}; resettle 2 void {WHO}; resettle 1 resume {WHO}")
    write_journal(table, tmp_path / "t.journal")
    for number in range(1, 6):
        assert opening_seq(tmp_path / "t.journal", number) is not None
        assert read(table, tmp_path / "t.journal", number).state.round.number == number
    assert read(table, tmp_path / "t.journal", 6) is None
    first, second = (read(table, tmp_path / "t.journal", number) for number in (1, 2))
    assert (first.revision, second.outcome) == (2, None)


@pytest.mark.parametrize("ends", [False, True])
def test_a_revision_from_before_an_upgrade_keeps_its_cards(tmp_path, ends):
    """The older way leaves the dealer's card in play against void and bust hands; the present one does not."""
    table = Bench("blackjack")
    table.house = replace(table.house, deciding=NAMING - 1)
    table.restart()
    table.says(BOTH_OVER)
    table.says(f"resettle 1 void_hand seat1 {WHO}" + "; shuffled; open; close" * ends)
    table.house = replace(table.house, deciding=NAMING)
    table.restart()
    write_journal(table, tmp_path / "t.journal")
    past = read(table, tmp_path / "t.journal")
    assert [draw.fate for draw in past.state.round.draws] == ["placed"] * 9
    table.says(f"resettle 1 correct 5 9S {WHO}")
    assert decode_past(table.records[-1].input.event.past) == past
    assert replayed(table.records).differences == []
