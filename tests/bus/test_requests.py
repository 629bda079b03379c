"""Commands and questions over the bus: signed ones are answered as over HTTP, others are refused."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NoAnswer
from structlog.testing import capture_logs

from controller.bus import relay
from controller.bus.keys import new_seed, public_of
from controller.bus.requests import AT_A_TIME, Requests
from controller.bus.signed_commands import LATE, MOST, CommandVerifier, Unsigned, signed_headers
from controller.core import events as e
from controller.core.coded_message import coded
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import StudioTable, ask, command, events, run_table, stored
from tests.patience import on_loop, until

OPEN = {"command": "open", "id": "o1"}
BET = {"command": "bet", "id": "b1", "player": "p1", "market": "player", "stake": 500, "round": 1}


@asynccontextmanager
async def reached(server: BusServer, folder: Path, *who: str) -> AsyncIterator[tuple[StudioTable, Client]]:
    """Run a table on the bus and connect a client with the key `who`."""
    async with run_table(folder / "t.journal", server.section()) as table, server.client(*who) as client:
        await until(lambda: table.bus.trouble is None)
        yield table, client


def test_a_platform_may_open_and_bet_but_never_rule(server, tmp_path):
    async def steps():
        async with (
            run_table(tmp_path / "t.journal", server.section()) as table,
            server.client("platforms", "game") as game,
        ):
            await until(lambda: table.bus.trouble is None)
            answer = await command(server, game, table, [OPEN, BET], "platform")
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done", "done"]
            again = await command(server, game, table, [OPEN], "platform")
            assert again.body["verdicts"] == answer.body["verdicts"][:1]
            assert table.table.state.round.number == 1
            table.table.take(e.CardOut("5H"))
            rule = {
                "command": "rule",
                "id": "r1",
                "fault": table.table.state.fault.seq,
                "ruling": "burn",
                "because": "x",
            }
            refused = await command(server, game, table, rule, "platform")
            assert (refused.status, refused.body["detail"]) == (403, "rule is for the manager, not for the server")
            assert table.table.state.fault is not None

    on_loop(steps)


def test_500_refused_bets_with_long_names_get_their_verdicts(server, tmp_path):
    async def steps():
        async with reached(server, tmp_path, "platforms", "game") as (table, game):
            table.table.take(e.Open())
            names = [f"{number:03}" + "𝄞" * 97 for number in range(500)]
            bets = [{**BET, "id": name, "player": name, "market": "𝄞" * 100} for name in names]
            answer = await command(server, game, table, bets, "platform")
            verdicts = [(one["id"], one["verdict"]) for one in answer.body["verdicts"]]
            assert verdicts == [(name, "refused") for name in names]

    on_loop(steps)


def test_a_floors_ruling_is_recorded_with_person_and_floor(server, tmp_path):
    async def steps():
        async with reached(server, tmp_path, "floors", "main") as (table, floor):
            for event in (e.Open(), e.CardOut("5H")):
                table.table.take(event)
            state = await ask(floor, "/api/v1/state")
            fault = state.body["fault"]["seq"]
            rule = {"command": "rule", "id": "r1", "fault": fault, "ruling": "burn", "because": "seen", "by": "Ana"}
            answer = await command(server, floor, table, rule)
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done"]
            await table.caught_up()
            async with server.client("admin") as admin:
                ruled = next(
                    event for _, event in events(await stored(admin, "EVENTS"), "manager") if event["kind"] == "ruled"
                )
            assert (ruled["by"], ruled["origin"]["via"]) == ("Ana", "floor:main")

    on_loop(steps)


def test_bus_questions_get_the_answers_of_the_http_api(server, tmp_path):
    async def steps():
        async with reached(server, tmp_path, "floors", "main") as (table, floor):
            table.play()
            (screen,) = (await ask(floor, "/api/screen?role=manager&lang=ro")).body
            assert screen["lang"] == "ro"
            missed = await ask(floor, "/api/v1/events?after=2")
            assert [event["seq"] for event in missed.body][:2] == [3, 4]
            nothing = await ask(floor, f"/api/v1/events?after={table.table.state.seq}")
            assert nothing == (200, [])
            assert (await ask(floor, "/nowhere")).status == 404
            async with server.client("platforms", "game") as game:
                assert (await ask(game, "/api/v1/state?role=manager", "platform")).status == 403
                assert "loose" in (await ask(game, "/api/v1/state", "platform")).body
            with pytest.raises(NoRespondersError):
                await ask(floor, "/api/v1/state", table="t9")

    on_loop(steps)


UNSIGNED = (
    ({"epoch": "0" * 32}, "signature of this table, its epoch"),
    ({"signed": b"[]"}, "signature of this table, its epoch"),
    ({"signer": "platform", "name": "game"}, "expected the key of a floor"),
    ({"now": 1.0}, "expected a command of this moment"),
    ({"headers": {"Tablectl-To": "/session"}}, "signature of this table"),
)


def test_a_signature_covers_the_table_epoch_time_and_body(server, tmp_path):
    async def steps():
        async with reached(server, tmp_path, "floors", "main") as (table, floor):
            for how, says in UNSIGNED:
                refused = await command(server, floor, table, OPEN, **how)
                assert refused.status == 403, how
                assert says in refused.body["detail"]
            assert table.table.state.life == "idle"

    with capture_logs() as logs:
        on_loop(steps)
    refused = [(log["subject"], log["reason"]) for log in logs if log["event"] == "bus_request_refused"]
    for (subject, reason), (_, says) in zip(refused, UNSIGNED, strict=True):
        assert subject == "tablectl.main.t1.command.floor"
        assert says in reason


def test_a_command_without_a_reply_inbox_is_ignored(server, tmp_path):
    """A message that the server forwards for another client has another reply subject, or none: no answer."""

    async def steps():
        async with reached(server, tmp_path, "floors", "main") as (table, floor):
            seed = server.seed("floors", "main").read_text().strip()
            subject, body = "tablectl.main.t1.command.floor", b'{"command":"open","id":"o"}'
            headers = signed_headers(seed, subject, table.epoch, "/api/v1/commands", body)
            for reply in ("", "tablectl.main.t2.command.floor", "$JS.ACK.EVENTS.x"):
                await floor.publish(subject, body, reply, headers)
            with pytest.raises(NoAnswer):
                await floor.request("tablectl.main.t1.ask.floor", b"/api/v1/state", timeout=0.5)
            assert table.table.state.life == "idle"

    with capture_logs() as logs:
        on_loop(steps)
    refused = [(log["subject"], log["reason"]) for log in logs if log["event"] == "bus_request_refused"]
    reason = render(coded("answer_to_nobody"))
    assert set(refused) == {(f"tablectl.main.t1.{what}.floor", reason) for what in ("command", "ask")}


def test_stuck_platform_commands_do_not_delay_a_floors_command(server, tmp_path, monkeypatch):
    """A floor's command is answered while more platform commands are stuck than a table answers at a time.

    Without this, a platform could block the shift manager, and would not even need a signature.
    """
    answering, began = Requests._command, []

    async def stuck(requests: Requests, message: Msg, kind: str) -> object:
        if kind == "platform":
            began.append(message)
            await asyncio.Event().wait()
        return await answering(requests, message, kind)

    monkeypatch.setattr(Requests, "_command", stuck)

    async def steps():
        async with (
            reached(server, tmp_path, "floors", "main") as (table, floor),
            server.client("platforms", "game") as it,
        ):
            for number in range(2 * AT_A_TIME):
                await it.publish("tablectl.main.t1.command.platform", b"x", f"_INBOX_platform.game.t1.{number}")
            await until(lambda: len(began) == AT_A_TIME)
            assert (await command(server, floor, table, OPEN)).status == 200

    on_loop(steps)


def gate(now: float) -> tuple[CommandVerifier, str, list[float]]:
    """Return a gate with one floor's key, that key's seed, and the gate's settable clocks."""
    seed, clock = new_seed(), [now]
    return CommandVerifier({"floor": {"main": public_of(seed)}}, lambda: clock[0], lambda: clock[-1]), seed, clock


def test_a_command_counts_once_and_only_since_the_start():
    """Refused: a command a second time, one too old, and one made before the gate started."""
    doorkeeper, seed, clock = gate(1000.0)
    subject = "tablectl.main.t1.command.floor"

    def come(at: float, again: dict[str, str] | None = None) -> dict[str, str]:
        headers = again or signed_headers(seed, subject, "E", "/x", b"{}", at)
        assert doorkeeper.verify(subject, "E", headers, b"{}") == ("main", "/x")
        return headers

    clock[0] = 1010.0
    first = come(1009.0)
    with pytest.raises(Unsigned, match="taken already"):
        come(0, first)
    clock[0] += 3 * LATE
    with pytest.raises(Unsigned, match="of this moment"):
        come(0, first)
    with pytest.raises(Unsigned, match="of this moment"):
        gate(2000.0)[0]._check_nonce("U", "1999000-x")
    come(clock[0])


def test_a_platforms_bets_leave_room_for_a_floors_ruling():
    """Each sender has its own limit: the platform reaches its limit, and the floor's command is accepted."""
    floor, platform, now = new_seed(), new_seed(), 1000.0
    doorkeeper = CommandVerifier(
        {"floor": {"main": public_of(floor)}, "platform": {"game": public_of(platform)}}, lambda: now
    )

    def come(kind: str, seed: str) -> str:
        subject = f"tablectl.main.t1.command.{kind}"
        return doorkeeper.verify(subject, "E", signed_headers(seed, subject, "E", "/x", b"{}", now), b"{}")[0]

    for _ in range(MOST):
        assert come("platform", platform) == "game"
    with pytest.raises(Unsigned, match="too many commands"):
        come("platform", platform)
    assert come("floor", floor) == "main"


def test_after_a_clock_correction_only_commands_since_the_start_count():
    """The wall clock was an hour ahead at the start and is set right half a minute later."""
    subject, ahead = "tablectl.main.t1.command.floor", 3600.0
    doorkeeper, seed, clock = gate(5000.0 + ahead)
    clock[:] = [5030.0, 5030.0 + ahead]  # wall clock corrected, monotonic clock not

    def come(at: float) -> tuple[str, str]:
        return doorkeeper.verify(subject, "E", signed_headers(seed, subject, "E", "/x", b"{}", at), b"{}")

    assert come(5029.0) == ("main", "/x")
    with pytest.raises(Unsigned, match="of this moment"):
        come(4999.0)


def test_a_floor_may_preview_rulings_and_a_platform_may_not(server, tmp_path):
    async def steps():
        async with reached(server, tmp_path, "floors", "main") as (table, client):
            table.table.take(e.Open())
            table.table.take(e.CardOut("5H"))
            fault = table.table.state.fault.seq
            rule = {"command": "rule", "id": "r", "fault": fault, "ruling": "burn", "because": "x", "by": "m"}
            pair = [await command(server, client, table, rule, to=f"/api/preview?lang={one}") for one in ("en", "ro")]
            assert [(one.status, one.body["verdict"]) for one in pair] == [(200, "leads")] * 2
            assert pair[0].body["says"] != pair[1].body["says"]
            assert table.table.state.fault.seq == fault
        async with reached(server, tmp_path, "platforms", "game") as (table, client):
            refused = await command(server, client, table, rule, "platform", to="/api/preview?lang=en")
            assert (refused.status, refused.body["reason"]) == (404, "not_found")

    on_loop(steps)


def test_events_are_read_page_by_page_in_order(server, tmp_path, monkeypatch):
    monkeypatch.setattr(relay, "PAGE", 2000)

    async def steps():
        async with reached(server, tmp_path, "platforms", "game") as (table, game):
            table.play(2)
            pages, seqs = 0, [0]
            while page := (await ask(game, f"/api/v1/events?after={seqs[-1]}", "platform")).body:
                pages, seqs = pages + 1, [*seqs, *(event["seq"] for event in page)]
            assert seqs == list(range(table.table.state.seq + 1))
            assert pages > 2

    on_loop(steps)


def test_an_event_larger_than_a_page_is_a_page_alone(monkeypatch):
    monkeypatch.setattr(relay, "PAGE", 5)
    assert [*relay._page([b"123456", b"1"])] == [b"123456"]
    assert [*relay._page([b"12", b"1", b"1"])] == [b"12", b"1"]
