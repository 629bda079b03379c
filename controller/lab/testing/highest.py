"""Check of GAME.highest: no bet returns more than the sheet tells of its market."""

from fractions import Fraction

from ...rules.game import Game, Prize
from .broken import Broken
from .paths import rounds, stakes


def check_highest(game: Game, count: int) -> None:
    """Check so many rounds; shows the shortest in which a bet returns more. Raises Broken."""
    paths = sorted((path for path, _ in rounds(game, count)), key=lambda path: len(path.answers))
    for path in paths:
        for stake in stakes(path):
            won = game.pay(path.outcome, stake)
            most = _most(game.highest.get(stake.market, ()), type(won))
            came = won.amount if isinstance(won, Prize) else won
            if stake.odds is None and stake.market in game.highest and came > most:
                raise Broken(
                    f"expected {stake.market} to return no more than GAME.highest tells, {most}; pay returned {came}",
                    path.script(),
                    f"name in highest the most that pay gives for {stake.market}: exposures are computed from it",
                )


def _most(highest: tuple[Fraction | Prize, ...], kind: type) -> Fraction:
    """Most that a market returns: as a prize, or for each unit staked."""
    if kind is Prize:
        return sum((Fraction(one.amount) for one in highest if isinstance(one, Prize)), Fraction(0))
    return 1 + sum((one - 1 for one in highest if not isinstance(one, Prize)), Fraction(0))
