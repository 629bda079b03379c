"""Amount returned for a bet by the rule sheet and the ceilings of payment, in minor units."""

from collections.abc import Collection, Generator, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ..rules.dealing import RuleSheetCall, check_return
from ..rules.game import Game, Prize, Stake
from ..rules.procedure import Outcome
from .book import Bet, Book
from .ceilings import apply_in_pieces
from .currency import to_minor_units
from .pieces import pieces, run_to_end
from .records import AppliedCeiling
from .state import Round


class Returned(NamedTuple):
    """Amount returned for a bet, and the ceilings of payment that have lowered it."""

    amount: int
    capped: tuple[AppliedCeiling, ...] = ()


def returns_by_bet(
    game: Game, round_: Round, outcome: Outcome, bets: Collection[Bet], currency: str
) -> Mapping[str, Returned]:
    """Amount returned for each of these bets, by its id. Raises SheetFailed.

    `bets`: all that the round pays, as ceilings hold for their sum; without ceilings, any of them.
    """
    return run_to_end(compute_returns_in_pieces(game, round_, outcome, bets, currency))


def compute_returns_in_pieces(
    game: Game, round_: Round, outcome: Outcome, bets: Collection[Bet], currency: str
) -> Generator[None, None, Mapping[str, Returned]]:
    """Compute `returns_by_bet` for a large book; yields after each piece. Raises SheetFailed."""
    by_sheet, returns = dict[str, int](), dict[str, Returned]()
    for piece in pieces(bets):
        by_sheet.update((bet.id, amount_returned(game, round_, outcome, bet, currency)) for bet in piece)
        yield
    capped = yield from apply_in_pieces(round_.terms.ceilings, bets, by_sheet)
    for some in pieces(by_sheet.items()):
        for bet, amount in some:
            steps = capped.get(bet, ())
            returns[bet] = Returned(amount - steps[0].was + steps[-1].to if steps else amount, steps)
        yield
    return returns


class OwedReturns:
    """Returns of the bets of a settled round with ceilings, computed once for all slices."""

    def __init__(self, of: Book, outcome: Outcome, computation: Generator[None, None, Mapping[str, Returned]]) -> None:
        self._of, self._outcome, self._computation = of, outcome, computation
        self._found: Mapping[str, Returned] | None = None

    def is_of(self, book: Book, outcome: Outcome) -> bool:
        """True if these are the returns of this book under this outcome."""
        return self._of is book and self._outcome == outcome

    def go_on(self) -> bool:
        """Compute the next part of the returns; False when all are computed. Raises SheetFailed."""
        if self._found is None:
            try:
                next(self._computation)
            except StopIteration as end:
                self._found = end.value
        return self._found is None

    @property
    def all_returns(self) -> Mapping[str, Returned]:
        """Return of every bet; computes the missing ones now. Raises SheetFailed."""
        if self._found is None:
            self._found = run_to_end(self._computation)
        return self._found


def amount_returned(game: Game, round_: Round, outcome: Outcome, bet: Bet, currency: str) -> int:
    """Amount that the sheet returns for a bet, stake included, in minor units, rounded down. Raises SheetFailed."""
    odds = None if bet.odds is None else Decimal(bet.odds)
    with RuleSheetCall():
        won = check_return(game.pay(outcome, Stake(bet.player, bet.spot.market, odds, bet.spot.seat)))
    if not isinstance(won, Prize):
        return share(bet.stake, won)
    limit, prize = round_.terms.prize_limit, to_minor_units(won.amount, currency)
    return bet.stake + (prize if limit is None else min(prize, limit))


def check_payable(game: Game, outcome: Outcome, bets: Iterable[Bet]) -> None:
    """Check that the rule sheet can compute the return of every bet. Raises SheetFailed."""
    odds = dict[str | None, Decimal | None]({None: None})
    with RuleSheetCall():
        for bet in bets:
            if bet.odds not in odds:
                odds[bet.odds] = Decimal(bet.odds or 0)
            check_return(game.pay(outcome, Stake(bet.player, bet.spot.market, odds[bet.odds], bet.spot.seat)))


def share(stake: int, times: Fraction) -> int:
    """Multiple of a stake, rounded down to the minor unit."""
    return stake * times.numerator // times.denominator
