"""Limits of the sum of stakes: per player and market, per player, per round, per class of players."""

from collections import Counter
from functools import partial

import msgspec
import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.house import Limits, PlayerLimits, StakeLimits, SumLimits
from controller.core.views import view
from tests.core.bench import Bench, kinds
from tests.core.chance import Judge, rolls, walk


def limited_table(game="baccarat", settings=None, *, market=None, player=None, whole=None, classes=None, **terms):
    """Return a table with maxima: for a player on each market, for a player, for the round."""
    bench = Bench(game, settings)
    markets = {} if market is None else {one.name: SumLimits(maximum=market) for one in bench.house.game.markets}
    mine = PlayerLimits(markets=markets, round=SumLimits(maximum=player))
    return Bench(game, settings, stakes=StakeLimits(mine, SumLimits(maximum=whole), classes or {}), **terms)


def refused(bench, player, market, stake, of_class=None):
    """Place a bet; return the reason and the limit of its refusal, or None if it is accepted."""
    (record,) = bench.do(e.PlaceBet(player, market, stake, player_class=of_class))
    if isinstance(record.what, r.BetAccepted):
        return None
    limit = record.what.limit
    return record.what.reason, limit and (limit.of, limit.minimum, limit.maximum, limit.left)


# ── maxima ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_players_limit_on_a_market_counts_all_windows():
    bench = limited_table(settings={"betting_windows": 3}, market=900)
    bench.says("open")
    assert refused(bench, "p1", "banker", 500) is None
    bench.says("close; card 9C")
    assert refused(bench, "p1", "banker", 401) == ("limit_reached", ("player_market", None, 900, 400))
    assert refused(bench, "p1", "banker", 400) is None
    bench.says("close; card 2C")
    assert refused(bench, "p1", "banker", 1) == ("limit_reached", ("player_market", None, 900, 0))
    assert refused(bench, "p2", "banker", 500) is None


def test_a_players_limit_on_a_market_counts_all_seats():
    bench = limited_table("blackjack", market=900)
    bench.says("shuffled; open")
    assert refused(bench, "p1", "seat1 main", 500) is None
    assert refused(bench, "p1", "seat7 main", 500) == ("limit_reached", ("player_market", None, 900, 400))
    assert refused(bench, "p1", "seat7 main", 400) is None


def test_a_withdrawn_stake_may_be_staked_again():
    bench = limited_table(player=900)
    bench.says("open")
    assert refused(bench, "p1", "banker", 900) is None
    assert refused(bench, "p1", "tie", 1) == ("limit_reached", ("player", None, 900, 0))
    bench.do(e.WithdrawBet("p1", "banker"))
    assert refused(bench, "p1", "tie", 900) is None


def test_the_limit_of_a_round_counts_all_players():
    bench = limited_table(whole=1000)
    bench.says("open")
    assert refused(bench, "p1", "banker", 600) is None
    assert refused(bench, "p2", "player", 401) == ("limit_reached", ("round", None, 1000, 400))
    assert refused(bench, "p2", "player", 400) is None


def test_the_amount_left_respects_every_limit():
    bench = limited_table(market=900, player=700, whole=1000, limits={"banker": Limits(50, 800)})
    bench.says("open; bet p1 tie 3.00; bet p2 tie 4.00")
    assert refused(bench, "p1", "banker", 801) == ("above_maximum", ("bet", 50, 800, 300))
    assert refused(bench, "p1", "banker", 49) == ("below_minimum", ("bet", 50, 800, 300))
    assert refused(bench, "p1", "banker", 800) == ("limit_reached", ("round", None, 1000, 300))
    assert refused(bench, "p1", "banker", 300) is None
    assert refused(bench, "p2", "player", 1) == ("limit_reached", ("round", None, 1000, 0))


def test_a_class_without_a_name_is_nobodys():
    bench = limited_table(classes={"": PlayerLimits(round=SumLimits(maximum=1))})
    bench.says("open")
    assert refused(bench, "p1", "banker", 500) is None


@pytest.mark.parametrize("limit", ["player", "whole"])
def test_a_call_is_counted_when_the_ante_is_taken(limit):
    bench = limited_table("casino_holdem", **{limit: 900})
    bench.says("shuffled; open")
    reason, (_, _, most, left) = refused(bench, "p1", "ante", 301)
    assert (reason, most, left) == ("limit_reached", 900, 300)
    assert refused(bench, "p1", "ante", 300) is None
    assert refused(bench, "p1", "bonus", 1) is not None
    bench.says("close; card 2C; card 3C; card 4C; card 5C; card 6C; card 7C; card 8C; decide p1 call")
    assert bench.state.round.bets.total == 900


def test_a_double_beyond_a_limit_leaves_other_decisions():
    bench = limited_table("blackjack", {"decks": 1}, player=900)
    bench.says("shuffled; open; bet p1 seat1 main 5.00; close; card 5C; card 6C; card 7C; card 8C")
    (record,) = bench.do(e.Choose("seat1", "double"))
    assert (record.what.reason, record.what.limit.left) == ("limit_reached", 400)
    assert kinds(bench.do(e.Choose("seat1", "hit"))) == ["decided"]


def test_splits_and_doubles_together_keep_the_limit():
    bench = limited_table("blackjack", {"decks": 1}, player=1500)
    bench.says("shuffled; open; bet p1 seat1 main 5.00; close; card 5C; card 5D; card 7C; card 8C; decide seat1 split")
    bench.says("card 6C; card 6D; decide seat1 double")
    assert bench.state.round.bets.total == 1500
    bench.says("card 9C")
    (record,) = bench.do(e.Choose("seat1.2", "double"))
    assert record.what.reason == "limit_reached"


# ── classes ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_class_has_its_own_limits():
    vip = PlayerLimits({"banker": Limits(1, 5000)}, round=SumLimits(maximum=6000))
    bench = limited_table(player=100, classes={"vip": vip}, limits={"banker": Limits(1, 50)})
    bench.says("open")
    assert refused(bench, "p1", "banker", 51) == ("above_maximum", ("bet", 1, 50, 50))
    assert refused(bench, "p1", "banker", 5000, "vip") is None
    assert refused(bench, "p1", "tie", 1001, "vip") == ("limit_reached", ("player", None, 6000, 1000))
    assert refused(bench, "p2", "banker", 1, "gold") == ("unknown_class", msgspec.UNSET)


# ── minima ───────────────────────────────────────────────────────────────────────────────────────────────────────


def minima(game="baccarat", settings=None, *, market=0, player=0, whole=0):
    bench = Bench(game, settings)
    markets = {one.name: SumLimits(market) for one in bench.house.game.markets} if market else {}
    return Bench(game, settings, stakes=StakeLimits(PlayerLimits({}, markets, SumLimits(player)), SumLimits(whole)))


@pytest.mark.parametrize(("least", "stays"), [(999, True), (1000, True), (1001, False)])
def test_stakes_below_a_players_minimum_go_back_at_the_close(least, stays):
    bench = minima(player=least)
    bench.says("open; bet p1 banker 5.00; bet p1 tie 5.00; close")
    assert len(bench.state.round.bets) == (2 if stays else 0)
    assert [(one.limit.of, one.limit.minimum) for one in bench.facts("bet_withdrawn")] == (
        [] if stays else [("player", least)] * 2
    )


def test_a_market_minimum_withdraws_dependent_bets_too():
    bench = minima("casino_holdem", market=600)
    bench.says("shuffled; open; bet p1 ante 5.00; bet p1 bonus 9.00; bet p2 ante 6.00; close")
    assert [(one.player, one.market) for one in bench.facts("bet_withdrawn")] == [("p1", "bonus"), ("p1", "ante")]
    assert bench.state.round.joined.players == ("p2",)


def test_a_round_below_its_minimum_gives_all_stakes_back():
    bench = minima(whole=1001)
    bench.says("open; bet p1 banker 5.00; bet p2 tie 5.00; close")
    assert len(bench.facts("bet_withdrawn")) == 2
    assert bench.state.life == "dealing"


def test_a_minimum_over_windows_takes_back_the_last_window_alone():
    bench = minima(settings={"betting_windows": 3}, market=600)
    bench.says("open; bet p1 banker 6.00; close; card 9C; bet p1 banker 1.00; bet p1 tie 1.00; close")
    assert [(one.market, one.stake) for one in bench.facts("bet_withdrawn")] == [("tie", 100)]


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_opened_event_names_the_limits():
    bench = limited_table(player=900, whole=1000)
    bench.says("open")
    event = view(next(one for one in bench.records if one.kind == "opened"), "server")
    assert event["terms"]["stakes"] == {"player": {"round": {"maximum": 900}}, "round": {"maximum": 1000}}


def test_without_limits_a_record_says_nothing_of_them():
    bench = Bench()
    bench.says("open")
    assert all("stakes" not in what.terms for what in (*bench.facts("configured"), *bench.facts("opened")))


# ── random walks ─────────────────────────────────────────────────────────────────────────────────────────────────

MARKET, ROUND = 800, 2600


class Within(Judge):
    """No order of bets, windows, seats, withdrawals, doubles, splits and rulings passes a limit of stakes."""

    def look(self, before, event, records, after):
        bets = list(after.round.bets.values())
        on_market = Counter()
        for bet in bets:
            on_market[bet.player, bet.spot.market] += bet.stake
        markets = [one.name for one in self.bench.house.game.markets]
        assert all(total <= MARKET for (_, market), total in on_market.items() if market in markets)
        for player in {bet.player for bet in bets}:
            assert (
                sum(bet.stake for bet in bets if bet.player == player)
                <= self.bench.house.terms.stakes.player.round.maximum
            )
        assert sum(bet.stake for bet in bets) <= ROUND
        for record in records:
            if isinstance(record.what, r.DecisionRefused) and record.what.reason == "limit_reached":
                assert record.what.decision in ("double", "split", "insure")


@pytest.mark.parametrize(
    ("game", "settings", "most"),
    [
        ("baccarat", {"betting_windows": 3}, 1600),
        ("thirty_two", {}, 1600),
        ("casino_holdem", {}, 1600),
        ("blackjack", {"decks": 1}, 900),  # doubles are refused
        ("rhum32", {}, 1600),
    ],
)
def test_no_order_of_bets_and_rulings_passes_a_limit(game, settings, most):
    table = partial(limited_table, game, settings, market=MARKET, player=most, whole=ROUND)
    for number in range(6):
        walk(table, [Within], rolls(f"limits {game} {number}", 160))
