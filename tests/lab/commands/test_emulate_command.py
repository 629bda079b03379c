"""`tablectl emulate`: the words that move an emulated shoe, and the errors of the command."""

import signal
import subprocess
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.lab.commands import emulate as emulating
from controller.lab.commands import typed_shoe
from controller.lab.commands.typed_shoe import HELP, obey
from drivers.emulators import uinput_port
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.bee_tek import BeeTek
from tests.end_to_end.rig import RunningProgram
from tests.patience import on_loop
from tests.processes import TABLECTL


class RecordingPort:
    """Port that keeps what is written to it."""

    is_plugged, name = True, "a line"

    def __init__(self):
        self.said, self.acts = b"", list[str]()

    def write(self, data):
        self.said += data

    def __getattr__(self, act):
        return lambda *_: self.acts.append(act)


def event_kinds(codec, line):
    """Return the kinds of event that a table would get from it, each once."""
    kinds = [type(event).__name__ for event in codec.feed(line.said)]
    line.said = b""
    return list(dict.fromkeys(kinds))


def test_a_typed_shoe_does_what_a_dealers_fingers_do():
    shoe, codec = EmulatedAngelEye(line := RecordingPort(), cards=["2H", "3H", "4H", "5H"]), AngelEye()
    answers = {
        "": "2H", "9s": "9S", "unread": "3H", "again": "3H", "cut": None, "standby": None, "misread": "4H",
        "blank": "5H", "quit": None, "start": None,
    }  # fmt: skip
    news = {}
    for word, says in answers.items():
        assert obey(shoe, word) == says
        news[word] = event_kinds(codec, line)
    assert news["unread"] == news["blank"] == ["CardUnreadable"]
    assert news["again"] == ["ShoeErrorCleared", "CardRead"]
    assert (news["cut"], news["standby"]) == (["CutCard"], ["StandBy"])
    assert (news[""], news["9s"], news["misread"]) == (["CardRead"],) * 3
    assert news["quit"] == ["ShoeResult", "StandBy"]
    assert obey(shoe, "") == "the shoe is empty"


@pytest.mark.parametrize("word", ["unplug", "plug", "garble", "torn", "change", "cancel", "lock", "unlock"])
def test_a_word_of_help_that_moves_no_card_is_obeyed(word):
    assert word in HELP.split()
    assert obey(EmulatedAngelEye(RecordingPort(), cards=["2H"]), word) is None


def test_a_typed_shoe_without_rounds_has_no_round_keys():
    shoe, codec = EmulatedBeeTek(line := RecordingPort(), cards=["2H"]), BeeTek()
    assert obey(shoe, "again") == "no card is unread"
    assert obey(shoe, "standby") == "expected a card such as 9H or a command of `help`, got 'standby'"
    assert obey(shoe, "help") == HELP
    obey(shoe, "garble")
    obey(shoe, "")
    assert event_kinds(codec, line) == ["Garbage", "CardUnreadable"]


def test_typed_badges_go_to_the_line_until_input_ends(monkeypatch):
    async def typed_lines():
        for line in ("04A2B9C1F0\n", "unplug\n", "plug\n", "12345678"):
            yield line

    monkeypatch.setattr(typed_shoe, "_lines", typed_lines)
    line = RecordingPort()
    on_loop(lambda: emulating._badges(SimpleNamespace(port=line, model="badge_reader")))
    assert line.said == b"04A2B9C1F0\r\n12345678\r\n"
    assert line.acts == ["plug", "unplug", "plug", "unplug"]


def emulate(*words, given=""):
    """Run the command; return its exit code, standard output and standard error."""
    ended = subprocess.run(
        [TABLECTL, "emulate", *words], input=given, capture_output=True, text=True, timeout=120, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["angel_eyes"],
            "expected a device out of angel_eye, badge_reader, barcode, bee_tek, wedge, got 'angel_eyes'",
        ),
        (["angel_eye"], "expected one of --link PATH and --listen HOST:PORT"),
        (["angel_eye", "--listen", "here"], "expected an address and port such as 127.0.0.1:4001, got 'here'"),
        (["angel_eye", "--link", "/nowhere/shoe"], "/nowhere/shoe: no such file or directory"),
        (["angel_eye", "--link", "shoe", "--hands", "http://127.0.0.1:8032"], "expected unix:SOCKET, or the address"),
        (["angel_eye", "--link", "shoe", "--rounds", "3"], "expected --hands URL beside them"),
        (["wedge", "--listen", "127.0.0.1:0"], "a wedge is a keyboard of this PC: expected --link PATH alone"),
        (["badge_reader", "--link", "r", "--cards", "deck"], "expected none of them with badge_reader"),
        (["angel_eye", "--link", "shoe", "--replay", "/nowhere/capture"], "/nowhere/capture: no such file"),
    ],
)
def test_a_wrong_argument_of_emulate_is_one_line(words, says):
    refused = CliRunner().invoke(main, ["emulate", *words])
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert says in refused.output


@pytest.mark.parametrize(
    ("model", "missing"),
    [("wedge", "uinput"), ("bee_tek", "nowhere/shoe")],
    ids=["no uinput", "no folder"],
)
def test_an_emulated_port_names_the_path_that_is_missing(tmp_path, monkeypatch, model, missing):
    monkeypatch.setattr(uinput_port, "UINPUT", tmp_path / "uinput")
    refused = CliRunner().invoke(main, ["emulate", model, "--link", f"{tmp_path}/nowhere/shoe"])
    assert refused.output == f"tablectl: {tmp_path}/{missing}: no such file or directory\n"


def test_an_invalid_capture_is_reported_with_its_line(tmp_path):
    capture = tmp_path / "capture"
    capture.write_text("05 31\nhello\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["emulate", "bee_tek", "--link", f"{tmp_path}/shoe", "--replay", str(capture)])
    assert refused.exit_code == 2
    assert (
        refused.output == f"tablectl: {capture}: line 2: expected such as 0.412 shoe < 05 31 50 03 36 32, got 'hello'\n"
    )


@pytest.mark.parametrize(
    ("cards", "says"),
    [(b"9H 1D", "expected a card such as"), (b"9H\xff", "expected a text"), (None, "no such file or directory")],
    ids=["no card", "no text", "no file"],
)
def test_invalid_cards_are_one_line_naming_their_file(tmp_path, cards, says):
    path = tmp_path / "cards"
    if cards is not None:
        path.write_bytes(cards)
    refused = CliRunner().invoke(main, ["emulate", "bee_tek", "--link", f"{tmp_path}/shoe", "--cards", str(path)])
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert refused.output.startswith(f"tablectl: {path}: {says}")


def test_a_shoe_draws_the_cards_of_a_file_in_order(tmp_path):
    cards = tmp_path / "cards"
    cards.write_text("9H TD\nAS\n", encoding="utf-8")
    code, out, errors = emulate("bee_tek", "--link", tmp_path / "shoe", "--cards", cards, given="\n" * 4)
    assert (code, errors) == (0, "")
    assert out.splitlines() == [f"bee_tek, 3 cards, at {tmp_path}/shoe", "9H", "TD", "AS", "the shoe is empty"]


def test_a_shoe_is_typed_to_until_its_input_ends(tmp_path):
    code, out, errors = emulate("bee_tek", "--link", tmp_path / "shoe", "--seed", "1", given="9H\n\n")
    assert (code, errors) == (0, "")
    first, typed, drawn = out.splitlines()
    assert first == f"bee_tek, 416 cards, at {tmp_path}/shoe"
    assert (typed, len(drawn)) == ("9H", 2)
    assert not PtyPort(tmp_path / "shoe").link.is_symlink()


def test_a_wrong_address_of_hands_is_one_line(tablectl, tmp_path):
    result = tablectl("emulate", "angel_eye", "--link", tmp_path / "s", "--hands", "http://[::1", exit_code=2)
    assert result.stderr.startswith("tablectl: ")


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_emulated_shoe_ended_by_a_signal_leaves_no_port(tmp_path, ended_by):
    command = [TABLECTL, "emulate", "bee_tek", "--link", tmp_path / "shoe"]
    with RunningProgram(command, tmp_path / "log") as emulated:
        assert emulated.process.stdout.readline().startswith("bee_tek, 416 cards, at ")
        emulated.process.send_signal(ended_by)
        assert (emulated.ends(), emulated.errors()) == (0, "")
    assert list(tmp_path.glob("shoe*")) == []
