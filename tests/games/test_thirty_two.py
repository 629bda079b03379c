"""Rule sheet "32 Card Game Rules", tested heading by heading."""

from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from controller.games.thirty_two import GAME, PAYS, PLAYERS, Result
from controller.rules.dealing import Dealing, as_answer
from controller.rules.game import Stake
from controller.rules.procedure import Participants

from .table_scripts import cards, codes, run, table

WORTH = {"6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 11, "Q": 12, "K": 13}


def dealt(cards: str) -> Dealing:
    dealing = Dealing(GAME.procedure(GAME.settings(), Participants()))
    for card in cards.split():
        dealing.answer(as_answer(dealing.due, card))
    return dealing


def test_one_card_is_dealt_to_each_player_8_to_11():
    dealing, places = Dealing(GAME.procedure(GAME.settings(), Participants())), []
    for card in ("6C", "6D", "6H", "6S"):
        places.append(dealing.due.to)
        dealing.answer(as_answer(dealing.due, card))
    assert places == ["player8", "player9", "player10", "player11"]


def test_the_highest_total_of_prefix_and_card_wins():
    assert dealt("6C 7D 8H 9S").outcome == Result(
        "player11", {"player8": 14, "player9": 16, "player10": 18, "player11": 20}, 0
    )
    assert dealt("KC 7D 8H 6S").outcome.winner == "player8"


def test_a_tie_below_the_top_is_ignored():
    assert dealt("7C 6D KH 6S").outcome.winner == "player10"  # 15 15 23 17


def test_only_the_hands_tied_at_the_top_get_another_card():
    dealing = dealt("KC QD 6H TS")  # 21 21 16 21
    order = []
    for card in ("8C", "9D", "7H"):
        order.append(dealing.due.to)
        dealing.answer(as_answer(dealing.due, card))
    assert order == ["player8", "player9", "player11"]
    assert (dealing.outcome.winner, dealing.outcome.redraws) == ("player9", 1)


def test_a_redraw_with_two_tied_deals_only_to_them():
    dealing = dealt("KC QD JH 6S 8C 8D 7H")  # 21 21 21 17, then 29 29 28
    assert dealing.due.to == "player8"
    dealing.answer(as_answer(dealing.due, "6D"))
    dealing.answer(as_answer(dealing.due, "9H"))
    assert (dealing.outcome.winner, dealing.outcome.redraws) == ("player9", 2)


def test_four_tied_hands_are_dealt_to_in_order():
    play = table(GAME, "shuffled\nopen\nclose\n" + cards("KC QD JH TS"))
    places = []
    for card in ("6C", "7C", "8C", "9C"):
        places.append(play.state_line()["due"]["to"])
        run(play, f"card {card}")
    assert places == ["player8", "player9", "player10", "player11"]
    assert play.state.round.outcome["winner"] == "player11"


def test_a_round_does_not_open_without_a_shuffle():
    play = table(GAME, "open")
    assert play.records[-1].what.reason == "not_shuffled"


def test_a_round_opens_with_all_32_cards_only():
    play = table(GAME, "shuffled\ncard 9C\nrule burn by maria because early\nopen")
    assert play.records[-1].what.reason == "not_shuffled"
    run(play, "shuffled\nopen")
    assert (play.records[-1].kind, play.state.shoe.cards_left) == ("opened", 32)


def test_a_void_card_leaves_the_shuffled_deck_whole():
    play = table(GAME, "shuffled\ncard 9C\nrule void by maria because twice\nopen")
    assert play.records[-1].kind == "opened"


def test_a_5_does_not_belong_to_the_deck():
    assert codes(table(GAME, "shuffled\nopen\nclose\ncard 5C")) == ["foreign_card"]


def test_the_same_card_twice_is_a_fault():
    assert codes(table(GAME, "shuffled\nopen\nclose\ncard 6C\ncard 6C")) == ["duplicate_card"]


@pytest.mark.parametrize(
    ("player", "returned"), [("player8", 1200), ("player9", 550), ("player10", 300), ("player11", 200)]
)
def test_the_pay_out_table_returns_the_multiple_with_the_stake(player, returned):
    best = {"player8": "KC 6D 6H 6S", "player9": "6C KD 6H 6S", "player10": "6C 6D KH 6S", "player11": "6C 6D 6H KS"}
    play = table(
        GAME,
        f"shuffled\nopen\nbet p1 {player} 1.00\nbet p2 player8 1.00\nbet p2 player11 1.00\nclose\n"
        + cards(best[player]),
    )
    (paid,) = (record.what for record in play.records if record.kind == "paid" and record.what.player == "p1")
    assert paid.returned == returned


def test_a_bet_on_another_player_is_lost():
    assert GAME.pay(dealt("6C 7D 8H 9S").outcome, Stake("p1", "player8", Decimal(12))) == 0


# ── RTP ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def chances(tied: tuple[str, ...], left: tuple[int, ...], depth: int) -> dict[str, Fraction]:
    """Return each tied hand's chance to win with `left` cards of each value; independent of the sheet."""
    if depth == 0:
        return dict.fromkeys(tied, Fraction(1, len(tied)))
    won: dict[str, Fraction] = dict.fromkeys(tied, Fraction(0))

    def deal(draws: tuple[int, ...], left: tuple[int, ...], chance: Fraction) -> None:
        if len(draws) == len(tied):
            top = [hand for hand, value in zip(tied, draws, strict=True) if value == max(draws)]
            for hand, share in (
                {top[0]: Fraction(1)} if len(top) == 1 else chances(tuple(top), left, depth - 1)
            ).items():
                won[hand] += chance * share
            return
        for value, count in enumerate(left):
            if count:
                rest = (*left[:value], count - 1, *left[value + 1 :])
                deal((*draws, value), rest, chance * Fraction(count, sum(left)))

    deal((), left, Fraction(1))
    return won


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_the_published_returns_come_out():
    """Exact for 8^4 first deals and two redraws; sharing third ties (0.017 %) changes no second decimal."""
    won = dict.fromkeys(PLAYERS, Fraction(0))
    ranks = list(WORTH)

    def first(draws: tuple[str, ...], left: tuple[int, ...], chance: Fraction) -> None:
        if len(draws) == 4:
            sums = [prefix + WORTH[rank] for prefix, rank in zip(PLAYERS.values(), draws, strict=True)]
            top = [hand for hand, points in zip(PLAYERS, sums, strict=True) if points == max(sums)]
            for hand, share in ({top[0]: Fraction(1)} if len(top) == 1 else chances(tuple(top), left, 2)).items():
                won[hand] += chance * share
            return
        for at, count in enumerate(left):
            if count:
                first(
                    (*draws, ranks[at]), (*left[:at], count - 1, *left[at + 1 :]), chance * Fraction(count, sum(left))
                )

    first((), (4,) * 8, Fraction(1))
    returns = [round(float(won[hand] * Fraction(PAYS[hand])) * 100, 2) for hand in PLAYERS]
    assert returns == [93.99, 90.08, 87.91, 92.97]


def test_every_pair_of_hands_can_tie():
    for one, other in combinations(PLAYERS, 2):
        apart = PLAYERS[other] - PLAYERS[one]
        high = {13: "K", 12: "Q", 11: "J", 10: "T"}
        ranks = dict.fromkeys(PLAYERS, "6") | {one: "K", other: high[13 - apart]}
        dealing = dealt(" ".join(rank + suit for rank, suit in zip(ranks.values(), "CDHS", strict=True)))
        assert dealing.due is not None
        assert dealing.due.to == one
