"""An `unbet` that names a bet takes back this bet, also before its arrival, and never another."""

import asyncio
import json

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.script.reader import write_line
from controller.web.api.command_decoder import read_in_pieces
from controller.web.api.commands import Caller
from tests.patience import on_loop
from tests.web.rig import OPEN, Spoken
from tests.web.test_lists import reasons, together
from tests.web.test_windows import THREE

BET = {"command": "bet", "player": "p1", "market": "banker", "stake": 1000, "round": 1}
UNBET = {"command": "unbet", "player": "p1", "market": "banker", "round": 1}


def stakes(table) -> list[int]:
    return [bet.stake for bet in table.table.state.round.bets.values()]


def test_the_bet_that_overtook_the_named_one_stays(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            (back,) = await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            (late,) = await table.send({**BET, "id": "b1", "stake": 9000}, role="server")
            assert (back["reason"], late["reason"], stakes(table)) == ("no_bet", "taken_back", [1000])
            (back,) = await table.send({**UNBET, "id": "u2", "bet": "b2"}, role="server")
            assert (back["verdict"], stakes(table)) == ("done", [])

    on_loop(steps)


def test_an_unbet_takes_back_no_bet_of_another_server(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            intake = table.api._intake
            sent = [({**BET, "id": "b1"}, "token:one"), ({**UNBET, "id": "u1", "bet": "b1"}, "token:two")]
            sent.append(({**BET, "id": "b1"}, "token:two"))
            requests = [(read_in_pieces(json.dumps(one).encode())[0], Caller("server", via, via)) for one, via in sent]
            answers = [await anext(intake.one_by_one(who, request.commands)) for request, who in requests]
            assert [one.reason for one in answers] == [None, "no_bet", "taken_back"]
            assert stakes(table) == [1000]

    on_loop(steps)


def test_a_refused_bet_that_is_taken_back_spares_the_other(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            body = [{**BET, "id": "b1"}, {**BET, "id": "b2"}, {**UNBET, "id": "u2", "bet": "b2"}]
            verdicts = await table.send(*body, role="server")
            assert [one.get("reason") for one in verdicts] == [None, "duplicate_bet", "no_bet"]
            assert stakes(table) == [1000]

    on_loop(steps)


def test_many_bets_are_taken_back_together(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            bets = [{**BET, "id": f"b{number}", "player": f"p{number}"} for number in range(40)]
            unbets = [{**UNBET, "id": f"u{one['id']}", "player": one["player"], "bet": one["id"]} for one in bets]
            await table.send(*bets, role="server")
            before = len(table.rig.calls)
            verdicts = await table.send(*unbets, {**BET, "id": "b40"}, role="server")
            assert {one["verdict"] for one in verdicts} == {"done"}
            assert (stakes(table), len(table.rig.calls) - before < len(unbets) / 4) == ([1000], True)

    on_loop(steps)


def test_a_bet_behind_its_unbet_in_a_list_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            unbets = [{**UNBET, "id": "u1", "bet": "b1"}, {**UNBET, "id": "u2", "bet": "b2"}]
            late = [{**BET, "id": name} for name in ("b2", "b1", "b3")]
            verdicts = await table.send(*unbets, *late, role="server")
            assert reasons(verdicts) == ["no_bet", "no_bet", "taken_back", "taken_back", None]

    on_loop(steps)


def test_a_bet_sent_together_with_its_unbet_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            intake, server = table.api._intake, Caller("server", "platform", "token:platform")

            async def sent(command):
                request, _ = read_in_pieces(json.dumps(command).encode())
                return await anext(intake.one_by_one(server, request.commands))

            unbet = {**UNBET, "id": "u1", "bet": "b1"}
            back, late = await asyncio.gather(sent(unbet), sent({**BET, "id": "b1"}))
            assert (back.reason, late.reason, stakes(table)) == ("no_bet", "taken_back", [])

    on_loop(steps)


def test_a_bet_without_known_command_is_found_by_its_market(tmp_path):
    """Such a bet was placed before an upgrade in the middle of its round."""

    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            table.rig.take(e.PlaceBet("p1", "banker", 1000))
            (back,) = await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            assert (back["verdict"], stakes(table)) == ("done", [])

    on_loop(steps)


@pytest.mark.parametrize(("deciding", "left"), [(r.DECIDING, [1000]), (10, [])])
def test_an_older_record_takes_back_the_bet_on_the_market(tmp_path, deciding, left):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.table.house = replace(table.table.house, deciding=deciding)
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            assert stakes(table) == left

    on_loop(steps)


def test_a_script_says_which_command_staked_a_bet(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            events = [record.input.event for record in table.rig.recorded() if record.kind == "bet_accepted"]
            (via,) = {record.input.origin.via for record in table.rig.recorded() if record.kind == "bet_accepted"}
            assert [write_line(event) for event in events] == [f"bet p1 banker 10.00 round 1 id b2 via {via}"]

    on_loop(steps)


# ── in an all-or-none list ───────────────────────────────────────────────────────────────────────────────────────

EARLY, LATE = {**UNBET, "id": "u1", "bet": "b1"}, {**BET, "id": "b1"}
OTHER = {**BET, "id": "b2", "market": "tie"}


async def resumed(table):
    """Take back a bet that has not arrived in a pause, then resume the round."""
    table.rig.table.take(e.KeyPressed("manager"))
    await table.send(EARLY, role="server")
    table.rig.table.take(e.Rule("resume", "m", "x"))


async def in_betting(table):
    """Take back a bet that has not arrived, while bets are open."""
    await table.send(EARLY, role="server")


@pytest.mark.parametrize("taken_back", [in_betting, resumed])
def test_a_list_with_a_taken_back_bet_says_so(tmp_path, taken_back):
    refusals = [["taken_back", "not_all"]] * 2

    async def before():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await taken_back(table)
            assert [reasons(await together(table, LATE, OTHER)) for _ in range(2)] == refusals
            assert stakes(table) == []

    async def after():
        async with Spoken(tmp_path) as table:
            assert [reasons(await together(table, LATE, OTHER)) for _ in range(2)] == refusals
            (alone,) = await table.send(LATE, role="server")
            assert alone["reason"] == "taken_back"

    on_loop(before)
    on_loop(after)


@pytest.mark.parametrize(("more", "late"), [((), "taken_back"), ((OTHER,), None)])
def test_only_a_refused_list_of_several_takes_no_bet_back(tmp_path, more, late):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            assert reasons(await together(table, EARLY, *more))[0] == "no_bet"
            (bet,) = await table.send(LATE, role="server")
            assert bet.get("reason") == late

    on_loop(steps)


def test_a_list_beside_its_unbet_elsewhere_says_taken_back(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            intake, server = table.api._intake, Caller("server", "platform", "token:platform")
            alone, _ = read_in_pieces(json.dumps(EARLY).encode())
            both, _ = read_in_pieces(json.dumps({"all": True, "commands": [LATE, OTHER]}).encode())

            async def listed():
                return [one.reason async for one in intake.all_or_none(server, both.commands)]

            back, late = await asyncio.gather(anext(intake.one_by_one(server, alone.commands)), listed())
            assert (back.reason, late, stakes(table)) == ("no_bet", ["taken_back", "not_all"], [])

    on_loop(steps)


def test_a_list_says_which_ids_were_used_otherwise(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await table.send(EARLY, {**OTHER, "id": "b3"}, role="server")
            verdicts = await together(table, LATE, {**OTHER, "id": "b3"}, OTHER)
            assert reasons(verdicts) == ["taken_back", "id_reused", "not_all"]

    on_loop(steps)


def test_the_id_of_a_counted_start_is_refused_in_lists(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            starts = [{**OPEN, "id": f"o{number}"} for number in range(3)]
            assert set(reasons(await table.send(*starts))) == {"round_live"}
            assert reasons(await together(table, starts[2], OTHER)) == ["id_reused", "not_all"]

    on_loop(steps)


def test_a_taken_back_bet_without_window_is_refused_likewise(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            await table.send(OPEN)
            await table.send({**EARLY, "window": 1}, role="server")
            (alone,) = await table.send(LATE, role="server")
            verdicts = await together(table, LATE, {**OTHER, "window": 1})
            assert (alone["reason"], reasons(verdicts)) == ("taken_back", ["taken_back", "not_all"])

    on_loop(steps)
