"""Bets of one round for its sheet: stakes and returned amounts."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..core import records as r
from ..core.clock import Time
from ..core.records import Record

BetEnd = Literal["open", "withdrawn", "paid", "refunded"]


class SheetBet(Struct, frozen=True):
    """One bet of a round. Amounts are in minor units.

    `returned`: final amount that goes back, the stake included; None: not settled, withdrawn or refunded.
    `first`: amount that went back before the round was settled anew, if it differs.
    """

    id: str
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    at: Time
    odds: str | None = None
    end: BetEnd = "open"
    returned: int | None = None
    first: int | None = None
    capped: tuple[int, int] | None = None  # winnings before and after the ceilings of payment

    @property
    def amount_back(self) -> int | None:
        """Amount that went back, also of a cancelled round; None: not settled, or withdrawn."""
        return self.stake if self.end == "refunded" else self.returned


class PlayerSums(Struct, frozen=True):
    """Money of one player in a round, in minor units. `returned`: None while a bet is not settled."""

    staked: int
    returned: int | None


def bets_of(records: Sequence[Record]) -> tuple[SheetBet, ...]:
    """Bets of a round, in the order in which they were taken."""
    bets = dict[str, SheetBet]()
    for record in records:
        match record.what:
            case r.BetAccepted() as what:
                bets[what.bet] = SheetBet(what.bet, what.player, what.market, what.stake, record.at, what.odds)
            case r.Decided(bet=str(bet), player=str(player), market=str(market), stake=int(stake)):
                bets[bet] = SheetBet(bet, player, market, stake, record.at)
            case r.Resettled() as what:
                _settle_anew(bets, what)
            case r.BetRepriced() | r.BetWithdrawn() | r.Paid() | r.Refunded() as what if what.bet in bets:
                bets[what.bet] = _apply_record(bets[what.bet], what)
    return tuple(bet if bet.first != bet.amount_back else replace(bet, first=None) for bet in bets.values())


def players_of(bets: Iterable[SheetBet]) -> tuple[str, ...]:
    """Players of a round, in the order of their first bet: a page of the round names each by its place, from 1."""
    return tuple(dict.fromkeys(bet.player for bet in bets))


def sums_of(bets: Iterable[SheetBet], player: str) -> PlayerSums:
    """Sum what a player staked and got back; a bet that was withdrawn counts for neither, a refund is returned."""
    own = [bet for bet in bets if bet.player == player and bet.end != "withdrawn"]
    back = [bet.amount_back for bet in own]
    returned = None if None in back else sum(one for one in back if one is not None)
    return PlayerSums(sum(bet.stake for bet in own), returned)


def _apply_record(bet: SheetBet, what: r.BetRepriced | r.BetWithdrawn | r.Paid | r.Refunded) -> SheetBet:
    match what:
        case r.BetRepriced(odds=odds):
            return replace(bet, odds=odds)
        case r.BetWithdrawn():
            return replace(bet, end="withdrawn")
        case r.Refunded():
            return replace(bet, end="refunded")
        case r.Paid(returned=returned):
            capped = (what.capped[0].was, what.capped[-1].to) if what.capped else None
            return replace(bet, end="paid", returned=returned, capped=capped)


def _settle_anew(bets: dict[str, SheetBet], what: r.Resettled) -> None:
    """Take the amounts of a resettlement; `first` keeps the first that differs."""
    void = what.now is None
    for one in what.movements:
        bet = bets.get(one.bet)
        if bet is None:
            continue
        first = bet.first if bet.first is not None else one.was if one.difference else None
        capped = (one.capped[0].was, one.capped[-1].to) if one.capped is not UNSET and one.capped else None
        end: BetEnd = "refunded" if void else "paid"
        bets[one.bet] = replace(bet, end=end, returned=None if void else one.now, first=first, capped=capped)
