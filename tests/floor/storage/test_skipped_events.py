"""What a floor logs of events that it skips or cannot store: each reason once."""

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from controller.bus.names import EPOCH, SEQ
from controller.bus.stream_reader import StoredMessage
from controller.floor.storage import feed
from controller.floor.storage.feed import FloorFeed
from tests.patience import on_loop


@pytest.fixture
def floor_feed() -> FloorFeed:
    """Feed of a floor whose roster has the table t1."""
    seals = SimpleNamespace(tables={"t1": "a key"})
    return FloorFeed(SimpleNamespace(), "main", seals, None, None, None)


def test_the_roster_is_awaited_once_for_each_table(floor_feed, monkeypatch):
    monkeypatch.setattr(feed, "ROSTER", 0)
    with capture_logs() as lines:
        for tables in ({"t1", "t2"}, {"t1", "t2"}, {"t2", "t3"}):
            on_loop(lambda tables=tables: floor_feed._wait_for_roster(tables))
    assert [(line["event"], line["table"]) for line in lines] == [("events_skipped", "t2"), ("events_skipped", "t3")]


def test_an_invalid_message_is_logged_again_after_a_valid_one(floor_feed):
    def parse(subject: str, body: bytes) -> bool:
        message = StoredMessage(f"tablectl.main.{subject}.event.manager", 1, {EPOCH: "e1", SEQ: "1"}, body, 0)
        return floor_feed._parse(message) is not None

    sound, bad = b'{"seq": 1, "kind": "ignored"}', b"{}"
    with capture_logs() as lines:
        said = [parse("t1", bad), parse("t1", bad), parse("t2", sound), parse("t1", sound), parse("t1", bad)]
    assert said == [False, False, True, True, False]
    assert [line["event"] for line in lines] == ["event_ignored"] * 2


def test_a_store_that_fails_is_logged_once_for_each_reason(floor_feed):
    with capture_logs() as lines:
        for reason in ("disk full", "disk full", "read-only", "disk full"):
            floor_feed._note_store_failure(reason)
            assert floor_feed.trouble == reason
    assert [line["reason"] for line in lines] == ["disk full", "read-only", "disk full"]
