"""`tablectl init` prints a commented config of a game, also for another shoe."""

import tomllib
from pathlib import Path

import pytest

import controller.cli.packaged_files
from controller.games import GAMES

CONFIG = Path(__file__).parents[2] / "config"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_init_prints_the_commented_example_of_the_game(tablectl, game):
    assert tablectl("init", game).stdout == (CONFIG / f"{game}.toml").read_text(encoding="utf-8")


def test_a_wheel_has_the_examples_inside_the_package(tablectl, tmp_path, monkeypatch):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "baccarat.toml").write_text('[game]\nname = "baccarat"\n')
    monkeypatch.setattr(controller.cli.packaged_files, "files", lambda _: tmp_path)
    assert tablectl("init", "baccarat").stdout == '[game]\nname = "baccarat"\n'


def section(text: str) -> str:
    return text.partition("[shoe]\n")[2].partition("[panel]")[0]


def test_init_writes_another_shoes_own_section_that_passes_check(tablectl, tmp_path):
    text = tablectl("init", "baccarat", "--shoe", "bee_tek", "--port", "/dev/table/bee_tek").stdout
    assert tomllib.loads(text)["shoe"] == {"model": "bee_tek", "port": "/dev/table/bee_tek"}
    assert "# settings.free_draw = true" in section(text)
    assert "bcc_with_stx" not in section(text)
    plain = tablectl("init", "baccarat").stdout
    assert text.replace(section(text), "") == plain.replace(section(plain), "")
    (tmp_path / "t1.toml").write_text(text.replace('# listen = "127.0.0.1:8032"', 'listen = "127.0.0.1:0"'))
    assert "shoe: bee_tek at /dev/table/bee_tek, 9600 baud" in tablectl("check", tmp_path / "t1.toml").stdout


def test_a_shoe_without_an_example_gets_model_and_port(tablectl, monkeypatch):
    monkeypatch.setattr(controller.cli.init, "check", lambda raw: None)  # its driver is not installed here
    text = tablectl("init", "rhum32", "--shoe", "acme", "--port", "/dev/acme").stdout
    assert section(text) == 'model = "acme"\nport = "/dev/acme"\n\n'


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["blackjak"], "(did you mean blackjack?)"),
        (
            ["baccarat", "--shoe", "bee_tec"],
            "shoe.model: expected a shoe model out of angel_eye, barcode, bee_tek, hid_pos, wedge, got",
        ),
        (["blackjack", "--shoe", "angel_eye"], "shoe.model: expected a shoe for blackjack, got 'angel_eye'"),
        (["baccarat", "--port", ""], "shoe.port: expected text in quotes of 1 to 4096 characters, got ''"),
        (["baccarat", "--port", "socket://host"], "shoe.port: "),
        (["baccarat", "--port", "\udcff"], "--shoe, --port: expected text"),
    ],
)
def test_what_check_would_refuse_is_not_printed(tablectl, words, said):
    refused = tablectl("init", *words, exit_code=2)
    assert refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert said in line
