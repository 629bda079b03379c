"""A log that nobody reads never stops a table."""

import io
import os
from contextlib import suppress

import pytest
import structlog

from controller.station.logs import ThreadedStream, set_up
from tests.patience import PATIENCE


def test_what_is_written_arrives_in_order():
    stream = io.StringIO()
    aside = ThreadedStream(stream)
    for number in range(1000):
        aside.write(f"{number}\n")
    aside.close(PATIENCE)
    assert stream.getvalue().split() == [str(number) for number in range(1000)]


def test_a_pipe_that_nobody_reads_takes_no_time():
    unread, written = os.pipe()
    with os.fdopen(unread), os.fdopen(written, "w") as stream:
        aside = ThreadedStream(stream, room=100)
        for _ in range(2000):
            aside.write("x" * 500 + "\n")  # returns although nobody reads
        os.set_blocking(unread, False)
        read = b""
        while aside._lines.qsize() or b"after" not in read:  # somebody reads again: the thread can go on
            if not aside._lines.qsize() and b"after" not in read:
                aside.write("after\n")
            with suppress(BlockingIOError):
                read += os.read(unread, 65536)
        assert b"log_lines_dropped" in read
        aside.close()


def test_a_failing_log_stream_is_ignored():
    stream = io.StringIO()
    stream.close()
    aside = ThreadedStream(stream)
    aside.write("lost\n")
    aside.close()


def test_a_line_of_the_log_is_written_in_one_piece(monkeypatch):
    pieces = []
    monkeypatch.setattr(ThreadedStream, "write", lambda _, text: pieces.append(text))
    before = structlog.get_config()
    stream = set_up(debug=False)
    try:
        structlog.get_logger().info("started", table="t1")
    finally:
        structlog.configure(**before)
        stream.close()
    (piece,) = pieces
    assert piece.endswith("\n")
    assert '"table": "t1"' in piece or "table=t1" in piece


@pytest.mark.parametrize("debug", [False, True])
def test_debug_lines_are_logged_only_where_asked_for(monkeypatch, debug):
    pieces = []
    monkeypatch.setattr(ThreadedStream, "write", lambda _, text: pieces.append(text))
    before = structlog.get_config()
    stream = set_up(debug=debug)
    try:
        structlog.get_logger().debug("looked", table="t1")
    finally:
        structlog.configure(**before)
        stream.close()
    assert len(pieces) == debug
