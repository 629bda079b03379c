"""Resettlement of very many bets: a game server gets every part from the bus or from the table."""

from itertools import pairwise

import msgspec
import pytest

from controller.bus import names as n
from controller.bus.requests import MOST
from controller.bus.stream_reader import read as read_stream
from controller.core import events as e
from controller.core.decide.input_groups import GroupPart
from controller.core.house import SLICE
from controller.games import GAMES
from controller.journal import read, with_past
from controller.table.input_queue import MANY
from tests.bus.tables import as_over_http, ask, run_table
from tests.patience import on_loop
from tests.table.test_table import NATURAL

MARKETS = ("player", "banker", "tie")


async def settled_anew(table, bets):
    """Play a round with `bets` bets, settle it anew, and wait until the bus has all of it."""
    table.table.take(e.Open())
    for start in range(0, bets, MANY):
        places = range(start, min(bets, start + MANY))
        table.table.take_soon([GroupPart(e.PlaceBet(f"player-{one}", MARKETS[one % 3], 100 + one)) for one in places])
        await table.table.wait_until_recorded()
    for event in (e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish")):
        table.table.take(event)
    await table.table.wait_until_finished()
    event = e.Resettle(1, (e.Amendment("cancel"),), "m", "wrong shoe", "n")
    table.table.take(with_past(table.path, table.table.house, GAMES, {}, event))
    await table.table.wait_until_finished()
    await table.caught_up()


async def resettling_events(admin, client, audience):
    """Return the resettlement's events by number, and how many of them were too large for the bus.

    The large ones are asked of the table.
    """
    count, place, found = 0, 0, {}
    while messages := await read_stream(admin, "EVENTS", f"tablectl.main.t1.event.{audience}", place, 1000):
        for message in messages:
            place, seq = message.seq, int(message.headers[n.SEQ])
            if seq in found:
                continue
            if n.LARGE in message.headers:
                count += 1
                answer = await ask(client, f"/api/v1/events?after={seq - 1}", "platform")
                assert answer.status == 200
                found |= {one["seq"]: one for one in answer.body}
            else:
                found[seq] = msgspec.json.decode(message.body)
    return {seq: one for seq, one in found.items() if one["kind"] == "resettled"}, count


def settles_anew(server, tmp_path, bets):
    """Check that all parts of a resettlement of `bets` bets are received once, complete and small enough."""

    async def steps():
        path = tmp_path / "t.journal"
        async with (
            run_table(path, server.section()) as table,
            server.client("admin") as admin,
            server.client("platforms", "game") as platform,
        ):
            await settled_anew(table, bets)
            found, count = await resettling_events(admin, platform, "server")
            expected = {seq: one for seq, one in as_over_http(path, "server") if one["kind"] == "resettled"}
            assert (found, count > 0) == (expected, True)
            assert [one["part"] for one in found.values()] == list(range(1, -(-bets // SLICE) + 1))
            assert len({move["id"] for one in found.values() for move in one["movements"]}) == bets
            assert max(len(msgspec.json.encode(one)) for one in found.values()) < MOST
            seqs = [record.seq for record in read(path)]
            assert all(after == before + 1 for before, after in pairwise(seqs))

    on_loop(steps)


def test_parts_of_a_large_resettlement_are_heard_over_the_bus(server, tmp_path):
    settles_anew(server, tmp_path, 2 * SLICE + 1)


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_resettlement_of_20000_bets_is_heard_over_the_bus(server, tmp_path):
    settles_anew(server, tmp_path, 20_000)
