"""Bets, unbets and closes over the API at a game with several betting windows, and with one."""

import asyncio

import msgspec
import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.config.table_file import check
from controller.core import events as e
from controller.web.api.command_decoder import MalformedCommand, read
from controller.web.api.commands import BetCommand
from tests.patience import on_loop
from tests.web.rig import CLOSE, Spoken
from tests.web.test_api import bet, kinds
from tests.web.test_events import first_events
from tests.web.test_lists import reasons, together

THREE = check({"game": {"name": "baccarat", "betting_windows": 3}}).house("dealer")
UNBET = {"command": "unbet", "id": "u", "player": "p1", "market": "banker", "round": 1}


def opened(table):
    """Open the first window, with a bet in it."""
    table.rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000))


async def odds_told(table):
    """Return the odds of each market, from the description of the game."""
    game = (await table.ask("GET", "/api/game?role=server")).body
    return {market["name"]: market["odds"] for market in game["markets"]}


@pytest.mark.parametrize("command", [bet(2), UNBET, CLOSE], ids=lambda one: one["command"])
def test_a_command_without_its_window_is_refused_window_missing(tmp_path, command):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            head = table.table.state.seq
            role = "server" if command["command"] != "close" else "manager"
            (verdict,) = await table.send(command, role=role)
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "window_missing")
            assert "several betting windows" in verdict["says"]
            assert table.table.state.seq == head
            (done,) = await table.send({**command, "window": 1}, role=role)  # the same id is still free
            assert done["verdict"] == "done"

    on_loop(steps)


def test_a_late_command_acts_in_no_other_window(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            table.rig.take(e.Close(), e.CardOut("9C"), e.PlaceBet("p1", "banker", 1000))
            late = ({**bet(2), "window": 1}, {**UNBET, "window": 1}, {**CLOSE, "window": 1})
            verdicts = await table.send(*late, role="server")
            assert reasons(verdicts) == ["stale_window"] * 3
            assert (table.table.state.life, len(table.table.state.round.bets)) == ("betting", 2)
            assert verdicts[0]["records"][0]["window"] == 2

    on_loop(steps)


def test_a_list_refuses_only_commands_without_a_window(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            verdicts = await table.send({**bet(2), "window": 1}, bet(3), {**bet(4), "window": 1}, role="server")
            assert reasons(verdicts) == [None, "window_missing", None]
            assert kinds(verdicts[2]) == ["bet_accepted"]

    on_loop(steps)


def test_an_all_or_none_list_needs_every_window(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            verdicts = await together(table, {**bet(2), "window": 1}, bet(3))
            assert reasons(verdicts) == ["not_all", "window_missing"]
            assert len(table.table.state.round.bets) == 1

    on_loop(steps)


def test_a_game_with_one_window_takes_commands_without_it(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            verdicts = await table.send(bet(1), {**bet(2), "window": 1}, {**bet(3), "window": 2}, role="server")
            assert reasons(verdicts) == [None, None, "stale_window"]
            assert [one["records"][0]["window"] for one in verdicts] == [1, 1, 1]

    on_loop(steps)


def test_a_bet_at_outdated_odds_is_refused_with_current_odds(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            verdicts = await table.send({**bet(1), "odds": "2.00"}, {**bet(2), "odds": "1.95"}, role="server")
            assert reasons(verdicts) == ["odds_changed", None]
            assert [one["records"][0]["odds"] for one in verdicts] == ["1.95", "1.95"]

    on_loop(steps)


@pytest.mark.parametrize("odds", ["", "1,95", "-2", "nan", "1e3", "1.95\n", " 2", "9" * 10])
def test_odds_that_are_no_decimal_number_are_malformed(odds):
    command = BetCommand(id="1", player="p1", market="tie", stake=5, round=1, odds=odds)
    with pytest.raises(MalformedCommand, match=r"\$\.odds"):
        read(msgspec.json.encode(command))


def test_the_command_line_closes_the_window_that_is_open(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            table.rig.take(e.Close(), e.CardOut("9C"))
            here = ("--socket", str(table.socket))
            late = await asyncio.to_thread(CliRunner().invoke, main, ["close", "--window", "1", *here])
            assert (late.exit_code, table.table.state.life) == (1, "betting")
            done = await asyncio.to_thread(CliRunner().invoke, main, ["close", *here])
            assert (done.exit_code, table.table.state.round.shut) == (0, 2), done.output

    on_loop(steps)


def test_game_tells_the_odds_of_the_open_window(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            assert set((await odds_told(table)).values()) == {None}
            opened(table)
            first = await odds_told(table)
            table.rig.take(e.Close(), e.CardOut("9C"))
            second, state = await odds_told(table), table.table.state
            assert second == {name: state.round.odds.get(name) for name in second} != first
            assert (await table.state())["window"] == 2
            table.rig.take(e.Close())
            assert set((await odds_told(table)).values()) == {None}

    on_loop(steps)


def test_viewers_are_told_window_and_deadline_of_an_opening(tmp_path):
    async def steps():
        async with Spoken(tmp_path, THREE) as table:
            opened(table)
            events = await first_events(table, "/api/events?after=0&role=player", table.table.state.seq)
            opening = next(event for event in events if event["kind"] == "opened")
            assert (opening["window"], opening["deadline"]) == (1, (await table.state())["deadline"])

    on_loop(steps)


def test_a_refusal_names_its_limit_and_what_is_left(tmp_path):
    limits = {"player_market": {"maximum": 15}, "classes": {"vip": {"player_market": {"maximum": 150}}}}
    house = check({"game": {"name": "baccarat"}, "limits": limits}).house("dealer")

    async def steps():
        async with Spoken(tmp_path, house) as table:

            async def sent(**about):
                return (await together(table, {**bet(1), "player": "p2", "stake": 1501, **about}))[0]

            opened(table)
            verdict = await sent(id="b2")
            reached = {"of": "player_market", "minimum": None, "maximum": 1500, "left": 1500}
            assert (verdict["reason"], verdict["records"][0]["limit"]) == ("limit_reached", reached)
            verdict = await sent(id="b3", player_class="vip")
            assert (verdict["verdict"], verdict["records"][0]["player_class"]) == ("done", "vip")
            stakes = (await table.ask("GET", "/api/game?role=server")).body["stakes"]
            assert stakes["player"]["markets"]["tie"] == {"maximum": 1500}

    on_loop(steps)
