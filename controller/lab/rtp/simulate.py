"""Simulated returns: rounds dealt by chance on several cores, in chunks with own seeds.

Only the number of rounds with each exact return is kept: mean and error need no more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from ...games import GAMES
from ...rules.dealing import RuleSheetCall
from ...rules.game import Game
from .cores import shares, spread
from .rounds import SimulatedRound, SimulatedShoe, decider, option_decider, return_per_unit, start

CHUNK = 5_000  # rounds of one job

Came = dict[str, Counter[Fraction]]  # by market: number of rounds with each return


class Bettor(Struct, frozen=True):
    """Player of simulated rounds: stake in table currency, and the option without a strategy."""

    stake: Fraction = Fraction(1)
    decision: str | None = None


STANDARD = Bettor()


class Chunk(Struct, frozen=True):
    """Number of rounds of a game, dealt from one seed."""

    game: str
    markets: tuple[str, ...]
    rounds: int
    seed: str
    bettor: Bettor = STANDARD


class Estimate(Struct, frozen=True):
    """Estimate of a return from a number of rounds, per unit staked."""

    rounds: int
    mean: Fraction
    error: float  # standard error of the mean

    @classmethod
    def of(cls, returns: Counter[Fraction]) -> "Estimate":
        """Build an estimate from the count of each return."""
        rounds = returns.total()
        mean, squares = (
            sum((value**n * times for value, times in returns.items()), Fraction(0)) / rounds for n in (1, 2)
        )
        return cls(rounds, mean, sqrt((squares - mean**2) / max(1, rounds - 1)))


def samples(
    game: str, markets: Sequence[str], rounds: int, seed: int, cores: int | None = None, bettor: Bettor = STANDARD
) -> Iterator[Came]:
    """Simulate rounds; yield how often each return occurred so far, after every chunk."""
    chunks = [Chunk(game, tuple(markets), size, own, bettor) for size, own in shares(rounds, CHUNK, f"{seed}/{game}")]
    total: Came = {market: Counter() for market in markets}
    for counts in spread(deal, chunks, cores):
        for market in markets:
            total[market].update(counts[market])
        yield total


def deal(chunk: Chunk) -> Came:
    """Deal a chunk in a worker process, where its game is found by name. Raises SheetFailed."""
    with RuleSheetCall():
        return deal_chunk(GAMES[chunk.game], chunk)


def deal_chunk(game: Game, chunk: Chunk) -> Came:
    """Deal the rounds of a chunk, each from a full shoe, and count their returns.

    Uses the game's own procedure and settlement.
    """
    bettor, begin = chunk.bettor, start(game)
    decide = decider(game) if bettor.decision is None else option_decider(bettor.decision)
    shoe = SimulatedShoe.of(game, chunk.seed)
    markets = [market for market in game.markets if market.name in chunk.markets]
    counts: Came = {market.name: Counter() for market in markets}
    for _ in range(chunk.rounds):
        shoe.fill()
        round_ = SimulatedRound(begin(), shoe.draw)
        outcome = round_.play(decide)
        for market in markets:
            counts[market.name][return_per_unit(game, market, outcome, round_.made, bettor.stake)] += 1
    return counts
