"""Recorded faults hold data only; the words that `--json` and the API show are built from it."""

import re

import msgspec
import pytest

from controller.core import causes as c
from controller.core import events as e
from controller.core.encoding import decode, encode
from controller.core.fault_catalogue import CATALOGUE
from controller.core.views import AUDIENCES, view
from controller.rules.procedure import Ask, Bets, Deal
from controller.web.api.table_state import build_state

from .bench import Bench
from .test_catalogue import RAISE
from .test_views import HIDDEN

MISLAID = (
    "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS at board"  # expected: dealer's card, face down
)

GRAMMAR = re.compile(
    r"card to \w+|decision of \w+|decisions of \d+|reveal of \w+|no more bets|finish|no card"  # expected steps
    r"|([2-9TJQKA][CDHS]|JOKER|unread)( at \w+( \d+)?)?|finish|manager|dropped|exposed|result \w+|error \d+: .+"
    r"|telegram \w+ for \w+|(shoe|panel|server) lost|restart|no card in \d+ s|disk full|round \d+ .+"
    r"|empty shoe|\d+ left in the shoe"
)
KEPT = {  # fault code: the expected step and what came, as recorded in baccarat
    "card_before_close": (Bets(1), e.CardOut("9C")),
    "unread_card": (Deal("banker"), e.CardOut(None)),
    "foreign_card": (Deal("banker"), e.CardOut("JOKER")),
    "duplicate_card": (Deal("banker"), e.CardOut("9C")),
    "missing_card": (Deal("banker"), e.KeyPressed("finish")),
    "result_mismatch": (c.Finish(), e.ShoeSays("tie")),
    "shoe_error": (Deal("banker"), e.ShoeFails(7, "draw time-out")),
    "shoe_exhausted": (Deal("player"), c.EmptyShoe()),
    "device_lost": (Deal("banker"), e.LostDevice("shoe")),
    "stalled": (Deal("banker"), c.NoCard(30)),
    "telegram_lost": (Deal("banker"), e.TelegramsLost("2", "4")),
    "card_dropped": (Deal("banker"), e.KeyPressed("dropped")),
    "dealer_call": (Deal("banker"), e.KeyPressed("manager")),
    "server_lost": (Bets(1), e.LostDevice("server")),
    "restarted": (Deal("banker"), e.ProgramBack()),
    "journal_failed": (Deal("banker"), e.JournalBack("disk full")),
    "replay_failed": (c.Finish(), c.Undriven(1, "version", "baccarat", "0", "1")),
}


def faulted(table):
    return next(record for record in reversed(table.records) if record.kind == "faulted")


@pytest.mark.parametrize(("code", "data"), KEPT.items())
def test_a_fault_records_the_expected_step_and_what_came(code, data):
    fault = faulted(RAISE[code]("baccarat")).what
    assert (fault.code, fault.due, fault.came) == (code, *data)


@pytest.mark.parametrize("code", CATALOGUE)
def test_fault_sentences_are_built_from_data_and_never_recorded(code):
    record = faulted(RAISE[code]("casino_holdem" if code == "hidden_card_exposed" else "baccarat"))
    line = encode(record)
    assert decode(line) == msgspec.structs.replace(record, input=None)
    assert not {"expected", "got"} & msgspec.json.decode(line).keys()
    event = view(record, "auditor")
    assert GRAMMAR.fullmatch(event["expected"])
    assert GRAMMAR.fullmatch(event["got"])


@pytest.mark.parametrize("audience", [audience for audience in AUDIENCES if audience not in ("auditor", "player")])
def test_a_fault_does_not_name_the_hidden_card_that_came(audience):
    table = Bench("casino_holdem")
    table.says(MISLAID)
    event = view(faulted(table), audience)
    assert (event["came"], event["got"]) == ({"kind": "hidden_card"}, "a hidden card")
    fault = build_state(table.state, table.due, None, audience).fault
    assert (fault.came, fault.got) == (c.HiddenCard(), "a hidden card")
    assert "KS" not in str(event)


def test_the_auditor_sees_the_hidden_card_that_came():
    table = Bench("casino_holdem")
    table.says(MISLAID)
    event = view(faulted(table), "auditor")
    assert (event["came"], event["got"]) == ({"kind": "card", "card": "KS", "place": "board"}, "KS at board")


IGNORED = {
    "close": "close", "press finish": "press finish", "press close": "close", "press dropped": "press dropped",
    "unbet p1 tie": "unbet p1 tie", "back p1": "back p1", "cut; cut": "cut", "result tie": "result tie",
    "lost shoe; lost shoe": "lost shoe", "shoe error 7 because jam": "shoe error 7: jam", "table open": "table open",
    "journal failed because full": "journal failed: full", "open; dealer d2": "dealer d2", "open; dealer -": "dealer -",
    "shoe ready S7 311": "shoe ready: 311 cards counted, expected 312",
    "garbled LineCut": "LineCut with a name that is no text",
}  # fmt: skip


@pytest.mark.parametrize(("says", "what"), IGNORED.items())
def test_an_ignored_input_is_recorded_as_data_shown_in_words(says, what):
    table = Bench()
    record = table.says(says)[-1]
    assert record.what.came in (record.input.event, e.Close())
    assert view(record, "manager")["what"] == what


@pytest.mark.parametrize(
    ("says", "why", "because"),
    [
        ('press manager; rule cancel by m because "a reason"', c.ByRuling("a reason"), "a reason"),
        ("press manager; ack by m; wait 180s", c.NoRuling(180), "no ruling in 180 s"),
        ("lost server; wait 60s", c.NoServer(), "the game server's line did not come back"),
    ],
)
def test_why_a_round_is_void_is_recorded_as_data(says, why, because):
    table = Bench(unruled="cancel")
    table.says(f"open; {says}")
    (cancelled,) = (record for record in table.records if record.kind == "cancelled")
    assert (cancelled.what.why, view(cancelled, "server")["because"]) == (why, because)


def test_a_round_without_a_seat_says_so():
    table = Bench("blackjack")
    table.says("shuffled; open; close")
    (cancelled,) = (record for record in table.records if record.kind == "cancelled")
    assert (cancelled.what.why, view(cancelled, "manager")["because"]) == (c.NoSeat(), "no seat was taken")


def test_a_different_late_result_is_disputed_with_both_results():
    table = Bench()
    table.says("open; close; card 9C; card 2D; card KH; card 3S; result tie")
    (disputed,) = (record for record in table.records if record.kind == "disputed")
    assert (disputed.what.came, disputed.what.settled) == (e.ShoeSays("tie"), "player")
    assert view(disputed, "manager")["because"] == "the shoe says tie, settled was player"


def test_an_escalation_records_a_number_and_shows_a_level():
    table = Bench()
    table.says("open; press manager; wait 31s; wait 150s")
    escalated = [record for record in table.records if record.kind == "escalated"]
    assert [record.what.level for record in escalated] == [2, 3, 4, 5, 6, 7, None]
    assert [view(record, "manager")["target"] for record in escalated][:2] == ["level 2", "level 3"]
    assert view(escalated[-1], "manager")["target"] == "cancellation"


def test_a_step_that_asks_names_who_is_asked():
    table = Bench("casino_holdem")
    table.says(f"{HIDDEN}; card 2H; card 3H; card 4S; card 5S")
    fault = faulted(table)
    assert isinstance(fault.what.due, Ask)
    assert (view(fault, "dealer")["due"]["who"], view(fault, "dealer")["expected"]) == (("p1",), "decision of p1")
