"""Records of a table that other PCs have taken over, as events of several epochs."""

from controller.core import events as e
from controller.core.records import LossAccepted
from tests.core.bench import Bench
from tests.floor.history.test_numbers import events

FIRST = "bench"  # epoch of a test table
PLAYED = "bet p1 player 1.00; close; card 9C; card 7D; card KS; card 5D; press finish"
ROUND = f"open; {PLAYED}"


def take_over(bench, epoch):
    """Continue the record of a table in a new epoch, after a restart."""
    bench.do(e.AcceptLoss("eva", "takeover", epoch))
    bench.restart()


def by_epoch(records):
    """Return the events of records as a floor receives them, each in its epoch."""
    epoch, found = FIRST, []
    for record in records:
        epoch = record.what.epoch if isinstance(record.what, LossAccepted) else epoch
        found += events(epoch, [record])
    return found


def copied(bench, game="baccarat"):
    """Return a table with the record of another one up to now, on another PC."""
    other = Bench(game)
    other.records, other.state, other.position, other.now = [*bench.records], bench.state, bench.position, bench.now
    return other


def lost_and_continued(begins, lost, then, game="baccarat"):
    """Return the events of a table, those that a takeover loses, those after it, and all records that count."""
    bench = Bench(game)
    bench.says(begins)
    stands, other = len(bench.records), copied(bench, game)
    bench.says(lost)
    take_over(other, "e2")
    other.says(then)
    whole = by_epoch(other.records)
    return whole[:stands], by_epoch(bench.records)[stands:], whole[stands:], other.records
