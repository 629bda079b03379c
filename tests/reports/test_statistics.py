"""Statistics of a record: rounds, money, times, faults and devices, by dealer, shift, table and more."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.accounts.entry import FigureEntry
from controller.config.shifts import minutes_of, shift_at
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import SECOND
from controller.lab.testing.judges import SLID, is_cut_off
from controller.reports.counting import Counting
from controller.reports.figures import Times
from controller.reports.selection import moment
from controller.reports.shift_report import wait_of
from controller.reports.statistics import Statistics
from tests.core.bench import Bench
from tests.core.chance import Judge

NATURAL = "close; card 9C; card 2D; card KH; card 3S"


def figures(records, shifts=()):
    """Return the rows of the statistics, by what they are about and its name."""
    statistics = Statistics(shifts)
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return {(row["by"], row["name"]): row for row in statistics.report()}


def counted(text, **terms):
    bench = Bench(**terms)
    bench.says(text)
    return figures(bench.records)


def seconds(times):
    return times["count"], times["total"], times["median"], times["longest"]


# ── rounds, cards, money ─────────────────────────────────────────────────────────────────────────────────────────


def test_rounds_and_cards_count_for_their_dealer_and_for_all():
    rows = counted(f"open; {NATURAL}; dealer d2; open; {NATURAL}; open; close; card 9C")
    names = ("rounds", "settled", "cancelled", "cards")
    assert [rows["dealer", "dealer"][name] for name in names] == [1, 1, 0, 4]
    assert [rows["dealer", "d2"][name] for name in names] == [2, 1, 0, 5]
    assert [rows["all", ""][name] for name in names] == [3, 2, 0, 9]
    assert rows["table", "table"]["rounds"] == 3


def test_faults_without_a_dealer_count_for_nobody():
    assert counted("dealer -; press manager")["dealer", "nobody"]["faults"] == {"dealer_call": 1}


def test_stakes_refunds_and_pay_outs_are_sums_in_minor_units():
    rows = counted(
        "open; bet p1 player 10.00; bet p2 tie 5.00; bet p3 banker 1.00; unbet p3 banker; "
        f"{NATURAL}; open; bet p1 tie 2.00; press manager; rule cancel by m because x"
    )
    names = ("staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out")
    assert [rows["all", ""][name] for name in names] == [1800, 100, 1, 200, 1, 2000]


def test_a_manual_round_and_a_disputed_one_are_counted():
    rows = counted("open; close; card 9C; card 2D; card KH; unread; rule enter 3S by m because x; result banker")
    assert (rows["all", ""]["manual"], rows["all", ""]["settled"]) == (1, 1)
    rows = counted(f"open; {NATURAL}; result banker")
    assert rows["all", ""]["disputed"] == 1


def test_rounds_of_training_are_counted_apart_and_in_nothing_else():
    rows = counted(f"open; bet p1 tie 1.00; {NATURAL}; card 4D; rule burn by m because x; lost panel", training=True)
    assert rows["all", ""]["training"] == 1
    assert not any(rows["all", ""][name] for name in ("rounds", "settled", "cards", "faults", "staked", "read"))
    assert rows["device", "panel of table"]["lost"] == 1


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


PAUSES = (
    "open; press manager; wait 4s; ack by anna; wait 6s; rule resume by anna because x; "
    "close; card 9C; press manager; wait 20s; ack by bo; ack by anna; rule resume by bo because x; "
    "card JOKER; wait 2s; rule cancel by bo because x"
)


def test_times_run_from_fault_to_acknowledgement_ruling_and_resumption():
    rows = counted(PAUSES)
    assert seconds(rows["all", ""]["acknowledged"]) == (2, 24.0, 12.0, 20.0)
    assert seconds(rows["all", ""]["ruled"]) == (3, 32.0, 10.0, 20.0)
    assert seconds(rows["all", ""]["paused"]) == (3, 32.0, 10.0, 20.0)
    assert seconds(rows["fault", "dealer_call"]["paused"]) == (2, 30.0, 15.0, 20.0)


def test_rulings_count_for_the_shift_manager_who_made_them():
    rows = counted(PAUSES + "; rule resume by bo")
    assert seconds(rows["manager", "anna"]["acknowledged"]) == (1, 4.0, 4.0, 4.0)
    assert rows["manager", "anna"]["rulings"] == {"resume": 1}
    assert rows["manager", "bo"]["rulings"] == {"cancel": 1, "resume": 1}
    assert (rows["manager", "anna"]["refused_rulings"], rows["manager", "bo"]["refused_rulings"]) == (0, 1)


def test_a_fault_counts_its_rulings_and_cancellations():
    row = counted(PAUSES)["fault", "foreign_card"]
    assert (row["count"], row["cancelled"], row["rulings"]) == (1, 1, {"cancel": 1})


def test_a_chain_of_faults_is_one_pause_timed_separately():
    rows = counted(
        "open; close; card 2C; card 3D; card 2D; card AS; card 8H; press manager; wait 10s; "
        "rule correct 1 6C by m because x; wait 5s; rule burn by m because x",
        confirm="dealer",
    )
    assert seconds(rows["all", ""]["paused"]) == (1, 15.0, 15.0, 15.0)
    assert seconds(rows["fault", "dealer_call"]["paused"])[1] == 10.0
    others = [row for (by, name), row in rows.items() if by == "fault" and name != "dealer_call"]
    assert [seconds(row["paused"])[1] for row in others] == [5.0]


def test_a_pause_that_has_not_ended_is_not_counted():
    rows = counted("open; press manager; wait 10s")
    assert rows["all", ""]["faults"] == {"dealer_call": 1}
    assert seconds(rows["all", ""]["paused"]) == (0, 0.0, None, None)


def test_shifts_begin_at_their_hours_and_may_pass_midnight():
    bench = Bench()  # at midnight
    bench.says(f"open; {NATURAL}")
    for hours, expected in ((6, "06:00-14:00"), (14, "14:00-22:00"), (22, "22:00-06:00")):
        bench.now = bench.records[0].at + hours * 3600 * SECOND
        bench.says(f"open; {NATURAL}")
        assert expected in {name for _, name in figures(bench.records, (1320, 360, 840))}
    rows = figures(bench.records, (1320, 360, 840))
    shifts = {name: row["rounds"] for (by, name), row in rows.items() if by == "shift"}
    assert shifts == {"06:00-14:00": 1, "14:00-22:00": 1, "22:00-06:00": 2}
    assert [name for by, name in figures(bench.records, (480,)) if by == "shift"] == ["08:00-08:00"]


# ── devices ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_misread_rate_is_unread_and_corrected_per_read_card():
    rows = counted(
        "open; close; card 9C; card 2D; unread; rule enter KH by m because x; "
        "press manager; rule correct 2 3D by m because x; card 3S; card 4S"
    )
    shoe = rows["device", "shoe of table"]
    assert (shoe["read"], shoe["unread"], shoe["corrected"]) == (5, 1, 1)
    assert shoe["misread_rate"] == 2 / 5
    assert shoe["faults"] == {"unread_card": 1}


def test_a_reader_that_was_right_after_all_has_misread_nothing():
    rows = counted(
        "open; close; card 9C; press manager; rule correct 1 8C by m because x; "
        "press manager; rule correct 1 9C by m because x; card 2D; card KH; card 3S"
    )
    assert rows["device", "shoe of table"]["corrected"] == 0


def test_a_rescanned_card_counts_two_readings_and_one_card():
    rows = counted("open; close; unread; card 9C; rule rescan by m; card 2D; card KH; card 3S")
    assert rows["all", ""]["cards"] == 4
    assert (rows["device", "shoe of table"]["read"], rows["device", "shoe of table"]["unread"]) == (5, 1)


def test_cards_of_a_shoe_change_are_read_too():
    assert counted("shoe change; card 9C; unread; shoe ready")["device", "shoe of table"]["read"] == 2


def test_without_a_read_card_there_is_no_misread_rate():
    assert counted("lost panel")["device", "panel of table"]["misread_rate"] is None


def test_a_device_at_another_address_is_another_device():
    rows = counted(
        "found shoe at /dev/a; shoe change; card 9C; lost shoe; wait 8s; found shoe at /dev/b; card 2C; card 3C"
    )
    first, second = rows["device", "shoe of table at /dev/a"], rows["device", "shoe of table at /dev/b"]
    assert (first["read"], first["lost"], seconds(first["away"])[:2]) == (1, 1, (1, 8.0))
    assert (second["read"], second["lost"]) == (2, 0)


def test_a_devices_count_goes_on_after_skipped_records():
    bench = Bench()
    bench.do(e.FoundDevice("shoe", "/dev/shoe at here", "S1234567"))
    bench.says(f"open; {NATURAL}; open; close; card 9C")
    statistics = Statistics()
    counting, kinds = Counting(statistics), [record.kind for record in bench.records]
    for record in bench.records[: kinds.index("device_found") + 1]:
        counting.take(record)
    after = bench.records[kinds.index("checkpoint") :]
    counting.resume(after[0])
    for record in after:
        counting.take(record)
    devices = [row for row in statistics.report() if row["by"] == "device"]
    assert [(row["device"]["serial"], row["read"]) for row in devices] == [("S1234567", 1)]


def test_a_usb_device_is_counted_by_its_serial_number():
    rows = counted(
        "found panel at 'usb 001:002' as T1; lost panel; found panel at 'usb 001:003' as T1; lost panel; "
        "found panel at 'usb 001:004' as T2; lost panel"
    )
    losses = {name: row["lost"] for (by, name), row in rows.items() if by == "device"}
    assert losses == {"panel of table with serial number T1": 2, "panel of table with serial number T2": 1}


def test_usb_devices_without_a_serial_count_as_the_tables():
    rows = counted("found panel at 'usb 001:002'; lost panel; found panel at 'usb 001:003'; lost panel")
    assert {name: row["lost"] for (by, name), row in rows.items() if by == "device"} == {"panel of table": 2}


# ── random walks ─────────────────────────────────────────────────────────────────────────────────────────────────


class FiguresAddUp(Judge):
    """The figures of a record add up, and equal a count of the events and states."""

    def __init__(self, bench):
        super().__init__(bench)
        self.out = self.read = self.pauses = 0
        self.open = 0

    def look(self, before, event, records, after):
        is_read = not before.shoe.reading and not is_cut_off(before)  # cards of a readout do not count as read
        self.read += isinstance(event, e.CardOut) and is_read
        self.pauses += before.life == "paused" and any(one.kind in ("resumed", "cancelled") for one in records)
        never = getattr(event, "ruling", "") in SLID
        ruled_on = takewhile(lambda one: one.kind != "cancelled", records)  # cards of a void round have left the shoe
        voided = sum(isinstance(one.what, r.Voided) for one in ruled_on) if never else 0
        entered = sum(isinstance(one.what, r.Ruled) and one.what.ruling == "enter" and "draw" not in one.what.after
                      for one in records)  # fmt: skip
        self.out += (isinstance(event, e.CardOut) and is_read) + entered - voided
        self.open = sum(bet.stake for bet in after.round.bets.values())

    def end(self):
        rows = figures(self.bench.records, (360, 840, 1320))
        total, kinds = rows["all", ""], Counter(record.kind for record in self.bench.records)
        assert [total[name] for name in ("rounds", "settled", "cancelled")] == [
            kinds[kind] for kind in ("opened", "settled", "cancelled")
        ]
        assert (total["cards"], total["read"], total["paused"]["count"]) == (self.out, self.read, self.pauses)
        settled = sum(record.what.stake for record in self.bench.records if isinstance(record.what, r.Paid))
        assert total["staked"] == total["withdrawn"] + total["refunded"] + settled + self.open
        assert sum(total["rulings"].values()) == kinds["ruled"]
        for by in ("dealer", "shift", "table"):
            parts = [row for (whose, _), row in rows.items() if whose == by]
            for name in ("rounds", "cards", "staked", "paid_out", "refused_rulings"):
                assert sum(part[name] for part in parts) == total[name]
            assert sum((Counter(part["faults"]) for part in parts), Counter()) == Counter(total["faults"])


@given(st.lists(st.integers(0, 10**12), min_size=1))
@example([0])
@example([999_499, 999_500])
@example([1_546_000])
def test_a_median_is_exact_to_three_digits(times):
    waits = Times()
    for time in times:
        waits.add(time)
    ordered = sorted(times)
    middle = (ordered[(len(times) - 1) // 2] + ordered[len(times) // 2]) / 2
    assert abs(waits.median - middle) <= 0.006 * middle + 1
    assert (waits.count, waits.total, waits.longest) == (len(times), sum(times), max(times))
    wait = wait_of(waits)
    assert wait.median <= wait.nine_of_ten <= wait.longest
    stats = waits.report()
    assert (stats["median"], stats["longest"]) == (wait.median, wait.longest)  # `journal stats` as the page


def test_the_memory_of_times_does_not_grow_with_their_number():
    waits = Times()
    for time in range(0, 50_000_000, 997):
        waits.add(time)
    assert len(waits._seen) < 7_000


# ── local time and clock changes ─────────────────────────────────────────────────────────────────────────────────

BUCHAREST = ZoneInfo("Europe/Bucharest")
SPRING, AUTUMN = datetime(2026, 3, 29, tzinfo=BUCHAREST), datetime(2026, 10, 25, tzinfo=BUCHAREST)  # clocks are set


def shifts_of(day: datetime, hours: tuple[int, ...]) -> Counter[str]:
    """Enter a record for every half hour of the day; return how many count in each shift."""
    begins, ends = (at.astimezone(UTC) for at in (day, (day + timedelta(days=1)).replace(tzinfo=BUCHAREST)))
    statistics = Statistics([hour * 60 for hour in hours], BUCHAREST)
    for number in range(int((ends - begins) / timedelta(minutes=30))):
        at = int((begins + number * timedelta(minutes=30)).timestamp()) * SECOND
        statistics.enter(r.Record(number + 1, at, "t", r.CutCardDrawn()), FigureEntry("rounds"))
    return Counter({row["name"]: row["rounds"] for row in statistics.report() if row["by"] == "shift"})


@pytest.mark.parametrize(("day", "night"), [(SPRING, 10), (AUTUMN, 14), (datetime(2026, 6, 1, tzinfo=BUCHAREST), 12)])
def test_a_shift_follows_local_time_on_clock_change_nights(day, night):
    """The night from 0:00 to 6:00 has five hours in spring and seven in autumn."""
    found = shifts_of(day, (0, 6, 14, 22))
    assert found == {"00:00-06:00": night, "06:00-14:00": 16, "14:00-22:00": 16, "22:00-00:00": 4}


@pytest.mark.parametrize(
    ("day", "begins", "reported", "expected"),
    [
        (
            AUTUMN,
            "03:30,11:30,19:30",
            [21, 54, 3],
            {"19:30-03:30": 21, "03:30-11:30": 54, "11:30-19:30": 3},
        ),  # nine hours
        (
            SPRING,
            "03:30,11:30,19:30",
            [21, 42, 15],
            {"19:30-03:30": 21, "03:30-11:30": 42, "11:30-19:30": 15},
        ),  # seven hours
        (SPRING, "03:00,04:00", [18, 60], {"04:00-03:00": 78}),  # 03:00 is skipped
        (SPRING, "11:00,03:30,04:00", [18, 3, 39, 18], {"11:00-03:30": 36, "04:00-11:00": 3, "03:30-04:00": 39}),
    ],
)
def test_a_shift_in_a_changed_hour_counts_as_its_report(day, begins, reported, expected):
    minutes, begin = minutes_of(begins), int(day.timestamp()) * SECOND
    statistics, periods = Statistics(minutes, BUCHAREST), Counter[int]()
    for number in range(78):  # one each ten minutes, for 13 hours
        at = begin + number * 600 * SECOND
        statistics.enter(r.Record(number + 1, at, "t", r.CutCardDrawn()), FigureEntry("rounds"))
        periods[shift_at(at, minutes, BUCHAREST).since] += 1
    found = {row["name"]: row["rounds"] for row in statistics.report() if row["by"] == "shift"}
    assert (list(periods.values()), found) == (reported, expected)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_a_day_is_as_long_as_its_clocks_make_it(day, hours):
    after = str(date.fromisoformat(day) + timedelta(days=1))
    assert moment(after, BUCHAREST) - moment(day, BUCHAREST) == hours * 3600 * SECOND


def test_a_time_with_its_own_zone_overrides_the_default():
    assert moment("2026-06-01T12:00+03:00", ZoneInfo("Asia/Tokyo")) == moment("2026-06-01T12:00", BUCHAREST)
