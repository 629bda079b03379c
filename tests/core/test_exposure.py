"""Exposure of a round: upper bound of its winnings, and a single warning that refuses no bet."""

from collections import defaultdict
from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.exposure import exposure
from controller.core.fold import apply
from controller.core.house import Ceilings, PlayerCeilings
from controller.core.sheet import rounds
from controller.core.views import AUDIENCES, view
from controller.games import GAMES
from controller.lab.testing.highest_returns import ExposureBound
from controller.rules.game import Prize
from tests.core.bench import Bench, kinds
from tests.core.chance import Judge, rolls, walk
from tests.repeats import first_of

from .test_resettling import replayed


def exposed(bench):
    return exposure(bench.house.game, bench.state.round, "EUR")


# ── the amount ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_markets_that_exclude_each_other_count_by_the_dearest():
    bench = Bench()
    bench.says("open; bet p1 player 10.00; bet p2 banker 12.00; bet p3 tie 1.00")
    assert exposed(bench) == 1140  # banker 12.00 at 1.95; player 10.00, tie 8.00
    bench.says("bet p3 player_pair 1.00; bet p4 big 1.00; bet p4 small 1.00")
    assert exposed(bench) == 1140 + 1100 + 150
    bench.do(e.WithdrawBet("p2", "banker"))
    assert exposed(bench) == 1000 + 1100 + 150


@pytest.mark.parametrize(
    ("ceilings", "most"),
    [
        (Ceilings(), 1100 + 1800),
        (Ceilings(bet=300), 300 + 600),
        (Ceilings(bet=300, classes={"vip": PlayerCeilings(bet=500)}), 500 + 1000),
        (Ceilings(bet=300, classes={"vip": PlayerCeilings()}), 1100 + 1800),
        (Ceilings(player=700), 2 * 700),
        (Ceilings(round=100), 100),
    ],
)
def test_ceilings_bound_the_exposure(ceilings, most):
    bench = Bench(ceilings=ceilings)
    bench.says("open; bet p1 player_pair 1.00; bet p1 player 9.00; bet p2 player 9.00; bet p3 any_pair 1.00")
    bench.do(e.WithdrawBet("p3", "any_pair"))
    assert exposed(bench) == most


def test_a_pay_table_counts_by_its_highest_row():
    bench = Bench("rhum32", prize_limit=50_000_00)
    bench.says("shuffled; open; bet p1 seat1 ante 1.00; bet p1 seat1 insurance 5.00")
    assert exposed(bench) == 100 + 500 * 7 + 50_000_00


def test_odds_of_earlier_windows_count():
    bench = Bench(settings={"betting_windows": 3})
    bench.says("open; bet p1 tie 1.00")
    first = exposed(bench)
    bench.says("close; card 9C; bet p1 tie 1.00")
    assert exposed(bench) >= 2 * min(first, exposed(bench) - first) > 0
    assert exposed(bench) >= sum(
        int(bet.stake * float(bet.odds)) - bet.stake for bet in bench.state.round.bets.values()
    )


def test_a_sheet_without_highest_returns_has_no_exposure():
    sheet = replace(GAMES["rhum32"], highest={})
    bench = Bench(sheet)
    bench.says("shuffled; open; bet p1 seat1 ante 1.00")
    assert exposed(bench) is None
    bench = Bench(sheet, ceilings=Ceilings(bet=70))
    bench.says("shuffled; open; bet p1 seat1 ante 1.00")
    assert exposed(bench) == 70


@pytest.mark.parametrize("name", GAMES)
def test_no_corpus_round_returns_more_than_its_sheet_tells(name):
    game, highest = GAMES[name], defaultdict(set)
    for played in rounds(game):
        won = defaultdict(set)
        for player, market, back in played["returns"]:
            prize = back.startswith("prize ")
            highest[market].add(Prize(int(back[6:])) if prize else Fraction(back))
            won[player] |= {market} if prize or Fraction(back) > 1 else set()
        assert all(len(markets & {*group}) <= 1 for markets in won.values() for group in game.exclusive)
    for market, maxima in game.highest.items():
        prizes = [one.amount for one in highest[market] if isinstance(one, Prize)]
        times = [one for one in highest[market] if not isinstance(one, Prize)]
        assert maxima == (max(times), *(Prize(max(prizes)) for _ in prizes[:1]))
    assert highest.keys() <= {*game.highest, *(market.name for market in game.markets if market.odds)}


def test_a_sheet_with_wrong_exclusive_markets_is_found():
    bench = Bench(replace(GAMES["baccarat"], exclusive=(("player", "player_pair"),)))
    bench.judges = [ExposureBound(bench)]
    bench.says("open; bet p1 player 1.00; bet p1 player_pair 1.00; close; card 9C; card 2D; card 9H")
    with pytest.raises(AssertionError):
        bench.says("card 3S")


# ── the warning ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_warning_comes_once_a_round_and_refuses_nothing():
    bench = Bench(exposure_warning=1000)
    assert kinds(bench.says("open; bet p1 player 10.00")) == ["opened", "bet_accepted"]
    assert kinds(bench.says("bet p2 player 0.01")) == ["bet_accepted", "exposure_warned"]
    (what,) = bench.facts("exposure_warned")
    assert (what.exposure, what.above, what.currency) == (1001, 1000, "EUR")
    bench.do(e.WithdrawBet("p2", "player"))
    bench.restart()
    bench.says("rule resume by m because seen")
    assert kinds(bench.says("bet p2 player 5.00; bet p3 tie 9.00")) == ["bet_accepted"] * 2
    bench.says("close; card 9C; card 2D; card KC; card 3D; open; bet p1 player 11.00")
    assert [(what.exposure, what.above) for what in bench.facts("exposure_warned")] == [(1001, 1000), (1100, 1000)]
    assert bench.state.round.exposed
    assert replayed(bench.records) == []


def test_a_call_may_bring_the_warning():
    bench = Bench("casino_holdem", exposure_warning=100_00)
    bench.says("shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S")
    assert kinds(bench.says("decide p1 call"))[:2] == ["decided", "exposure_warned"]


def test_training_raises_no_warning():
    bench = Bench(exposure_warning=1, training=True)
    bench.says("open; bet p1 player 10.00")
    assert bench.facts("exposure_warned") == []


def test_the_warning_is_for_shift_managers_and_auditors():
    bench = Bench(exposure_warning=1)
    record = bench.says("open; bet p1 player 10.00")[-1]
    event_kinds = {audience: view(record, audience)["kind"] for audience in AUDIENCES}
    assert {audience for audience, kind in event_kinds.items() if kind == "exposure_warned"} == {"auditor", "manager"}


# ── random walks ─────────────────────────────────────────────────────────────────────────────────────────────────


class ExposureHolds(Judge):
    """No round pays more winnings than its exposure; cards never change it; it warns at most once a round."""

    def look(self, before, event, records, after):
        state = before
        for record in records:
            if record.kind == "settled":
                most = exposure(self.bench.house.game, state.round, "EUR")
                won = [max(0, one.what.returned - one.what.stake) for one in records if one.kind == "paid"]
                assert sum(won) <= most
            if record.kind in ("dealt", "drawn", "revealed", "completed", "burnt", "voided"):
                now = apply(state, record)
                assert exposure(self.bench.house.game, now.round, "EUR") == exposure(
                    self.bench.house.game, state.round, "EUR"
                )
            state = apply(state, record)
        assert after.round.bets.players == len({bet.player for bet in after.round.bets.values()})
        warned = [one.what for one in self.bench.records if one.kind in ("opened", "exposure_warned")]
        assert all(isinstance(one, r.Opened) for one, other in pairwise(warned) if not isinstance(other, r.Opened))


@pytest.mark.parametrize("ceilings", first_of(1, [Ceilings(bet=400, player=450, round=520), UNSET]))
@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("baccarat", {}),
        ("baccarat", {"betting_windows": 3}),
        ("thirty_two", {}),
        ("casino_holdem", {}),
        ("blackjack", {"decks": 1}),
        ("rhum32", {}),
    ],
)
def test_no_round_pays_more_than_its_exposure(game, settings, ceilings):
    table = partial(Bench, game, settings, ceilings=ceilings, exposure_warning=600)
    for number in range(3):
        rolled = [(what // 3 if how % 3 else what, how) for what, how in rolls(f"exposure {game} {number}", 200)]
        walk(table, [ExposureHolds], rolled)
