"""Odds with three betting windows: exact for the cards seen, less the margin; some figures pinned."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core import events as e
from controller.core.odds import computations_ahead, count_unseen, decimal_odds
from controller.core.shoe import Shoe
from controller.core.state import State
from controller.games.baccarat import COUP, GAME, Rules
from controller.rules.cards import FULL_DECK, Deck
from controller.rules.dealing import CardTo, walk
from controller.rules.game import Chance, Stake
from controller.rules.procedure import Bets, Deal, Outcome, Participants, Step

from .bench import Bench, kinds

MARKETS = [market.name for market in GAME.markets]
WINDOWS = Rules(betting_windows=3)
MARGIN = Fraction(1, 20)
MISREAD = 'rule correct 1 2C by manager because "misread"'


def full(decks: int, *out: str) -> dict[str, int]:
    """Return the cards left of `decks` decks without the cards `out`, as a count per card."""
    return {card: decks - out.count(card) for card in FULL_DECK}


def three(*, carry: bool = False, confirm: str = "auto", **rules: object) -> Bench:
    return Bench("baccarat", {"betting_windows": 3, **rules}, carry=carry, confirm=confirm)


def priced(left: dict[str, int], dealt: list[str], margin: Fraction = MARGIN) -> dict[str, str]:
    """Return the odds on offer, by market."""
    odds = {market: decimal_odds(chance, margin) for market, chance in COUP.chances(left, dealt).items()}
    return {market: text for market, text in odds.items() if text}


# ── the chances ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_known_figures_of_eight_decks():
    chances = COUP.chances(full(8), [])
    figures = {"player": "0.446247", "banker": "0.458597", "tie": "0.095156"}
    assert {market: f"{float(chances[market].won):.6f}" for market in figures} == figures


def test_the_first_pair_chance_of_eight_decks_is_31_415():
    chances = COUP.chances(full(8), [])
    assert chances["player_pair"].won == chances["banker_pair"].won == Fraction(31, 415)


@st.composite
def shoes(draw: st.DrawFn) -> tuple[dict[str, int], list[str]]:
    """Strategy: the rest of a shoe of a few kinds of cards, and none to two cards already dealt."""
    dealt = draw(st.lists(st.sampled_from(FULL_DECK), max_size=2))
    cards = st.sampled_from([*FULL_DECK, *dealt, *dealt, *dealt])
    left = draw(st.dictionaries(cards, st.integers(0, 8), min_size=1, max_size=3 + len(dealt)))
    return left, dealt


@settings(max_examples=60)
@given(shoe=shoes())
def test_chances_equal_those_of_enumerating_every_deal(shoe):
    left, dealt = shoe
    if sum(left.values()) + len(dealt) < 6:
        assert COUP.chances(left, dealt) == {}
    else:
        assert COUP.chances(left, dealt) == by_enumeration(left, dealt)


def by_enumeration(left: Mapping[str, int], dealt: Sequence[str]) -> dict[str, Chance]:
    """Return each market's chances by enumerating every possible deal, weighted by its likelihood."""
    won, back = dict.fromkeys(MARKETS, Fraction()), dict.fromkeys(MARKETS, Fraction())
    for cards, outcome in deals(left, dealt):
        likely = as_they_come(cards, left)
        for market in MARKETS:
            paid = GAME.pay(outcome, Stake("p1", market, Decimal(2)))
            won[market] += likely * (paid == 2)
            back[market] += likely * (paid == 1)
    return {market: Chance(won[market], back[market]) for market in MARKETS}


def deals(left: Mapping[str, int], dealt: Sequence[str]) -> Iterator[tuple[list[str], Outcome]]:
    """Yield each continuation of the dealt cards, with its outcome."""
    lie = list(dealt)

    def choices(step: Step) -> Sequence[str | None]:
        if isinstance(step, Bets):
            return [None]
        return [lie.pop(0)] if lie else [card for card in left if left[card]]

    for answers, outcome in walk(lambda: GAME.procedure(WINDOWS, Participants()), choices):
        yield [answer.card for answer in answers if isinstance(answer, CardTo)][len(dealt) :], outcome


def as_they_come(cards: Sequence[str], left: Mapping[str, int]) -> Fraction:
    """Return the chance that these cards are drawn in this order from the cards left."""
    chance, size, out = Fraction(1), sum(left.values()), Counter[str]()
    for number, card in enumerate(cards):
        chance *= Fraction(max(0, left[card] - out[card]), size - number)
        out[card] += 1
    return chance


counts = st.fixed_dictionaries({card: st.integers(0, 8) for card in FULL_DECK})
lying = st.lists(st.sampled_from(FULL_DECK), max_size=2)


@settings(max_examples=25)
@given(left=counts, dealt=lying)
def test_chances_of_exclusive_markets_sum_to_one(left, dealt):
    chances = COUP.chances(left, dealt)
    if chances:
        won = {market: chance.won for market, chance in chances.items()}
        assert won["player"] + won["banker"] + won["tie"] == 1
        assert won["small"] + won["big"] == 1
        assert max(won["player_pair"], won["banker_pair"]) <= won["any_pair"] <= won["player_pair"] + won["banker_pair"]
        assert chances["player"].stake_back == chances["banker"].stake_back == won["tie"]


@settings(max_examples=10)
@given(left=counts, dealt=st.lists(st.sampled_from(FULL_DECK), max_size=1))
def test_the_chances_average_those_after_each_next_card(left, dealt):
    chances, size = COUP.chances(left, dealt), sum(left.values())
    if chances:
        after = {card: COUP.chances({**left, card: left[card] - 1}, [*dealt, card]) for card in left if left[card]}
        for market in MARKETS:
            assert sum(left[card] * then[market].won for card, then in after.items()) == size * chances[market].won
            assert sum(left[card] * then[market].stake_back for card, then in after.items()) == (
                size * chances[market].stake_back
            )


@settings(max_examples=2)
@given(
    copies=st.lists(st.integers(0, 32), min_size=13, max_size=13).filter(lambda copies: sum(copies) >= 4),
    dealt=st.lists(st.sampled_from(FULL_DECK), min_size=2, max_size=2),
)
def test_the_last_windows_chances_are_exact_in_whole_shoes(copies, dealt):
    left = dict(zip(FULL_DECK[::4], copies, strict=True))
    assert COUP.chances(left, dealt) == by_enumeration(left, dealt)


def test_pairs_are_of_a_rank_and_not_of_a_value():
    left = {"TC": 3, "JC": 3, "9D": 2}
    assert COUP.chances(left, ["KC"])["player_pair"].won == 0
    assert COUP.chances(left, ["TD"])["player_pair"].won == Fraction(3, 8)


def test_suits_make_no_difference():
    assert COUP.chances(full(6, "9C", "2D"), ["9C", "2D"]) == COUP.chances(full(6, "9H", "2H"), ["9H", "2H"])


# ── the margin ───────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=25)
@given(left=counts, dealt=lying, margin=st.fractions(0, Fraction(1, 2), max_denominator=1000))
def test_offered_odds_return_one_minus_margin_less_rounding(left, dealt, margin):
    for market, chance in COUP.chances(left, dealt).items():
        odds = decimal_odds(chance, margin)
        if odds is not None:
            returned = chance.won * Fraction(odds) + chance.stake_back
            assert 1 - margin - chance.won / 100 < returned <= 1 - margin, market
            assert Fraction(odds) >= Fraction("1.01")


@pytest.mark.parametrize(
    ("won", "odds"),
    [
        ("0.5", "1.90"),
        ("0.3", "3.16"),
        ("0.0001", "9500.00"),
        ("0.94", "1.01"),
        ("0.941", None),
        ("1", None),
        ("0", None),
    ],
)
def test_odds_are_cut_to_hundredths_from_1_01_up(won, odds):
    assert decimal_odds(Chance(Fraction(won)), MARGIN) == odds


def test_odds_account_for_the_stake_returned_on_a_tie():
    assert decimal_odds(Chance(Fraction("0.45"), Fraction("0.1")), MARGIN) == "1.88"  # 0.85 / 0.45
    assert decimal_odds(Chance(Fraction("0.01"), Fraction("0.97")), MARGIN) is None  # ties alone return more


def test_the_default_margin_lies_between_those_of_small_and_big():
    chances, fixed = COUP.chances(full(6), []), {market.name: Fraction(market.odds) for market in GAME.markets}
    margins = {market: float(1 - chances[market].won * fixed[market]) for market in ("small", "big")}
    assert {market: f"{share:.3f}" for market, share in margins.items()} == {"small": "0.053", "big": "0.044"}
    assert margins["big"] < Rules().margin < margins["small"]


@pytest.mark.parametrize("margin", [-0.01, 0.51, float("nan"), "0.05"])
def test_a_margin_out_of_range_is_refused(margin):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"margin": margin}, Rules)


def test_without_a_margin_a_table_pays_fair_odds():
    table = three(margin=0)
    table.says("open")
    chances = COUP.chances(full(6), [])
    assert table.state.round.odds["tie"] == decimal_odds(chances["tie"], Fraction(0)) == "10.51"


# ── cards seen of the shoe ───────────────────────────────────────────────────────────────────────────────────────

DECK = Deck(FULL_DECK, 6)


def gone(table: Bench) -> dict[str, int]:
    """Return how many copies of each card are known to be out of the shoe."""
    return {card: 6 - copies for card, copies in count_unseen(table.state, DECK).items() if copies != 6}


@pytest.mark.parametrize(
    ("script", "out"),
    [
        ("", {}),
        ("open; close; card 9C; close; card 9C", {"9C": 2}),
        ("shoe change; card 4D; card 4D; shoe ready; open", {"4D": 2}),  # the burn-in
        ("card 5H; rule burn by manager because early; open", {"5H": 1}),
        ("open; card 5H", {"5H": 1}),  # loose
        ("open; card 5H; rule burn by manager because early", {"5H": 1}),
        ("open; card 5H; rule cancel by manager because early", {"5H": 1}),  # void
        ("open; close; card 9C; press manager; rule correct 1 2C by manager because misread", {"2C": 1}),
        ("open; close; unread; rule burn by manager because bent; card 9C", {"9C": 1}),  # nobody has seen it
        ("open; close; unread; card 9C; rule rescan by manager because slid", {"9C": 1}),
        ("open; close; unread; rule enter 9C by manager because seen", {"9C": 1}),
        ("open; close; card JOKER; rule burn by manager because foreign; card 9C", {"9C": 1}),
    ],
)
def test_a_seen_card_counts_as_out_whatever_its_fate(script, out):
    table = three()
    table.says(script)
    assert gone(table) == out


def test_dealt_cards_stay_out_until_a_new_shoe_comes():
    table = three()
    table.says("open; close; card 9C; close; card 2D; close; card KC; card 3D")
    assert table.life == "settled"
    assert gone(table) == {"9C": 1, "2D": 1, "KC": 1, "3D": 1}
    table.says("open")
    assert gone(table) == {"9C": 1, "2D": 1, "KC": 1, "3D": 1}
    table.says("close; card 9C; close; card 2D; close; card KC; card 3D; shoe change; shoe ready")
    assert gone(table) == {}
    table.says("open")
    assert gone(table) == {}


NATURAL = "open; close; card 9C; close; card 2D; close; card KC; card 3D"
CARRY = "card 8H; rule carry seen no by manager because surplus"


def test_a_carried_card_is_unseen_until_it_is_dealt():
    table = three(carry=True)
    table.says(f"{NATURAL}; {CARRY}")
    out = {"9C": 1, "2D": 1, "KC": 1, "3D": 1}
    assert gone(table) == out
    table.says("open")
    assert gone(table) == out
    assert table.facts("opened")[1].odds == priced(full(6, *out), [])
    table.says("close")
    assert (table.cards_on("player"), gone(table)) == (["8H"], {**out, "8H": 1})
    assert table.facts("window_opened")[-1].odds == priced(full(6, *out, "8H"), ["8H"])


SURPLUS = f"{NATURAL}; card 7H; {{}}; rule carry 5 seen no by manager because surplus"


def test_a_carried_card_dealt_in_the_same_round_counts_once():
    table = three(carry=True, confirm="dealer")
    table.says(f"{SURPLUS.format('card 4S')}; rule correct 1 3C by manager because misread")
    table.says("press finish")
    assert (table.life, table.cards_on("player"), table.cards_on("banker")) == (
        "settled",
        ["3C", "KC", "4S"],
        ["2D", "3D", "7H"],
    )
    out = {"3C": 1, "2D": 1, "KC": 1, "3D": 1, "4S": 1, "7H": 1}
    assert gone(table) == out
    table.says("open")
    assert gone(table) == out


def test_correcting_a_dealt_carried_card_leaves_the_next_one_carried():
    table = three(carry=True, confirm="dealer")
    table.says(f"{NATURAL}; press finish; {CARRY}; open; close; close; card 9S; close; card KS; card KH")
    table.says(
        "card 5D; card 6D; rule carry seen no by manager because surplus; rule correct 1 9D by manager because misread"
    )
    assert (table.state.carried, table.cards_on("player")) == ("5D", ["9D", "KS"])
    table.says("press finish; rule burn by manager because surplus; press finish; open; close")
    assert table.cards_on("player") == ["5D"]


def test_dealing_a_carried_card_earlier_reopens_no_closed_window():
    table = three(carry=True, confirm="dealer")
    table.says(SURPLUS.format("card JOKER"))
    for draw in (4, 3, 2, 6):
        table.says(f"rule burn {draw} by manager because spoilt")
    assert (table.cards_on("player"), table.cards_on("banker")) == (["9C"], ["7H"])
    assert (table.life, table.due) == ("dealing", Deal("player"))


def test_more_seen_copies_than_exist_leave_none_and_break_nothing():
    shoe = Shoe(seen={"9C": 9, "JOKER": 1})
    assert count_unseen(State(shoe=shoe), DECK)["9C"] == 0
    table = three(decks=1)
    table.says("shoe change; card 9C; card 9C; card 9C; card 9D; card 9H; card 9S; shoe ready; open")
    assert table.life == "betting"
    assert table.state.round.odds


def test_a_card_that_lies_face_down_has_not_been_seen():
    table = Bench("casino_holdem")
    table.says("shuffled; open; close; card AC; card 7D; card KS")
    copies = count_unseen(table.state, table.house.deck)
    assert (copies["7D"], copies["KS"]) == (0, 1)


def test_no_market_is_offered_when_unseen_cards_may_run_out():
    table = three(decks=1, change_below=6)
    table.state = msgspec.structs.replace(
        table.state, shoe=Shoe(game="baccarat", size=52, seen=dict.fromkeys(FULL_DECK[:47], 1))
    )
    table.says("open; bet p1 player 1.00")
    assert table.facts("opened")[0].odds == {}
    assert table.facts("bet_refused")[0].reason == "unknown_market"


# ── at the table ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_with_one_window_the_sheets_odds_ignore_the_margin():
    table = Bench("baccarat", {"margin": 0.5})
    table.says("open; close; card 9C; card 2D; card KC; card 3D; open")
    fixed = {market.name: str(market.odds) for market in GAME.markets}
    assert [opened.odds for opened in table.facts("opened")] == [fixed, fixed]


def test_a_full_shoes_odds_before_the_first_card():
    table = three()
    table.says("open")
    assert table.state.round.odds == {
        "player": "1.91", "banker": "1.86", "tie": "9.99", "player_pair": "12.84", "banker_pair": "12.84",
        "any_pair": "6.66", "small": "2.50", "big": "1.52",
    }  # fmt: skip


def offered(table: Bench) -> list[dict[str, str]]:
    """Return the odds of each window, in the order of opening."""
    return [one.what.odds for one in table.records if one.kind in ("opened", "window_opened")]


def test_a_bet_is_settled_at_the_odds_of_its_window():
    table = three()
    bets = "bet p1 player 10.00; bet p1 small 10.00; bet p2 banker 10.00"
    table.says(f"open; {bets}; close; card 9C; {bets}; close; card 2D; {bets}; close; card KH; card 3S")
    odds = offered(table)
    for market in ("player", "small", "banker"):
        assert len({one[market] for one in odds}) == 3, market
    bet_odds = [(bet.market, bet.odds) for bet in table.facts("bet_accepted")]
    assert bet_odds == [(market, one[market]) for one in odds for market in ("player", "small", "banker")]
    won = [paid.returned for paid in table.facts("paid") if paid.market in ("player", "small")]
    assert won == [int(1000 * Fraction(one[market])) for one in odds for market in ("player", "small")]
    assert [paid.returned for paid in table.facts("paid") if paid.market == "banker"] == [0, 0, 0]


def test_a_further_windows_odds_follow_from_the_dealt_cards():
    table = three()
    table.says("open; close; card 9C; close; card 2D")
    _, second, third = offered(table)
    assert second == priced(full(6, "9C"), ["9C"])
    assert third == priced(full(6, "9C", "2D"), ["9C", "2D"])


NINES = "shoe change; card 9D; card 9H; card 9S; shoe ready"


def test_a_market_that_cannot_win_is_not_offered_or_accepted():
    table = three(decks=1)
    table.says(f"{NINES}; open; bet p1 player_pair 1.00; close; card 9C; bet p1 player_pair 1.00; bet p1 any_pair 1.00")
    assert "player_pair" in offered(table)[0]
    assert set(MARKETS) - set(offered(table)[1]) == {"player_pair"}
    assert [one.reason for one in table.facts("bet_refused")] == ["unknown_market"]
    assert [one.market for one in table.facts("bet_accepted")] == ["player_pair", "any_pair"]


def test_a_bet_taken_before_its_market_died_loses():
    table = three(decks=1)
    table.says(f"{NINES}; open; bet p1 player_pair 1.00; close; card 9C; close; card 2D; close; card KH; card 3S")
    assert [paid.returned for paid in table.facts("paid")] == [0]


# ── rulings ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_correcting_a_card_reopens_its_window_at_the_true_odds():
    table = three()
    table.says(f"open; close; card 9C; bet p1 player 1.00; wait 6s; press manager; {MISREAD}")
    _, misread, true = offered(table)
    assert true == priced(full(6, "2C"), ["2C"])
    assert (table.life, table.state.round.window, table.state.deadline - table.now) == ("betting", 2, 15_000_000)
    assert misread["player"] != true["player"]
    table.says("bet p1 player 1.00")
    assert [bet.odds for bet in table.state.round.bets.values()] == [true["player"]]


def test_after_a_correction_only_the_next_window_has_true_odds():
    table = three()
    table.says(f"open; close; card 9C; bet p1 player 1.00; close; press manager; {MISREAD}; card 2D")
    assert [one.window for one in table.facts("window_opened")] == [2, 3]
    assert offered(table)[-1] == priced(full(6, "2C", "2D"), ["2C", "2D"])


def test_a_correction_after_all_windows_changes_no_odds():
    table = three()
    table.says(f"{NATURAL.removesuffix('; card 3D')}; press manager; {MISREAD}")
    assert len(offered(table)) == 3


def test_a_pause_without_a_card_keeps_odds_and_time_left():
    table = three()
    table.says("open; close; card 9C; wait 6s; press manager; wait 60s")
    assert "window_opened" not in kinds(table.says("rule resume by manager because done"))
    assert table.state.deadline - table.now == 9_000_000


@pytest.mark.parametrize("before", ["open", "open; close; card 9C", "open; close; card 9C; close; card 2D"])
def test_a_burnt_early_card_counts_as_seen_in_the_odds(before):
    table = three(decks=1)
    table.says(f"{before}; card 9D; rule burn by manager because early")
    dealt = [draw.card for draw in table.state.round.draws if draw.fate == "placed"]
    assert table.life == "betting"
    assert table.state.round.odds == priced(full(1, "9D", *dealt), dealt)
    assert offered(table)[-1] != offered(table)[-2]


def test_a_burnt_first_card_is_redealt_and_its_window_repriced():
    table = three()
    table.says("open; close; card 9C")
    table.do(e.ShoeFails(5, "pulled back midway"))
    table.says("rule burn 1 by manager because bent; card KC")
    assert (table.life, table.state.round.window, table.fates) == ("betting", 2, ["burnt", "placed"])
    assert offered(table)[-1] == priced(full(6, "9C", "KC"), ["KC"])


def test_redealing_a_card_does_not_reopen_its_closed_window():
    table = three()
    table.says("open; close; card 9C; close; card 2D; close")
    table.do(e.ShoeFails(5, "pulled back midway"))
    table.says("rule burn 1 by manager because bent; rule burn 2 by manager because bent; card KC")
    assert (table.life, table.due, table.fates) == ("dealing", Deal("banker"), ["burnt", "burnt", "placed"])


def test_a_round_keeps_the_margin_it_was_opened_with():
    table = three(margin=0.2)
    table.says("open")
    table.house = three(margin=0).house
    table.says("close; card 9C")
    assert offered(table)[-1] == priced(full(6, "9C"), ["9C"], Fraction(1, 5))


def test_chances_are_computed_ahead_for_the_next_window_alone():
    """At rest for the first window, then for each card that may come; after the last window none follows."""
    table = three()
    counts = [len(computations_ahead(table.house, table.state))]
    for script in ("open", "close; card 9C", "close; card 2D", "close"):
        table.says(script)
        counts.append(len(computations_ahead(table.house, table.state)))
    assert counts == [1, 52, 52, 0, 0]


def test_recorded_odds_are_read_and_not_computed_again(monkeypatch):
    table = three()
    table.says("open; close; card 9C; bet p1 player 1.00; close")
    before = table.state
    monkeypatch.setattr(type(COUP), "chances", partial(pytest.fail, "computed"))
    table.restart()
    assert table.state.round.odds == before.round.odds
    assert table.state.round.bets == before.round.bets
