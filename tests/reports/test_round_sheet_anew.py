"""Sheet of a round that was settled anew: it shows the cards of the present result."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from controller.core.house import House, Terms
from controller.core.records.journal import NAMING
from controller.games import GAMES
from controller.reports.round_sheet import known_cards
from controller.script.play import Play
from tests.games.table_scripts import cards, of_kind, run, table
from tests.reports.test_round_sheet import at_the_floor, of_round, sheet

BY = 'by maria with ben because "read twice"\n'
BACCARAT = "open\nbet anna player 10.00\nbet bob banker 20.00\nclose\n"
TIES = "shuffled\nopen\nbet anna player8 10.00\nbet bob player9 20.00\nclose\n"
SEAT = "shuffled\nopen\nbet anna seat1 main 10.00\nclose\n"


def settled_anew(game: str, script: str, *amendments: str):
    """Play the script and correct round 1 by each amendment in turn; return the sheet of the round."""
    play = table(GAMES[game], script)
    for one in amendments:
        run(play, f"resettle 1 {one} {BY}")
    assert of_kind(play, "resettle_refused") == []
    return sheet(of_round(play))


def lie(found) -> dict[str, str]:
    return {place: " ".join(lying) for place, lying in known_cards(found.state.round).items() if lying}


@pytest.mark.parametrize(
    ("game", "script", "amendment", "cards_now"),
    [
        ("baccarat", BACCARAT + cards("AS 4C 4H 2S 3D"), "void 1", {"player": "4C 2S", "banker": "4H 3D"}),
        ("baccarat", BACCARAT + cards("2S KC 3H 3S 8D"), "correct 2 6C", {"player": "2S 3H", "banker": "6C 3S"}),
        (
            "thirty_two",
            TIES + cards("TS 9H 6D 6C KS QC"),
            "correct 1 JS",
            {"player8": "JS", "player9": "9H", "player10": "6D", "player11": "6C"},
        ),
        (
            "blackjack",
            SEAT + cards("8S 7H TC 6D") + "decide seat1 stand\n" + cards("2H"),
            "correct 4 7D",
            {"seat1": "8S 7H", "dealer": "TC 7D"},
        ),
        (
            "baccarat",
            BACCARAT + cards("9C 2D") + "press manager\ncard KC\ncard 3D\nrule cancel by m because x\n",
            "resume",
            {"player": "9C KC", "banker": "2D 3D"},
        ),
    ],
    ids=["first void", "no third card", "no tie", "dealer stands", "cancelled"],
)
def test_the_cards_are_those_of_the_new_result(game, script, amendment, cards_now):
    found = settled_anew(game, script, amendment)
    assert lie(found) == cards_now
    assert found.draws


def test_a_corrected_round_keeps_the_cards_as_they_lay():
    """The card that is no more in the hand, and the value before a correction, stay on the sheet."""
    found = settled_anew("baccarat", BACCARAT + cards("2S KC 3H 3S 8D"), "correct 2 6C")
    first = known_cards(found.first.round)
    assert {place: " ".join(lay) for place, lay in first.items()} == {"player": "2S 3H 8D", "banker": "KC 3S"}


def test_a_round_corrected_by_an_earlier_version_shows_its_cards():
    """The earlier way kept the dealer's last card against a void hand and a hand that is bust."""
    two = "shuffled\nopen\nbet anna seat1 main 1.00\nbet bob seat2 main 1.00\nclose\n" + cards("TC 6C TD 8D 7S 9H")
    play = Play(House(GAMES["blackjack"], GAMES["blackjack"].settings(), deciding=NAMING - 1))
    run(play, f"{two}decide seat1 stand\ndecide seat2 hit\n{cards('7H TH')}resettle 1 void_hand seat1 {BY}")
    first = sheet(of_round(play))
    play.house = replace(play.house, deciding=NAMING)
    run(play, f"resettle 1 correct 5 9S {BY}")
    assert None not in (first.state, (second := sheet(of_round(play))).state)
    assert [lie(found)["dealer"] for found in (first, second)] == ["7S 9H TH", "9S 9H"]


def test_an_open_card_corrected_with_a_hidden_one_is_shown():
    folded = "shuffled\nopen\nbet p1 ante 5.00\nbet p1 bonus 3.00\nclose\n" + cards("AS KS 5C 7D 2H 3H 9S")
    found = settled_anew("casino_holdem", folded + "decide p1 fold\n", "correct 3 6C and correct 2 AH")
    assert lie(found) == {"player": "AS AH", "dealer": " ", "board": "2H 3H 9S"}
    assert [bet.returned for bet in found.bets] == [0, 2400]


def test_a_bet_out_of_play_has_no_reason():
    insured = SEAT + cards("8S 9H AC 7D") + "decide seat1 insure\ndecide seat1 stand\n"
    found = settled_anew("blackjack", insured, "correct 3 TC")
    out = [bet for bet in found.bets if bet.market == "seat1 insurance"]
    assert [bet.id in found.reasons for bet in out] == [False]


def test_a_correction_taken_back_leaves_no_earlier_amount():
    found = settled_anew("baccarat", BACCARAT + cards("2S KC 3H 3S 8D"), "correct 2 6C", "correct 2 KC")
    assert {bet.first for bet in found.bets} == {None}


def test_a_bet_kept_at_lower_odds_shows_those_odds():
    game = GAMES["baccarat"]
    play = Play(House(game, game.settings(betting_windows=3), Terms(wrong_odds="lower")))
    run(play, "open\nclose\ncard 9C\nbet anna banker 10.00\nclose\ncard 9D\nclose\ncard KC\ncard KD\n")
    (original,) = sheet(of_round(play)).bets
    run(play, f"resettle 1 correct 1 2C {BY}")
    for records in (of_round(play), at_the_floor(of_round(play))):
        (bet,) = sheet(records).bets
        assert Decimal(bet.odds) < Decimal(original.odds)
        assert bet.returned == 1000 * Decimal(bet.odds)


def test_a_first_amount_that_goes_back_again_is_no_difference():
    tie = BACCARAT + cards("9C 9D KC KD")
    assert [bet.first for bet in settled_anew("baccarat", tie, "correct 1 8C").bets] == [1000, 2000]
    assert [bet.first for bet in settled_anew("baccarat", tie, "correct 1 8C", "void").bets] == [None, None]
