"""The Python example client on a breaking connection gets each event once and places each bet once."""

import asyncio
from contextlib import aclosing

import pytest
import tablectl_client
from tablectl_client import Table

from controller.core import events as e
from controller.web.api import record_feed as feed
from tests.chance import SEED
from tests.patience import on_loop, until
from tests.table.test_table import HOLDEM
from tests.web.net import NetworkTable
from tests.web.relay import CuttingRelay
from tests.web.test_events import played, viewed

LONG = pytest.param("server", 10, 50, 100, SEED, marks=pytest.mark.proof, id="long")


@pytest.fixture(autouse=True)
def _eager(monkeypatch):
    monkeypatch.setattr(tablectl_client, "PAUSE", 0.001)
    monkeypatch.setattr(tablectl_client, "LONGEST_PAUSE", 0.001)


async def received_events(url: str, token: str, audience: str) -> list[dict]:
    """Return the events that the client receives until the table closes."""
    messages = []
    async with Table(url, token) as table:
        if audience == "player":  # players have no token
            del table._http.headers["Authorization"]
            table._http.params = {"role": audience}
        async with aclosing(table.events(0)) as events:
            async for event in events:
                messages.append(event)
                if event["kind"] == "table_closed":
                    break
    return messages


def stopped_and_void(table: NetworkTable) -> None:
    """Play a round that a card before the close stops, and cancel it."""
    table.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000))
    table.rig.deal("KS")
    table.rig.take(e.Rule("cancel", "anna", "it came too soon"))


@pytest.mark.parametrize(
    ("audience", "at_hand", "rounds", "cuts", "seed"),
    [("server", 10, 15, 30, 10), ("player", 2000, 15, 30, 2000), LONG],
)
def test_a_repeatedly_disconnected_client_gets_every_event_once(
    tmp_path, monkeypatch, audience, at_hand, rounds, cuts, seed
):
    monkeypatch.setattr(feed, "RECENT", at_hand)  # if few, most events come from the journal
    monkeypatch.setattr(feed, "PORTION", 5)

    async def steps():
        async with NetworkTable(tmp_path, HOLDEM) as table, CuttingRelay(table.port, cuts, seed=seed) as relay:
            hearing = asyncio.create_task(received_events(f"http://127.0.0.1:{relay.port}", table.token, audience))
            for number in range(1, rounds + 1):
                played(table, 1) if number % 5 else stopped_and_void(table)
                await until(lambda number=number: relay.cuts * rounds >= number * cuts)
            table.rig.take(e.CloseTable("anna"))
            assert await hearing == viewed(table, audience)
            assert (relay.cuts, table.table.state.round.number) == (cuts, rounds)

    on_loop(steps)


def test_bets_resent_after_lost_answers_are_placed_once(tmp_path):
    bets = [
        {"command": "bet", "id": f"b{n}", "round": 1, "player": f"p{n}", "market": "tie", "stake": 100}
        for n in range(20)
    ]

    async def steps():
        async with NetworkTable(tmp_path) as table, CuttingRelay(table.port, 20, seed=1) as relay:
            table.rig.take(e.Open())
            async with Table(f"http://127.0.0.1:{relay.port}", table.token) as client:
                verdicts = await client.send(bets)
            assert [(one["id"], one["verdict"]) for one in verdicts] == [(bet["id"], "done") for bet in bets]
            accepted = [record for record in table.rig.recorded() if record.kind == "bet_accepted"]
            assert [record.input.origin.command for record in accepted] == [bet["id"] for bet in bets]
            assert relay.cuts > 1

    on_loop(steps)
