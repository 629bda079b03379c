"""A device that sends more messages than a working one is cut off until a ruling takes it back."""

import pytest

from controller.core import events as e
from controller.core.bounds import BURST, MOST_LOOSE, MOST_SHOES_DRAWN, STEADY
from controller.core.clock import DAY, SECOND
from controller.core.encoding import encode, encode_input, to_dict
from controller.core.notation import cause_text
from controller.core.views import view

from .bench import Bench, kinds

BABBLE = "babble shoe 700 9"
RESUME = "rule resume by anna because seen to"


def table(text, **terms):
    bench = Bench("baccarat", **terms)
    bench.says(text)
    return bench


def is_heard(bench):
    """Return True if a card that the shoe reads still causes a record."""
    return bool(bench.do(e.CardOut("9C")))


@pytest.mark.parametrize("text", ["open", "open; close", "open; close; card 4C", "", "open; close; press manager"])
def test_a_shoe_that_sends_too_much_pauses_the_table_unheard(text):
    bench = table(text)
    bench.says(BABBLE)
    assert (bench.life, bench.state.lost) == ("paused", ("shoe",))
    assert not is_heard(bench)


def test_a_shoe_that_sends_too_much_raises_shoe_error():
    bench = table(f"open; close; {BABBLE}")
    fault = to_dict(bench.records[-1])
    assert (fault["code"], fault["came"]) == (
        "shoe_error",
        {"kind": "babble", "device": "shoe", "heard": 700, "seconds": 9},
    )
    assert cause_text(bench.state.fault.came) == "shoe cut off: 700 messages in 9 s"
    assert view(bench.records[-1], "player").keys() == {"seq", "at", "kind", "table", "round"}


@pytest.mark.parametrize("text", ["open; close", "open", ""])
def test_a_ruling_on_its_fault_takes_the_device_back(text):
    bench = table(text)
    before = bench.life
    records = bench.says(f"{BABBLE}; {RESUME}")
    assert (bench.life, bench.state.lost, bench.state.cut_off) == (before, (), ())
    assert [(one.what.device, one.what.by) for one in records if one.kind == "device_taken_back"] == [("shoe", "anna")]
    assert is_heard(bench)


def test_a_ruling_on_another_fault_leaves_the_device_cut_off():
    bench = table(f"open; close; press manager; {BABBLE}")
    bench.says(RESUME)
    assert (bench.fault, bench.state.lost) == ("shoe_error", ("shoe",))
    bench.says(RESUME)
    assert (bench.life, bench.state.lost) == ("dealing", ())


@pytest.mark.parametrize("ending", ["rule cancel by anna because over", "wait 200s"])
def test_no_end_of_a_round_takes_the_device_back(ending):
    bench = table(f"open; close; press manager; {BABBLE}", unruled="cancel")
    bench.says(ending)
    assert (bench.fault, bench.life, bench.state.paused_from) == ("shoe_error", "paused", "cancelled")
    bench.says("found shoe")
    assert not is_heard(bench)
    bench.says(RESUME)
    assert (bench.life, bench.state.lost) == ("cancelled", ())


def test_a_device_stays_cut_off_after_a_restart():
    bench = table(f"open; close; {BABBLE}; restart")
    assert (bench.fault, [one.device for one in bench.state.cut_off]) == ("shoe_error", ["shoe"])
    assert not is_heard(bench)


def test_two_devices_cut_off_are_taken_back_in_turn():
    bench = table(f"open; close; {BABBLE}; babble panel 700 3")
    bench.says(RESUME)
    assert (bench.fault, bench.state.lost) == ("device_lost", ("panel",))
    bench.says(RESUME)
    assert (bench.life, bench.state.lost) == ("dealing", ())


def test_cards_without_a_place_in_one_pause_are_bounded():
    bench = table("open; close; press manager")
    for _ in range(4000):
        bench.now += SECOND // 50
        bench.do(e.CardOut("9C"))
    assert len(bench.state.loose_draws) == MOST_LOOSE
    assert [one.device for one in bench.state.cut_off] == ["shoe"]
    assert kinds(bench.records).count("drawn") == MOST_LOOSE
    assert len(bench.records) < 100


def test_cards_made_loose_by_a_ruling_are_no_babble():
    bench = table("open; close; card 9C; card 2D; card KD; press manager" + "; card 3S" * (MOST_LOOSE - 2))
    bench.says("rule burn 1 by anna because early")
    assert len(bench.state.loose_draws) == MOST_LOOSE  # with 2D and KD, which lost their places
    bench.says("card 3S")
    assert bench.state.cut_off == ()
    bench.says("card 3S")
    assert [one.device for one in bench.state.cut_off] == ["shoe"]


def test_cards_drawn_in_a_shoe_change_are_bounded():
    bench = table("shoe change")
    most = MOST_SHOES_DRAWN * bench.house.deck.size
    for _ in range(2 * most):
        bench.do(e.CardOut("9C"))
    assert kinds(bench.records).count("burnt") == most
    assert bench.fault == "shoe_error"
    assert cause_text(bench.state.fault.came) == f"shoe cut off: {most} cards"


def test_a_device_can_cause_at_most_50_mb_daily():
    """Counted with the longest record of an ignored message, at the highest rate that is not cut off."""
    bench = table("open; close; press manager")  # in a pause the records of ignored messages are longest
    events = (e.ShoeFails(7, "drawing time-out"), e.TelegramsLost("2", "4"), e.ShoeSays("banker", ("player", "banker")))
    (most, *_) = sorted((size(record) for one in events for record in bench.do(one)), reverse=True)
    assert (BURST + STEADY * DAY / SECOND) * most < 50 * 10**6


def size(record):
    """Return the bytes of a record's row: number, text, input, hash of 32 bytes, and SQLite's own."""
    return 8 + len(encode(record)) + len(encode_input(record.input)) + 32 + 32
