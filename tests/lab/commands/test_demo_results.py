"""Line with the counts at the end of a demo, for games with each kind of outcome."""

import os
from contextlib import closing
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.core.records import Settled
from controller.games import GAMES
from controller.journal import Journal
from controller.lab.commands.demo import JOURNAL
from controller.lab.commands.demo_results import DemoCounter
from controller.reports.counting import Counting
from controller.reports.statistics import Statistics
from controller.rules.face import Phrase
from tests.core.bench import Bench

SPREAD = replace(
    GAMES["thirty_two"],
    face=replace(GAMES["thirty_two"].face, result=lambda outcome: Phrase("a spread of {n}", {"n": outcome["spread"]})),
)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"winner": "tiger"}, "tiger 1"),
        ({"winner": None, "spread": 2}, "a spread of 2 1"),
        ({"hands": {"seat1": {"result": "win"}, "seat2": {"result": "lose"}}}, "lose 1, win 1"),
        ({"spread": 9}, "a spread of 9 1"),
    ],
)
def test_a_demo_counts_results_of_a_game_without_winner(outcome, said):
    count = DemoCounter(SPREAD)
    count(None, [SimpleNamespace(what=Settled(outcome, by="auto"))])
    assert count.summary() == f"0 rounds: 1 settled ({said}), 0 cancelled; 0 faults"


ROUND = "open; bet p1 player 10.00; bet p2 tie 5.00; unbet p2 tie; close; card 9C; card 2D; card KH; card 3S"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "15.00 staked, 5.00 withdrawn, 20.00 paid out, 0.00 refunded"),
        ("; open; bet p1 tie 1.00; close; press manager; rule cancel by m because x",
         "16.00 staked, 5.00 withdrawn, 20.00 paid out, 1.00 refunded"),
        ("; wait 60s; resettle 1 void by m with n because x",
         "15.00 staked, 5.00 withdrawn, 20.00 paid out, 0.00 refunded, -10.00 adjusted"),
    ],
)  # fmt: skip
def test_a_demo_counts_money_as_the_statistics_do(more, said):
    bench, count, counting = Bench(), DemoCounter(GAMES["baccarat"]), Counting(statistics := Statistics())
    bench.says(f"{ROUND}{more}")
    count(None, bench.records)
    for record in bench.records:
        counting.take(record)
    assert count.money_line("EUR") == f"money: {said}"
    (all_of_them, *_) = statistics.report("EUR")
    assert {name: all_of_them[name] for name in count.sums if name in all_of_them}.items() <= {**count.sums}.items()


def test_a_demo_in_a_folder_in_use_prints_the_refusal(tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "XDG_RUNTIME_DIR", str(tmp_path))
    with closing(Journal(tmp_path / JOURNAL)):
        ended = CliRunner().invoke(main, ["demo", "--no-web", "--rounds", "1", "--journal", str(tmp_path)])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"tablectl: {tmp_path / JOURNAL}: ")
