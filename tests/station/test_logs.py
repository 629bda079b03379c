"""A log that nobody reads never stops a table."""

import io
import json
import os
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
import structlog

from controller.core.clock import from_text
from controller.station.logs import ThreadedStream, set_up
from tests.patience import PATIENCE, eventually


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


def test_dropped_lines_are_counted_once():
    gate, written = threading.Event(), []

    def write(text: str) -> None:
        gate.wait(PATIENCE)
        written.append(text)

    aside = ThreadedStream(SimpleNamespace(write=write, flush=lambda: None), room=2)
    aside.write("0")
    eventually(lambda: not aside._lines.qsize())  # the thread is in `write`
    for number in range(1, 5):
        aside.write(str(number))
    gate.set()
    eventually(lambda: not aside._lines.qsize())
    aside.write("5")
    aside.close(PATIENCE)
    assert written == ["0", '{"event": "log_lines_dropped", "count": 2}\n1', "2", "5"]


def test_a_failing_log_stream_is_ignored():
    stream = io.StringIO()
    stream.close()
    aside = ThreadedStream(stream)
    aside.write("lost\n")
    aside.close()


def pieces_of(monkeypatch, level, event, *, debug=False):
    """Return the pieces that the log writes for one event."""
    pieces = []
    monkeypatch.setattr(ThreadedStream, "write", lambda _, text: pieces.append(text))
    before = structlog.get_config()
    stream = set_up(debug=debug)
    try:
        getattr(structlog.get_logger(), level)(event, table="t1")
    finally:
        structlog.configure(**before)
        stream.close()
    return pieces


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_log_line_is_one_piece_with_its_time(monkeypatch, is_terminal):
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal, raising=False)
    began = time.time_ns() // 1000
    (piece,) = pieces_of(monkeypatch, "info", "started")
    assert piece.endswith("\n")
    if is_terminal:
        assert "started" in piece
        return
    line = json.loads(piece)
    assert (line["event"], line["level"], line["table"]) == ("started", "info", "t1")
    assert began <= from_text(line["logged"]) <= time.time_ns() // 1000


@pytest.mark.parametrize("debug", [False, True])
def test_debug_lines_are_logged_only_where_asked_for(monkeypatch, debug):
    assert len(pieces_of(monkeypatch, "debug", "looked", debug=debug)) == debug
