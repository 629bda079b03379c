"""Crowded doors: every known caller is served; a refusal has a reason and a time to try again."""

import asyncio
from collections.abc import Mapping

import pytest

from controller.core import events as e
from controller.web.access import kiosk
from controller.web.net import entrance, server
from controller.web.net.admission import FAREWELL, LIMITS, PlaceLimit, RequestClass, RequestPlace
from tests.clocks import leap
from tests.patience import on_loop, turns, until
from tests.web.net import PIN
from tests.web.raw_connections import FOLLOW, LOOK, RawAnswer, RawConnection, ask, follow, lines
from tests.web.test_monitoring import MeteredTable

ONE, OTHER, THIRD, SERVER, MANAGER, HERE = (f"127.0.0.{number}" for number in (2, 3, 4, 5, 6, 1))
TWO_STRANGERS: Mapping[str, int] = {ONE: 24, OTHER: 24}
MANY: Mapping[str, int] = {f"127.0.1.{number}": 4 for number in range(1, 17)}
TYPED = {"content-type": "application/json"}


@pytest.fixture(params=["plain", "encrypted"])
def section(request) -> dict[str, str]:
    return {} if request.param == "plain" else request.getfixturevalue("files")


def is_reasoned(answer: RawAnswer) -> bool:
    """True if an answer of 429 or 503 has a reason and a time to try again."""
    says = answer.body.get("says") or answer.body.get("detail")
    return answer.status in (429, 503) and int(answer.headers["retry-after"]) > 0 and bool(says)


async def signed_in(table: MeteredTable) -> dict[str, str]:
    """Headers of a shift manager's browser after sign-in."""
    answer = await ask(table, MANAGER, "POST", "/session", {"name": "anna", "pin": PIN}, **TYPED)
    assert answer.status == 200, answer
    return {"cookie": answer.headers["set-cookie"].partition(";")[0], "x-csrf": answer.body["csrf"], **TYPED}


async def all_who_are_known_are_served(table: MeteredTable) -> None:
    """Check that a bet, a ruling, the dealer's screen, the health and the metrics are served."""
    token = {"authorization": f"Bearer {table.token}"}
    bet = {"command": "bet", "id": "b", "player": "p1", "market": "banker", "stake": 1000, "round": 1}
    rule = {"command": "rule", "id": "r", "fault": 0, "ruling": "burn", "because": "early"}
    manager = await signed_in(table)
    table.rig.take(e.Open())
    (verdict,) = (await ask(table, SERVER, "POST", "/api/commands", bet, **token, **TYPED)).body["verdicts"]
    assert verdict["verdict"] == "done", verdict
    table.rig.take(e.CardOut("5H"))
    rule["fault"] = table.table.state.fault.seq
    (ruled,) = (await ask(table, MANAGER, "POST", "/api/commands", rule, **manager)).body["verdicts"]
    assert ruled["verdict"] == "done", ruled
    key = kiosk.claim(table.users, kiosk.offer(table.users))
    screen = {"cookie": f"{table.site.sign_on.kiosk_cookie}={key}"}
    assert (await ask(table, HERE, "GET", "/api/screen?role=dealer", **screen)).status == 200
    for target in ("/healthz", "/metrics"):
        assert (await ask(table, SERVER, "GET", target)).status == 200, target


@pytest.mark.parametrize(
    ("crowd", "target", "encrypted"),
    [(TWO_STRANGERS, FOLLOW, False), (MANY, LOOK, False), (TWO_STRANGERS, LOOK, True)],
    ids=["24 and 24 follow", "64 look on", "24 and 24 look on over an encrypted line"],
)
def test_known_clients_are_served_despite_many_strangers(tmp_path, files, crowd, target, encrypted):
    async def steps():
        async with MeteredTable(tmp_path, **(files if encrypted else {})) as table, lines(table, crowd) as opened:
            answers = await follow(opened, target)
            assert [one for one in answers if one.status != 200 and not is_reasoned(one)] == []
            assert table.api.admission.classes["viewer"].streams == LIMITS["viewer"].places == 48
            await all_who_are_known_are_served(table)

    on_loop(steps)


def test_known_clients_are_served_despite_many_silent_connections(tmp_path, section):
    async def steps():
        async with MeteredTable(tmp_path, **section) as table:
            silent = [await asyncio.open_connection("127.0.0.1", table.port, local_addr=(ONE, 0)) for _ in range(350)]
            await all_who_are_known_are_served(table)
            for _, writer in silent:
                writer.transport.abort()
            await turns()  # the table notices that they are gone

    on_loop(steps)


def test_known_clients_are_served_despite_many_unsent_bodies(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, lines(table, TWO_STRANGERS) as opened:
            for line in opened:
                line.says("POST", "/session", **TYPED, **{"content-length": "100"})
            rooms = table.api.admission.classes
            await until(lambda: len(rooms["sign_in"].places) + rooms["sign_in"].turned_away[429] == 48)
            await all_who_are_known_are_served(table)
            went = [line for line in opened if line.reader._buffer]
            assert went
            assert all([is_reasoned(await line.hears()) for line in went])

    on_loop(steps)


LOOKERS: Mapping[str, Mapping[str, int]] = {
    "one source": {ONE: 60},
    "48 addresses": {f"127.0.2.{number}": 1 for number in range(1, 49)},
}


@pytest.mark.parametrize("crowd", LOOKERS.values(), ids=LOOKERS)
@pytest.mark.parametrize("host", [THIRD, HERE])
def test_viewers_streams_never_shut_out_sign_in_or_manager(tmp_path, crowd, host):
    async def steps():
        async with MeteredTable(tmp_path) as table, lines(table, crowd) as opened:
            await follow(opened)
            for target in ("/manager", "/session", "/static/manager.js", "/api/words"):
                assert (await ask(table, host, "GET", target)).status == 200, target
            answer = await ask(table, host, "POST", "/session", {"name": "anna", "pin": PIN}, **TYPED)
            assert answer.status == 200, answer

    on_loop(steps)


HALF = {"content-length": "100", **TYPED}


def test_sign_ins_whose_body_has_not_come_give_way(tmp_path):
    async def steps():
        crowd = {f"127.0.3.{number}": 1 for number in range(1, 1 + LIMITS["sign_in"].places)}
        async with MeteredTable(tmp_path) as table, lines(table, crowd) as opened:
            for line in opened:
                line.says("POST", "/session", **HALF)
            room = table.api.admission.classes["sign_in"]
            await until(lambda: len(room.places) == LIMITS["sign_in"].places)
            answer = await ask(table, THIRD, "POST", "/session", {"name": "anna", "pin": PIN}, **TYPED)
            assert answer.status == 200, answer
            assert room.sent_away == 1

    on_loop(steps)


@pytest.mark.parametrize("known", ["session", "mark", "screen"])
def test_known_people_sign_in_when_all_strangers_places_are_taken(tmp_path, known):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            signed = await ask(table, MANAGER, "POST", "/session", {"name": "anna", "pin": PIN}, **TYPED)
            assert signed.status == 200
            key = kiosk.claim(table.users, kiosk.offer(table.users))
            session, mark = await cookies(table)
            cookie = {"session": session, "mark": mark, "screen": f"{table.site.sign_on.kiosk_cookie}={key}"}[known]
            host = HERE if known == "screen" else THIRD
            for kind in ("sign_in", "page"):
                room = table.api.admission.classes[kind]
                room.places += [
                    RequestPlace(f"s{number}", asyncio.timeout(None)) for number in range(room.limit.places)
                ]
            assert (await ask(table, OTHER, "GET", "/manager")).status == 503
            assert (await ask(table, host, "GET", "/manager", cookie=cookie)).status == 200
            again = await ask(table, host, "POST", "/session", {"name": "anna", "pin": PIN}, cookie=cookie, **TYPED)
            assert again.status == 200, again

    on_loop(steps)


async def cookies(table: MeteredTable) -> tuple[str, str]:
    """Return the cookie of a session of anna, and the mark of a browser in which she has signed in."""
    persons, sign_on = table.api.checker.persons, table.site.sign_on
    anna = persons.by_number("anna")
    key, _ = sign_on.sessions.open("anna", anna.person.credentials_mark)
    return f"{sign_on.cookie}={key}", f"{sign_on.mark_cookie}={persons.mark(anna)}"


def test_a_new_address_displaces_a_stream_of_the_busiest_address(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, lines(table, {ONE: 20, OTHER: 28}) as opened:
            await follow(opened)
            assert (await ask(table, THIRD, "GET", FOLLOW)).status == 200
            first = opened[20]
            assert (await first.reader.readuntil(b"\r\n0\r\n\r\n")).endswith(FAREWELL + b"\r\n0\r\n\r\n")
            assert table.api.admission.classes["viewer"].sent_away == 1

    on_loop(steps)


def test_an_address_at_its_share_is_refused_with_503(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, lines(table, TWO_STRANGERS) as opened:
            await follow(opened)
            answer = await ask(table, ONE, "GET", FOLLOW)
            assert (answer.status, is_reasoned(answer)) == (503, True)
            opened[0].close()
            await until(lambda: len(table.api.admission.classes["viewer"].places) == 47)
            assert (await ask(table, ONE, "GET", FOLLOW)).status == 200

    on_loop(steps)


def test_no_caller_takes_all_the_places_of_their_kind(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            signed = await signed_in(table)
            credentials = {"server": {"authorization": f"Bearer {table.token}"}, "manager": signed, "viewer": {}}
            for kind, headers in credentials.items():
                async with lines(table, {ONE: LIMITS[kind].each + 1}) as opened:
                    *let_in, last = await follow(opened, FOLLOW if kind == "viewer" else "/api/events", **headers)
                    assert {one.status for one in let_in} == {200}
                    assert (last.status, is_reasoned(last)) == (429, True)

    on_loop(steps)


def test_a_local_socket_stream_takes_no_network_place(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, table.following("/api/events?role=player"):
            rooms = table.api.admission.classes
            assert {kind: room.streams for kind, room in rooms.items() if room.places} == {"local": 1}

    on_loop(steps)


async def begun(table: MeteredTable, count: int) -> None:
    """Wait until this number of clients have sent half a request."""
    doors = table.api._servers[1].connections
    await until(lambda: sum(door._in_head for door in doors) == count)


def test_half_a_request_is_told_that_it_was_too_slow(tmp_path, section):
    async def steps():
        async with MeteredTable(tmp_path, **section) as table:
            line = await RawConnection.to(table, ONE)
            line._writer.write(b"GET /healthz HTTP/1.1\r\nhost:")
            await begun(table, 1)
            leap(server.PATIENCE)
            answer = await line.hears()
            assert (answer.status, answer.headers["connection"]) == (408, "close")
            assert await line.reader.read() == b""
            line.close()

    on_loop(steps)


def test_a_half_request_displaced_by_another_gets_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(entrance, "CONNECTIONS", 3)

    async def steps():
        async with MeteredTable(tmp_path) as table, lines(table, {ONE: 3}) as opened:
            for line in opened:
                line._writer.write(b"GET /healthz HTTP/1.1\r\nhost:")
            await begun(table, 3)
            assert (await ask(table, OTHER, "GET", "/healthz")).status == 200
            assert is_reasoned(await opened[0].hears())

    on_loop(steps)


# ── a room ───────────────────────────────────────────────────────────────────────────────────────────────────────


def room(*held: tuple[str, bool], places: int = 3, each: int = 3) -> RequestClass:
    """Return a room with these places taken: identity, and whether the request is an event stream."""
    request_class = RequestClass(PlaceLimit(places, each))
    for who, streams in held:
        place = RequestPlace(who, None)
        place.streams = streams
        place.send_away = lambda: None
        request_class.places.append(place)
    return request_class


def test_a_request_in_progress_is_never_displaced():
    assert room(("a", False), ("a", False), ("a", False)).refusal_status("b") == 503


def test_two_equal_callers_do_not_displace_each_other_forever():
    assert room(("a", True), ("a", True), ("b", True)).refusal_status("b") == 503
    assert room(("a", True), ("a", True), ("a", True)).refusal_status("b") is None


def test_refused_requests_are_counted_by_status():
    one = room(("a", True), ("b", True), ("b", False), each=2)
    assert [one.refusal_status("b"), one.refusal_status("a"), one.refusal_status("c")] == [429, 503, None]
    assert (one.turned_away, one.sent_away) == ({429: 1, 503: 1}, 1)


def test_stream_places_are_fewer_than_connections():
    """Otherwise requests in places could fill all connections, and no other client could even be refused."""
    assert sum(limit.places for limit in LIMITS.values()) < entrance.CONNECTIONS
