"""The example client at a real port: whatever breaks, it ends with what the record tells its audience, each once."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from controller.core import events as e
from controller.web.api import record_feed as feed
from tests.test_table import HOLDEM
from tests.web import example_client
from tests.web.net import OnTheNet
from tests.web.relay import Relay
from tests.web.rig import on_loop, until
from tests.web.test_events import played, viewed

ROUNDS, CUTS = 50, 100
EVENTS = {"server": example_client.EVENTS, "player": "/api/events?role=player&after={}"}


BOB = "1-bob refused there is a bet by this player on this market, or under this id: withdraw it first"


def heard(url: str) -> list[dict]:
    """What the client has been told, until the table closes."""
    told = []
    for event in example_client.events(url, 0):
        told.append(event)
        if event["kind"] == "table_closed":
            break
    return told


def stopped_and_void(table: OnTheNet) -> None:
    table.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000))
    table.rig.deal("KS")
    table.rig.take(e.Rule("cancel", "anna", "it came too soon"))


@pytest.mark.parametrize(("audience", "at_hand"), [("server", 10), ("player", 2000)])
def test_a_client_whose_line_is_cut_100_times_in_50_rounds_has_every_event_once(
    tmp_path, monkeypatch, audience, at_hand
):
    monkeypatch.setattr(example_client, "EVENTS", EVENTS[audience])
    monkeypatch.setattr(example_client, "PAUSE", 0.001)
    monkeypatch.setattr(feed, "RECENT", at_hand)  # few: much of it comes from the journal
    monkeypatch.setattr(feed, "PORTION", 5)

    async def steps():
        async with OnTheNet(tmp_path, HOLDEM) as table, Relay(table.port, CUTS, seed=at_hand) as relay:
            monkeypatch.setattr(example_client, "TOKEN", table.token)
            hearing = asyncio.create_task(asyncio.to_thread(heard, f"http://127.0.0.1:{relay.port}"))
            for number in range(1, ROUNDS + 1):
                played(table, 1) if number % 5 else stopped_and_void(table)
                await until(lambda number=number: relay.cuts * ROUNDS >= number * CUTS)
            table.rig.take(e.CloseTable("anna"))
            assert await hearing == viewed(table, audience)
            assert (relay.cuts, table.table.state.round.number) == (CUTS, ROUNDS)

    on_loop(steps)


async def run(table: OnTheNet, after: int) -> asyncio.subprocess.Process:
    """The client as a program of its own."""
    command = [sys.executable, example_client.__file__, f"http://127.0.0.1:{table.port}", str(after)]
    return await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"TABLECTL_TOKEN": table.token}
    )


def test_the_example_bets_when_a_round_opens_and_says_what_came_of_each_bet(tmp_path):
    async def steps():
        async with OnTheNet(tmp_path) as table:
            client = await run(table, 0)
            table.rig.take(e.PlaceBet("bob", "banker", 1000), e.Open(), e.PlaceBet("bob", "banker", 500))
            said = [(await client.stdout.readline()).decode().strip() for _ in range(9)]
            client.kill()
            await client.communicate()
            assert said[:4] == ["1 configured", "2 table_opened", "3 shoe_ready", "4 dealer_changed"]
            assert said[4:6] == ["5 bet_refused", "6 opened"]
            assert said[6:] == ["1-ann done", BOB, "1-cyd done"]
            assert [bet.player for bet in table.table.state.round.bets.values()] == ["bob", "ann", "cyd"]

    on_loop(steps)


def test_the_example_sends_bets_again_whose_answer_was_lost_and_they_are_in_once(tmp_path, monkeypatch):
    monkeypatch.setattr(example_client, "PAUSE", 0.001)
    stake = {"command": "bet", "market": "tie", "stake": 100, "round": 1}
    bets = [{**stake, "id": f"b{n}", "player": f"p{n}"} for n in range(20)]

    async def steps():
        async with OnTheNet(tmp_path) as table, Relay(table.port, 20, seed=1) as relay:
            monkeypatch.setattr(example_client, "TOKEN", table.token)
            table.rig.take(e.Open())
            verdicts = await asyncio.to_thread(example_client.send, f"http://127.0.0.1:{relay.port}", bets)
            assert [(one["id"], one["verdict"]) for one in verdicts] == [(bet["id"], "done") for bet in bets]
            taken = [record for record in table.rig.recorded() if record.kind == "bet_accepted"]
            assert [record.input.origin.command for record in taken] == [bet["id"] for bet in bets]
            assert relay.cuts > 1

    on_loop(steps)


def test_the_example_ends_where_the_table_says_that_it_is_wrong(tmp_path):
    async def steps():
        async with OnTheNet(tmp_path) as table:
            client = await run(table, 4000)
            _, said = await client.communicate()
            assert (client.returncode, said) == (1, b"409: after: the record ends with 4, got 4000\n")

    on_loop(steps)


@pytest.mark.parametrize("words", [(), ("127.0.0.1:1", "0"), ("http://127.0.0.1:1", "last")])
def test_the_example_says_how_it_is_used_where_it_is_not_said_what_it_needs(words):
    ended = subprocess.run(
        [sys.executable, example_client.__file__, *words], capture_output=True, text=True, timeout=30
    )
    assert (ended.returncode, ended.stderr) == (1, f"{example_client.__doc__}\n")


def test_the_example_fits_on_a_page():
    assert len(Path(example_client.__file__).read_text(encoding="utf-8").splitlines()) <= 60
