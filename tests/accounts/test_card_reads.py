"""Counts of cards and misreads: how each card counts, and the same numbers wherever they are shown."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.accounts.card_reads import CardReads
from controller.core.views import view
from controller.floor.history.misreads import LAST, Reads
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import decode_event
from controller.reports.counting import Counting
from controller.reports.event_records import record_of
from controller.reports.statistics import Statistics
from tests.core.bench import Bench
from tests.core.chance import Judge
from tests.folders import in_memory

HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card 2C; card 3C"
UNREAD = f"{HOLDEM}; unread; rule enter 4D by anna because seen; press manager; rule cancel by bo because torn"


def added_up(records):
    """Return the account's sums over the records: cards, read, entered, unread, corrected."""
    account = CardReads()
    changes = [account.take(record)[:5] for record in records]
    return tuple(sum(column) for column in zip(*changes, strict=True)) or (0,) * 5


def told_of(records):
    """Return the records decoded from the events that a shift manager receives."""
    bodies = (msgspec.json.encode(view(record, "manager")) for record in records)
    return [record for body in bodies if (record := record_of(body)) is not None]


def statistics(records):
    """Return cards, read cards and misreads of the whole time, as `stats` counts them."""
    whole = Statistics()
    counting = Counting(whole)
    for record in records:
        counting.take(record)
    counts = whole.figures_of(("all", "")).counts
    return counts["cards"], counts["read"], counts["unread"] + counts["corrected"]


def rows(records):
    """Return the sums of cards and misreads over the floor's rows of ended rounds."""
    with in_memory() as folder, closing(Store(Path(folder) / "main.floor")) as store:
        store.add(events_of(records))
        with store.open_read_only() as db:
            return db.execute("SELECT sum(cards), sum(misreads) FROM rounds").fetchone()


def events_of(records):
    """Return the records as table events that a floor receives."""
    return [decode_event("table", "e1", msgspec.json.encode(view(record, "manager"))) for record in records]


def strip(records):
    """Return the number of misreads in the last hundred cards, as a floor's strip shows it."""
    reads = Reads()
    for one in events_of(records):
        reads.take(one.body)
    return reads.misread_count


def played(says, game="baccarat"):
    bench = Bench(game)
    bench.says(says)
    return bench


# ── the definition ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_that_is_not_read_is_a_misread():
    records = played("open; close; card 9C; unread; rule enter KS by eva because seen").records
    assert added_up(records) == (2, 2, 1, 1, 0)


def test_a_typed_card_is_entered_if_unread_or_missing():
    entered = "; rule enter KS by eva because seen"
    unread = played(f"open; close; card 9C; unread; unread{entered}").records
    assert added_up(unread)[:3] == (2, 3, 1)
    missing = played(f"open; close; card 9C; lost shoe{entered}").records
    assert added_up(missing)[:3] == (2, 1, 1)


def test_a_corrected_card_is_a_misread_when_its_round_ends():
    bench = played("open; close; card 9C; press manager; rule correct 1 8C by m because misread")
    assert added_up(bench.records) == (1, 1, 0, 0, 0)
    bench.says("press manager; rule cancel by m because torn")
    assert added_up(bench.records) == (1, 1, 0, 0, 1)


def test_a_card_corrected_back_is_no_misread():
    fault = "press manager; rule correct 1 {} by m because misread; "
    says = f"open; close; card 9C; {fault.format('8C')}{fault.format('9C')}press manager; rule cancel by m because x"
    records = played(says).records
    assert added_up(records) == (1, 1, 0, 0, 0)


def test_a_face_down_card_is_unread_by_its_fault():
    assert added_up(played(UNREAD, "casino_holdem").records)[:4] == (3, 3, 1, 1)


def test_a_card_of_a_shoe_change_is_read_too():
    records = played("shoe change; card 9C; unread; shoe ready").records
    assert added_up(records) == (2, 2, 0, 1, 0)


def test_a_void_draw_never_left_the_shoe_but_was_read():
    records = played("open; close; card 9C; card 9C at player; rule void 2 by m because twice").records
    cards, read, *_ = added_up(records)
    assert (cards, read) == (1, 2)


def test_a_card_of_a_cancelled_round_left_the_shoe():
    records = played("open; card 9C; rule cancel by m because early").records
    assert added_up(records)[:2] == (1, 1)


def test_training_rounds_count_in_no_figure():
    records = played("open; close; card 9C; unread").records
    trained = [replace(record, training=True) for record in records]
    assert added_up(trained) == (0, 0, 0, 0, 0)
    assert strip(trained) is None


def test_draw_numbers_of_another_round_are_other_cards():
    records = played("open; close; card 9C; press manager; rule cancel by m because x; open; close; unread").records
    assert added_up(records)[:4] == (2, 2, 0, 1)


@pytest.mark.parametrize("cut", range(12))
def test_an_account_started_mid_round_counts_the_same(cut):
    bench = Bench("casino_holdem")
    lines = f"{UNREAD}; shuffled; open; bet p1 ante 1.00; close; card 2C; unread".split("; ")
    account = CardReads()
    for line in lines[:cut]:
        bench.says(line)
    count = len(bench.records)
    for record in bench.records:
        account.take(record)
    joined = CardReads.of(bench.state)
    for line in lines[cut:]:
        bench.says(line)
    assert [joined.take(one) for one in bench.records[count:]] == [account.take(one) for one in bench.records[count:]]


# ── one number everywhere ────────────────────────────────────────────────────────────────────────────────────────


def test_three_unread_face_down_cards_count_three_everywhere():
    records = played("; ".join([UNREAD] * 3), "casino_holdem").records
    assert statistics(records) == (9, 9, 3)
    assert rows(records) == (9, 3)
    assert strip(records) == 3


class CardsOnStrip(Judge):
    """A shift manager's events give the account's figures, and a floor's strip the same misreads.

    EveryFigure judges all other places.
    """

    def end(self):
        records = self.bench.records
        _, read, _, unread, corrected = added_up(records)
        assert added_up(told_of(records)) == added_up(records)
        if 0 < read <= LAST:
            assert strip(records) == unread + corrected + self.of_the_round_that_is_on(records)

    def of_the_round_that_is_on(self, records):
        account = CardReads()
        for record in records:
            account.take(record)
        return account.end_round()
