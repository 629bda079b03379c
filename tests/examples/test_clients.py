"""Tests of how the example clients treat wrong events, busy tables and broken streams."""

import asyncio
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import play
import pytest

from tests.examples.clients import PLAYS, ROOT, booked
from tests.examples.fake_table import FakeTable
from tests.patience import PATIENCE

Event = dict[str, Any]


def python(url: str, wallet: Path) -> str:
    """Run the Python client in this process, which starts at once; return its error, else an empty text."""
    try:
        with closing(play.Wallet(wallet)) as mine:
            asyncio.run(play.play(url, mine, 1))
    except Exception as error:  # noqa: BLE001 - the tests compare any error
        return str(error)
    return ""


def typescript(url: str, wallet: Path) -> str:
    ended = subprocess.run([*PLAYS["typescript"], url, wallet, "1"], capture_output=True, text=True, timeout=PATIENCE)
    return ended.stderr if ended.returncode else ""


@pytest.fixture(params=[python, typescript])
def client(tmp_path, request, monkeypatch) -> Callable[[str], str]:
    """Return a function that plays at the table of a URL; it returns the client's error, else ""."""
    monkeypatch.setenv("TABLECTL_TOKEN", "secret")
    return lambda url: request.param(url, tmp_path / "wallet.db")


def numbered(*events: Event) -> list[Event]:
    """Return the events numbered from 1."""
    return [{"seq": seq, **event} for seq, event in enumerate(events, 1)]


def opened(number: int = 1) -> Event:
    return {"kind": "opened", "round": number, "window": 1, "odds": {"tie": "9.00"}}


def staked(bet: str, stake: int = 500, **more: Any) -> Event:
    movement = {"id": f"{bet}.debit", "amount": stake, "currency": "EUR"}
    return {
        "kind": "bet_accepted",
        "round": 1,
        "bet": bet,
        "player": "ann",
        "stake": stake,
        "movement": movement,
        **more,
    }


def paid(bet: str, returned: int) -> Event:
    movement = {"id": f"{bet}.credit", "amount": returned, "currency": "EUR"}
    return {"kind": "paid", "bet": bet, "player": "ann", "returned": returned, "movement": movement}


def back(bet: int) -> Event:
    return {**paid(f"R.{bet}", 500), "kind": "refunded", "stake": 500}


CLOSED, GAP = {"kind": "table_closed"}, {"seq": 9, "kind": "a"}
OTHER = {"id": "R.1.debit", "amount": 400, "currency": "EUR"}
WRONG = {
    "a gap": ([{"seq": 1, "kind": "a"}, {"seq": 3, "kind": "b"}], "after event 1 came 3"),
    "an event twice": ([{"seq": 1, "kind": "a"}, {"seq": 1, "kind": "a"}], "after event 1 came 1"),
    "an id for two movements": (numbered(opened(), staked("R.1"), staked("R.1")), "two movements with one id"),
    "a sum that differs": (
        numbered(opened(), staked("R.1", movement=OTHER)),
        "the movement is 400, its event says 500",
    ),
    "a credit without a debit": (numbered(opened(), paid("R.1", 900)), "a credit for R.1, which has none to come"),
    "two credits": (
        numbered(opened(), staked("R.1"), paid("R.1", 0), paid("R.1", 0)),
        "a credit for R.1, which has none",
    ),
    "a debit without a credit": (numbered(opened(), staked("R.1"), opened(2)), "nothing came back for R.1"),
    "a refund too few": (
        numbered(opened(), staked("R.1"), {"kind": "cancelled", "bets": 2, "amount": 900}, back(1), opened(2)),
        "still to go back: (1, 400)",
    ),
    "a refund that differs": (
        numbered(
            opened(), staked("R.1"), staked("R.2"), {"kind": "cancelled", "bets": 2, "amount": 900}, back(1), back(2)
        ),
        "of what was to go back in all 400 are left, and 500 is the last of it",
    ),
}


@pytest.mark.parametrize(("events", "says"), WRONG.values(), ids=WRONG)
def test_a_client_stops_where_the_table_contradicts_itself(client, events, says):
    with FakeTable(events) as table:
        assert says in client(table.url)


def test_a_client_continues_after_the_last_complete_event(client, tmp_path):
    round_ = numbered(opened(), staked("R.1"), paid("R.1", 1000), CLOSED)
    with FakeTable(round_[:1], round_[1:3], round_[3:]) as table:
        assert client(table.url) == ""
        assert table.after == ["0", "1", "3"]
    assert booked(tmp_path / "wallet.db") == {"R.1.debit": ("ann", -500, "EUR"), "R.1.credit": ("ann", 1000, "EUR")}


def test_a_restarted_client_books_nothing_twice(client, tmp_path):
    feed = numbered({"kind": "a"}, opened(), staked("R.1"), paid("R.1", 0), CLOSED)
    with FakeTable([*feed[:3], GAP], feed[1:]) as table:
        assert "after event 3 came 9" in client(table.url)
        assert client(table.url) == ""
        assert table.after == ["0", "1"]
        assert table.took[0] == table.took[1]
    assert booked(tmp_path / "wallet.db") == {"R.1.debit": ("ann", -500, "EUR"), "R.1.credit": ("ann", 0, "EUR")}


def corrected(revision: int, difference: int) -> Event:
    moved = {"id": f"R.1.r{revision}", "bet": "R.1", "player": "ann", "was": 0, "now": 0, "difference": difference}
    return {"kind": "resettled", "round": 1, "revision": revision, "currency": "EUR", "movements": [moved]}


def test_a_client_books_each_difference_of_a_corrected_round_once(client, tmp_path):
    feed = numbered(opened(), staked("R.1"), paid("R.1", 0), opened(2), corrected(1, 1000), corrected(2, -500), CLOSED)
    with FakeTable([*feed[:6], GAP], feed[3:]) as table:
        assert "after event 6 came 9" in client(table.url)
        assert client(table.url) == ""
    book = {name: entry[1] for name, entry in booked(tmp_path / "wallet.db").items()}
    assert book == {"R.1.debit": -500, "R.1.credit": 0, "R.1.r1": 1000, "R.1.r2": -500}


def part(bet: int, number: int) -> Event:
    moved = {"id": f"R.{bet}.r1", "bet": f"R.{bet}", "player": "ann", "was": 0, "now": 0, "difference": 100 * bet}
    about = {"kind": "resettled", "round": 1, "revision": 1, "part": number, "parts": 2, "currency": "EUR"}
    return {**about, "movements": [moved]}


def test_a_client_books_every_part_of_a_large_round_once(client, tmp_path):
    """The stream ends between two parts, after the next round was opened."""
    feed = numbered(opened(), staked("R.1"), paid("R.1", 0), part(1, 1), opened(2), part(2, 2), CLOSED)
    with FakeTable([*feed[:5], GAP], feed[4:]) as table:
        assert "after event 5 came 9" in client(table.url)
        assert client(table.url) == ""
    book = {name: entry[1] for name, entry in booked(tmp_path / "wallet.db").items()}
    assert book == {"R.1.debit": -500, "R.1.credit": 0, "R.1.r1": 100, "R.2.r1": 200}


def test_a_client_names_the_window_and_odds_it_was_told(client):
    further = {"kind": "window_opened", "round": 1, "window": 2, "odds": {"tie": "7.50"}}
    with FakeTable(numbered(opened(), further, {"kind": "resumed", "round": 1, "state": "betting"}, CLOSED)) as table:
        assert client(table.url) == ""
        bets = [commands[0] for commands in table.took]
        closes = [commands[-1] for commands in table.took]
    assert [(bet["round"], bet["window"], bet["odds"]) for bet in bets] == [(1, 1, "9.00"), *[(1, 2, "7.50")] * 2]
    assert [(close["command"], close["window"]) for close in closes] == [("close", 1), ("close", 2), ("close", 2)]


def test_a_client_repeats_its_request_to_a_busy_table(client):
    with FakeTable(numbered(CLOSED), refusals=[(408, 0), (429, 1), (500, 0), (503, 0)]) as table:
        begun = time.monotonic()
        assert client(table.url) == ""
        assert time.monotonic() - begun >= 1


@pytest.mark.parametrize("status", [401, 409])
def test_a_client_ends_when_a_repeated_request_cannot_help(client, status):
    with FakeTable(numbered(CLOSED), refusals=[(status, 0)]) as table:
        assert f"{status}: " in client(table.url)


@pytest.mark.parametrize("file", ["python/tablectl_client.py", "typescript/tablectl.ts"])
def test_an_example_client_has_at_most_290_lines(file):
    assert len((ROOT / "examples" / file).read_text(encoding="utf-8").splitlines()) <= 290
