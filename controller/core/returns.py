"""Amount returned for a bet by the rule sheet and the ceilings of payment, in minor units."""

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ..rules.dealing import RuleSheetCall
from ..rules.game import Game, Prize, Stake
from ..rules.procedure import Outcome
from .book import Bet
from .ceilings import applied
from .currency import whole
from .records import AppliedCeiling
from .state import Round


class Returned(NamedTuple):
    """Amount returned for a bet, and the ceilings of payment that have lowered it."""

    amount: int
    capped: tuple[AppliedCeiling, ...] = ()


def all_returned(
    game: Game, round_: Round, outcome: Outcome, bets: Collection[Bet], currency: str
) -> Mapping[str, Returned]:
    """Amount returned for each of these bets, by its id. Raises SheetFailed.

    `bets`: all that the round pays, as ceilings hold for their sum; without ceilings, any of them.
    """
    by_sheet = {bet.id: returned(game, round_, outcome, bet, currency) for bet in bets}
    capped = applied(round_.terms.ceilings, bets, by_sheet)
    found = {bet: Returned(amount) for bet, amount in by_sheet.items()}
    for bet, steps in capped.items():
        found[bet] = Returned(by_sheet[bet] - steps[0].was + steps[-1].to, steps)
    return found


def returned(game: Game, round_: Round, outcome: Outcome, bet: Bet, currency: str) -> int:
    """Amount that the sheet returns for a bet, stake included, in minor units, rounded down. Raises SheetFailed."""
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
