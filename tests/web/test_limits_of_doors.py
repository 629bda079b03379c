"""Limits of the doors, on both sides of each, with several callers, rounds and addresses at once."""

import asyncio
import os
import socket
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.core import records as r
from controller.core.events import Input, Open, Origin
from controller.web.api import answered as module
from controller.web.api.answered import Answered
from controller.web.api.record_feed import Feed
from controller.web.net import entrance, sockets
from controller.web.net.address import is_loopback, network_of
from controller.web.net.admission import Limit, Place, Room
from controller.web.net.bodies import body_of
from controller.web.net.certificate import Certificate
from controller.web.net.entrance import Entrance
from controller.web.net.lookout import Lookout
from controller.web.net.sockets import LONGEST, Listening, UnusableSocket, look, place_of
from tests.web.rig import logged, on_loop


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def room(places: int, each: int, *held: str, streams: bool = True) -> Room:
    made = Room(Limit(places, each))
    for who in held:
        one = Place(who, asyncio.Timeout(None))
        one.streams = streams
        made.places.append(one)
    return made


@pytest.fixture(autouse=True)
def stay(monkeypatch) -> None:
    """Who is sent away is only marked."""
    monkeypatch.setattr(Place, "send_away", lambda one: setattr(one, "sent_away", True))


@pytest.mark.parametrize(
    ("held", "who", "status"),
    [
        ("aaa", "a", 429),
        ("aa", "a", None),
        ("aaab", "a", 429),
        ("aaab", "b", None),
        ("aaabb", "c", None),  # full: one of those who have most goes
        ("aabbc", "d", None),
        ("abcde", "f", 503),  # nobody has more than who comes would
        ("aabbc", "c", 503),
        ("aaabb", "b", 503),
    ],
)
def test_a_caller_has_its_own_limit_and_all_have_one(held, who, status):
    made = room(5, 3, *held)
    assert made.full(who) == status
    assert made.turned_away == {429: int(status == 429), 503: int(status == 503)}
    sent_away = len(held) - len(made.places)
    assert made.sent_away == sent_away == int(status is None and len(held) == 5)


def test_the_oldest_place_of_the_caller_with_most_goes():
    made = room(6, 4, *"bacaab")
    places = list(made.places)
    assert made.full("d") is None
    assert [place.sent_away for place in places] == [False, True, False, False, False, False]
    made.leave(places[1])
    assert made.figures == (6, 5, 5, {429: 0, 503: 0}, 1)


def test_requests_whose_body_has_come_are_never_sent_away():
    made = room(3, 3, *"aaa", streams=False)
    assert made.full("b") == 503
    made.places[1].awaited = True
    second = made.places[1]
    assert made.full("b") is None
    assert second.sent_away
    assert len(made.places) == 2


def test_connections_beyond_the_limit_are_closed_where_all_are_at_work(monkeypatch):
    monkeypatch.setattr(entrance, "CONNECTIONS", 2)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(10)
        with Entrance(listening) as door:
            lines, inside = [], []
            for number in range(4):
                lines.append(socket.create_connection(listening.getsockname()))
                if number < 2:
                    inside.append(door.accept()[0])
                    door.seat(inside[-1].fileno(), lambda: True, lambda: None)
                else:
                    before = open_files()
                    with pytest.raises(ConnectionAbortedError):
                        door.accept()
                    assert open_files() == before
            inside[0].close()
            lines.append(socket.create_connection(listening.getsockname()))
            inside.append(door.accept()[0])  # who has left makes room
            for line in (*lines, *inside):
                line.close()


# ── bodies, addresses, sockets ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("size", "status"), [(9, None), (10, None), (11, 413)])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_body_may_have_its_size_and_not_a_byte_more(size, parts, status):
    chunks = [bytes(size - size // parts * (parts - 1)), *[bytes(size // parts)] * (parts - 1)]

    async def receive():
        return {"type": "http.request", "body": chunks.pop(), "more_body": bool(chunks)}

    async def steps():
        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        if status is None:
            assert len(await body_of(request, 10)) == size
        else:
            with pytest.raises(HTTPException) as refused:
                await body_of(request, 10)
            assert refused.value.status_code == status

    on_loop(steps)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", True), ("localhost", True),
        ("10.0.0.1", False), ("::ffff:10.0.0.1", False), ("::2", False), ("localhost.example", False), ("", False),
    ],
)  # fmt: skip
def test_only_the_names_of_this_pc_to_itself_are_loopback(host, here):
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_addresses_of_one_network_of_ipv6_are_one_caller(one, other, same):
    assert (network_of((one, 1)) == network_of((other, 2))) is same


@pytest.mark.parametrize(("length", "good"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_sockets_path_has_at_most_107_bytes(tmp_path, length, good):
    path = tmp_path / ("s" * (length - len(os.fsencode(tmp_path)) - 1))
    if good:
        look(path)
    else:
        with pytest.raises(UnusableSocket):
            look(path)


def test_the_folder_of_a_users_sockets_is_that_users_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(sockets, "MACHINE", tmp_path / "none")
    path = place_of("t1", tmp_path / "t.journal", {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert path.parent == tmp_path / "tablectl"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_socket_is_closed_where_its_group_cannot_be_given(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise UnusableSocket("api.group: not yours")

    monkeypatch.setattr(sockets, "_gid", lambda _: 0)
    monkeypatch.setattr(sockets, "_give", refuse)
    before = open_files()
    with pytest.raises(UnusableSocket):
        Listening(tmp_path / "t.sock", "root")
    assert open_files() == before


def test_after_its_stop_a_lookout_looks_no_more():
    async def steps():
        looked = []
        lookout = Lookout({"one": SimpleNamespace(look=lambda: looked.append("one"), trouble=None)})
        lookout.add("two", SimpleNamespace(look=lambda: looked.append("two"), trouble="away"))
        lookout.start()
        timer = lookout._timer
        lookout.stop()
        assert timer.cancelled()
        assert (looked, lookout.told) == (["one", "two"], ("away",))

    on_loop(steps)


# ── commands that are known ──────────────────────────────────────────────────────────────────────────────────────


def opened(seq: int) -> r.Record:
    return r.Record(seq, 0, "t", r.Opened("baccarat", "1", {}, {}, {}, ""), round=seq, input=Input(Open(), 0, None))


def test_each_client_is_full_by_its_own_commands_of_two_rounds(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    answered = Answered()

    def take(via: str, *numbers: int) -> None:
        for number in numbers:
            answered.taken(Origin(via, f"c{number}"), Open())

    def full() -> list[bool]:
        return [answered.full(via) for via in ("floor", "game")]

    take("floor", 1, 2)
    take("game", 1)
    take("floor", 2)  # the same once more
    assert full() == [False, False]
    take("floor", 3)
    assert full() == [True, False]
    answered.hear(opened(1))
    assert full() == [True, False]  # those of the round before are still known
    take("game", 2, 3)
    assert full() == [True, True]
    answered.hear(opened(2))
    assert full() == [False, False]
    take("game", 4)
    assert full() == [False, True]
    assert Origin("floor", "c1") not in answered
    assert [Origin("game", f"c{number}") in answered for number in (1, 2, 4)] == [False, True, True]


# ── the record, followed ─────────────────────────────────────────────────────────────────────────────────────────


def test_records_at_hand_are_given_without_a_gap_or_more_than_asked(tmp_path):
    feed = Feed(tmp_path / "none.journal", 0)
    feed._recent.extend(r.Record(seq, 0, "t", r.CutCard()) for seq in range(5, 15))
    feed.head = 14
    read = []
    feed._read = lambda after, most: read.append((after, most)) or []

    async def steps():
        assert [record.seq for record in await feed.between(5, 7)] == [5, 6, 7]
        assert [record.seq for record in await feed.between(13, 20)] == [13, 14]
        assert read == []
        assert await feed.between(4, 6) == []
        assert read == [(3, 3)]

    on_loop(steps)


# ── a certificate ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_bad_renewal_of_a_certificate_is_logged_once(files):
    with logged() as lines:
        door = Certificate(files["certificate"], files["key"])
        good = Path(files["key"]).read_bytes()
        for content in (b"", b"half", good):
            Path(files["key"]).write_bytes(content)
            for _ in range(3):
                door.look()
            assert (door.trouble is None) is (content == good)
    told = [line["event"] for line in lines]
    assert told == ["certificate_unusable", "certificate_unusable", "certificate_renewed"]
