"""`tablectl rtp`: returns to player on the screen, as JSON and as a picture, and the command's errors."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.games import GAMES
from controller.lab.rtp import counted_returns
from controller.lab.rtp.walks import thirty_two_from
from controller.rules.returns import Exact
from tests.patience import eventually
from tests.processes import TABLECTL

KEYS = {"market", "return", "sheet", "difference", "method", "rounds", "standard_error"}


def rows(tablectl, *arguments: object) -> list[dict]:
    """Run the command; return its rows."""
    return json.loads(tablectl("rtp", *arguments, "--json").stdout)


@pytest.mark.parametrize("redraws", [0, pytest.param(1, marks=pytest.mark.proof)])
def test_32_card_returns_exactly_what_its_sheet_publishes(tablectl, monkeypatch, redraws):
    """Tied hands win as often at once as after a redraw (tests/lab/rtp), which takes far longer to count."""
    monkeypatch.setattr(counted_returns, "thirty_two_from", partial(thirty_two_from, redraws=redraws))
    found = rows(tablectl, "thirty_two")
    assert [row["market"] for row in found] == ["player8", "player9", "player10", "player11"]
    assert [round(row["return"], 2) for row in found] == [row["sheet"] for row in found] == [93.99, 90.08, 87.91, 92.97]
    assert all(row["difference"] == pytest.approx(row["return"] - row["sheet"]) for row in found)
    assert {(row["method"], row["rounds"], row["standard_error"]) for row in found} == {("exact", None, None)}
    assert all(row.keys() >= KEYS for row in found)


@pytest.mark.proof
def test_a_zero_difference_has_no_minus_sign(tablectl):
    assert tablectl("rtp", "thirty_two").stdout.count("+0.00 %") == 4


@pytest.mark.proof
def test_the_bonus_bet_of_hold_em_is_exact(tablectl):
    (row,) = rows(tablectl, "casino_holdem", "--market", "bonus")
    assert (row["market"], row["method"], row["sheet"]) == ("bonus", "exact", 93.74)
    assert round(row["return"], 4) == 93.7417


def test_blackjack_is_simulated_and_says_how(tablectl):
    (row,) = rows(tablectl, "blackjack", "--rounds", 3000)
    assert row.keys() >= KEYS
    assert (row["market"], row["method"], row["rounds"], row["sheet"]) == ("main", "simulated", 3000, 99.6)
    assert 0 < row["standard_error"] < 5
    assert abs(row["return"] - 99.5) < 5 * row["standard_error"]
    assert "basic strategy" in row["strategy"]


def test_the_ante_shows_the_regret_of_its_strategy(tablectl):
    (row,) = rows(tablectl, "casino_holdem", "--market", "ante", "--rounds", 900)
    assert (row["regret_decisions"], row["sheet"]) == (3, 97.84)
    assert "call" in row["strategy"]
    assert isinstance(row["regret"], float)


def test_rhum_32_has_no_published_return(tablectl):
    found = rows(tablectl, "rhum32", "--market", "tie", "--rounds", 100)
    assert [(row["sheet"], row["difference"]) for row in found] == [(None, None)]


def test_equal_seeds_give_equal_figures(tablectl):
    first, again, other = (rows(tablectl, "blackjack", "--rounds", 500, "--seed", seed) for seed in (4, 4, 5))
    assert first == again != other


def test_the_table_has_the_figure_of_the_sheet_beside_ours(tablectl):
    lines = tablectl("rtp", "blackjack", "--rounds", 500).stdout.splitlines()
    (line,) = (line for line in lines if "main" in line and "│" in line)
    assert "99.60 %" in line
    assert any("standard errors from the figure of the rule sheet" in line for line in lines)
    assert any(line.startswith("strategy: basic strategy") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["blackjak"], "got 'blackjak' (did you mean blackjack?)"),
        (["blackjack", "--market", "mane"], "no market 'mane' (did you mean main?); it has main"),
        (["blackjack", "--rounds", "0"], "expected a whole number from 1 to 100000000, got '0'"),
        (["blackjack", "--rounds", "many"], "expected a whole number from 1 to 100000000, got 'many'"),
        (["blackjack", "--seed", "x"], "'x' is not a valid integer"),
        (["thirty_two", "--plot", "here.svg"], "is exact"),
        (["blackjack", "--plot", "nowhere/here.svg"], "nowhere/here.svg cannot be written"),
        (["blackjack", "--plot", f"{'a' * 300}/here.svg"], "/here.svg cannot be written"),
        (["blackjack", "--plot", "."], "'.' is a directory"),
        (["rhum32", "--search", "--json"], "leave --json and --plot out"),
        (["blackjack", "--rounds", "1000000000000"], "expected a whole number from 1 to 100000000, got"),
        (["blackjack", "--search"], "--search finds numbers where the strategy counts points"),
        ([], "missing argument"),
    ],
)
def test_a_wrong_argument_of_rtp_is_one_line(tablectl, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    result = tablectl("rtp", *arguments, exit_code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("tablectl: ")
    assert said.lower() in result.stderr.lower()
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_picture_shows_the_line_its_band_and_the_sheet(tablectl, tmp_path):
    path = tmp_path / "here.svg"
    tablectl("rtp", "blackjack", "--rounds", 12_000, "--plot", path)
    drawn = ElementTree.parse(path)
    svg = "{http://www.w3.org/2000/svg}"
    (line,), (band,) = drawn.findall(f".//{svg}polyline"), drawn.findall(f".//{svg}polygon")
    assert len(band.get("points").split()) == 2 * len(line.get("points").split())
    texts = [text.text for text in drawn.iter(f"{svg}text")]
    assert "rule sheet 99.60 %" in texts
    assert "Return to player, blackjack main" in texts
    assert "12 000" in texts


def test_a_picture_for_each_simulated_market(tablectl, tmp_path):
    path = tmp_path / "here.svg"
    tablectl("rtp", "rhum32", "--market", "tie", "--rounds", 40, "--plot", path)
    assert path.read_text().count("<polyline") == 1
    assert "rule sheet" not in path.read_text()


def test_a_picture_replaces_an_older_picture_and_nothing_else(tablectl, tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("[table]")
    errors = tablectl("rtp", "blackjack", "--rounds", 40, "--plot", path, exit_code=2).stderr
    assert f"{path.name} exists already and is no picture: name another file" in errors
    assert path.read_text() == "[table]"
    path.write_text("<svg older")
    tablectl("rtp", "rhum32", "--market", "tie", "--rounds", 40, "--plot", path)
    assert path.read_text().endswith("</svg>\n")


def test_rtp_search_prints_the_found_and_current_strategies(tablectl):
    printed = tablectl("rtp", "rhum32", "--search", "--rounds", 20).stdout
    assert "found" in printed
    assert "in use" in printed


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_unknown_market_is_answered_with_all_markets(tablectl, game):
    errors = tablectl("rtp", game, "--market", "none of these", exit_code=2).stderr
    assert all(market.name in errors for market in GAMES[game].markets)


def members(group: int) -> Iterator[int]:
    """Yield the processes of a group that have not ended."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # the process has ended meanwhile
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
            if int(of) == group and state != "Z":
                yield int(path.parent.name)


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_process_outlives_the_command(ended_by):
    """Ctrl-C reaches every process of the terminal, kill -9 only the command itself."""
    command = [TABLECTL, "rtp", "blackjack", "--rounds", "90000000"]
    cores = len(os.sched_getaffinity(0))
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        eventually(lambda: len(list(members(running.pid))) > (cores if cores > 1 else 0))
        if ended_by is signal.SIGINT:
            os.killpg(running.pid, ended_by)
        else:
            running.kill()
        out, err = running.communicate(timeout=120)
        if ended_by is signal.SIGINT:  # a worker that was just starting reports its parent's kill
            assert "Traceback" not in err
        assert out == ""
        assert running.returncode == (130 if ended_by is signal.SIGINT else -signal.SIGKILL)
        eventually(lambda: not list(members(running.pid)))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


BONUS = ("casino_holdem", "--market", "bonus", "--rounds", 4_000)


def test_figures_that_do_not_agree_fail_the_command(tablectl, monkeypatch):
    monkeypatch.setattr(
        counted_returns, "casino_holdem", lambda: [Exact(market="bonus", returned=Fraction(1, 5), over="all")]
    )
    result = tablectl("rtp", *BONUS, exit_code=1)
    assert "20.00 %" in result.stdout
    assert result.stderr.startswith("tablectl: these returns differ: bonus is published with 93.74 %, and counted 20.")
    assert "; bonus is counted 20.00 %, and 4000 simulated rounds give " in result.stderr
    assert result.stderr.count("\n") == 1


def test_exact_figures_are_compared_with_simulated_rounds(tablectl, monkeypatch):
    exact = [Exact(market="bonus", returned=Fraction("0.937417"), over="all")]
    monkeypatch.setattr(counted_returns, "casino_holdem", lambda: exact)
    assert "bonus: 4 000 simulated rounds give " in tablectl("rtp", *BONUS).stdout
    (row,) = rows(tablectl, *BONUS)
    assert (row["method"], row["simulated_rounds"]) == ("exact", 4_000)
    assert abs(row["simulated"] - row["return"]) < 4 * row["simulated_standard_error"]
