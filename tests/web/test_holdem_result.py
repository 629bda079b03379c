"""The result of Casino Hold'em in words: with card ranks as long as the cards are known."""

from msgspec.structs import replace

from controller.text.faults import Words
from controller.web.screens.history import LatestResults
from controller.web.screens.player import player
from tests.web.bench_screens import BOARD, HOLDEM, bench_after, bench_look

RIVER = HOLDEM + BOARD + "decide p1 call; decide p2 fold; card KC; card KD; press finish"


def test_holdem_result_names_ranks_until_round_is_settled_anew():
    table = bench_after(RIVER, "casino_holdem")
    english, romanian = (player(bench_look(table), Words(language)).result.text for language in ("en", "ro"))
    assert english == "DEALER wins: three kings against pair of kings"
    assert romanian == "DEALER câștigă: trei popi contra pereche de popi"
    table.says("resettle 1 correct 7 2D by m with n because misread")
    assert player(bench_look(table), Words("en")).result.text == "DEALER wins: full house against two pair"


def test_holdem_result_read_back_from_the_journal_has_no_ranks():
    table = bench_after(RIVER, "casino_holdem")
    history = LatestResults("casino_holdem", every_round=True)
    history.hear(table.records)
    snapshot = replace(bench_look(table), results=history.results)
    assert player(snapshot, Words("en")).result.text == "DEALER wins: three of a kind against a pair"
