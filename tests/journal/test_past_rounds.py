"""Ended rounds are read from the journal and its archives, also after several resettlements."""

from controller.core import events as e
from controller.core.past_round import decode_past
from controller.games import GAMES
from controller.journal import Journal, opening_seq, with_past
from tests.core.bench import Bench
from tests.core.test_resettling import PLAYER

WHO = "by m with n because misread"


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
