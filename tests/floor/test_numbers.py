"""The numbers of a floor: counted from what tables tell, equal to what is counted from their journals."""

from typing import NamedTuple

import msgspec

from controller.config.shifts import ShiftsSection
from controller.core import records as r
from controller.core.views import view
from controller.floor.counted import Counted
from controller.reports.counting import Counting
from controller.reports.figures import Figures
from controller.reports.statistics import Statistics
from tests.core.chance import TABLES, play

SHIFTS = ShiftsSection(("06:00", "14:05", "22:00"), "Europe/Bucharest")
EVER = 2**60
COUNTS = (
    "rounds", "training", "settled", "manual", "cancelled", "disputed", "cards", "read", "refused_rulings",
    "staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out",
)  # fmt: skip


class Event(NamedTuple):
    seq: int
    body: bytes


class Told:
    """Events as a floor has kept them. `come`: those that have come so far, in any order."""

    def __init__(self) -> None:
        self.come: dict[tuple[str, str], dict[int, bytes]] = {}

    def tell(self, epoch, records):
        for record in records:
            event = msgspec.json.encode(view(record, "manager"))
            self.come.setdefault((record.table, epoch), {})[record.seq] = event

    def epochs(self):
        return [(*which, max(told)) for which, told in sorted(self.come.items())]

    def events(self, table, epoch, after=0, most=4000):
        told = self.come[table, epoch]
        return [Event(seq, told[seq]) for seq in sorted(told) if seq > after][:most]


def of_journal(records):
    """As `tablectl journal stats` counts."""
    statistics = Statistics(SHIFTS.minutes, SHIFTS.there)
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return statistics.all_of_them


def of_floor(path, told, cuts=()):
    """Counted in so many goes, each by a program that has just started."""
    for _ in (*cuts, None):
        counted = Counted(path, SHIFTS)
        try:
            counted.follow(told)
            rows = counted.rows(0, EVER)
        finally:
            counted.close()
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


def test_x(tmp_path):
    for table in TABLES:
        for seed in range(6):
            from random import Random

            chance = Random(seed)
            bench = play(table, (), [(chance.randrange(100), chance.randrange(10**6)) for _ in range(400)])
            told = Told()
            told.tell("a", bench.records)
            ours, theirs = of_floor(tmp_path / f"{TABLES.index(table)}-{seed}", told), of_journal(bench.records)
            hidden = sum(isinstance(record.what, r.Ruled | r.Drawn) and record.what.hidden for record in bench.records)
            for whose in theirs:
                if whose[0] in ("all", "table", "dealer", "device", "fault"):
                    same(ours.get(whose, Figures()), theirs[whose], hidden)
