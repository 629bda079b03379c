"""Checks of the highest returns that a game states: of a bet, and of a whole round."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from ...core.exposure import exposure
from ...core.fold import apply
from ...rules.game import Game, Prize
from .broken import Broken
from .judge import Judge
from .paths import rounds, stakes


def check_highest(game: Game, count: int) -> None:
    """Check `count` rounds; shows the shortest in which a bet returns more than `highest`. Raises Broken."""
    paths = sorted((path for path, _ in rounds(game, count)), key=lambda path: len(path.answers))
    for path in paths:
        for stake in stakes(path):
            won = game.pay(path.outcome, stake)
            most = _highest_stated(game.highest.get(stake.market, ()), type(won))
            amount = won.amount if isinstance(won, Prize) else won
            if stake.odds is None and stake.market in game.highest and amount > most:
                raise Broken(
                    f"expected {stake.market} to return no more than {most} (GAME.highest), pay returned {amount}",
                    path.script(),
                    f"write into highest the most that pay returns for {stake.market}: exposures are computed from it",
                )


def _highest_stated(highest: tuple[Fraction | Prize, ...], kind: type) -> Fraction:
    """Highest stated return of a market: as a prize, or for each unit staked."""
    if kind is Prize:
        return sum((Fraction(one.amount) for one in highest if isinstance(one, Prize)), Fraction(0))
    return 1 + sum((one - 1 for one in highest if not isinstance(one, Prize)), Fraction(0))


class ExposureBound(Judge):
    """No round pays more than its exposure, computed from the sheet's `highest` and `exclusive`."""

    advice: ClassVar[str] = (
        "write into `highest` the most that pay returns for each market; group in `exclusive` only markets of which at "
        "most one wins in a round"
    )

    def __init__(self, bench: Any) -> None:
        super().__init__(bench)
        self.left: int | None = None  # what the exposure of the round being paid still allows, in minor units

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        state, game = before, self.bench.house.game
        for record in records:
            if record.kind == "settled":
                self.left = exposure(game, state.round, state.identity.currency)
            elif record.kind == "paid" and self.left is not None:
                self.left -= max(0, record.what.returned - record.what.stake)
                assert self.left >= 0
            state = apply(state, record)
