"""Amount returned for a bet by the rule sheet, in minor units."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from ..rules.dealing import RuleSheetCall
from ..rules.game import Game, Prize, Stake
from ..rules.procedure import Outcome
from .book import Bet
from .currency import whole
from .state import Round


def returned(game: Game, round_: Round, outcome: Outcome, bet: Bet, currency: str) -> int:
    """Amount returned for a bet, stake included, in minor units, rounded down. Raises SheetFailed."""
    odds = None if bet.odds is None else Decimal(bet.odds)
    with RuleSheetCall():
        won = game.pay(outcome, Stake(bet.player, bet.spot.market, odds, bet.spot.seat))
    if not isinstance(won, Prize):
        return share(bet.stake, won)
    limit, prize = round_.terms.prize_limit, whole(won.amount, currency)
    return bet.stake + (prize if limit is None else min(prize, limit))


def see_payable(game: Game, outcome: Outcome, bets: Iterable[Bet]) -> None:
    """Have the rule sheet say of every bet what it returns. Raises SheetFailed."""
    odds = dict[str | None, Decimal | None]({None: None})
    with RuleSheetCall():
        for bet in bets:
            if bet.odds not in odds:
                odds[bet.odds] = Decimal(bet.odds or 0)
            game.pay(outcome, Stake(bet.player, bet.spot.market, odds[bet.odds], bet.spot.seat))


def share(stake: int, times: Fraction) -> int:
    """Multiple of a stake, rounded down to the minor unit."""
    return stake * times.numerator // times.denominator
