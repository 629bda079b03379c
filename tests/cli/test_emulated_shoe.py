"""`tablectl emulate`: the address it listens at, the shoe it fills, and what it says while it replays."""

import asyncio

import click
import pytest
from click.testing import CliRunner

from controller.cli import emulate, main
from controller.cli.emulate import ListenAddress


@pytest.mark.parametrize(
    ("said", "host", "port"),
    [
        ("127.0.0.1:4001", "127.0.0.1", 4001),
        ("localhost:0", "127.0.0.1", 0),
        ("[::1]:65535", "::1", 65535),
        ("10.0.0.5:1", "10.0.0.5", 1),
    ],
)
def test_an_address_to_listen_at_is_host_and_port(said, host, port):
    listening = ListenAddress().convert(said, None, None)
    assert (listening.host, listening.port) == (host, port)


@pytest.mark.parametrize("said", ["127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1", "table:4001", ":4001", "127.0.0.1:x"])
def test_what_is_no_address_to_listen_at_is_refused(said):
    with pytest.raises(click.BadParameter, match=r"expected an address and port such as 127\.0\.0\.1:4001"):
        ListenAddress().convert(said, None, None)


@pytest.mark.parametrize(("words", "cards"), [([], 416), (["--game", "baccarat"], 312), (["--game", "rhum32"], 52)])
def test_a_shoe_is_filled_for_the_game_that_is_named(tmp_path, monkeypatch, words, cards):
    async def typed(_):
        """Nobody types anything."""

    monkeypatch.setattr(emulate, "typed", typed)
    result = CliRunner().invoke(main, ["emulate", "bee_tek", "--link", f"{tmp_path}/shoe", *words])
    assert (result.exit_code, result.output) == (0, f"bee_tek, {cards} cards, at {tmp_path}/shoe\n")
    assert not (tmp_path / "shoe").is_symlink()


def test_a_replay_says_how_long_it_takes_at_its_speed(tmp_path, monkeypatch):
    said = []

    class News(emulate.News):
        def __init__(self, text):
            said.append(text)
            super().__init__(text)

    async def at_once(*_):
        await asyncio.sleep(0)
        return 3

    monkeypatch.setattr(emulate, "News", News)
    monkeypatch.setattr(emulate, "replay", at_once)
    capture = tmp_path / "capture"
    capture.write_text("0.0 shoe < 05 31 50\n90.0 shoe > 01\n", encoding="utf-8")
    words = ["emulate", "bee_tek", "--link", f"{tmp_path}/shoe", "--replay", str(capture), "--speed", "10"]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "3 bytes said")
    assert said == ["the capture is replayed, which takes 9 s"]
