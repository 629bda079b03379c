"""The numbers of a floor: counted from what tables tell, equal to what is counted from their journals."""

from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from controller.config.shifts import ShiftsSection
from controller.core import records as r
from controller.core.views import view
from controller.floor.counted import Counted
from controller.floor.store import Store
from controller.floor.told import told
from controller.reports.counting import Counting
from controller.reports.figures import Figures
from controller.reports.statistics import Statistics
from tests.core.chance import TABLES, play, whatever_happens

SHIFTS = ShiftsSection(("06:00", "14:05", "22:00"), "Europe/Bucharest")
EVER = 2**60
COUNTS = (
    "rounds", "training", "settled", "manual", "cancelled", "disputed", "cards", "read", "refused_rulings",
    "staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out",
)  # fmt: skip


def events(epoch, records):
    """As a floor hears them."""
    return [told(record.table, epoch, msgspec.json.encode(view(record, "manager"))) for record in records]


def of_journal(records):
    """As `tablectl journal stats` counts."""
    statistics = Statistics(SHIFTS.minutes, SHIFTS.there)
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return statistics.all_of_them


def of_floor(folder, *goes):
    """Counted in so many goes, each by a program that has just started; of what has come until then."""
    for go in goes:
        with closing(Store(folder / "a.floor")) as store, closing(Counted(folder / "a.numbers", SHIFTS)) as counted:
            store.add(go)
            counted.follow(store)
            rows = counted.rows(0, EVER)
    found = {}
    for row in rows:
        for whose in wholes(row.key, row.table):
            found.setdefault(whose, Figures()).join(row.kept)
    return found


def wholes(key, table):
    if key.by != "all":
        return [(key.by, key.name)]
    return [("all", ""), ("table", table), ("dealer", key.dealer)]


def same(ours, theirs, hidden=0):
    """`hidden`: cards that lie face down and found no place, or were ruled on: what the reader made of them only the
    auditor knows."""
    assert {name: ours.counts[name] for name in COUNTS} == {name: theirs.counts[name] for name in COUNTS}
    for name in ("unread", "corrected"):
        assert abs(ours.counts[name] - theirs.counts[name]) <= hidden
    assert (ours.faults, ours.rulings) == (theirs.faults, theirs.rulings)
    assert {name: times.report() for name, times in ours.times.items()} == {
        name: times.report() for name, times in theirs.times.items()
    }


@whatever_happens(TABLES, 3, 120)
def test_numbers_are_those_of_the_journal_whatever_comes_twice_or_late(table, rolled):
    bench = play(table, (), rolled)
    whole = events("a", bench.records)
    chance = Random(len(whole))
    late = chance.sample(whole, len(whole) // 2)
    with TemporaryDirectory() as folder:
        ours = of_floor(Path(folder), late[: len(late) // 2], late, chance.sample(whole, len(whole)), whole[:9])
    theirs = of_journal(bench.records)
    hidden = sum(isinstance(one.what, r.Ruled | r.Drawn) and one.what.hidden for one in bench.records)
    for whose in theirs.keys() | ours.keys():
        if whose[0] != "manager":
            same(ours.get(whose, Figures()), theirs.get(whose, Figures()), hidden)
