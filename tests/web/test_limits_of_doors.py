"""Limits of the doors, below and above each: places, connections, commands, records, certificate."""

import asyncio
import socket
from pathlib import Path

import pytest

from controller.core import records as r
from controller.core.events import Input, Open, Origin
from controller.web.api import answered_commands as module
from controller.web.api.answered_commands import AnsweredCommands
from controller.web.api.record_feed import RecordFeed
from controller.web.net import entrance
from controller.web.net.admission import PlaceLimit, RequestClass, RequestPlace
from controller.web.net.certificate import Certificate
from controller.web.net.entrance import Entrance
from tests.descriptors import open_files
from tests.patience import on_loop
from tests.web.rig import capture_log

# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def room(places: int, each: int, *held: str, streams: bool = True) -> RequestClass:
    request_class = RequestClass(PlaceLimit(places, each))
    for who in held:
        one = RequestPlace(who, asyncio.Timeout(None))
        one.streams = streams
        request_class.places.append(one)
    return request_class


@pytest.fixture(autouse=True)
def stay(monkeypatch) -> None:
    """Mark requests that are sent away, without ending them."""
    monkeypatch.setattr(RequestPlace, "send_away", lambda one: setattr(one, "sent_away", True))


@pytest.mark.parametrize(
    ("held", "who", "status"),
    [
        ("aaa", "a", 429),
        ("aa", "a", None),
        ("aaab", "a", 429),
        ("aaab", "b", None),
        ("aaabb", "c", None),  # full: a caller with most places loses one
        ("aabbc", "d", None),
        ("abcde", "f", 503),  # no caller has more places than the new one would
        ("aabbc", "c", 503),
        ("aaabb", "b", 503),
    ],
)
def test_places_are_limited_per_caller_and_in_total(held, who, status):
    request_class = room(5, 3, *held)
    assert request_class.refusal_status(who) == status
    assert request_class.turned_away == {429: int(status == 429), 503: int(status == 503)}
    sent_away = len(held) - len(request_class.places)
    assert request_class.sent_away == sent_away == int(status is None and len(held) == 5)


def test_the_oldest_place_of_the_caller_with_most_goes():
    request_class = room(6, 4, *"bacaab")
    places = list(request_class.places)
    assert request_class.refusal_status("d") is None
    assert [place.sent_away for place in places] == [False, True, False, False, False, False]
    request_class.leave(places[1])
    assert request_class.figures == (6, 5, 5, {429: 0, 503: 0}, 1)


def test_requests_whose_body_has_come_are_never_sent_away():
    request_class = room(3, 3, *"aaa", streams=False)
    assert request_class.refusal_status("b") == 503
    request_class.places[1].awaited = True
    second = request_class.places[1]
    assert request_class.refusal_status("b") is None
    assert second.sent_away
    assert len(request_class.places) == 2


def test_connections_beyond_the_limit_are_closed_while_all_work(monkeypatch):
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
                    door.register(inside[-1].fileno(), lambda: True, lambda: None)
                else:
                    before = open_files()
                    with pytest.raises(ConnectionAbortedError):
                        door.accept()
                    assert open_files() == before
            inside[0].close()
            lines.append(socket.create_connection(listening.getsockname()))
            inside.append(door.accept()[0])  # a closed connection makes room
            for line in (*lines, *inside):
                line.close()


# ── commands that are known ──────────────────────────────────────────────────────────────────────────────────────


def opened(seq: int) -> r.Record:
    return r.Record(seq, 0, "t", r.Opened("baccarat", "1", {}, {}, {}, ""), round=seq, input=Input(Open(), 0, None))


def test_each_client_is_full_by_its_own_commands(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    answered = AnsweredCommands()

    def take(via: str, *numbers: int) -> None:
        for number in numbers:
            answered.note_taken(Origin(via, f"c{number}"), Open())

    def full() -> list[bool]:
        return [answered.is_full_for(via) for via in ("floor", "game")]

    take("floor", 1, 2)
    take("game", 1)
    take("floor", 2)  # the same command again
    assert full() == [False, False]
    take("floor", 3)
    assert full() == [True, False]
    answered.hear([opened(1)])
    assert full() == [True, False]  # commands of the round before are still known
    take("game", 2, 3)
    assert full() == [True, True]
    answered.hear([opened(2)])
    assert full() == [False, False]
    take("game", 4)
    assert full() == [False, True]
    assert Origin("floor", "c1") not in answered
    assert [Origin("game", f"c{number}") in answered for number in (1, 2, 4)] == [False, True, True]


# ── the record, followed ─────────────────────────────────────────────────────────────────────────────────────────


def test_recent_records_come_without_gaps_and_as_many_as_asked(tmp_path):
    feed = RecordFeed(tmp_path / "none.journal", 0)
    feed._recent.extend(r.Record(seq, 0, "t", r.CutCardDrawn()) for seq in range(5, 15))
    feed.head = 14
    read = []
    feed._read = lambda after, most: read.append((after, most)) or []

    async def steps():
        assert [record.seq for record in await feed.records_between(5, 7)] == [5, 6, 7]
        assert [record.seq for record in await feed.records_between(13, 20)] == [13, 14]
        assert read == []
        assert await feed.records_between(4, 6) == []
        assert read == [(3, 3)]

    on_loop(steps)


# ── a certificate ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_bad_renewal_of_a_certificate_is_logged_once(files):
    with capture_log() as lines:
        door = Certificate(files["certificate"], files["key"])
        good = Path(files["key"]).read_bytes()
        for content in (b"", b"half", good):
            Path(files["key"]).write_bytes(content)
            for _ in range(3):
                door.look()
            assert (door.trouble is None) is (content == good)
    events = [line["event"] for line in lines]
    assert events == ["certificate_unusable", "certificate_unusable", "certificate_renewed"]
