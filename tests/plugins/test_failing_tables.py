"""Tests that the script of a failing table names the config with which it can be played again."""

import random
import re

import pytest

from controller.config.table_file import load
from controller.core.house import Terms
from controller.games import GAMES
from controller.lab.testing.bench import Bench
from controller.lab.testing.game import TERMS, fault_of
from controller.lab.testing.judge import Judge
from controller.lab.testing.paths import Path
from controller.rules.procedure import Participants, plain
from controller.script.play import Play
from controller.script.reader import parse, starting_state

THIRTY_TWO = GAMES["thirty_two"]


class NoSettledRound(Judge):
    """No round is ever settled."""

    def look(self, before, event, records, after):
        assert after.life != "settled"


class NeverEnds(Judge):
    """No table comes to its end."""

    def end(self):
        raise AssertionError


@pytest.mark.parametrize("terms", TERMS)
def test_a_failing_table_names_its_config(terms, monkeypatch, tmp_path):
    monkeypatch.setattr("controller.lab.testing.game.JUDGES", (NoSettledRound,))
    dice = random.Random(1)
    rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(1000)]
    rule, _, script = fault_of(lambda: Bench(THIRTY_TWO, **terms), rolled)
    assert rule == "No round is ever settled."
    keys = [re.fullmatch(r"# under \[(\w+)\]: (.*)", line).groups() for line in script if line.startswith("#")]
    config = tmp_path / "table.toml"
    config.write_text("\n".join(f"{section}.{line}" for section, line in [("game", 'name = "thirty_two"'), *keys]))
    read = plain(load(config).house("auto", "thirty_two").terms)
    own = {"limits": {}, "stakes": {}}  # of a config, without effect here
    assert {**read, **own} == {**plain(Terms(**terms)), **own}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", ["thirty_two", "blackjack"])
def test_the_script_of_a_failing_table_is_played_by_play(game, seed, monkeypatch):
    monkeypatch.setattr("controller.lab.testing.game.JUDGES", (NeverEnds,))
    dice = random.Random(seed)
    rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(150)]
    benches = list[Bench]()

    def table():
        benches.append(Bench(game))
        return benches[-1]

    *_, script = fault_of(table, rolled)
    lines = parse("\n".join(script))
    begin = starting_state(lines)
    played = Play(benches[-1].house, begin=begin)
    recorded = [record.kind for record in played.run(lines)]
    assert recorded == [record.kind for record in benches[-1].records[begin.seq + 1 :]]


@pytest.mark.parametrize("every_round", [False, True])
def test_a_script_shuffles_only_a_deck_of_each_round(every_round):
    blackjack = GAMES["blackjack"]
    joined = Participants(("p1",), blackjack.seats[:1])
    path = Path(blackjack, blackjack.settings(every_round=every_round), joined)
    assert ("shuffled" in path.script()) is every_round
