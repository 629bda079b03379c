"""Lists of commands: in portions that delay no card, or all or none; each command is done once."""

import asyncio
from collections import Counter

import pytest

import controller.table.loop
from controller.core import events as e
from controller.journal import read_rows
from controller.reports.replay import Replay
from controller.web.api import answered_commands, command_decoder
from tests.patience import on_loop, until
from tests.web.rig import CLOSE, NATURAL, OPEN, Spoken
from tests.web.test_api import bet, kinds


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)


def bets(count: int, first: int = 0, round_: int = 1) -> list[dict]:
    return [bet(number, round_=round_) for number in range(first, first + count)]


async def together(table: Spoken, *commands: dict, status: int = 200, role: str = "server") -> list[dict]:
    reply = await table.ask("POST", f"/api/commands?role={role}", {"all": True, "commands": list(commands)})
    assert reply.status == status, reply
    return reply.body["verdicts"]


def reasons(verdicts: list[dict]) -> list[str | None]:
    return [one.get("reason") for one in verdicts]


def written(table: Spoken) -> list[int]:
    """Return a list that gets the number of records of each transaction from here on."""
    sizes, append = list[int](), table.rig.journal.append

    def counting(records):
        sizes.append(len(records))
        return append(records)

    table.rig.journal.append = counting
    return sizes


async def next_round(table: Spoken) -> None:
    await table.send(CLOSE | {"id": f"close {table.table.state.round.number}"})
    table.rig.deal(*NATURAL)
    table.rig.take(e.KeyPressed("finish"), e.ChangeShoe(), e.LoadShoe(), e.Open())


# ── in portions ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_list_of_500_bets_takes_10_transactions(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes = written(table)
            verdicts = await table.send(*bets(500), role="server")
            assert {one["verdict"] for one in verdicts} == {"done"}
            assert sizes == [50] * 10

    on_loop(steps)


def test_checking_a_long_list_yields_to_other_tasks(tmp_path, monkeypatch):
    turns, looked = 0, Counter[int]()

    def look(_: str) -> None:
        looked[turns] += 1

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(command_decoder, "check_name", look)

    async def steps():
        async with Spoken(tmp_path) as table:
            meanwhile = asyncio.create_task(others())
            assert set(reasons(await table.send(*bets(1000), role="server"))) == {"other_round"}
            meanwhile.cancel()
            assert looked.total() == 3000
            assert max(looked.values()) <= 3 * command_decoder.PIECE

    on_loop(steps)


def test_a_card_during_a_list_waits_one_portion(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes = written(table)
            asking = asyncio.create_task(table.send(*bets(200), role="server"))
            await until(lambda: sizes)
            before, then = len(sizes), list[int]()
            table.table.subscribe(lambda one, _: then.append(len(sizes)) if one.state.life == "paused" else None)
            asyncio.get_running_loop().call_soon(table.table.take, e.CardOut("5H"))
            await until(lambda: then)
            assert then[0] <= before + 2  # the portion in progress, and the card's own
            found = reasons(await asking)
            in_time = found.index("betting_closed")
            assert found == [None] * in_time + ["betting_closed"] * (200 - in_time)
            assert len(table.table.state.round.bets) == in_time

    on_loop(steps)


def test_a_mixed_list_is_done_in_order(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            unbet = {"command": "unbet", "id": "u", "player": "p1", "market": "banker", "round": 1}
            sent = [OPEN, bet(1), unbet, bet(2), bet(2), bet(3, player="p2"), CLOSE, bet(4)]
            verdicts = await table.send(*sent, role="server")
            assert reasons(verdicts) == [None, None, None, None, None, "duplicate_bet", None, "betting_closed"]
            assert verdicts[3] == verdicts[4]
            assert [bet.player for bet in table.table.state.round.bets.values()] == ["p2"]

    on_loop(steps)


def test_a_refused_portion_waits_and_the_rest_is_untaken(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes = written(table)
            counting = table.rig.journal.append

            def full_after_one(records):
                table.rig.journal.broken = "disk full" if sizes else None
                return counting(records)

            table.rig.journal.append = full_after_one
            verdicts = await table.send(*bets(200), role="server", status=503)
            outcomes = [one["verdict"] for one in verdicts]
            assert outcomes == ["done"] * 50 + ["waiting"] * 50 + ["untaken"] * 100
            table.rig.journal.append, table.rig.journal.broken = counting, None
            await until(lambda: table.table.halted is None)
            again = await table.send(*bets(200), role="server")
            assert [one["verdict"] for one in again[:50]] == ["done"] * 50
            assert set(reasons(again[50:])) == {"betting_closed"}  # the failure paused the round first
            assert await table.send(*bets(200), role="server") == again

    on_loop(steps)


# ── all or none ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_all_or_none_list_is_one_transaction(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            sizes = written(table)
            verdicts = await together(table, OPEN, *bets(99))
            assert {one["verdict"] for one in verdicts} == {"done"}
            assert sizes == [100]
            assert await together(table, OPEN, *bets(99)) == verdicts
            assert sizes == [100]

    on_loop(steps)


def test_a_stake_is_raised_in_one_step_or_stays(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            first = bet(1)
            await table.send(OPEN, first, role="server")
            gone = {"command": "unbet", "id": "u1", **{name: first[name] for name in ("player", "market", "round")}}
            (again,) = await table.send(bet(1) | {"id": "again", "stake": first["stake"] + 5}, role="server")
            assert again["reason"] == "duplicate_bet"
            more = bet(1) | {"id": "more", "stake": first["stake"] + 5}
            assert reasons(await together(table, gone, more)) == [None, None]
            assert [one.stake for one in table.table.state.round.bets.values()] == [first["stake"] + 5]
            await together(table, gone | {"id": "u2"}, more | {"id": "m2", "market": "nothing"})
            assert [one.stake for one in table.table.state.round.bets.values()] == [first["stake"] + 5]

    on_loop(steps)


def test_one_refused_command_of_a_batch_refuses_all(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open(), e.PlaceBet("p7", "tie", 100))
            before = table.table.state
            unbet = {"command": "unbet", "id": "u", "player": "p7", "market": "tie", "round": 1}
            sent = (bet(1), unbet, bet(2, player="p1"), bet(3), {"command": "gone", "id": "g", "player": "p9"})
            verdicts = await together(table, *sent)
            assert reasons(verdicts) == ["not_all", "not_all", "duplicate_bet", "not_all", "not_all"]
            assert "all or none" in verdicts[0]["says"]
            assert [kinds(one) for one in verdicts] == [
                ["bet_refused"], ["ignored"], ["bet_refused"], ["bet_refused"], ["ignored"],
            ]  # fmt: skip
            after = table.table.state
            assert (after.round, after.gone, after.life) == (before.round, before.gone, before.life)
            assert await together(table, *sent) == verdicts
            (alone,) = await table.send(bet(3), role="server")
            assert alone == verdicts[3]  # this id has its answer already

    on_loop(steps)


def test_a_refused_batch_keeps_its_verdicts_after_a_restart(tmp_path):
    first = []

    async def before():
        async with Spoken(tmp_path) as table:
            first.extend(await together(table, OPEN, bet(1), bet(2, market="moon")))

    async def after():
        async with Spoken(tmp_path) as table:
            assert await together(table, OPEN, bet(1), bet(2, market="moon")) == first
            assert table.table.state.round.number == 0
            replay = Replay({"baccarat": table.table.house.game}, table.table.house.program)
            replay.take(read_rows(table.rig.path))
            replay.finish()
            assert replay.differences == []

    on_loop(before)
    assert reasons(first) == ["not_all", "not_all", "unknown_market"]
    on_loop(after)


def test_a_batch_with_a_reused_id_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, bet(1), role="server")
            seq = table.table.state.seq
            assert reasons(await together(table, bet(1), bet(2))) == ["id_reused", "not_all"]
            assert reasons(await together(table, bet(3), bet(3))) == ["id_reused", "id_reused"]
            assert table.table.state.seq == seq

    on_loop(steps)


def test_a_batch_waits_for_the_disk_as_a_whole(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            table.rig.journal.broken = "disk full"
            verdicts = await together(table, bet(1), bet(2), status=503)
            assert [one["verdict"] for one in verdicts] == ["waiting", "waiting"]
            assert reasons(await together(table, bet(3), bet(4), status=503)) == ["halted", "halted"]
            table.rig.journal.broken = None
            await until(lambda: table.table.halted is None)
            assert reasons(await together(table, bet(1), bet(2))) == ["betting_closed", "not_all"]
            assert not table.table.state.round.bets

    on_loop(steps)


@pytest.mark.parametrize("commands", [[OPEN | {"command": "shuffled"}], [], bets(101)])
def test_a_batch_too_large_empty_or_forbidden_is_malformed(tmp_path, commands):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await table.ask("POST", "/api/commands?role=manager", {"all": True, "commands": commands})
            assert reply.status == 400

    on_loop(steps)


# ── ids ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_repeated_ids_are_done_once_across_a_restart(tmp_path):
    unbet = [{"command": "unbet", "id": f"u{n}", "player": f"p{n}", "market": "banker", "round": 1} for n in range(9)]
    first = []

    async def before():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, role="server")
            first.extend(await table.send(*bets(9), *unbet, role="server"))
            await table.send(*bets(100, 10), role="server")
            assert await table.send(*bets(9), *unbet, role="server") == first

    async def after():
        async with Spoken(tmp_path) as table:
            assert await table.send(*bets(9), *unbet, role="server") == first
            assert len(table.table.state.round.bets) == 100

    on_loop(before)
    on_loop(after)


def test_an_old_id_has_no_effect_in_later_rounds(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            (_, first) = await table.send(OPEN, bet(1), role="server")
            await next_round(table)
            assert await table.send(bet(1), role="server") == [first]
            await next_round(table)
            assert reasons(await table.send(bet(1), role="server")) == ["other_round"]
            assert not table.table.state.round.bets

    on_loop(steps)


def test_an_id_used_before_a_restart_is_refused(tmp_path):
    async def before():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, bet(1), role="server")

    async def after():
        async with Spoken(tmp_path) as table:
            assert reasons(await table.send(bet(1, player="p2"), role="server")) == ["id_reused"]
            assert reasons(await table.send({**CLOSE, "id": "o"}, role="server")) == ["id_reused"]
            assert reasons(await table.send(OPEN, role="server")) == [None]

    on_loop(before)
    on_loop(after)


def test_too_many_commands_are_refused_until_the_next_round(tmp_path, monkeypatch):
    monkeypatch.setattr(answered_commands, "MOST", 4)

    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, bet(1), bet(2), CLOSE, role="server")
            found = await table.send(bet(3), bet(1), {**OPEN, "id": "o2"}, role="server", status=503)
            assert [(one["verdict"], one.get("reason")) for one in found] == [
                ("untaken", "too_many"), ("done", None), ("untaken", "too_many"),
            ]  # fmt: skip
            table.rig.deal(*NATURAL)
            table.rig.take(e.KeyPressed("finish"), e.ChangeShoe(), e.LoadShoe())
            (opened,) = await table.send({**OPEN, "id": "o3"}, role="server")
            assert kinds(opened) == ["opened"]

    on_loop(steps)
