"""Rights of each role at each door: every cell of one table is tried over a real connection.

`+`: the request is accepted, whatever the table then decides. `.`: it is refused and leaves no record. Requests over
the bus are signed by a floor or a platform.
"""

import asyncio
import http.client
import json
from pathlib import Path

import pytest

from controller.bus.relay import BusSignOn, Relay, RelayedRequest
from controller.bus.requests import caller_of
from controller.core import events as e
from controller.web.access import sessions
from tests.kept_files import is_kept
from tests.patience import on_loop
from tests.web.callers import CallerAnswer
from tests.web.net import ELSEWHERE, Answer, BrowserPerson
from tests.web.rig import ThreadedTable
from tests.web.rights_matrix import EventRecordingTable, cells, table_of
from tests.web.staff import PINS, Staffed, at_a_staffed_table
from tests.web.test_access import COMMANDS

TABLE = """
open close press shuffled shoe leave table dealer rule ack bet unbet decide gone back resettle dismiss
session 103 manager             +    +    +    +    +    +    +    +    +    +    .    .    .    .    .    +    +
session 106 dealer and manager  +    +    +    +    +    +    +    +    +    +    .    .    .    .    .    +    +
session 102 supervisor          +    +    +    +    +    +    +    +    .    +    .    .    .    .    .    .    .
session 104 engineer            .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
session 105 auditor             .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
session 101 dealer              .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
kiosk                           +    +    +    +    +    +    .    .    .    .    .    .    .    .    .    .    .
kiosk through a proxy           .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
token                           +    +    .    .    .    .    .    .    .    .    +    +    +    +    +    .    .
nobody at this PC               .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
nobody elsewhere                .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
socket as manager               +    +    +    +    +    +    +    +    .    .    .    .    .    .    .    .    .
socket as dealer                +    +    +    +    +    +    .    .    .    .    .    .    .    .    .    .    .
socket as server                +    +    .    .    .    .    .    .    .    .    +    +    +    +    +    .    .
socket as player                .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
socket by 103 manager           +    +    +    +    +    +    +    +    +    +    .    .    .    .    .    +    +
socket by 102 supervisor        +    +    +    +    +    +    +    +    .    +    .    .    .    .    .    .    .
socket by 101 dealer            +    +    +    +    +    +    .    .    .    .    .    .    .    .    .    .    .
socket by 104 engineer          .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
socket by 105 auditor           .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
socket by 999 who is nobody     .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
floor by 103 manager            +    +    +    +    +    +    +    +    +    +    .    .    .    .    .    +    +
floor by 102 supervisor         +    +    +    +    +    +    +    +    +    +    .    .    .    .    .    +    +
floor by 101 dealer             +    +    +    +    +    +    .    .    .    .    .    .    .    .    .    .    .
floor by 104 engineer           .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
floor by 105 auditor            .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
floor by 999 who is nobody      .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .
floor in nobody's name          +    +    +    +    +    +    +    +    .    .    .    .    .    .    .    .    .
platform                        +    +    .    .    .    .    .    .    .    .    +    +    +    +    +    .    .
platform by 102 supervisor      +    +    .    .    .    .    .    .    .    .    +    +    +    +    +    .    .
"""
LOOKING = """
                                manager dealer server player devices rounds
session 103 manager                +      +      .      +       +      +
session 102 supervisor             +      +      .      +       +      +
session 104 engineer               +      +      .      +       +      +
session 105 auditor                +      +      .      +       +      +
session 101 dealer                 .      .      .      +       .      .
kiosk                              .      +      .      +       .      .
kiosk through a proxy              .      .      .      +       .      .
token                              .      .      +      +       .      .
nobody at this PC                  .      .      .      +       .      .
nobody elsewhere                   .      .      .      +       .      .
socket as manager                  +      +      +      +       +      +
"""


def rows(table: str) -> list[tuple[str, dict[str, bool]]]:
    """Return the rows of a table as (caller, which column is `+`)."""
    head, *lines = table.strip("\n").splitlines()
    acts = head.split()
    read = [(" ".join(words[: -len(acts)]), words[-len(acts) :]) for words in (line.split() for line in lines)]
    return [(who, {act: cell == "+" for act, cell in zip(acts, cells, strict=True)}) for who, cells in read]


async def asking_as(table, who):
    """Return a function that asks as this caller, and the fields with the person in its commands."""
    match who.split():
        case ["session", number, *_]:
            person = BrowserPerson(table, ELSEWHERE)
            answer = await person.sign_in(number, PINS[number])
            assert answer.status == (403 if number == "101" else 200)
            return person.ask, {}
        case ["kiosk", *through]:
            person = BrowserPerson(table)
            await person.be_the_screen()
            await person.open_page("dealer")
            person.headers = ELSEWHERE if through else {}
            return person.ask, {}
        case ["token"]:
            return BrowserPerson(table, {"authorization": f"Bearer {table.token}"}).ask, {}
        case ["nobody", where, *_]:
            return BrowserPerson(table, {} if where == "at" else ELSEWHERE).ask, {}
        case ["socket", "by", number, *_]:
            return table.ask, {"by": number}
        case ["socket", _, role]:
            return lambda method, target, body=None: table.ask(
                method, f"{target}{'&' if '?' in target else '?'}role={role}", body
            ), {}
        case ["floor" | "platform" as kind, *named]:
            return over_the_bus(table, kind), {"by": named[1]} if "by" in named else {}
    raise AssertionError(who)


def over_the_bus(table, kind):
    """Return a function that asks over the bus, signed by a floor or a platform."""
    relay = over_a_bus(table, kind, "main")

    async def ask(method, target, body=None):
        answer = await relay(method, target, body)
        return Answer(answer.status, json.loads(answer.body), {})

    return ask


def over_a_bus(table, kind, name):
    """Return a function that asks over the bus. `name`: of the signer, empty for an unsigned request."""
    relay = Relay(table.api.door_app(BusSignOn(table.api.checker.persons)))

    async def ask(method, target, body=None):
        answer = await relay(RelayedRequest(method, target, json.dumps(body).encode(), caller_of(kind, name)))
        return CallerAnswer(answer.status, {}, answer.body)

    return ask


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with ThreadedTable(tmp_path_factory.mktemp("staffed") / "", Staffed) as running:
        yield running


def test_the_table_of_rights_has_every_command():
    assert all(set(cells) == set(COMMANDS) for _, cells in rows(TABLE))


@pytest.mark.parametrize(("who", "cells"), rows(TABLE), ids=[who for who, _ in rows(TABLE)])
def test_each_caller_may_send_what_the_table_says(table, who, cells):
    async def steps(table):
        ask, fields = await asking_as(table, who)
        for act, allowed in cells.items():
            head = table.table.state.seq
            command = {**COMMANDS[act], **fields}
            if act == "dealer":
                command["name"] = "101"
            answer = await ask("POST", "/api/commands", command)
            assert (act, answer.status in (401, 403)) == (act, not allowed), answer
            assert (act, answer.status == 200) == (act, allowed), answer
            assert allowed or table.table.state.seq == head

    table.do(steps)


@pytest.mark.proof
def test_all_rights_in_all_states_equal_their_stored_copy(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "MOST", 1000)  # everybody signs in again in each state, within a minute

    async def steps():
        async with EventRecordingTable(tmp_path) as table:
            return [cell async for cell in cells(table, over_a_bus)]

    assert is_kept(Path(__file__).parent / "kept" / "rights.txt", "\n".join(table_of(on_loop(steps))) + "\n")


@pytest.mark.parametrize(("who", "cells"), rows(LOOKING), ids=[who for who, _ in rows(LOOKING)])
def test_each_caller_may_look_at_what_the_table_says(table, who, cells):
    async def steps(table):
        ask, _ = await asking_as(table, who.replace("as manager", "by 103"))
        for what, allowed in cells.items():
            target = f"/api/{what}" if what in ("devices", "rounds") else f"/api/state?role={what}"
            answer = await ask("GET", target)
            assert (what, answer.status == 200) == (what, allowed), answer

    table.do(steps)


@pytest.mark.parametrize(
    ("number", "says", "looks_on"),
    [
        ("103", None, False),
        ("106", None, False),
        ("102", "Here a shift manager rules; a supervisor does at the floor.", False),
        ("104", "A shift manager rules.", True),
        ("105", "A shift manager rules.", True),
    ],
)
def test_the_page_says_who_rules_to_people_who_cannot(table, number, says, looks_on):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        await person.sign_in(number, PINS[number])
        screen = await asyncio.to_thread(picture, table.port, person.cookie)
        assert (screen["who_rules"], screen["looks_on"]) == (says, looks_on)

    table.do(steps)


@pytest.mark.parametrize(("number", "own"), [("106", True), ("103", False)])
def test_the_page_knows_the_viewers_own_round_after_the_relief(tmp_path, number, own):
    async def steps(table):
        table.rig.take(e.DealerOn("LIVIA", id="106"), e.Open(), e.KeyPressed("manager"))
        table.rig.take(e.Rule("cancel", "Maria", "x"), e.DealerOn("Dora", id="101"), e.KeyPressed("manager"))
        person = BrowserPerson(table, ELSEWHERE)
        await person.sign_in(number, PINS[number])
        screen = await asyncio.to_thread(picture, table.port, person.cookie)
        assert (screen["own_round"], screen["screen"]["dealer"]) == (own, "Dora")

    at_a_staffed_table(tmp_path, steps)


def picture(port, cookie):
    """Return the first screen that a page gets from its stream."""
    connection = http.client.HTTPConnection("127.0.0.1", port, 10)
    try:
        connection.request("GET", "/api/screen?role=manager&lang=en", headers={**ELSEWHERE, "cookie": cookie})
        answer = connection.getresponse()
        return next(json.loads(line[6:]) for line in iter(answer.readline, b"") if line.startswith(b"data: "))
    finally:
        connection.close()


def test_a_local_request_without_credentials_is_a_player(table):
    async def steps(table):
        state = (await BrowserPerson(table).ask("GET", "/api/state")).body
        assert (state["dealer"], state["bets"]) == (None, None)
        assert (await BrowserPerson(table).open_page()).body["role"] == "player"
        assert (await BrowserPerson(table).ask("GET", "/")).headers["location"] == "/manager"

    table.do(steps)
