"""Access over the network: which commands each caller may send, and in which role each may look."""

import pytest

from controller.web.api.commands import MAY, word
from tests.web.net import PIN, BrowserPerson
from tests.web.people import at_a_table, kiosk, manager, nobody, program
from tests.web.rig import CLOSE, OPEN

COMMANDS = {
    "open": OPEN,
    "close": CLOSE,
    "press": {"command": "press", "id": "p", "key": "manager"},
    "shuffled": {"command": "shuffled", "id": "s"},
    "shoe": {"command": "shoe", "id": "sh", "do": "ready"},
    "table": {"command": "table", "id": "t", "do": "open"},
    "dealer": {"command": "dealer", "id": "d", "name": "d2"},
    "rule": {"command": "rule", "id": "r", "fault": 1, "ruling": "cancel", "because": "x"},
    "ack": {"command": "ack", "id": "a", "fault": 1},
    "resettle": {"command": "resettle", "id": "rs", "round": 1, "amendments": [{"ruling": "cancel"}], "because": "x"},
    "dismiss": {"command": "dismiss", "id": "di", "case": 1, "because": "x"},
    "bet": {"command": "bet", "id": "b", "player": "p1", "market": "banker", "stake": 100, "round": 1},
    "unbet": {"command": "unbet", "id": "u", "player": "p1", "market": "banker", "round": 1},
    "decide": {"command": "decide", "id": "x", "who": "p1", "decision": "call", "question": 9},
    "leave": {"command": "leave", "id": "l"},
    "gone": {"command": "gone", "id": "g", "player": "p1"},
    "back": {"command": "back", "id": "k", "player": "p1"},
}
DEALERS = {"open", "close", "press", "shuffled", "shoe", "leave"}
MANAGERS = DEALERS | {"table", "dealer", "rule", "ack", "resettle", "dismiss"}
SERVERS = {"open", "close", "bet", "unbet", "decide", "gone", "back"}


async def kiosk_without_cookie(table) -> BrowserPerson:
    return BrowserPerson(table)


async def manager_without_csrf(table) -> BrowserPerson:
    person = await manager(table)
    person.csrf = None
    return person


async def manager_with_ended_session(table) -> BrowserPerson:
    person = await manager(table)
    table.site.sessions._sessions.clear()
    return person


async def manager_removed_from_users(table) -> BrowserPerson:
    person = await manager(table)
    with table.users.change() as change:
        change.remove("anna")
    return person


async def program_with_wrong_token(table) -> BrowserPerson:
    return BrowserPerson(table, {"authorization": "Bearer " + "x" * 43})


async def program_with_removed_token(table) -> BrowserPerson:
    with table.users.change() as change:
        change.remove_token("platform")
    return await program(table)


async def program_with_basic_credentials(table) -> BrowserPerson:
    return BrowserPerson(table, {"authorization": "Basic YW5uYToyNTgw"})


async def manager_with_wrong_csrf(table) -> BrowserPerson:
    person = await manager(table)
    person.csrf = "x" * 43
    return person


MATRIX = [  # caller, commands that it may send, status for all others
    (kiosk, DEALERS, 403),
    (kiosk_without_cookie, set(), 401),
    (manager, MANAGERS, 403),
    (manager_without_csrf, set(), 401),
    (manager_with_wrong_csrf, set(), 403),
    (manager_with_ended_session, set(), 401),
    (manager_removed_from_users, set(), 401),
    (nobody, set(), 401),
    (program, SERVERS, 403),
    (program_with_wrong_token, set(), 401),
    (program_with_removed_token, set(), 401),
    (program_with_basic_credentials, set(), 401),
]


def test_the_access_matrix_has_every_command():
    assert set(COMMANDS) == {word(command) for command in set().union(*MAY.values())}


@pytest.mark.parametrize(("who", "allowed", "else_"), MATRIX, ids=[row[0].__name__ for row in MATRIX])
def test_each_caller_may_send_only_its_own_commands(tmp_path, who, allowed, else_):
    async def steps(table):
        person = await who(table)
        head = table.table.state.seq
        for name, command in COMMANDS.items():
            if name not in allowed:
                answer = await person.ask("POST", "/api/commands", command)
                assert (name, answer.status) == (name, else_), answer
                assert set(answer.body) - {"message"} == {"type", "title", "status", "detail", "reason"}
        assert table.table.state.seq == head  # no refused command is in the record
        for name in allowed:
            answer = await person.ask("POST", "/api/commands", COMMANDS[name])
            assert (name, answer.status) == (name, 200), answer

    at_a_table(tmp_path, steps)


def test_a_list_with_one_forbidden_command_is_refused_whole(tmp_path):
    async def steps(table):
        head = table.table.state.seq
        answer = await (await program(table)).ask("POST", "/api/commands", [OPEN, COMMANDS["rule"]])
        assert (answer.status, table.table.state.seq) == (403, head)

    at_a_table(tmp_path, steps)


def test_a_shift_manager_acts_in_their_own_name_only(tmp_path):
    async def steps(table):
        person = await manager(table)
        answer = await person.ask("POST", "/api/commands", {**OPEN, "by": "bea"})
        assert (answer.status, answer.body["detail"]) == (403, "by: expected anna, who is signed in, got bea")
        answer = await person.ask("POST", "/api/commands", OPEN)
        (record,) = answer.body["verdicts"][0]["records"]
        assert (record["by"], record["origin"]) == ("anna", {"via": "web:anna", "command": "o"})

    at_a_table(tmp_path, steps)


def test_neither_a_pin_nor_a_token_is_an_input(tmp_path):
    async def steps(table):
        for person in (await manager(table), await program(table)):
            assert (await person.ask("POST", "/api/commands", OPEN)).status == 200
        given = [record.input for record in table.rig.recorded() if record.input]
        texts = [repr((one.event, one.origin)) for one in given]
        assert [one for one in texts if "web:anna" in one]
        assert [one for one in texts if PIN in one or table.token in one] == []

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    ("who", "role", "status"),
    [
        (nobody, "manager", 401), (nobody, "dealer", 401), (nobody, "server", 401), (nobody, "player", 200),
        (kiosk, "manager", 401), (kiosk, "dealer", 200), (kiosk, "server", 401), (kiosk, "player", 200),
        (manager, "manager", 200), (manager, "dealer", 200), (manager, "server", 401), (manager, "player", 200),
        (program, "manager", 403), (program, "dealer", 403), (program, "server", 200), (program, "player", 200),
        (nobody, "auditor", 400), (manager_with_ended_session, "manager", 401),
    ],
)  # fmt: skip
def test_each_caller_may_look_only_in_its_own_roles(tmp_path, who, role, status):
    async def steps(table):
        assert (await (await who(table)).ask("GET", f"/api/state?role={role}")).status == status

    at_a_table(tmp_path, steps)


def test_anybody_sees_what_players_see(tmp_path):
    async def steps(table):
        table.paused()
        state = (await (await nobody(table)).ask("GET", "/api/state")).body
        assert (state["life"], state["fault"], state["dealer"], state["bets"]) == ("paused", None, None, None)

    at_a_table(tmp_path, steps)


def test_a_manager_viewing_as_dealer_cannot_send_commands(tmp_path):
    async def steps(table):
        refused = await (await manager(table)).ask("POST", "/api/commands?role=dealer", OPEN)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")

    at_a_table(tmp_path, steps)


def test_a_dealer_page_behind_a_proxy_cannot_send_commands(tmp_path):
    """Such a proxy asks under its own host name, but the browser's Origin names the page's real address."""

    async def steps(table):
        person = await kiosk(table)
        answer = await person.ask("POST", "/api/commands", OPEN, {"origin": "https://table1.studio.example"})
        assert answer.status == 403
        assert "without a proxy" in answer.body["detail"]
        for site in ("http://127.0.0.1:8032", "http://localhost:8032", "http://[::1]:8032"):
            assert (await person.ask("POST", "/api/commands", OPEN, {"origin": site})).status == 200

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize("origin", ["http://[bad", "http://[::1]x", "http://localhost@elsewhere", "null", "127.0.0.1"])
def test_an_invalid_origin_is_refused_as_a_foreign_page(tmp_path, origin):
    async def steps(table):
        person = await kiosk(table)
        assert (await person.ask("POST", "/api/commands", OPEN, {"origin": origin})).status == 403

    at_a_table(tmp_path, steps)
