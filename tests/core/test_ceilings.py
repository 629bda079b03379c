"""Payment ceilings per bet, player and round: for player classes, in slices, after resettlements."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import events as e
from controller.core.book import Bet
from controller.core.ceilings import apply_in_pieces
from controller.core.encoding import encode, encode_input
from controller.core.house import SLICE, Ceilings, PlayerCeilings
from controller.core.known_returns import returns
from controller.core.pieces import run_to_end
from controller.core.position import Position
from controller.core.records import AppliedCeiling
from controller.core.spot import Spot
from controller.core.views import view
from controller.games import GAMES
from tests.core.bench import Bench

from .test_resettling import anew, differences, replayed
from .test_slices import MARKETS, to_the_end

PLAYER_WINS = "card 9C; card 2D; card KC; card 3D"
TIE = "card 9C; card 9D; card KC; card KD"


def table(game="baccarat", settings=None, *, classes=None, terms=None, **ceilings):
    return Bench(game, settings, ceilings=Ceilings(**ceilings, classes=classes or {}), **(terms or {}))


def paid(bench):
    """Return what each bet got back and which ceilings lowered it, by player and market."""
    found = {(what.player, what.market): what for what in bench.facts("paid")}
    return {
        key: (what.returned, [(one.of, one.was, one.to) for one in what.capped or ()]) for key, what in found.items()
    }


# ── each ceiling ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ceiling", "back", "capped"), [(799, 899, [("bet", 800, 799)]), (800, 900, []), (801, 900, [])]
)
def test_a_ceiling_limits_winnings_and_leaves_the_stake(ceiling, back, capped):
    bench = table(bet=ceiling)
    bench.says(f"open; bet p1 tie 1.00; close; {TIE}")
    assert paid(bench) == {("p1", "tie"): (back, capped)}


def test_a_returned_stake_is_never_lowered():
    bench = table(bet=1, player=1, round=1)
    bench.says(f"open; bet p1 player 5.00; bet p2 banker 9.00; close; {TIE}")
    assert paid(bench) == {("p1", "player"): (500, []), ("p2", "banker"): (900, [])}
    bench.says("open; bet p1 player 5.00; close; press manager; rule cancel by m because spoilt")
    assert [what.stake for what in bench.facts("refunded")] == [500]


def test_a_players_ceiling_leaves_other_players_alone():
    bench = table(player=900)
    bench.says(f"open; bet p1 tie 1.00; bet p1 player_pair 1.00; bet p1 player 7.00; bet p2 tie 1.00; close; {TIE}")
    assert paid(bench) == {
        ("p1", "tie"): (900, []),
        ("p1", "player_pair"): (0, []),
        ("p1", "player"): (700, []),
        ("p2", "tie"): (900, []),
    }


def test_a_players_ceiling_is_shared_in_proportion_to_winnings():
    bench = table(player=1000)
    bench.says(
        "open; bet p1 tie 1.00; bet p1 any_pair 1.00; bet p2 tie 1.00; close; card 9C; card 9D; card 9H; card 9S"
    )
    assert paid(bench) == {
        ("p1", "tie"): (715, [("player", 800, 615)]),
        ("p1", "any_pair"): (485, [("player", 500, 385)]),
        ("p2", "tie"): (900, []),
    }


def test_ceilings_apply_to_the_bet_then_player_then_round():
    bench = table(bet=500, player=700, round=1000)
    bench.says("open; bet p1 player 4.00; bet p1 player_pair 1.00; bet p2 player 9.00; bet p3 banker 1.00; close")
    bench.says("card 9C; card 2D; card 9H; card 3S")
    assert paid(bench) == {
        ("p1", "player"): (659, [("player", 400, 311), ("round", 311, 259)]),
        ("p1", "player_pair"): (424, [("bet", 1100, 500), ("player", 500, 389), ("round", 389, 324)]),
        ("p2", "player"): (1317, [("bet", 900, 500), ("round", 500, 417)]),
        ("p3", "banker"): (0, []),
    }


def test_losses_are_not_set_against_winnings():
    bench = table(player=100)
    bench.says(f"open; bet p1 player 2.00; bet p1 banker 9.00; close; {PLAYER_WINS}")
    assert paid(bench)["p1", "player"] == (300, [("player", 200, 100)])


# ── which stakes count ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_split_and_its_double_count_for_their_player():
    bench = table("blackjack", {"decks": 1}, player=900)
    bench.says("shuffled; open; bet p1 seat1 main 5.00; close; card 8C; card 8D; card 7C; card 9C; decide seat1 split")
    bench.says("card 3C; card 3D; decide seat1 double; card TC; decide seat1.2 stand; card TD")
    assert {market: back for (_, market), back in paid(bench).items()} == {
        "seat1 main": (800, [("player", 500, 300)]),
        "seat1 split": (800, [("player", 500, 300)]),
        "seat1 double": (800, [("player", 500, 300)]),
    }


def test_a_fixed_prize_is_limited_first_then_by_a_ceiling():
    for limit, steps in ((None, [("bet", 100_000_00, 1000)]), (500_00, [("bet", 500_00, 1000)])):
        bench = table("rhum32", bet=1000, terms={"prize_limit": limit})
        bench.says("shuffled; open; bet p1 seat1 ante 1.00; bet p1 seat1 insurance 5.00; close")
        bench.says("card AC; card 2C; card 3C; card 4C; card KD; card QD; card 2H; card 7S; decide seat1 raise")
        bench.says("card 5C; card 9S")
        assert paid(bench)["p1", "seat1 insurance"] == (1500, steps)


# ── classes ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_class_has_its_own_ceilings_under_the_rounds_ceiling():
    bench = table(bet=100, round=5000, classes={"vip": PlayerCeilings(bet=700)})
    bench.do(e.Open(), e.PlaceBet("p1", "tie", 100), e.PlaceBet("p2", "tie", 100, player_class="vip"))
    assert bench.do(e.PlaceBet("p3", "tie", 100, player_class="gold"))[0].what.reason == "unknown_class"
    bench.says(f"close; {TIE}")
    assert paid(bench) == {
        ("p1", "tie"): (200, [("bet", 800, 100)]),
        ("p2", "tie"): (800, [("bet", 800, 700)]),
    }


@pytest.mark.parametrize("order", list(permutations(["vip", "gold", None])))
def test_of_several_classes_the_lowest_ceiling_holds(order):
    bench = table(player=50, classes={"vip": PlayerCeilings(player=700), "gold": PlayerCeilings(player=300)})
    markets = ("tie", "any_pair", "small")
    bench.do(e.Open())
    for market, name in zip(markets, order, strict=True):
        bench.do(e.PlaceBet("p1", market, 100, player_class=name))
    bench.says(f"close; {TIE}")
    assert sum(back - what.stake for what in bench.facts("paid") if (back := what.returned)) == 300


# ── order, sums ──────────────────────────────────────────────────────────────────────────────────────────────────

AMOUNTS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5), st.integers(0, 10**6)), max_size=12)
CEILING = st.none() | st.integers(1, 10**6)


@given(AMOUNTS, CEILING, CEILING, CEILING, st.randoms())
def test_no_sum_passes_its_ceiling_in_any_order_of_bets(drawn, of_bet, of_player, of_round, dice):
    ceilings = Ceilings(of_bet, of_player, of_round)
    bets = [(Bet(str(n), who, Spot("main", f"s{n}"), stake), won) for n, (who, stake, won) in enumerate(drawn)]
    returns = {bet.id: bet.stake + won for bet, won in bets}
    steps = run_to_end(apply_in_pieces(ceilings, [bet for bet, _ in bets], returns))
    now = {bet.id: steps[bet.id][-1].to if bet.id in steps else won for bet, won in bets}
    for bet, won in bets:
        assert 0 <= now[bet.id] <= won
        assert [won, *(one.to for one in steps.get(bet.id, ()))][:-1] == [one.was for one in steps.get(bet.id, ())]
    at_bet = {bet.id: min(won, won if of_bet is None else of_bet) for bet, won in bets}
    of_players = {who: sum(at_bet[bet.id] for bet, _ in bets if bet.player == who) for who in "abc"}
    at_player = {who: min(total, total if of_player is None else of_player) for who, total in of_players.items()}
    whole = sum(at_player.values())
    assert sum(now.values()) == min(whole, whole if of_round is None else of_round)
    dice.shuffle(bets)
    assert run_to_end(apply_in_pieces(ceilings, [bet for bet, _ in bets], returns)) == steps


# ── paid in slices, replayed, settled anew ───────────────────────────────────────────────────────────────────────


def large(bets, size, ceilings):
    bench = Bench(ceilings=ceilings)
    bench.house = replace(bench.house, slice=size)
    bench.do(e.Open(), *(e.PlaceBet(f"p{number // 3}", MARKETS[number % 3], 100 + number) for number in range(bets)))
    bench.says(f"close; {PLAYER_WINS}")
    return bench


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_slices_pay_the_same_as_one_payment(size):
    ceilings = Ceilings(player=99, round=250)
    whole = paid(large(12, 12, ceilings))
    assert sum(any(step) for _, step in whole.values()) == 4
    assert paid(to_the_end(large(12, size, ceilings))) == whole
    bench = large(12, size, ceilings)
    while bench.state.owes:
        bench.restart()
        bench.do(e.Tick())
    assert paid(bench) == whole


def test_slices_under_ceilings_replay_to_the_byte():
    bench = large(SLICE + 10, SLICE, Ceilings(player=99, round=250))
    bench.restart()
    to_the_end(bench)
    assert sum(bool(what.capped) for what in bench.facts("paid")) == 170
    assert replayed(bench.records) == []


def test_owed_amounts_follow_from_the_state_alone():
    state, position = large(12, 5, Ceilings(bet=7)).state, Position(GAMES)
    draws = state.round.draws
    tie = replace(state, round=replace(state.round, draws=(draws[0], replace(draws[1], ruled="6D"), *draws[2:])))
    first, other = position.returns_of_owed(state), position.returns_of_owed(tie)
    assert {amount.capped for amount in first.values()} != {amount.capped for amount in other.values()}
    assert position.returns_of_owed(state) == first


def test_a_rulings_payments_and_moved_amount_respect_the_ceilings():
    bench = table(round=100)
    bench.says("open; bet p1 player 2.00; bet p2 banker 2.00; bet p3 tie 2.00; close; card 9C; card 2D; card KC")
    bench.says("press manager; card 3D; rule correct 2 6D by m because misread")
    assert paid(bench) == {
        ("p1", "player"): (200, []),
        ("p2", "banker"): (200, []),
        ("p3", "tie"): (300, [("round", 1600, 100)]),
    }
    (ruled,) = bench.facts("ruled")
    assert ruled.moved == 100 + 200 + 300  # without the ruling: 300 for p1, nothing for p2 and p3


def test_a_round_ceiling_keeps_returns_unknown_until_all_are_known():
    for ceilings, amount in (({"bet": 100}, 600), ({"player": 100}, 600), ({"round": 100}, None)):
        bench = table("blackjack", {"decks": 1}, **ceilings)
        bench.says("shuffled; open; bet p1 seat1 main 5.00; bet p2 seat2 main 5.00; close")
        bench.says("card AC; card KD; card 8D; card 7C; card 7D; card 9C")
        assert [*returns(bench.position, bench.state).values()] == [amount, None]


def test_a_resettlement_applies_the_ceilings_of_its_round():
    bench = table(bet=50, round=150)
    bench.says(f"open; bet p1 player 1.00; bet p2 banker 1.00; bet p3 tie 1.00; bet p4 tie 2.00; close; {PLAYER_WINS}")
    bench.house = replace(bench.house, terms=replace(bench.house.terms, ceilings=Ceilings(bet=7)))
    what = anew(bench, "correct 2 6D")
    assert what.now["winner"] == "tie"
    assert differences(what) == {"p1": -50, "p2": 100, "p3": 150, "p4": 250}
    assert {one.player: one.capped for one in what.movements if one.capped} == {
        "p3": (AppliedCeiling("bet", 800, 50),),
        "p4": (AppliedCeiling("bet", 1600, 50),),
    }
    again = anew(bench, "correct 2 2D")
    assert differences(again) == {"p1": 50, "p2": -100, "p3": -150, "p4": -250}
    assert [one.capped for one in again.movements if one.player == "p1"] == [(AppliedCeiling("bet", 100, 50),)]
    void = anew(bench, "void")
    assert {one.player: (one.now, one.capped or ()) for one in void.movements} == {
        "p1": (100, ()), "p2": (100, ()), "p3": (100, ()), "p4": (200, ()),
    }  # fmt: skip
    assert replayed(bench.records) == []


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_opened_event_names_the_ceilings():
    bench = table(bet=900, round=1000, classes={"vip": PlayerCeilings(player=5)})
    bench.says("open")
    ceilings = view(bench.records[-1], "server")["terms"]["ceilings"]
    assert ceilings == {"bet": 900, "round": 1000, "classes": {"vip": {"player": 5}}}


def test_a_payments_event_names_the_ceiling_that_lowered_it():
    bench = table(bet=500)
    bench.says(f"open; bet p1 tie 1.00; close; {TIE}")
    event = next(view(record, "server") for record in bench.records if record.kind == "paid")
    assert (event["returned"], event["capped"]) == (600, ({"of": "bet", "was": 800, "to": 500},))
    assert event["movement"]["amount"] == 600


def test_without_ceilings_a_record_says_nothing_of_them():
    bench = Bench()
    bench.says(f"open; bet p1 tie 1.00; close; {TIE}")
    anew(bench, "void")
    lines = [encode(one) + (encode_input(one.input) if one.input else b"") for one in bench.records]
    assert not [line for line in lines if b"ceiling" in line or b"capped" in line or b"exposure" in line]
