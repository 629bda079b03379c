"""Check that a real table pays the same returns as the simulation, with a bet on one market at a time.

The cards and decisions of a round are played again as `rtp` plays them, and both returns must be equal.
"""

import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from msgspec.structs import replace

from ...core import events as e
from ...core.spot import Spot
from ...rules.cards import Card
from ...rules.dealing import SheetFailed
from ...rules.game import Game, Market
from ...rules.procedure import Ask, Deal
from ..rtp.rounds import Decide, SimulatedRound, decide_by_default, market_of, return_per_unit, start
from .bench import Bench
from .broken import Broken, lines_of
from .chance import opening_events

ROUNDS = 16  # rounds for each market
STAKE = 600  # least stake in minor units, divisible by two and three
LONGEST = 400  # events of a round, at most

CHANGE = (
    "have pay use only the outcome and the Stake, whoever bets and however often it is asked; GAME.joins names "
    "the bet that makes a participant, GAME.follow_ons the stakes that come with decisions"
)


def check_payments(game: Game) -> None:
    """Check that the table pays what the simulated return says. Raises Broken."""
    for market in game.markets:
        dice = random.Random(market.name)
        try:
            for _ in range(ROUNDS):
                SettledRound(game, market, dice).check()
        except SheetFailed as error:
            raise Broken(f"expected pay to answer at every table, it fails ({error})", (), CHANGE) from None


class SettledRound:
    """One faultless round at a test table, in which the player p1 bets on one market."""

    def __init__(self, game: Game, market: Market, dice: random.Random) -> None:
        self._game, self._market, self._bench = game, market, Bench(game)
        self._stake = max(STAKE, *(one.minimum for one in game.markets))
        self._shoe = [*self._bench.house.deck.cards] * self._bench.house.deck.copies
        dice.shuffle(self._shoe)
        self._decide: Decide = game.strategy.decide if game.strategy is not None else decide_by_default
        self._seen: dict[str, list[Card]] = {}
        self._first = len(self._bench.heard)

    def check(self) -> None:
        """Play the round and check that it is settled, and pays as simulated. Raises Broken."""
        self._bet()
        self._deal()
        bench = self._bench
        if bench.life != "settled":
            stopped = f"stops ({bench.fault})" if bench.fault else f"is {bench.life} after {LONGEST} events"
            raise self._report(
                f"expected a round in which all goes right to be settled, it {stopped}",
                "have the procedure return its outcome, and pay an amount for every bet",
            )
        paid, simulated = self._return_per_unit(), self._simulated_return()
        if abs(paid - simulated) > Fraction(len(bench.facts("paid")), self._stake):
            name, table, other = self._market.name, float(paid), float(simulated)
            raise self._report(
                f"expected the table to pay {name} as the simulation does, in this round it pays {table:.2f} for each "
                f"unit staked, and the simulation {other:.2f}",
                CHANGE,
            )

    def _report(self, expected: str, change: str) -> Broken:
        return Broken(expected, lines_of(self._bench.heard[self._first :]), change)

    def _bet(self) -> None:
        """Open a round, bet on the market and the markets it needs, and close. If that joins nobody, p2 joins."""
        bench, game = self._bench, self._game
        bench.do(*opening_events(bench, 1))
        seat = game.seats[0] if game.seats else None
        needed = [*_needed_markets(game, self._market)]
        mine = [game.joins, *needed] if seat and game.joins and game.joins not in needed else needed
        for name in mine:
            bench.do(e.PlaceBet("p1", str(Spot(name, seat)), self._stake))
        if game.joins and game.joins not in mine:
            bench.do(e.PlaceBet("p2", game.joins, self._stake))
        if self._market.name not in [Spot.parse(one.market).market for one in bench.facts("bet_accepted")]:
            reason = next(iter(bench.facts("bet_refused"))).reason
            raise self._report(
                f"expected the table to take a bet on {self._market.name}, it refuses it ({reason})",
                "see the market's needs, minimum and floor",
            )

    def _deal(self) -> None:
        """Do each step that is due, with the next card or by the strategy, until the round ends or stops."""
        bench, coming = self._bench, iter(self._shoe)
        for _ in range(LONGEST):
            due = bench.due
            match bench.life:
                case "betting":
                    bench.do(e.Close("dealer"))
                case "dealing" if isinstance(due, Deal):
                    card = next(coming)
                    self._note(due, card)
                    bench.do(e.CardOut(card))
                case "deciding" if isinstance(due, Ask):
                    bench.do(*(e.Choose(who, option) for who, option in self._decide(due, self._seen).items()))
                case "complete" | "dealing":
                    bench.do(e.KeyPressed("finish"))
                case _:
                    return

    def _note(self, due: Deal, card: Card) -> None:
        if due.face_up:
            self._seen.setdefault(due.to, []).append(card)

    def _return_per_unit(self) -> Fraction:
        """Return of p1 for each unit staked on the market, with the stakes that follow it."""
        follow = {added.market for added in self._game.follow_ons.values() if added.of == self._market.name}
        total = 0
        for paid in self._bench.facts("paid"):
            name = Spot.parse(paid.market).market
            if paid.player == "p1" and name == self._market.name:
                total += paid.returned
            elif paid.player == "p1" and name in follow:
                total += paid.returned - paid.stake
        return Fraction(total, self._stake)

    def _simulated_return(self) -> Fraction:
        """Return of the same round as `rtp` plays it, at the odds of the table's bet."""
        coming = iter(self._shoe)
        round_ = SimulatedRound(start(self._game)(), lambda _: next(coming))
        outcome = round_.play(self._decide)
        odds = next(one.odds for one in self._bench.facts("bet_accepted") if one.market.endswith(self._market.name))
        market = replace(self._market, odds=None if odds is None else Decimal(odds))
        return return_per_unit(self._game, market, outcome, round_.made, Fraction(self._stake, 100))


def _needed_markets(game: Game, market: Market) -> Iterator[str]:
    """Yield the markets that a bet on this one needs, then the market itself."""
    if market.needs is not None:
        yield from _needed_markets(game, market_of(game, market.needs))
    yield market.name
