"""A table killed while it settles a round anew has done all or nothing of it, and never does it twice."""

from collections.abc import Iterator
from itertools import count, pairwise

import pytest

from tests.end_to_end.past_rounds import TIE, WON, PastRounds
from tests.end_to_end.rig import Folder, tablectl

MOVED = {"p1": -100, "p2": 100, "p3": 900}  # a win of the player becomes a tie


@pytest.fixture
def table(folder: Folder) -> Iterator[PastRounds]:
    table = PastRounds(folder)
    yield table
    table.shoe.unplug()


def kill_at_each(table: PastRounds, moments: Iterator[tuple[str, int]], number: int) -> int:
    """Settle a round anew for each moment, killing the table there; return the number of kills.

    A moment is a system call and its number. Ends early when the table survives, having made fewer such calls.
    """
    kills = 0
    for revision, (call, nth) in enumerate(moments):
        about = number, [WON if revision % 2 else TIE], f"r{revision}", revision
        killed = table.is_killed_over_settling_anew(call, nth, *about)
        assert len(table.settled_anew(number)) in (revision, revision + 1)
        with table.running():
            done = table.settles_anew(*about)
            assert done["verdict"] == "done"
            assert table.settles_anew(*about) == done
            again = table.settles_anew(*about[:2], f"another {revision}", revision)
            assert (again["verdict"], again["reason"]) == ("refused", "stale_revision")
        *_, last = records = table.settled_anew(number)
        assert [one.what.revision for one in records] == list(range(1, revision + 2))
        sign = -1 if revision % 2 else 1
        assert {one.player: one.difference for one in last.what.movements} == {p: sign * m for p, m in MOVED.items()}
        if not killed:  # the table makes fewer such calls
            return kills
        kills += 1
    return kills


def judged(table: PastRounds, number: int) -> None:
    """Check that revisions continue each other, that each difference has its own id, and the record."""
    revisions = [one.what for one in table.settled_anew(number)]
    for one, other in pairwise(revisions):
        assert [bet.now for bet in one.movements] == [bet.was for bet in other.movements]
    ids = [bet.id for one in revisions for bet in one.movements]
    assert len(ids) == len({*ids}) == 3 * len(revisions)
    for command in ("verify", "replay"):
        assert tablectl("journal", command, table.folder.journal).returncode == 0


def test_a_table_killed_while_settling_anew_does_it_once(table):
    with table.running():
        number = table.plays()
    assert kill_at_each(table, iter([("pwrite64", 3), ("fdatasync", 1)]), number) == 2
    judged(table, number)


@pytest.mark.proof
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("call", "least"), [("pwrite64", 5), ("fdatasync", 1), ("sendto", 1)])
def test_a_table_killed_at_each_call_settles_anew_once(table, call, least):
    with table.running():
        number = table.plays()
    assert kill_at_each(table, ((call, nth) for nth in count(1)), number) >= least
    judged(table, number)
