"""`tablectl deck learn` learns the code of each card, one card after the other."""

import asyncio
from contextlib import nullcontext
from importlib import import_module

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.cli.check import check_drivers
from controller.cli.deck import Lesson, cards_without_code
from controller.config.deck_register import codes_in, keep_codes
from controller.config.devices import ShoeSection
from controller.config.mistakes import BadConfig
from controller.config.table_file import check, load
from controller.journal import Journal
from controller.rules.cards import FULL_DECK
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import RunningProgram, tablectl
from tests.processes import TABLECTL

cli_deck = import_module("controller.cli.deck")
CARDS = ("AS", "KH", "9C")
WITHOUT_OWN_CODE = r"shoe\.settings\.unique: expected 6 codes for every card, got fewer for 2C, 2D, .*--decks 6"


def test_each_new_code_is_the_next_card_repeats_are_ignored():
    lesson = Lesson(["AS", "KH"], codes := {})
    assert lesson.take("1") == "AS is 1"
    assert lesson.take("1") == ""  # read twice
    assert lesson.card_due == "KH"
    assert lesson.take("2") == "KH is 2"
    assert lesson.card_due is None
    assert lesson.take("3") == ""
    assert codes == {"1": "AS", "2": "KH"}


def test_a_code_that_is_another_cards_already_is_refused():
    lesson = Lesson(["AS", "KH"], {"7": "9C"})
    assert lesson.take("7") == "7 is 9C already: scan AS, which needs its own code"
    assert lesson.card_due == "AS"


def test_what_is_known_is_not_asked_for_again():
    assert list(cards_without_code(CARDS, 1, {"1": "KH"})) == ["AS", "9C"]
    assert list(cards_without_code(CARDS, 2, {"1": "KH", "2": "KH"})) == ["AS", "9C", "AS", "9C"]
    assert list(cards_without_code(CARDS, 1, {"1": "AS", "2": "KH", "3": "9C"})) == []


def test_a_register_is_kept_whole_and_read_by_the_config(tmp_path):
    register = tmp_path / "deck.toml"
    keep_codes(register, codes := {"(01)0042": "AS", '# "odd"': "KH"})
    assert codes_in(register) == codes
    config = tmp_path / "table.toml"
    config.write_text(f"[game]\nname = 'blackjack'\n[shoe]\nmodel = 'barcode'\nsettings.codes = '{register}'\n")
    (event,) = load(config).shoe.codec().feed(b"(01)0042\r\n")
    assert event.card == "AS"
    register.write_text('"1" = "1S"\n')
    with pytest.raises(BadConfig, match=r"shoe\.settings\.codes"):
        load(config)
    register.write_text("1 is AS\n")
    with pytest.raises(BadConfig, match="expected lines such as"):
        load(config)
    register.unlink()
    with pytest.raises(BadConfig, match=r"`tablectl deck learn .*` makes it"):
        load(config)


WRONG_REGISTERS = {
    r'"deck\u0000"': "expected lines such as",
    "{ x = '1S' }": "expected a card .AS, TD., got '1S'",
}


@pytest.mark.parametrize(("codes", "said"), WRONG_REGISTERS.items())
def test_a_wrong_register_is_refused_in_words(codes, said, tmp_path):
    config = tmp_path / "table.toml"
    config.write_text(f"[game]\nname = 'blackjack'\n[shoe]\nmodel = 'barcode'\nsettings.codes = {codes}\n")
    with pytest.raises(BadConfig, match=said):
        load(config)


def test_check_refuses_a_deck_register_with_missing_cards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    register, config = tmp_path / "deck.toml", tmp_path / "table.toml"
    keep_codes(register, {f"code-{card}": card for card in FULL_DECK if card not in ("7D", "KH")})
    shoe = f"[shoe]\nmodel = 'barcode'\nport = 'socket://127.0.0.1:9'\nsettings.codes = '{register}'\n"
    config.write_text(
        f"[game]\nname = 'blackjack'\n[journal]\npath = 't.journal'\n[web]\nlisten = '127.0.0.1:0'\n{shoe}"
    )
    run = CliRunner().invoke(main, ["check", str(config)])
    assert (run.exit_code, "expected one for every card, got none for 7D, KH: see `tabl" in run.output) == (2, True)
    keep_codes(register, {f"code-{card}": card for card in FULL_DECK})
    assert CliRunner().invoke(main, ["check", str(config)]).exit_code == 0


@pytest.mark.parametrize(
    ("game", "decks", "unique", "refused"),
    [
        ("baccarat", 6, True, False),
        ("baccarat", 5, True, True),
        ("baccarat", 0, True, True),  # the names of the cards are the codes
        ("baccarat", 1, False, False),
        ("casino_holdem", 1, True, False),
        ("casino_holdem", 0, True, False),
    ],
)
def test_unique_codes_are_as_many_as_the_cards(tmp_path, game, decks, unique, refused):
    codes = {f"{card}-{number}": card for card in FULL_DECK for number in range(decks)}
    shoe = ShoeSection("barcode", "/dev/scanner", settings={"codes": codes, "unique": unique})
    settings = replace(check({"game": {"name": game}}), shoe=shoe)
    with pytest.raises(BadConfig, match=WITHOUT_OWN_CODE) if refused else nullcontext():
        check_drivers(tmp_path / "t.toml", settings)


def test_deck_learn_uses_the_tables_scanner_and_resumes_where_stopped(tmp_path):
    port = PtyPort(tmp_path / "scanner")
    config, register = tmp_path / "table.toml", tmp_path / "deck.toml"
    config.write_text(f"[game]\nname = 'thirty_two'\n[shoe]\nmodel = 'barcode'\nport = '{port.link}'\n")
    port.plug()
    try:
        with RunningProgram([TABLECTL, "deck", "learn", register, "--config", config], tmp_path / "log") as lesson:
            lines = iter(lesson.process.stdout.readline, "")
            prompt, status = next(lines), next(lines)
            assert status == f"the scanner is there, at {port.link}\n"
            for number in range(3):
                port.write(f"code-{number}\r\n".encode())
                assert next(lines) == f"{prompt[:2]} is code-{number}\n"
                prompt = next(lines)
            lesson.process.terminate()
            assert lesson.process.wait(60) == 0
            assert list(lines) == [f"3 codes in {register}\n"]
    finally:
        port.unplug()
    assert list(codes_in(register)) == ["code-0", "code-1", "code-2"]
    config.write_text("[game]\nname = 'thirty_two'\n[shoe]\nmodel = 'bee_tek'\n")
    refused = tablectl("deck", "learn", register, "--config", config)
    assert 'expected model = "barcode" or "wedge" and a port, or "hid_pos", got \'bee_tek\' at None' in refused.stderr


def lesson(folder, register, model="barcode"):
    """Run `deck learn` for a table with this register in its config already; return the result."""
    config = folder / "table.toml"
    config.write_text(
        f"[game]\nname = 'thirty_two'\n[shoe]\nmodel = '{model}'\nport = 'socket://127.0.0.1:9'\n"
        f"settings.codes = '{register}'\n"
    )
    return CliRunner().invoke(main, ["deck", "learn", str(register), "--config", str(config)])


def test_deck_learn_makes_the_register_its_config_names(tmp_path, monkeypatch):
    learnt = []
    monkeypatch.setattr(cli_deck, "_learn", lambda *arguments: learnt.append(arguments) or asyncio.sleep(0))
    register = tmp_path / "deck.toml"
    for _ in range(2):
        assert lesson(tmp_path, register).output == f"0 codes in {register}\n"
    assert (len(learnt), len(learnt[0][1]), codes_in(register)) == (2, 32, {})


def test_deck_learn_leaves_the_scanner_of_a_running_table_alone(tmp_path, monkeypatch):
    learnt = []
    monkeypatch.setattr(cli_deck, "_learn", lambda *arguments: learnt.append(arguments) or asyncio.sleep(0))
    config, register = tmp_path / "table.toml", tmp_path / "deck.toml"
    config.write_text(
        "[table]\nname = 't1'\n[game]\nname = 'thirty_two'\n[shoe]\nmodel = 'barcode'\n"
        f"port = 'socket://127.0.0.1:9'\n[journal]\npath = '{tmp_path / 't.journal'}'\n"
    )
    running = Journal(tmp_path / "t.journal")
    result = CliRunner().invoke(main, ["deck", "learn", str(register), "--config", str(config)])
    running.close()
    assert (result.exit_code, learnt, register.exists()) == (2, [], False)
    assert result.output.startswith("tablectl: table t1 runs and uses these devices: ")
    assert CliRunner().invoke(main, ["deck", "learn", str(register), "--config", str(config)]).exit_code == 0


def test_deck_learn_refuses_an_unwritable_register_at_once(tmp_path, monkeypatch):
    learnt = []
    monkeypatch.setattr(cli_deck, "_learn", lambda *arguments: learnt.append(arguments) or asyncio.sleep(0))
    register = tmp_path / "none" / "deck.toml"
    result = lesson(tmp_path, register)
    assert (result.exit_code, learnt) == (2, [])
    assert result.output == f"tablectl: {register}: no such file or directory\n"


def test_a_lesson_that_cannot_begin_keeps_the_register(tmp_path):
    register = tmp_path / "deck.toml"
    keep_codes(register, codes := {"1": "KH"})
    assert lesson(tmp_path, register, "angel_eye").exit_code == 2
    assert codes_in(register) == codes
