"""Summaries of rounds for an auditor: end, result and faults of each round."""

from controller.core.house import House, Terms
from controller.core.records import Record
from controller.games import GAMES
from controller.reports.summaries import summaries
from controller.script.play import Play
from controller.script.reader import parse

THREE_ROUNDS = """
open
close
card 9C
card 2D
card KH
card 3S
card 4D
rule burn by manager1
open
card 7C
rule cancel by manager1 because "wrong shoe"
open
close
card 2C
"""


def played(script: str, game: str = "baccarat", terms: Terms | None = None) -> list[Record]:
    play = Play(House(GAMES[game], GAMES[game].settings(), terms or Terms()))
    for _ in play.run(parse(script)):
        pass
    return play.records


def test_each_round_is_summarised_with_its_end_and_faults():
    rounds = list(summaries(played(THREE_ROUNDS)))
    assert [(one.round, one.end, one.told, one.faults) for one in rounds] == [
        (1, "settled", "player", ["extra_card"]),
        (2, "cancelled", "wrong shoe", ["card_before_close"]),
        (3, "live", "", []),
    ]
    assert [one.game for one in rounds] == ["baccarat"] * 3
    assert rounds[0].outcome is not None
    assert rounds[0].outcome["banker"] == 5
    assert rounds[0].at == "2026-01-01T00:00:00.000000Z"


def test_a_record_without_rounds_has_no_summary():
    assert list(summaries(played(""))) == []
