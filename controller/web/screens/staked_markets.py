"""Bets of the live round by market, for the shift manager's screen: the largest, and the sum of the others."""

from collections.abc import Iterator

from msgspec import Struct

from ...text.faults import Words
from ...text.money import money
from ...text.naming import market_name
from .manager_texts import MORE_MARKETS
from .table_snapshot import TableSnapshot

MARKETS = 12  # markets that are shown: those with the largest stakes; the others are added up in one line


class StakedOnMarket(Struct, frozen=True):
    """Bets of one market: their count and total; in the last line those of all markets that are not listed."""

    market: str
    count: int
    total: str


def staked_markets(snapshot: TableSnapshot, words: Words) -> tuple[StakedOnMarket, ...]:
    """Markets with the largest stakes, at most MARKETS of them, and a last line for all others."""
    return tuple(_markets(snapshot, words))


def _markets(snapshot: TableSnapshot, words: Words) -> Iterator[StakedOnMarket]:
    staked, game = snapshot.state.round.bets.staked, snapshot.house.game
    ranked, currency = sorted(staked, key=lambda spot: -staked[spot].total), snapshot.house.currency
    for spot in ranked[:MARKETS]:
        yield StakedOnMarket(market_name(game, spot, words), staked[spot].bets, money(staked[spot].total, currency))
    if more := [staked[spot] for spot in ranked[MARKETS:]]:
        total = money(sum(one.total for one in more), currency)
        yield StakedOnMarket(words.say(MORE_MARKETS).format(count=len(more)), sum(one.bets for one in more), total)
