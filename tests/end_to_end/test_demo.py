"""`tablectl demo` prints and records whole rounds, continues after a kill, and ends cleanly."""

import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import socket
import struct
import subprocess
import termios
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from msgspec import Struct

from controller.cli import main
from controller.core.records import Record
from controller.games import GAMES
from controller.journal import head_of, read, verify
from controller.text.money import money
from tests.chance import SEED
from tests.end_to_end.rig import RunningProgram, tablectl
from tests.patience import PATIENCE, eventually
from tests.processes import TABLECTL, ForkableProgram


def demo(*options: str) -> list[str]:
    """Run a demo; return its printed lines, without their times."""
    ended = tablectl("demo", *options)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [re.sub(r"^\d\d:\d\d:\d\d\.\d\d  ", "", line) for line in ended.stdout.splitlines()]


def recorded(folder: Path) -> list[Record]:
    return list(read(folder / "demo.journal"))


class DemoOutput(Struct):
    """Output and records of a demo."""

    game: str
    folder: Path
    lines: list[str]
    records: list[Record]

    def of(self, *kinds: str) -> list[Record]:
        return [record for record in self.records if record.kind in kinds]

    def moved(self, *kinds: str) -> Counter:
        """Sum the money in records of these kinds by player, in minor units."""
        moved = Counter()
        for what in (record.what for record in self.of(*kinds)):
            if what.player is not None:
                moved[what.player] += what.returned if hasattr(what, "returned") else what.stake
        return moved

    def of_round(self, number: int) -> list[str]:
        """Return the printed lines of one round."""
        rest = self.lines[self.lines.index(f"round {number} open for bets ({self.game})") : -4]
        return rest[: next((n for n, line in enumerate(rest) if line.startswith(f"round {number + 1} open")), None)]


# ── every game, as lines ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=sorted(GAMES))
def shown(request, tmp_path_factory) -> DemoOutput:
    """Demo of three rounds of a game: one has an unread card, another a card before the close."""
    folder = tmp_path_factory.mktemp("demo")
    options = ("--rounds", "3", "--seed", "9", "--speed", "1000", "--faults", "--journal", str(folder))
    return DemoOutput(request.param, folder, demo(request.param, *options), recorded(folder))


def test_an_unread_card_is_slid_again_an_early_one_cancels(shown):
    wrong = {record.round: record.what.code for record in shown.of("faulted")}
    ends = {record.round: record.kind for record in shown.of("settled", "cancelled")}
    rulings = {record.round: record.what.ruling for record in shown.of("ruled")}
    assert {code: (rulings[number], ends[number]) for number, code in wrong.items()} == {
        "card_before_close": ("cancel", "cancelled"),
        "unread_card": ("rescan", "settled"),
    }
    assert sorted(ends.values()) == ["cancelled", *["settled"] * 2]
    assert sum(line.startswith("FAULT ") for line in shown.lines) == 2


def test_purses_add_up_to_the_cent(shown):
    purses = Counter(dict.fromkeys(("p1", "p2", "p3", "p4", "p5"), 1000_00))
    purses.subtract(shown.moved("bet_accepted", "decided"))
    purses.update(shown.moved("bet_withdrawn", "paid", "refunded"))
    assert shown.moved("paid").total() > 0
    assert shown.lines[-2] == "purses: " + ", ".join(
        f"{player} {money(purse, 'EUR')}" for player, purse in purses.items()
    )


def test_the_last_lines_sum_up_rounds_stakes_and_returns(shown):
    assert re.fullmatch(r"3 rounds: 2 settled \((\w[\w ]* \d+(, )?)+\), 1 cancelled; 2 faults", shown.lines[-4])
    kinds = {
        "staked": ("bet_accepted", "decided"),
        "withdrawn": ("bet_withdrawn",),
        "paid out": ("paid",),
        "refunded": ("refunded",),
    }
    sums = (f"{money(shown.moved(*of).total(), 'EUR')} {name}" for name, of in kinds.items())
    assert shown.lines[-3] == f"money: {', '.join(sums)}"
    head = head_of(shown.folder / "demo.journal")
    assert shown.lines[-1] == f"journal: {head.seq} records valid, head {head}"
    assert verify(shown.folder / "demo.journal").finding is None


def test_each_close_and_each_end_is_one_line_of_money(shown):
    counts = Counter(line.split(":")[0] for line in shown.lines)
    assert (counts["stakes"], counts["paid"], counts["refunded"]) == (2, 2, 1)
    assert not any(re.match(r"p\d (bets|gets) ", line) for line in shown.lines)


def test_players_bet_first_on_what_lets_them_take_part(shown):
    markets = [record.what.market.rpartition(" ")[2] for record in shown.of("bet_accepted")]
    assert set(markets) <= {market.name for market in GAMES[shown.game].markets}
    assert GAMES[shown.game].joins in (None, markets[0])
    assert shown.of("bet_refused") == []
    assert all(record.what.stake % 500 == 0 for record in shown.of("bet_accepted"))


def test_a_face_down_card_is_named_once_turned_over(shown):
    hidden = [record for record in shown.of("dealt") if not record.what.face_up]
    assert bool(hidden) == (shown.game in ("blackjack", "casino_holdem", "rhum32"))
    for record in hidden:
        lines = shown.of_round(record.round)
        before = lines[: next((n for n, line in enumerate(lines) if line.startswith("dealer shows")), None)]
        open_too = [one for one in shown.of("dealt") if one.round == record.round and one.what.card == record.what.card]
        named = [line for line in before if re.search(rf"\b{record.what.card}\b", line)]
        assert len(named) == sum(one.what.face_up for one in open_too), named


def test_the_shoe_is_the_one_that_deals_the_game(shown):
    shuffles, changes = len(shown.of("shuffled")), len(shown.of("shoe_change"))
    assert (shuffles, changes) == ((0, 0) if shown.game == "baccarat" else (3, 0))
    assert {len(record.what.card) for record in shown.of("dealt")} == {2}


# ── after a kill ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_a_demo_goes_on_with_a_killed_ones_record(tmp_path, game):
    command = [TABLECTL, "demo", game, "--speed", "20", "--seed", "1", "--journal", tmp_path]
    with ForkableProgram(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if re.search(r" to (banker|dealer)", line):
                process.kill()
    demo(game, "--rounds", "2", "--seed", "2", "--speed", "1000", "--journal", str(tmp_path))
    records = recorded(tmp_path)
    assert [record.what.code for record in records if record.kind == "faulted"] == ["restarted"]
    assert [(record.round, record.kind) for record in records if record.kind in ("settled", "cancelled")] == [
        (1, "cancelled"), (2, "settled"), (3, "settled"),
    ]  # fmt: skip
    killed = DemoOutput(game, tmp_path, [], [record for record in records if record.round == 1])
    assert killed.moved("refunded") == killed.moved("bet_accepted", "decided") - killed.moved("bet_withdrawn")
    assert killed.moved("refunded")
    assert verify(tmp_path / "demo.journal").finding is None


# ── long runs ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_a_long_demo_with_faults_does_not_get_stuck():
    demo("--speed", "1000", "--faults", "--rounds", "60", "--seed", str(SEED))


@pytest.mark.proof
def test_a_demo_goes_on_with_a_long_record_of_another(tmp_path):
    """The two demos together deal more cards than a shoe has."""
    for more in (0, 1):
        demo("--speed", "1000", "--rounds", "40", "--seed", str(SEED + more), "--journal", str(tmp_path))


# ── in a terminal ────────────────────────────────────────────────────────────────────────────────────────────────


class DemoTerminal:
    """Output of a program in a terminal."""

    def __init__(self, process: "subprocess.Popen[bytes]", line: int) -> None:
        self.process, self._line = process, line
        self.shown = ""

    def shows(self, holds: Callable[[str], object]) -> str:
        """Wait until the output holds; return it."""
        eventually(lambda: self._read() and holds(self.shown))
        return self.shown

    def ends(self) -> int:
        """Wait for the program's end; return its exit code."""
        eventually(lambda: self._read() and self.process.poll() is not None)
        self._read()
        return self.process.wait()

    def _read(self) -> bool:
        while select.select([self._line], [], [], 0.01)[0]:
            try:
                self.shown += os.read(self._line, 65536).decode(errors="replace")
            except OSError:  # the program has gone
                break
        return True


@contextmanager
def terminal(*options: str) -> Iterator[DemoTerminal]:
    """Run a demo in a terminal of 100 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = ForkableProgram(
        [TABLECTL, "demo", *options],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},  # pytest's workers set 80
    )
    os.close(slave)
    try:
        yield DemoTerminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_a_terminal_shows_the_table_its_money_and_its_faults():
    with terminal("--faults", "--seed", "3", "--rounds", "2", "--speed", "20") as screen:
        assert screen.ends() == 0
        for word in ("PLAYER", "BANKER", "FAULT", "OPEN BETS", "next: CARD TO BANKER", "wait for the shift manager"):
            assert word in screen.shown
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.shown)
        assert re.search(r"p1 +\d+\.\d\d +[a-z_]+ \d+\.\d\d .* back \d+\.\d\d", plain)
        assert "2 rounds: 1 settled" in screen.shown
        assert "Traceback" not in screen.shown


def test_ctrl_c_gives_a_terminal_its_cursor_back():
    with terminal("--seed", "3") as screen:
        screen.shows(lambda shown: "PLAYER" in shown)
        screen.process.send_signal(signal.SIGINT)
        assert screen.ends() == 0
        assert "Traceback" not in screen.shown
        assert screen.shown.rindex("\x1b[?25h") > screen.shown.rindex("\x1b[?25l")


def test_ctrl_c_ends_a_demo_and_leaves_a_sound_journal(tmp_path):
    command = [TABLECTL, "demo", "--speed", "50", "--journal", tmp_path]
    with ForkableProgram(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if " settled: " in line:
                break
        process.send_signal(signal.SIGINT)
        assert re.search(r"^\d+ rounds?: \d+ settled", process.stdout.read(), re.MULTILINE)  # the summary is printed
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, "")
    assert verify(tmp_path / "demo.journal").finding is None


@pytest.fixture
def usual_port_taken() -> Iterator[None]:
    with ExitStack() as stack:
        with suppress(OSError):  # another program has the port
            stack.enter_context(socket.create_server(("127.0.0.1", 8032)))
        yield


@pytest.mark.usefixtures("usual_port_taken")
@pytest.mark.parametrize("asked", [("--port", "0"), ()], ids=["any port", "the usual port"])
def test_the_pages_that_a_demo_names_are_live(tmp_path, asked):
    command = [TABLECTL, "demo", *asked, "--seed", "3", "--speed", "5", "--journal", tmp_path]
    with ForkableProgram(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        hints = [next(process.stdout) for _ in range(3)]
        urls = {url.rpartition("/")[2]: url for url in re.findall(r"http://127\.0\.0\.1:\d+/\w+", "".join(hints))}
        assert set(urls) == {"dealer", "manager", "overlay"}
        site = urls["dealer"].removesuffix("/dealer")
        next(line for line in process.stdout if " to player" in line)
        for url in urls.values():
            with urlopen(url, timeout=PATIENCE) as page:
                assert b"<!doctype html>" in page.read()
        with urlopen(f"{site}/api/screen?role=dealer", timeout=PATIENCE) as stream:
            lines = (line for line in stream if line.startswith(b"data: "))
            first, second = (json.loads(next(lines)[6:])["screen"] for _ in range(2))
        assert first["table"] == "demo"
        assert first != second
        name, pin = re.search(r"sign in as (\w+), PIN (\d+)", "".join(hints)).groups()
        body = json.dumps({"name": name, "pin": pin}).encode()
        sign_in = Request(f"{site}/session", body, {"Content-Type": "application/json"})
        with urlopen(sign_in, timeout=PATIENCE) as answer:
            assert json.load(answer)["role"] == "manager"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


def test_commands_rule_beside_a_demo_and_no_file_is_left(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("TMPDIR", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(folder))
    command = [TABLECTL, "demo", "--faults", "--by-hand", "--seed", "3", "--speed", "20", "--port", "0"]
    with RunningProgram(command, tmp_path / "errors") as demo:
        lines = demo.process.stdout
        hint = next(line for line in lines if line.startswith("commands beside it"))
        which = shlex.split(re.search(r"tablectl status (.*); likewise", hint)[1])

        def tablectl_says(*words: str) -> str:
            result = CliRunner().invoke(main, [*words, *which])
            assert result.exit_code == 0, result.output
            return result.output

        next(line for line in lines if "FAULT" in line)
        assert tablectl_says("status").startswith("table demo: PAUSED, round 1")
        tablectl_says("ack")
        tablectl_says("rule", "cancel", "--because", "enough")
        next(line for line in lines if "cancelled" in line)
        demo.process.terminate()
        assert any(re.match(r"\d+ rounds?: .* 1 cancelled; \d+ faults?$", line) for line in lines)
        assert (demo.ends(), demo.errors()) == (0, "")
    assert [path for path in folder.rglob("*") if path != folder / "tablectl"] == []


def test_a_taken_port_of_a_demo_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = tablectl("demo", "--port", str(server.getsockname()[1]), "--journal", tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "address already in use" in ended.stderr


def test_a_demo_without_pages_prints_no_address(tmp_path):
    assert "http://" not in "".join(demo("--no-web", "--rounds", "1", "--speed", "100", "--journal", str(tmp_path)))
