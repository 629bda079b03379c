"""Who is let in over the network, as what, and for how long: over real connections."""

import asyncio
import json
import threading

import pytest

from controller.users import fits
from controller.web.access import attempts, door, sessions
from controller.web.commands import MAY, word
from tests.web.net import ELSEWHERE, PIN, OnTheNet, Person
from tests.web.rig import logged, on_loop, until

OPEN = {"command": "open", "id": "o"}
COMMANDS = {
    "open": OPEN,
    "close": {"command": "close", "id": "c"},
    "press": {"command": "press", "id": "p", "key": "manager"},
    "shuffled": {"command": "shuffled", "id": "s"},
    "shoe": {"command": "shoe", "id": "sh", "do": "ready"},
    "table": {"command": "table", "id": "t", "do": "open"},
    "dealer": {"command": "dealer", "id": "d", "name": "d2"},
    "rule": {"command": "rule", "id": "r", "fault": 1, "ruling": "cancel", "because": "x"},
    "ack": {"command": "ack", "id": "a", "fault": 1},
    "bet": {"command": "bet", "id": "b", "player": "p1", "market": "banker", "stake": 100},
    "unbet": {"command": "unbet", "id": "u", "player": "p1", "market": "banker"},
    "decide": {"command": "decide", "id": "x", "who": "p1", "decision": "call"},
    "gone": {"command": "gone", "id": "g", "player": "p1"},
    "back": {"command": "back", "id": "k", "player": "p1"},
}
DEALERS = {"open", "close", "press", "shuffled", "shoe"}
MANAGERS = DEALERS | {"table", "dealer", "rule", "ack"}
SERVERS = {"open", "close", "bet", "unbet", "decide", "gone", "back"}


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def with_clock(table: OnTheNet, clock: Clock) -> None:
    """The door's clock is this one."""
    table.site.sessions._now = clock
    table.site.attempts._now = clock


def at_a_table(tmp_path, steps, **section) -> None:
    async def at_it():
        async with OnTheNet(tmp_path, **section) as table:
            await steps(table)

    on_loop(at_it)


async def kiosk(table) -> Person:
    person = Person(table)
    await person.open_page()
    return person


async def kiosk_without_word(table) -> Person:
    return Person(table)


async def manager(table) -> Person:
    person = Person(table, ELSEWHERE)
    assert (await person.sign_in()).status == 200
    return person


async def manager_without_word(table) -> Person:
    person = await manager(table)
    person.csrf = None
    return person


async def manager_whose_session_is_over(table) -> Person:
    person = await manager(table)
    table.site.sessions._sessions.clear()
    return person


async def manager_who_is_one_no_more(table) -> Person:
    person = await manager(table)
    with table.users.changing() as change:
        change.remove("anna")
    return person


async def nobody(table) -> Person:
    return Person(table, ELSEWHERE)


async def program(table) -> Person:
    return Person(table, {"authorization": f"Bearer {table.token}"})


async def program_with_wrong_token(table) -> Person:
    return Person(table, {"authorization": "Bearer " + "x" * 43})


async def program_whose_token_is_void(table) -> Person:
    with table.users.changing() as change:
        change.remove_token("platform")
    return await program(table)


async def program_that_basically_signs_on(table) -> Person:
    return Person(table, {"authorization": "Basic YW5uYToyNTgw"})


async def manager_with_another_word(table) -> Person:
    person = await manager(table)
    person.csrf = "x" * 43
    return person


MATRIX = [  # who may do what; what is answered to the rest
    (kiosk, DEALERS, 403),
    (kiosk_without_word, set(), 401),
    (manager, MANAGERS, 403),
    (manager_without_word, set(), 401),
    (manager_with_another_word, set(), 403),
    (manager_whose_session_is_over, set(), 401),
    (manager_who_is_one_no_more, set(), 401),
    (nobody, set(), 401),
    (program, SERVERS, 403),
    (program_with_wrong_token, set(), 401),
    (program_whose_token_is_void, set(), 401),
    (program_that_basically_signs_on, set(), 401),
]


def test_the_matrix_below_knows_every_command():
    assert set(COMMANDS) == {word(command) for command in set().union(*MAY.values())}


@pytest.mark.parametrize(("who", "allowed", "else_"), MATRIX, ids=[row[0].__name__ for row in MATRIX])
def test_who_may_do_what(tmp_path, who, allowed, else_):
    async def steps(table):
        person = await who(table)
        head = table.table.state.seq
        for name, command in COMMANDS.items():
            if name not in allowed:
                answer = await person.ask("POST", "/api/commands", command)
                assert (name, answer.status) == (name, else_), answer
                assert set(answer.body) == {"error", "says"}
        assert table.table.state.seq == head  # nothing of it is in the record
        for name in allowed:
            answer = await person.ask("POST", "/api/commands", COMMANDS[name])
            assert (name, answer.status) == (name, 200), answer

    at_a_table(tmp_path, steps)


def test_a_list_with_one_command_that_is_not_for_them_is_not_begun(tmp_path):
    async def steps(table):
        head = table.table.state.seq
        answer = await (await program(table)).ask("POST", "/api/commands", [OPEN, COMMANDS["rule"]])
        assert (answer.status, table.table.state.seq) == (403, head)

    at_a_table(tmp_path, steps)


def test_a_shift_manager_acts_in_their_own_name_only(tmp_path):
    async def steps(table):
        person = await manager(table)
        answer = await person.ask("POST", "/api/commands", {**OPEN, "by": "bea"})
        assert (answer.status, answer.body["says"]) == (403, "by: expected anna, who is signed in, got bea")
        answer = await person.ask("POST", "/api/commands", OPEN)
        (record,) = answer.body["verdicts"][0]["records"]
        assert (record["by"], record["origin"]) == ("anna", {"via": "web:anna", "command": "o"})

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    ("who", "role", "status"),
    [
        (nobody, "manager", 401), (nobody, "dealer", 401), (nobody, "server", 401), (nobody, "player", 200),
        (kiosk, "manager", 401), (kiosk, "dealer", 200), (kiosk, "server", 401), (kiosk, "player", 200),
        (manager, "manager", 200), (manager, "dealer", 200), (manager, "server", 401), (manager, "player", 200),
        (program, "manager", 403), (program, "dealer", 403), (program, "server", 200), (program, "player", 200),
        (nobody, "auditor", 400), (manager_whose_session_is_over, "manager", 401),
    ],
)  # fmt: skip
def test_who_may_look_as_whom(tmp_path, who, role, status):
    async def steps(table):
        assert (await (await who(table)).ask("GET", f"/api/state?role={role}")).status == status

    at_a_table(tmp_path, steps)


def test_anybody_sees_what_players_see(tmp_path):
    async def steps(table):
        table.paused()
        told = (await (await nobody(table)).ask("GET", "/api/state")).body
        assert (told["life"], told["fault"], told["dealer"], told["bets"]) == ("paused", None, None, None)

    at_a_table(tmp_path, steps)


def test_a_manager_who_looks_as_the_dealer_presses_no_dealers_key(tmp_path):
    async def steps(table):
        assert (await (await manager(table)).ask("POST", "/api/commands?role=dealer", OPEN)).status == 401

    at_a_table(tmp_path, steps)


def test_a_page_that_came_through_a_proxy_which_hides_it_presses_no_dealers_key(tmp_path):
    """Such a proxy asks under the name that it was given; the browser still says where its page is from."""

    async def steps(table):
        person = await kiosk(table)
        answer = await person.ask("POST", "/api/commands", OPEN, {"origin": "https://table1.studio.example"})
        assert answer.status == 403
        assert "kiosk = false" in answer.body["says"]
        for site in ("http://127.0.0.1:8032", "http://localhost:8032", "http://[::1]:8032"):
            assert (await person.ask("POST", "/api/commands", OPEN, {"origin": site})).status == 200

    at_a_table(tmp_path, steps)


def test_where_the_screen_is_no_kiosk_nobody_is_the_dealer(tmp_path):
    async def steps(table):
        person = Person(table)
        assert (await person.open_page()).body["role"] == "player"
        assert (await person.ask("POST", "/api/commands", OPEN)).status == 401

    at_a_table(tmp_path, steps, kiosk=False)


# ── signing in ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_name_and_its_pin_make_a_session(tmp_path):
    async def steps(table):
        person = Person(table)
        answer = await person.sign_in()
        assert answer.body == {"table": "table", "role": "manager", "name": "anna", "csrf": person.csrf}
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Secure", "Path=/", "Max-Age=43200"))
        assert (await person.open_page()).body["name"] == "anna"
        assert (await person.open_page("dealer")).body["role"] == "dealer"  # the same browser, on the dealer's page

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(("name", "pin"), [("anna", "2581"), ("carl", PIN), ("bea", PIN), ("anna", ""), ("", "")])
def test_a_wrong_name_and_a_wrong_pin_are_refused_in_the_same_words(tmp_path, name, pin):
    async def steps(table):
        answer = await Person(table).sign_in(name, pin)
        assert (answer.status, answer.body["says"]) == (401, "wrong name or PIN; tries left: 4")
        assert "set-cookie" not in answer.headers

    at_a_table(tmp_path, steps)


def test_after_five_wrong_pins_the_right_one_is_refused_too_for_five_minutes(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = Person(table)
        told = [(await person.sign_in("anna", "1357")) for _ in range(attempts.TRIES)]
        assert [answer.status for answer in told] == [401] * 4 + [429]
        assert told[3].body["says"] == "wrong name or PIN; tries left: 1"
        locked = await person.sign_in()
        assert (locked.status, locked.headers["retry-after"]) == (429, "300")
        assert locked.body["says"] == "locked after wrong PINs: try again in 5 min 0 s"
        assert (await person.sign_in("bea", "1379")).status == 200
        clock.now += attempts.LOCKED - 1
        assert (await person.sign_in()).status == 429
        clock.now += 1
        assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_the_right_pin_makes_the_wrong_ones_before_it_forgotten(tmp_path):
    async def steps(table):
        person = Person(table)
        for _ in range(3):
            for _ in range(attempts.TRIES - 1):
                assert (await person.sign_in("anna", "1357")).status == 401
            assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_a_wrong_pin_is_logged_and_no_pin_ever_is(tmp_path):
    async def steps(table):
        with logged() as lines:
            await Person(table).sign_in("anna", "4917")
            await Person(table).sign_in()
        assert [line["event"] for line in lines] == ["sign_in_refused", "signed_in"]
        assert "4917" not in json.dumps(lines)
        assert PIN not in json.dumps(lines)

    at_a_table(tmp_path, steps)


def test_a_pin_that_was_typed_for_the_name_is_not_logged_either(tmp_path):
    async def steps(table):
        with logged() as lines:
            await Person(table).sign_in("2580", "anna")
        assert [(line["event"], line["name"]) for line in lines] == [("sign_in_refused", None)]

    at_a_table(tmp_path, steps)


def test_guesses_at_many_names_set_no_locked_one_free(clock):
    tried = attempts.Attempts(clock)
    for _ in range(attempts.TRIES):
        tried.wrong("anna")
    for number in range(5000):
        tried.wrong(f"n{number}")
    assert tried.locked("anna") == attempts.LOCKED
    clock.now += attempts.LOCKED
    tried.wrong("bea")
    assert list(tried._wrong) == ["bea"]


def test_what_other_programs_of_this_pc_have_a_browser_keep_signs_nobody_out(tmp_path):
    async def steps(table):
        person = await manager(table)
        for other in ('theirs={"a":1}', "a b=c", "flag", "x[y]=z"):
            answer = await person.ask("GET", "/session", headers={"cookie": f"{other}; {person.cookie}"})
            assert answer.body["name"] == "anna"

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
        ({"content-type": "application/x-www-form-urlencoded"}, 400),
    ],
)
def test_a_page_of_another_site_signs_nobody_in(tmp_path, headers, status):
    async def steps(table):
        assert (await Person(table).sign_in(**headers)).status == status

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    "body", [None, [], {}, {"name": "anna"}, {"name": 1, "pin": 2}, {"name": "a", "pin": "b", "x": 1}]
)
def test_a_sign_in_that_is_none_is_said_to_be(tmp_path, body):
    async def steps(table):
        answer = await Person(table).ask("POST", "/session", body, {"content-type": "application/json"})
        assert answer.status == 400
        assert answer.body["error"] == "bad_request"

    at_a_table(tmp_path, steps)


# ── how long ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_idle_session_is_over_after_five_minutes_and_the_round_goes_on(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        await person.ask("POST", "/api/commands", OPEN)
        clock.now += sessions.IDLE - 1
        assert (await person.ask("GET", "/api/state?role=manager")).status == 200  # to look on is no use of it
        clock.now += 1
        assert (await person.ask("GET", "/api/state?role=manager")).status == 401
        assert (await person.ask("POST", "/api/commands", COMMANDS["close"])).status == 401
        assert table.table.state.life == "betting"

    at_a_table(tmp_path, steps)


def test_a_person_who_is_there_stays_signed_in_for_a_shift(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = await manager(table)
        for _ in range(int(sessions.LONGEST / 200) - 1):
            clock.now += 200
            assert (await person.ask("POST", "/session/alive")).status == 204
        clock.now += 200
        assert (await person.ask("POST", "/session/alive")).status == 401

    at_a_table(tmp_path, steps)


def test_who_signs_out_is_out(tmp_path):
    async def steps(table):
        person = await manager(table)
        answer = await person.ask("DELETE", "/session")
        assert (answer.status, "Max-Age=0" in answer.headers["set-cookie"]) == (204, True)
        assert (await person.ask("POST", "/api/commands", OPEN)).status == 401

    at_a_table(tmp_path, steps)


def test_another_pin_ends_the_sessions_of_the_old_one(tmp_path):
    async def steps(table):
        person = await manager(table)
        with table.users.changing() as change:
            change.set_pin("anna", "7391")
        assert (await person.ask("POST", "/session/alive")).status == 401
        assert (await person.sign_in("anna", "7391")).status == 200

    at_a_table(tmp_path, steps)


def signed_out(table, person):
    return person.ask("DELETE", "/session")


async def removed(table, _):
    with table.users.changing() as change:
        change.remove("anna")


async def made_void(table, _):
    with table.users.changing() as change:
        change.remove_token("platform")


async def made_unreadable(table, _):
    table.users.path.write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("who", "stream", "role", "end"),
    [
        (manager, "events", "manager", signed_out),
        (manager, "screen", "manager", signed_out),
        (manager, "events", "dealer", signed_out),  # who looks on as the dealer is no more than who they are
        (manager, "screen", "dealer", signed_out),
        (manager, "screen", "manager", removed),
        (manager, "screen", "manager", made_unreadable),
        (program, "events", "server", made_void),
    ],
)
def test_a_stream_ends_with_the_session_or_the_token(tmp_path, monkeypatch, who, stream, role, end):
    monkeypatch.setattr("controller.web.api.HEARTBEAT", 0.01)
    monkeypatch.setattr("controller.web.screens.screens.HEARTBEAT", 0.01)

    async def steps(table):
        person = await who(table)
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        lines = [f"GET /api/{stream}?role={role} HTTP/1.1", "host: localhost", f"cookie: {person.cookie}"]
        lines += [f"{name}: {value}" for name, value in person.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        with logged() as told:
            await end(table, person)
            async with asyncio.timeout(10):
                while (await reader.readline()) != b"0\r\n":  # the last chunk
                    pass
        assert "request_failed" not in [line["event"] for line in told]
        writer.close()

    at_a_table(tmp_path, steps)


# ── the door itself ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("localhost:1", 200), ("[::1]:8032", 200), ("10.1.2.3", 200),
        ("Table1.Studio.example", 200),
        ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("", 421),
    ],
)  # fmt: skip
def test_it_answers_under_its_own_names_alone(tmp_path, host, status):
    """A page elsewhere may have its own name lead to this PC: the browser then takes us for that page."""

    async def steps(table):
        answer = await Person(table, {"host": host}).ask("GET", "/api/state")
        assert answer.status == status

    at_a_table(tmp_path, steps, hosts=("table1.studio.example",))


def test_it_answers_under_the_name_by_which_it_says_it_can_be_found(tmp_path):
    async def steps(table):
        answer = await Person(table, {"host": table.net.url.partition("://")[2]}).ask("GET", "/api/state")
        assert answer.status == 200

    at_a_table(tmp_path, steps, listen="0.0.0.0:0", plain=True)


def test_every_answer_says_what_a_browser_may_do_with_it(tmp_path):
    async def steps(table):
        for target in ("/api/state", "/session", "/nothing"):
            headers = (await Person(table).ask("GET", target)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["cache-control"] == "no-store"
            assert not any(name.startswith("access-control") for name in headers)

    at_a_table(tmp_path, steps)


def test_a_users_file_that_cannot_be_read_lets_nobody_in_and_harms_no_round(tmp_path):
    async def steps(table):
        person = await manager(table)
        table.users.path.write_text("{", encoding="utf-8")
        with logged():
            assert (await person.ask("POST", "/api/commands", OPEN)).status == 503
            assert (await Person(table).sign_in()).status == 503
            assert (await (await program(table)).ask("POST", "/api/commands", OPEN)).status == 503
        table.paused()
        assert (await (await nobody(table)).ask("GET", "/api/state")).body["life"] == "paused"

    at_a_table(tmp_path, steps)


def test_guesses_do_not_hold_the_table_up(tmp_path):
    """A PIN takes long to try, on purpose; a card that comes meanwhile is dealt meanwhile."""

    async def steps(table):
        guesses = [asyncio.create_task(Person(table).sign_in(f"n{number}", "1357")) for number in range(2)]
        await until(lambda: table.site._front._waiting)
        table.paused()
        assert not any(guess.done() for guess in guesses)
        statuses = [(await guess).status for guess in guesses]
        assert statuses == [401, 401]

    at_a_table(tmp_path, steps)


def test_who_guesses_at_one_pc_leaves_room_for_those_at_others(tmp_path, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(door, "fits", lambda *what: held.wait(10) and fits(*what))

    async def steps(table):
        guesses = [asyncio.create_task(Person(table).sign_in("bea", "1357")) for _ in range(door.QUEUE)]
        await until(lambda: sum(guess.done() for guess in guesses) == door.QUEUE - door.EACH)
        signing_in = asyncio.create_task(Person(table, host="127.0.0.2").sign_in())
        await until(lambda: len(table.site._front._waiting) == door.EACH + 1)
        held.set()
        assert (await signing_in).status == 200
        assert sorted([(await guess).status for guess in guesses]) == [401, 401, 429, 429, 429, 429, 429, 429]

    at_a_table(tmp_path, steps)
