"""Rule sheet of Casino Hold'em, tested heading by heading."""

from fractions import Fraction

import msgspec
import pytest

from controller.core.house import House, Terms
from controller.games.casino_holdem import GAME
from controller.rules.dealing import Dealing, Decisions, OutOfOrder, as_answer
from controller.rules.game import Stake
from controller.rules.procedure import Ask, Deal, Participants, Reveal
from controller.script.play import Play
from controller.script.reader import parse
from controller.text.faults import Words
from controller.text.results import sentence

# a quiet round: Player's pair of kings, Dealer's pair of fives, nothing on the board
PLAYER, DEALER, BOARD = "KS KD", "5C 5D", "2H 7S 9D JC 3H"
PLAYER_UP_AND_DEALER_DOWN = ["player up", "player up", "dealer down", "dealer down"]


def start(players: tuple[str, ...] = ("p1",), **settings: object) -> Dealing:
    return Dealing(GAME.procedure(msgspec.convert(settings, GAME.settings), Participants(players=players)))


def step_name(step: object) -> str:
    match step:
        case Deal(to=place, face_up=face_up):
            return f"{place} {'up' if face_up else 'down'}"
        case Ask():
            return "ask"
        case Reveal(place=place):
            return f"reveal {place}"
    return str(step)


def deal_out(
    player: str = PLAYER, dealer: str = DEALER, board: str = BOARD, decisions: str = "call", **settings: object
) -> tuple[list[str], Dealing]:
    """Deal a whole round, with the decisions of p1, p2, ... in order; return its steps and the dealing."""
    choices = {f"p{number}": decision for number, decision in enumerate(decisions.split(), start=1)}
    now, steps = start(tuple(choices), **settings), []
    coming = {"player": player.split(), "dealer": dealer.split(), "board": board.split(), "burn": ["8C", "8D", "8H"]}
    while now.due is not None:
        steps.append(step_name(now.due))
        choice = coming[now.due.to].pop(0) if isinstance(now.due, Deal) else choices
        now.answer(as_answer(now.due, choice))
    return steps, now


def outcome(*args: str, **named: str):
    _, now = deal_out(*args, **named)
    return now.outcome


def returned(market: str, *args: str, **named: str) -> Fraction:
    return GAME.pay(outcome(*args, **named), Stake("p1", market))


# ── PLAYING INSTRUCTIONS ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_round_deals_player_up_dealer_down_then_flop():
    steps, _ = deal_out()
    assert steps[:7] == [*PLAYER_UP_AND_DEALER_DOWN, "board up", "board up", "board up"]


def test_dealing_player_and_dealer_in_rounds_is_a_setting():
    dealt = deal_out(deal_order="rounds")[0]
    assert dealt[:4] == ["player up", "dealer down", "player up", "dealer down"]


def test_a_call_deals_turn_and_river_then_reveals_the_dealer():
    steps, _ = deal_out()
    assert steps[7:] == ["ask", "board up", "board up", "reveal dealer"]


def test_all_players_are_asked_call_or_fold_in_one_window():
    now = start(("p1", "p2", "p3"))
    for card in [*PLAYER.split(), *DEALER.split(), *BOARD.split()[:3]]:
        now.answer(as_answer(now.due, card))
    assert now.due == Ask(("p1", "p2", "p3"), ("call", "fold"), "fold")
    with pytest.raises(OutOfOrder):
        now.answer(Decisions({"p1": "call", "p2": "call"}))
    with pytest.raises(OutOfOrder):
        now.answer(Decisions({"p1": "call", "p2": "call", "p3": "raise"}))


def test_one_call_is_enough_for_turn_and_river():
    steps, now = deal_out(decisions="fold call fold")
    assert steps[-3:] == ["board up", "board up", "reveal dealer"]
    assert now.outcome.record()["decisions"] == {"p1": "fold", "p2": "call", "p3": "fold"}


@pytest.mark.parametrize("decisions", ["fold", "fold fold fold", ""])
def test_without_a_call_there_is_no_turn_river_or_reveal(decisions):
    steps, now = deal_out(decisions=decisions)
    assert steps == [*PLAYER_UP_AND_DEALER_DOWN, "board up", "board up", "board up"] + ["ask"] * bool(decisions)
    record = now.outcome.record()
    assert (record["dealer"], record["qualified"], record["winner"]) == (None, None, None)
    assert record["player"] == "1 Pair"


def test_outcome_has_the_fields_of_the_record():
    assert outcome().record() == {
        "qualified": True, "player": "1 Pair", "dealer": "1 Pair", "winner": "player", "decisions": {"p1": "call"},
    }  # fmt: skip


def test_with_deal_out_set_a_fold_deals_the_board_unrevealed():
    steps, now = deal_out(decisions="fold", deal_out_if_all_fold=True)
    assert steps[7:] == ["ask", "board up", "board up"]
    assert now.outcome.record()["winner"] is None


def test_burning_a_card_before_each_street_is_a_setting():
    steps, _ = deal_out(burn_before_street=True)
    assert steps == [
        *PLAYER_UP_AND_DEALER_DOWN, "burn down", "board up", "board up", "board up", "ask",
        "burn down", "board up", "burn down", "board up", "reveal dealer",
    ]  # fmt: skip


def test_one_deck_of_52_changed_every_round():
    deck = GAME.deck(GAME.settings())
    assert (deck.size, deck.copies, deck.every_round) == (52, 1, True)


def test_places_are_player_dealer_and_board():
    assert GAME.places == ("player", "dealer", "board")


# ── GAME OUTCOMES: who qualifies, who wins ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("dealer", "board", "qualified"),
    [
        ("3C 3D", "2H 7S 9D JC KH", False),
        ("3C 8D", "2H 3S 9D JC KH", False),
        ("AC KD", "2H 7S 9D JC QH", False),
        ("4C 4D", "2H 7S 9D JC KH", True),
        ("4C 8D", "2H 4S 9D JC KH", True),
        ("4C 4D", "2H 3S 5D 7C 8H", True),  # with the lowest kickers there can be
        ("3C 3D", "AH KS QD JC 9H", False),  # with the highest
        ("3C 2D", "2H 3S 9D JC KH", True),  # two pairs, both lower than fours
        ("2C 2D", "2H 7S 9D JC KH", True),
        ("8C TD", "2H 7S 9D JC KH", True),  # a straight
        ("8C TD", "4H 4S 9D QC KH", True),  # the pair lies on the board
        ("8C TD", "3H 3S 9D QC KH", False),
    ],
)
def test_the_dealer_qualifies_with_a_pair_of_fours_or_better(dealer, board, qualified):
    assert outcome("AS 6C", dealer, board).record()["qualified"] is qualified


@pytest.mark.parametrize(
    ("player", "dealer", "board", "winner"),
    [
        ("KS KD", "5C 5D", "2H 7S 9D JC 3H", "player"),
        ("5C 5D", "KS KD", "2H 7S 9D JC 3H", "dealer"),
        ("KS AD", "KD QC", "KH 7S 9D JC 3H", "player"),  # the kicker
        ("KS 4D", "KD 5C", "KH 7S 9D JC QH", "push"),  # kickers that do not play
        ("KS 4D", "KD QC", "KH 7S 9D 2C 3H", "dealer"),
        ("2S 3D", "4D 5C", "TH JH QH KH AH", "push"),  # the board plays
        ("8S 8D", "7D 7C", "8H 7S 9D 9C 2H", "player"),  # the higher threesome
        ("KS 2D", "KD 3C", "KH KC 9D 9C 9H", "push"),
        ("AS 2D", "QD 3C", "KH KC KS KD 9H", "player"),
        ("AS 2D", "AD 2C", "3H 4S 5C 9C 9H", "push"),
        ("6S 2D", "AD 2C", "3H 4S 5C 9C 9H", "player"),  # six high beats the wheel
    ],
)
def test_the_best_five_of_seven_win_by_kind_then_rank(player, dealer, board, winner):
    record = outcome(player, dealer, board).record()
    assert (record["qualified"], record["winner"]) == (True, winner)


def test_an_unqualified_dealer_loses_with_the_better_hand():
    record = outcome("2C 4D", "AS KD", "3H 7S 9D JC 6H").record()
    assert (record["qualified"], record["winner"]) == (False, "player")


# ── what the bets return ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_win_pays_ante_by_table_and_call_1_1():
    assert returned("ante") == 2
    assert returned("call") == 2


def test_a_higher_dealer_takes_ante_and_call():
    assert returned("ante", "5C 5D", "KS KD") == 0
    assert returned("call", "5C 5D", "KS KD") == 0


def test_a_push_gives_ante_and_call_back():
    lying = ("2S 3D", "4D 5C", "TH JH QH KH AH")
    assert returned("ante", *lying) == 1
    assert returned("call", *lying) == 1


def test_a_fold_loses_the_ante_whatever_the_others_decide():
    assert returned("ante", decisions="fold") == 0
    assert returned("ante", decisions="fold call") == 0


def test_a_caller_is_paid_though_others_folded():
    result = outcome(decisions="fold call")
    assert GAME.pay(result, Stake("p2", "ante")) == 2
    assert GAME.pay(result, Stake("p1", "ante")) == 0


# every hand of the ante table, against a dealer who does not qualify and one who does
ANTE_TABLE = [
    ("Royal Flush", 100, "AH KH", "QH JH TH 2C 4D", "3S 7C", "2S 2D"),
    ("Straight Flush", 20, "9H 8H", "7H 6H 5H 2C KD", "AS QC", "KC KS"),
    ("4 of a Kind", 10, "2S 2D", "2H 2C 9S JD KH", "AS QC", "9C 9D"),
    ("Full House", 3, "9S 9D", "9H 2C 2S JD KH", "AS QC", "KC AC"),
    ("Flush", 2, "2H 7H", "9H JH KH 3C 4D", "AS QC", "KC KS"),
    ("Straight", 1, "8S 7D", "6H 5C 4S KD 2H", "AS QC", "KC KS"),
    ("3 of a Kind", 1, "9S 9D", "9H 2C 5S JD KH", "AS QC", "KC AS"),
    ("2 Pairs", 1, "9S JD", "9H JC 5S 2D KH", "AS QC", "KC AS"),
    ("1 Pair", 1, "9S 9D", "4H 2C 5S JD KH", "TS QC", "8C 8S"),
    ("High Card", 1, "9S AD", "4H 2C 5S JD KH", "TS QC", None),
]


@pytest.mark.parametrize(("name", "to_one", "player", "board", "weak", "strong"), ANTE_TABLE)
def test_ante_table_when_the_dealer_does_not_qualify(name, to_one, player, board, weak, strong):
    record = outcome(player, weak, board).record()
    assert (record["player"], record["qualified"], record["winner"]) == (name, False, "player")
    assert returned("ante", player, weak, board) == to_one + 1
    assert returned("call", player, weak, board) == 1


@pytest.mark.parametrize(("name", "to_one", "player", "board", "weak", "strong"), ANTE_TABLE)
def test_ante_table_when_a_dealer_who_qualifies_is_beaten(name, to_one, player, board, weak, strong):
    if strong is None:
        strong = "9C 9D"  # a qualified dealer always beats a high card
        assert returned("ante", player, strong, board) == 0
        return
    record = outcome(player, strong, board).record()
    assert (record["player"], record["qualified"], record["winner"]) == (name, True, "player")
    assert returned("ante", player, strong, board) == to_one + 1
    assert returned("call", player, strong, board) == 2


# ── BONUS BET ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("to_one", "player", "flop"),
    [
        (100, "AH KH", "QH JH TH"),
        (50, "9H 8H", "7H 6H 5H"),
        (50, "AH 2H", "3H 4H 5H"),
        (40, "9H 9S", "9D 9C 2H"),
        (30, "9H 9S", "9D 2C 2H"),
        (20, "9H 2H", "KH JH TH"),
        (7, "9H 8D", "7H 6H 5H"),
        (7, "AH 2D", "3H 4H 5H"),
        (7, "9H 9D", "9C 6H 5H"),
        (7, "AH AD", "AC 6H 5H"),
        (7, "9H 9D", "6C 6H 5H"),
        (7, "2H 2D", "3C 3H 5H"),
        (7, "AH AD", "9C 6H 5H"),
        (7, "AH 9D", "AC 6H 5H"),
        (7, "9H 6D", "AC AH 5H"),  # both aces on the board
    ],
)
@pytest.mark.parametrize("decisions", ["call", "fold"])
def test_bonus_pays_aces_or_better_after_call_and_fold(to_one, player, flop, decisions):
    assert returned("bonus", player, "4C 4S", f"{flop} JS 8C", decisions) == to_one + 1


@pytest.mark.parametrize(
    ("player", "board"),
    [
        ("KH KD", "9C 6H 5H 2S 3C"),
        ("AH 9D", "KC 6H 5H 2S 3C"),
        ("AH 9D", "KC 6H 5H AS 3C"),  # the second ace only on the turn
        ("KH KD", "9C 6H 5H KS 9S"),  # the full house only with turn and river
        ("AH KD", "KC 6H 5H 2S 3C"),  # an ace beside a pair of kings
    ],
)
def test_bonus_loses_below_two_aces_in_the_first_five(player, board):
    assert returned("bonus", player, "4C 4S", board) == 0


def test_bonus_is_paid_even_where_the_dealer_wins():
    assert returned("bonus", "AH AD", "KC KS", "KH 9C 2D 3S 7C") == 8
    assert returned("ante", "AH AD", "KC KS", "KH 9C 2D 3S 7C") == 0


# ── BETTING INSTRUCTIONS: stakes, through the whole table ────────────────────────────────────────────────────────


def table(*lines: str) -> Play:
    play = Play(House(GAME, GAME.settings(), Terms()))
    for _ in play.run(parse("\n".join(lines))):
        pass
    return play


def cards(text: str) -> list[str]:
    return [f"card {card}" for card in text.split()]


FIRST_ROUND = cards(f"{PLAYER} {DEALER} 2H 7S 9D")


def last(play: Play, kind: str) -> list[object]:
    return [record.what for record in play.records if record.kind == kind]


def test_markets_are_ante_and_bonus_and_never_call():
    assert [market.name for market in GAME.markets] == ["ante", "bonus"]
    play = table("shuffled", "open", "bet p1 call 20.00")
    assert [one.reason for one in last(play, "bet_refused")] == ["unknown_market"]


def test_bonus_can_only_be_placed_after_the_ante():
    play = table("shuffled", "open", "bet p1 bonus 5.00", "bet p2 ante 5.00", "bet p1 bonus 5.00")
    assert [one.reason for one in last(play, "bet_refused")] == ["needs_ante", "needs_ante"]


def test_taking_the_ante_back_takes_the_bonus_back():
    play = table("shuffled", "open", "bet p1 ante 10.00", "bet p1 bonus 5.00", "unbet p1 ante", "close")
    assert {one.market for one in last(play, "bet_withdrawn")} == {"ante", "bonus"}
    assert last(play, "closed")[0].players == ()


def test_a_call_stakes_double_the_ante_on_its_own_market():
    play = table("shuffled", "open", "bet p1 ante 10.01", "bet p2 ante 3.00", "close", *FIRST_ROUND, "decide p1 call")
    (decided,) = last(play, "decided")
    assert (decided.who, decided.decision, decided.by) == ("p1", "call", "player")
    assert (decided.market, decided.stake) == ("call", 2002)


def test_a_fold_stakes_nothing():
    play = table("shuffled", "open", "bet p1 ante 10.00", "close", *FIRST_ROUND, "decide p1 fold")
    (decided,) = last(play, "decided")
    assert decided.stake is None
    assert {(one.market, one.stake, one.returned) for one in last(play, "paid")} == {("ante", 1000, 0)}


def test_each_stake_is_paid_on_its_own():
    bets = ["bet p1 ante 10.00", "bet p1 bonus 5.00", "bet p2 ante 1.00"]
    decisions = ["decide p1 call", "decide p2 fold"]
    play = table("shuffled", "open", *bets, "close", *FIRST_ROUND, *decisions, *cards("JC 3H"))
    assert {(one.player, one.market): (one.stake, one.returned) for one in last(play, "paid")} == {
        ("p1", "ante"): (1000, 2000), ("p1", "bonus"): (500, 0), ("p2", "ante"): (100, 0), ("p1", "call"): (2000, 4000),
    }  # fmt: skip


def test_a_cancelled_round_gives_back_ante_bonus_and_call():
    bets = ["bet p1 ante 10.00", "bet p1 bonus 5.00", "bet p2 ante 1.00"]
    play = table(
        "shuffled", "open", *bets, "close", *FIRST_ROUND, "decide p1 call", "press manager", "rule cancel by m"
    )
    assert play.state.life == "cancelled"
    assert sum(one.stake for one in last(play, "refunded")) == 1000 + 500 + 100 + 2000


def test_the_table_folds_for_silent_players_at_the_deadline():
    play = table("shuffled", "open", "bet p1 ante 10.00", "close", *FIRST_ROUND, "wait 15s", "decide p1 call")
    (decided,) = last(play, "decided")
    assert (decided.decision, decided.by) == ("fold", "table")
    assert last(play, "decision_refused")[0].reason == "too_late"
    assert play.state.life == "settled"


def test_the_round_is_dealt_without_bets_too():
    play = table("shuffled", "open", "close", *FIRST_ROUND)
    assert play.state.life == "settled"
    assert last(play, "settled")[0].outcome["decisions"] == {}


def test_no_round_starts_on_a_deck_that_was_not_changed():
    play = table("open", "shuffled", "open", "close", *FIRST_ROUND, "open")
    assert [one.reason for one in last(play, "start_refused")] == ["not_shuffled", "not_shuffled"]


# ── PAYOUTS: every line of both tables, by script ────────────────────────────────────────────────────────────────


def play_out(player: str, dealer: str, board: str) -> dict[str, int]:
    """Play a round with an ante of 10.00, a bonus bet of 1.00 and a call; return payments by market."""
    first, last_two = board.split()[:3], board.split()[3:]
    play = table(
        "shuffled", "open", "bet p1 ante 10.00", "bet p1 bonus 1.00", "close",
        *cards(f"{player} {dealer} {' '.join(first)}"), "decide p1 call", *cards(" ".join(last_two)),
    )  # fmt: skip
    return {paid.market: paid.returned for paid in last(play, "paid")}


@pytest.mark.parametrize(("name", "to_one", "player", "board", "weak", "strong"), ANTE_TABLE, ids=lambda value: value)
def test_payouts_ante_bet_by_script(name, to_one, player, board, weak, strong):
    unqualified = play_out(player, weak, board)
    assert (unqualified["ante"], unqualified["call"]) == (1000 * (1 + to_one), 2000)
    if strong:
        beaten = play_out(player, strong, board)
        assert (beaten["ante"], beaten["call"]) == (1000 * (1 + to_one), 4000)


BONUS_TABLE = {
    "Royal Flush": (100, "AH KH", "QH JH TH"),
    "Straight flush": (50, "9H 8H", "7H 6H 5H"),
    "4 of a kind": (40, "9H 9S", "9D 9C 2H"),
    "Full house": (30, "9H 9S", "9D 2C 2H"),
    "Flush": (20, "9H 2H", "KH JH TH"),
    "Straight": (7, "9H 8D", "7H 6H 5H"),
    "3 of a Kind": (7, "9H 9D", "9C 6H 5H"),
    "2 Pairs": (7, "9H 9D", "6C 6H 5H"),
    "Pair of Aces": (7, "AH AD", "9C 6H 5H"),
    "less": (-1, "KH KD", "9C 6H 5H"),
}


@pytest.mark.parametrize(("to_one", "player", "flop"), BONUS_TABLE.values(), ids=BONUS_TABLE)
def test_payouts_bonus_bet_by_script(to_one, player, flop):
    assert play_out(player, "4C 4S", f"{flop} JS 8C")["bonus"] == 100 * (1 + to_one)


# ── the result in a sentence ─────────────────────────────────────────────────────────────────────────────────────


HANDS = [
    ("Royal Flush", "royal flush"), ("Straight Flush", "straight flush"), ("4 of a Kind", "four of a kind"),
    ("Full House", "full house"), ("Flush", "flush"), ("Straight", "straight"), ("3 of a Kind", "three of a kind"),
    ("2 Pairs", "two pair"), ("1 Pair", "a pair"), ("High Card", "high card"),
]  # fmt: skip


def result_sentence(winner, player, dealer, qualified=True):
    outcome = {"winner": winner, "player": player, "dealer": dealer, "qualified": qualified}
    return sentence(GAME, outcome, Words("en"))


@pytest.mark.parametrize(("hand", "words"), HANDS)
def test_each_hand_has_its_words_whoever_holds_it(hand, words):
    assert result_sentence("player", hand, "1 Pair") == f"PLAYER wins: {words} against a pair"
    assert result_sentence("dealer", hand, "Flush") == f"DEALER wins: flush against {words}"
    assert result_sentence("push", hand, hand) == f"PUSH: both have {words}"
