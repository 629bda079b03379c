"""Capture files: written, read back and replayed by an emulated device."""

import asyncio
import os
import select
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.captures import HEADER, BadCapture, CapturedBytes, read_capture
from drivers.emulators.replay import replay
from drivers.serial_port import SerialSettings, open_port
from tests.patience import eventually
from tests.processes import TABLECTL

CAPTURES = sorted(Path(__file__).parent.parent.glob("captures/*.hex"))
times = st.lists(st.integers(0, 10**12), max_size=20).map(sorted)
rest = st.tuples(st.sampled_from("<>"), st.binary(max_size=40), st.sampled_from(["shoe", "panel"]))


@given(times, st.data())
def test_a_written_capture_reads_back_equal(microseconds, data):
    passed = [CapturedBytes(at / 10**6, *data.draw(rest)) for at in microseconds]
    text = HEADER.format(at="2026-11-22T11:20:05Z") + "".join(one.line("a card # and more") for one in passed)
    assert list(read_capture(text)) == passed


def test_a_bare_capture_line_continues_the_device_bytes():
    assert list(read_capture("1.5 shoe > 06\n05 31  # stand-by\n")) == [
        CapturedBytes(1.5, ">", b"\6"),
        CapturedBytes(1.5, "<", b"\x051"),
    ]


@pytest.mark.parametrize("path", CAPTURES, ids=[path.stem for path in CAPTURES])
def test_every_capture_of_the_tests_holds_device_bytes_only(path):
    assert all(one.direction == "<" and one.data for one in read_capture(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("05 3", "line 1: expected such as 0.412 shoe < 05 31 50 03 36 32, got '05 3'"),
        ("0.5 shoe = 05", "line 1: expected such as"),
        ("soon shoe < 05", "line 1: expected such as"),
        ("# one\n2 shoe < 05\n1 shoe < 05", "line 3: expected a time from 2 s on, got 1"),
        ("nan shoe < 05", "line 1: expected a time from 0 s on, got nan"),
    ],
)
def test_an_invalid_capture_is_refused_with_its_line_number(text, says):
    with pytest.raises(BadCapture) as refused:
        list(read_capture(text))
    assert str(refused.value).startswith(says)


def test_a_replay_sends_only_what_came_from_the_device(port):
    port.plug()
    passed = [CapturedBytes(0, "<", b"one"), CapturedBytes(0, ">", b"answer"), CapturedBytes(0.01, "<", b"two")]
    assert asyncio.run(replay(passed, port)) == 6
    host = os.open(port.link, os.O_RDWR | os.O_NOCTTY)
    try:
        data = b""
        while len(data) < 6:
            data += os.read(host, 100)
        assert data == b"onetwo"
    finally:
        os.close(host)


def test_a_replay_at_the_command_line_waits_for_a_host(tmp_path):
    capture = tmp_path / "capture"
    capture.write_text("0 shoe < 6f 6e 65\n", encoding="utf-8")
    words = ("emulate", "bee_tek", "--link", tmp_path / "shoe", "--replay", capture)
    with subprocess.Popen([TABLECTL, *map(str, words)], stdout=subprocess.PIPE, text=True) as emulated:
        assert emulated.stdout.readline() == f"bee_tek at {tmp_path}/shoe\n"
        assert select.select([emulated.stdout], [], [], 0.5)[0] == []  # no output, and still running
        with closing(open_port(str(tmp_path / "shoe"), SerialSettings())) as host:
            data = bytearray()
            eventually(lambda: data.extend(host.read(8)) or data == b"one")
        assert emulated.stdout.readline() == "3 bytes sent\n"
        assert emulated.wait(60) == 0
