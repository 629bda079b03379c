"""Commands over a real socket: each gets its verdict and is done once; a bad request does no harm."""

import json

import pytest

import controller.table.deciding
import controller.table.loop
from controller.core import events as e
from controller.web.api import api
from controller.web.api.answered_commands import AnsweredCommands
from controller.web.net import bodies
from tests.cli.conftest import named
from tests.patience import on_loop, until
from tests.table.test_table import HOLDEM
from tests.web.rig import CLOSE, NATURAL, OPEN, Spoken, capture_log


def bet(number: int, player: str = "", market: str = "banker", stake: int = 1000, round_: int = 1) -> dict:
    of = {"player": player or f"p{number}", "market": market, "stake": stake, "round": round_}
    return {"command": "bet", "id": f"b{number}", **of}


def kinds(verdict: dict) -> list[str]:
    return [record["kind"] for record in verdict.get("records", ())]


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_command_is_answered_with_the_records_it_led_to(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            (opened,) = await table.send({**OPEN, "by": "anna"})
            assert (opened["id"], opened["verdict"], kinds(opened)) == ("o", "done", ["opened"])
            assert opened["records"][0] == {**opened["records"][0], "by": "anna", "round": 1}
            assert [record.what for record in table.rig.recorded() if record.kind == "opened"]

    on_loop(steps)


def test_only_records_of_a_command_have_its_origin(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            table.rig.put_forward_to_just_before_the_deadline()
            table.rig.clock.ahead += 1_000_000
            await table.send(CLOSE)  # the clock has closed the bets before
            *_, closed, ignored = table.rig.recorded()
            assert (closed.kind, closed.what.by, closed.input.origin) == ("closed", "clock", None)
            assert (ignored.kind, ignored.input.origin.command) == ("ignored", "c")
            assert ignored.input.origin.via.startswith("unix:")

    on_loop(steps)


def test_only_the_shift_manager_sees_a_commands_origin(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            (by_server,) = await table.send(OPEN, role="server")
            (by_manager,) = await table.send(CLOSE)
            assert "origin" not in by_server["records"][0]
            assert by_manager["records"][0]["origin"]["command"] == "c"

    on_loop(steps)


def test_each_bet_of_a_list_gets_its_own_verdict(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            verdicts = await table.send(
                OPEN, bet(1), bet(2, market="moon"), bet(3, stake=0), bet(4, player="p1"), bet(5), role="server"
            )
            assert [one["verdict"] for one in verdicts] == ["done", "done", "refused", "refused", "refused", "done"]
            assert [one.get("reason") for one in verdicts[2:5]] == ["unknown_market", "bad_amount", "duplicate_bet"]
            assert verdicts[2]["says"] == "this game has no such market; where it has seats, the bet names one"
            assert [bet.player for bet in table.table.state.round.bets.values()] == ["p1", "p5"]

    on_loop(steps)


def test_a_command_that_fits_no_state_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            (verdict,) = await table.send(CLOSE)
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "ignored")
            assert verdict["says"] == "not while the table is idle"

    on_loop(steps)


def test_a_refusal_names_its_own_reason(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.LostDevice("shoe", "unplugged"))
            (verdict,) = await table.send({"command": "shoe", "id": "s", "do": "ready"})
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "shoe_lost")
            assert verdict["says"] == "the shoe is not there, plug it in first"

    on_loop(steps)


def test_unbet_without_a_bet_is_refused_as_no_bet(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            unbet = {"command": "unbet", "id": "u", "player": "p1", "market": "tie", "round": 1}
            _, verdict = [*await table.send(OPEN), *await table.send(unbet, role="server")]
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "no_bet")
            assert verdict["says"] == "there is no bet by this player on this market to take back"

    on_loop(steps)


def test_a_bet_taken_back_in_a_pause_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            table.rig.table.take(e.KeyPressed("manager"))
            late = {**bet(9), "player": "p1"}
            unbet = {"command": "unbet", "id": "u9", "player": "p1", "market": "banker", "round": 1, "bet": "b9"}
            (back,) = await table.send(unbet, role="server")
            assert back["verdict"] == "refused"
            table.rig.table.take(e.Rule("resume", "m", "x"))
            assert (await table.send(late, role="server"))[0]["reason"] == "taken_back"

    on_loop(steps)


def test_a_refused_list_takes_no_later_bet_back(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            unbet = {"command": "unbet", "id": "u9", "player": "p9", "market": "banker", "round": 1, "bet": "b9"}
            both = {"all": True, "commands": [unbet, bet(2)]}
            reply = await table.ask("POST", "/api/commands?role=server", both)
            assert [one["reason"] for one in reply.body["verdicts"]] == ["no_bet", "not_all"]
            (late,) = await table.send(bet(9), role="server")
            assert late["verdict"] == "done"

    on_loop(steps)


def test_a_bet_taken_back_before_it_came_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            bet = {"command": "bet", "id": "b9", "player": "p1", "market": "tie", "stake": 500, "round": 1}
            unbet = {"command": "unbet", "id": "u9", "player": "p1", "market": "tie", "round": 1, "bet": "b9"}
            both = await table.send([unbet, bet], role="server")
            assert [one["reason"] for one in both] == ["no_bet", "taken_back"]
            assert (await table.send(bet, role="server"))[0]["reason"] == "taken_back"  # repeated: the same verdict
            answered = AnsweredCommands(table.rig.recorded())  # as read at a start
            assert [answered.refusal_reason(key) for key in answered._now if key.command == "b9"] == ["taken_back"]
            assert (await table.send({**bet, "id": "b10"}, role="server"))[0]["verdict"] == "done"
            assert table.rig.recorded()[-1].kind == "bet_accepted"
            back = await table.send({**unbet, "id": "u10", "bet": "b10"}, role="server")
            assert back[0]["records"][0]["kind"] == "bet_withdrawn"

    on_loop(steps)


def test_an_address_without_a_version_means_version_one(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            for place in ("game", "schema", "asyncapi.json"):
                old, new = [await table.ask("GET", f"/api/{version}{place}") for version in ("", "v1/")]
                assert (old.status, old) == (200, new)
            (again,) = await table.send({"command": "open", "id": "x"})
            assert (await table.ask("POST", "/api/v1/commands", {"command": "open", "id": "x"})).body["verdicts"] == [
                again
            ]
            assert (await table.ask("GET", "/api/v1/state")).body["life"] == "betting"
            assert (await table.ask("GET", "/api/v2/state")).status == 404

    on_loop(steps)


# ── sent twice ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_repeated_command_gets_its_first_answer_and_no_effect(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            seq = table.paused()
            sent = [
                {"command": "rule", "id": "r1", "fault": seq, "ruling": "burn", "because": "too early", "by": "anna"},
                {"command": "rule", "id": "r2", "fault": seq, "ruling": "burn", "because": "too early", "by": "anna"},
                CLOSE,
            ]
            first = await table.send(*sent)
            before = table.table.state.seq
            assert await table.send(*sent) == first
            assert table.table.state.seq == before
            assert [one["verdict"] for one in first] == ["done", "refused", "done"]

    on_loop(steps)


def test_the_same_bet_again_is_answered_as_the_first_time(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            sent = [OPEN, bet(1), bet(1), bet(2, market="moon"), bet(2, market="moon")]
            verdicts = await table.send(*sent, role="server")
            assert verdicts[1] == verdicts[2]
            assert verdicts[3] == verdicts[4]
            assert len([record for record in table.rig.recorded() if record.kind.startswith("bet_")]) == 2

    on_loop(steps)


def test_a_repeated_command_is_not_done_again_after_a_restart(tmp_path):
    sent = [OPEN, bet(1), bet(2, market="moon"), CLOSE, {"command": "open", "id": "too soon"}]
    first = []

    async def before():
        async with Spoken(tmp_path) as table:
            first.extend(await table.send(*sent, role="server"))

    async def after():
        async with Spoken(tmp_path) as table:
            assert table.table.state.fault is not None  # the round was live
            assert await table.send(*sent, role="server") == first

    on_loop(before)
    on_loop(after)


def test_the_id_of_another_command_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            _, first, other = await table.send(OPEN, bet(1), bet(1, player="p2"), role="server")
            assert (first["verdict"], other["verdict"], other["reason"]) == ("done", "refused", "id_reused")

    on_loop(steps)


# ── rulings ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ruling_on_an_earlier_fault_is_refused_stale_fault(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            earlier = table.paused()
            ruling = {"command": "rule", "fault": earlier, "ruling": "burn", "because": "x"}
            (burnt,) = await table.send({**ruling, "id": "1"})
            table.rig.deal("6H")  # raises another fault
            (stale,) = await table.send({**ruling, "id": "2"})
            assert kinds(burnt) == ["ruled", "burnt", "resumed"]
            assert (stale["verdict"], stale["reason"]) == ("refused", "stale_fault")
            assert table.table.state.life == "paused"

    on_loop(steps)


def test_the_dealer_of_a_round_cannot_rule_on_it(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            ruling = {"command": "rule", "id": "1", "fault": table.paused(), "ruling": "cancel", "because": "x"}
            (verdict,) = await table.send({**ruling, "by": "d1"})
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "own_round")
            assert "another shift manager" in verdict["says"]

    on_loop(steps)


def test_the_state_has_waiting_reports_and_rulings_not_possible_now(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, CLOSE)
            table.table.take(e.LostDevice("shoe"))
            table.table.take(e.ShoeFails(7, "jam"))
            fault = (await table.state())["fault"]
            assert (fault["rulings"], fault["not_now"]) == (
                ["enter", "cancel"],
                {
                    "resume": "device_still_lost",
                    "burn": "bad_draw",
                    "void": "bad_draw",
                },
            )
            assert [one["got"] for one in fault["waiting"]] == ["error 7: jam"]

    on_loop(steps)


# ── refused requests ─────────────────────────────────────────────────────────────────────────────────────────────


def test_one_command_forbidden_to_the_role_refuses_the_list(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            seq = table.table.state.seq
            for role, commands in (("manager", [OPEN, bet(1)]), ("server", [OPEN, {**OPEN, "command": "shuffled"}])):
                reply = await table.ask("POST", f"/api/commands?role={role}", commands)
                assert (reply.status, reply.body["reason"]) == (403, "forbidden")
            reply = await table.ask("POST", "/api/commands?role=player", OPEN)
            assert reply.body["detail"] == "open is for the manager or dealer or server, not for the player"
            assert table.table.state.seq == seq

    on_loop(steps)


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "said"),
    [
        ("POST", "/api/commands", [OPEN, {**OPEN, "x": 1}], 400, "object contains unknown field `x` - at `$[1]`"),
        ("POST", "/api/commands?role=king", OPEN, 400, "role: expected one of manager, dealer, server, player, got"),
        ("POST", "/api/commands?role=auditor", OPEN, 400, "role: expected one of"),
        ("GET", "/api/commands", None, 405, "method not allowed"),
        ("POST", "/api/state", None, 405, "method not allowed"),
        ("GET", "/api", None, 404, "not found"),
        ("GET", "/api/events?after=-1", None, 400, "after: expected a record's number, got '-1'"),
        ("GET", "/api/events?after=%D9%A3", None, 400, "after: expected a record's number"),
        ("GET", "/api/events?after=4000", None, 409, "after: the record ends with 4, got 4000"),
        ("GET", "/api/events?after=1&epoch=9f", None, 409, "epoch: this record is of "),
        ("POST", "/api/commands", "x" * (api.LARGEST + 1), 413, "expected at most 1048576 bytes"),
    ],
)  # fmt: skip
def test_an_invalid_request_is_refused_in_one_line(running, method, target, body, status, said):
    async def steps(table: Spoken) -> None:
        seq = table.table.state.seq
        reply = await table.ask(method, target, body)
        assert reply.status == status
        assert reply.body["detail"].startswith(said)
        assert "\n" not in reply.body["detail"]
        assert table.table.state.seq == seq

    running.do(steps)


def test_a_request_without_its_body_times_out(tmp_path, monkeypatch):
    monkeypatch.setattr(bodies, "PATIENCE", 0.05)

    async def steps():
        async with Spoken(tmp_path) as table, table.connected() as (reader, writer):
            writer.write(b"POST /api/commands HTTP/1.1\r\nhost: t\r\ncontent-length: 100\r\n\r\n[")
            assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")

    on_loop(steps)


# ── halted table, program errors ─────────────────────────────────────────────────────────────────────────────────


def test_a_command_waits_while_the_disk_refuses_writes(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.journal.broken = "disk full"
            verdicts = await table.send(OPEN, CLOSE, status=503)
            assert [(one["id"], one["verdict"]) for one in verdicts] == [("o", "waiting"), ("c", "untaken")]
            again = await table.send(OPEN, CLOSE, status=503)
            assert again == verdicts
            assert (await table.state())["halted"] == "disk full"
            table.rig.journal.broken = None
            await until(lambda: table.table.halted is None)
            opened, closed = await table.send(OPEN, CLOSE)
            assert (kinds(opened), kinds(closed)) == (["opened"], ["closed"])
            assert [record.kind for record in table.rig.recorded()].count("opened") == 1

    on_loop(steps)


def test_a_core_bug_crashes_the_program_without_revealing_cards(tmp_path, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("AS is face down")

    async def steps():
        async with Spoken(tmp_path) as table:
            monkeypatch.setattr(controller.table.deciding, "decide_all", broken)
            with capture_log():
                reply = await table.ask("POST", "/api/commands", OPEN)
            assert reply.status == 500
            assert reply.body == {
                "type": "urn:tablectl:problem:bug", "title": "internal error of the program", "status": 500,
                "detail": "something is wrong with the program; its log says what", "reason": "bug",
                "message": {"code": "bug"},
            }  # fmt: skip
            (crash,) = table.crashes
            assert isinstance(crash["exception"], ZeroDivisionError)
            table.crashes.clear()

    on_loop(steps)


def test_a_bug_of_a_page_leaves_the_table_alone(tmp_path, monkeypatch):
    async def steps():
        async with Spoken(tmp_path) as table:
            monkeypatch.setattr(api, "build_state", None)
            with capture_log() as lines:
                reply = await table.ask("GET", "/api/state")
            assert reply.status == 500
            assert [line["event"] for line in lines] == ["request_failed"]
            await table.send(OPEN)

    on_loop(steps)


# ── the state ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_state_of_a_paused_round_has_fault_and_rulings(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            seq = table.paused()
            (record,) = [one for one in table.rig.recorded() if one.seq == seq]
            state = await table.state()
            assert (state["life"], state["paused_from"], state["seq"]) == ("paused", "betting", table.table.state.seq)
            assert state["fault"]["seq"] == seq
            assert state["fault"]["rulings"] == ["burn", "void", "cancel"]
            assert state["fault"]["since"] == "{at}".format(**api.view(record, "manager"))
            assert state["loose"] == [{"draw": 1, "card": "5H", "place": None}]
            assert state["left"] > 0
            assert state["deadline"] is None

    on_loop(steps)


def test_a_settled_rounds_state_has_cards_outcome_and_bets(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN, bet(1), bet(2, market="tie", stake=500), role="server")
            assert (await table.state("server"))["bets"] == {
                "count": 2, "total": 1500, "markets": {"banker": 1000, "tie": 500},
            }  # fmt: skip
            await table.send(CLOSE)
            table.rig.deal(*NATURAL)
            assert (await table.state("player"))["outcome"] is None  # not before the dealer confirms
            await table.send({"command": "press", "id": "f", "key": "finish"})
            state = await table.state("player")
            assert state["places"] == {"player": ["9C", "KD"], "banker": ["2D", "3H"]}
            assert state["outcome"]["winner"] == "player"

    on_loop(steps)


@pytest.mark.parametrize("role", ["manager", "dealer", "server", "player"])
def test_a_face_down_card_is_in_no_roles_state(tmp_path, role):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            table.face_down()
            state = await table.state(role)
            assert state["places"] == {"player": ["KS", "KD"], "dealer": [None, None]}
            table.rig.take(e.CardOut("6D", "seat1"))
            assert table.table.state.fault.code == "wrong_place"
            text = json.dumps(await table.state(role))
            assert not named(("5C", "7D"), text)

    on_loop(steps)


def test_players_see_no_fault_no_money_and_no_names(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.LostDevice("beacon"), e.LineCut("p9"))
            table.paused()
            state = await table.state("player")
            fields = {name: value for name, value in state.items() if value is not None}
            assert set(fields) == {
                "table", "seq", "epoch", "at", "open", "life", "round", "window", "round_id", "currency", "game", "due",
                "expected", "places", "left", "manual",
            }  # fmt: skip
            assert fields["life"] == "paused"

    on_loop(steps)


def test_the_state_matches_its_record_number(tmp_path):
    """A client reads the state and then the events after its number: nothing may be missing in between."""

    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            state = await table.state()
            assert state["seq"] == table.table.state.seq == 5
            assert state["round"] == 1

    on_loop(steps)
