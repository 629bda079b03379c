"""`tablectl emulate`: the address at which it listens, and the cards with which it fills a shoe."""

import click
import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.lab.commands import emulate
from controller.lab.commands.emulate import ListenAddress


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
def test_an_invalid_address_to_listen_at_is_refused(said):
    with pytest.raises(click.BadParameter, match=r"expected an address and port such as 127\.0\.0\.1:4001"):
        ListenAddress().convert(said, None, None)


@pytest.mark.parametrize(("words", "cards"), [([], 416), (["--game", "baccarat"], 312), (["--game", "rhum32"], 52)])
def test_a_shoe_is_filled_for_the_named_game(tmp_path, monkeypatch, words, cards):
    async def typed(_):
        """Type nothing at the terminal."""

    monkeypatch.setattr(emulate, "obey_typed_lines", typed)
    result = CliRunner().invoke(main, ["emulate", "bee_tek", "--link", f"{tmp_path}/shoe", *words])
    assert (result.exit_code, result.output) == (0, f"bee_tek, {cards} cards, at {tmp_path}/shoe\n")
    assert not (tmp_path / "shoe").is_symlink()
