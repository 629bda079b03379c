"""Sessions over the network: how long they last, and what ends with them."""

import asyncio

import pytest

from controller.config.table_file import Config
from controller.script.reader import parse
from controller.web.access import sessions
from tests.patience import PATIENCE
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import at_a_table, manager, program, with_clock
from tests.web.rig import CLOSE, OPEN, capture_log
from tests.web.staff import PINS, at_a_staffed_table


def test_an_idle_session_ends_after_five_minutes(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        await person.ask("POST", "/api/commands", OPEN)
        clock.now += sessions.IDLE - 1
        assert (await person.ask("GET", "/api/state?role=manager")).status == 200  # looking on does not count as use
        clock.now += 1
        assert (await person.ask("GET", "/api/state?role=manager")).status == 401
        assert (await person.ask("POST", "/api/commands", CLOSE)).status == 401
        assert table.table.state.life == "betting"

    at_a_table(tmp_path, steps)


def test_a_lapsed_session_may_look_but_not_act(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        seq = table.paused()
        clock.now += sessions.IDLE
        assert (await person.open_page()).body == {
            "table": "table", "role": "manager", "name": "anna", "csrf": person.csrf, "lapsed": True,
        }  # fmt: skip
        look = {"command": "rule", "id": "1", "fault": seq, "ruling": "cancel", "because": "x"}
        assert (await person.ask("POST", "/api/preview?role=manager", look)).body["verdict"] == "leads"
        for method, target, body in (
            ("POST", "/api/commands", look), ("POST", "/session/alive", None), ("GET", "/api/state?role=manager", None),
            ("GET", "/api/rounds?role=manager", None), ("GET", "/api/devices?role=manager", None),
            ("GET", "/api/screen?role=dealer", None), ("GET", "/session/hand-over?role=manager", None),
        ):  # fmt: skip
            assert (await person.ask(method, target, body)).status == 401, target
        assert (await person.ask("GET", "/report")).status == 303
        assert table.table.state.fault.seq == seq
        assert (await person.sign_in()).status == 200
        assert (await person.ask("POST", "/api/commands", look)).body["verdicts"][0]["verdict"] == "done"

    at_a_table(tmp_path, steps)


HOLDEM = (
    "shuffled · open · bet p1 ante 1.00 · bet p2 ante 5.00 · close · card AC · card 7D · card KS · card QS · card 2H · "
    "card 3H · card 4S · decide p1 call · decide p2 call · card 5S · press manager"
)


def test_a_lapsed_session_sees_no_single_players_stake(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        for _, event in parse(HOLDEM.replace(" · ", "\n")):
            table.table.take(event)
        look = {"command": "rule", "id": "1", "fault": table.table.state.fault.seq, "ruling": "correct", "because": "x"}
        look |= {"draw": 1, "card": "AD"}
        clock.now += sessions.IDLE
        body = (await person.ask("POST", "/api/preview?role=manager", look)).body
        assert [(one["who"], one["stake"]) for one in body["touched"]["decisions"]] == [("p1", 0), ("p2", 0)]
        assert "call (" not in body["says"]

    at_a_table(tmp_path, steps, house=Config().house("auto", "casino_holdem"))


def over_by_another_pin(table, person, clock):
    with table.users.change() as change:
        change.set_pin("anna", "7391")


def over_by_the_shift(table, person, clock):
    clock.now += sessions.LONGEST - sessions.IDLE


@pytest.mark.parametrize("over", [over_by_another_pin, over_by_the_shift])
def test_a_lapsed_session_ends_with_pin_change_or_shift(tmp_path, clock, over):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        clock.now += sessions.IDLE
        over(table, person, clock)
        assert (await person.ask("GET", "/session")).body["role"] == "player"
        assert (await person.ask("GET", "/api/screen?role=manager")).status == 401

    at_a_table(tmp_path, steps)


def test_signing_out_of_a_lapsed_session_ends_it(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        clock.now += sessions.IDLE
        assert (await person.ask("DELETE", "/session")).status == 204
        assert (await person.ask("GET", "/api/screen?role=manager")).status == 401

    at_a_table(tmp_path, steps)


def test_an_active_session_lasts_one_shift_at_most(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        for _ in range(int(sessions.LONGEST / 200) - 1):
            clock.now += 200
            assert (await person.ask("POST", "/session/alive")).status == 204
        clock.now += 200
        assert (await person.ask("POST", "/session/alive")).status == 401

    at_a_table(tmp_path, steps)


def test_signing_out_ends_the_session(tmp_path):
    async def steps(table):
        person = await manager(table)
        answer = await person.ask("DELETE", "/session")
        assert (answer.status, "Max-Age=0" in answer.headers["set-cookie"]) == (204, True)
        assert (await person.ask("POST", "/api/commands", OPEN)).status == 401

    at_a_table(tmp_path, steps)


def test_another_pin_ends_the_sessions_of_the_old_one(tmp_path):
    async def steps(table):
        person = await manager(table)
        with table.users.change() as change:
            change.set_pin("anna", "7391")
        assert (await person.ask("POST", "/session/alive")).status == 401
        assert (await person.sign_in("anna", "7391")).status == 200

    at_a_table(tmp_path, steps)


def signed_out(table, person):
    return person.ask("DELETE", "/session")


async def removed(table, _):
    with table.users.change() as change:
        change.remove("anna")


async def made_void(table, _):
    with table.users.change() as change:
        change.remove_token("platform")


async def made_unreadable(table, _):
    table.users.path.write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("who", "stream", "role", "end"),
    [
        (manager, "events", "manager", signed_out),
        (manager, "screen", "manager", signed_out),
        (manager, "events", "dealer", signed_out),  # a manager's view as the dealer ends too
        (manager, "screen", "dealer", signed_out),
        (manager, "screen", "manager", removed),
        (manager, "screen", "manager", made_unreadable),
        (program, "events", "server", made_void),
    ],
)
def test_a_stream_ends_with_the_session_or_the_token(tmp_path, monkeypatch, who, stream, role, end):
    monkeypatch.setattr("controller.web.api.api.HEARTBEAT", 0.01)
    monkeypatch.setattr("controller.web.api.screen_stream.HEARTBEAT", 0.01)

    async def steps(table):
        person = await who(table)
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        lines = [f"GET /api/{stream}?role={role} HTTP/1.1", "host: localhost", f"cookie: {person.cookie}"]
        lines += [f"{name}: {value}" for name, value in person.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        with capture_log() as log:
            await end(table, person)
            async with asyncio.timeout(PATIENCE):
                while (await reader.readline()) != b"0\r\n":  # the last chunk
                    pass
        assert "request_failed" not in [line["event"] for line in log]
        writer.close()

    at_a_table(tmp_path, steps)


def test_an_auditors_many_sessions_sign_out_nobody_else(tmp_path):
    async def steps(table):
        maria, auditor = BrowserPerson(table, ELSEWHERE), BrowserPerson(table, ELSEWHERE)
        assert (await maria.sign_in("103", PINS["103"])).status == 200
        statuses = []
        for _ in range(110):
            auditor.cookie = None
            statuses.append((await auditor.sign_in("105", PINS["105"])).status)
        assert (await maria.ask("POST", "/session/alive")).status == 204
        assert (statuses.count(200), statuses.count(429)) == (20, 90)

    at_a_staffed_table(tmp_path, steps)
