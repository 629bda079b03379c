"""Odds of a betting window: the sheet's own, or computed from chances less the table's margin.

Invariant: the chances depend only on the cards of the shoe that somebody has seen. A card that nobody has seen is
equally likely to be any of the unseen cards, wherever the card lies: face down, or carried over, until it is dealt.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from ..rules.cards import Card, Deck
from ..rules.game import Chance, Game
from ..rules.procedure import Settings
from .copies import count_seen
from .house import House
from .life import RESTING
from .position import Position
from .script import Laid
from .state import State

LEAST = 101  # hundredths: a market that would pay less is not on offer

Offer = dict[str, str]  # decimal odds by market


def first_odds(house: House, state: State) -> Offer:
    """Return the odds of the first window of the round about to open, by market.

    Computed by the game if it computes odds, else the fixed odds of the markets.
    """
    computed = _compute_odds(house.game, house.settings, state)
    return fixed_odds(house.game) if computed is None else computed


def fixed_odds(game: Game) -> Offer:
    """Return the odds that the rule sheet fixes, by market."""
    return {market.name: str(market.odds) for market in game.markets if market.odds is not None}


def further_odds(position: Position, state: State) -> Offer:
    """Return the odds of a later window of the round, under the settings pinned in the round.

    If the game computes none, the odds of the round stay.
    """
    computed = odds_after(position, state, len(state.round.draws))
    return state.round.odds if computed is None else computed


def odds_after(position: Position, state: State, drawn: int) -> Offer | None:
    """Return the odds after the first `drawn` cards of the round; None if the game computes none.

    The cards count as they are known now.
    """
    round_ = state.round
    script = tuple(entry for entry in round_.script if not isinstance(entry, Laid) or entry.draw <= drawn)
    then = replace(state, round=replace(round_, draws=round_.draws[:drawn], script=script))
    return _compute_odds(position.game(round_), position.settings(round_), then)


def _compute_odds(game: Game, settings: Settings, state: State) -> Offer | None:
    """Return the odds computed from the unseen cards; None if the game computes none."""
    pricing = game.pricing(settings)
    if pricing is None:
        return None
    chances = pricing.chances(count_unseen(state, game.deck(settings)), open_cards(state))
    names = [market.name for market in game.markets if market.name in chances]
    odds = {name: decimal_odds(chances[name], pricing.margin) for name in names}
    return {name: text for name, text in odds.items() if text is not None}


def decimal_odds(chance: Chance, margin: Fraction) -> str | None:
    """Return the decimal odds that pay back `1 - margin` of a stake on average, rounded down to 0.01.

    Returns None for odds below 1.01, and for a market that cannot win any more.
    """
    won, whole = chance.won.as_integer_ratio()
    if not won:
        return None
    back, of = chance.stake_back.as_integer_ratio()
    share, out_of = margin.as_integer_ratio()
    paid = (out_of - share) * of - back * out_of  # of out_of × of: whole numbers, as fractions take ten times as long
    hundredths = 100 * paid * whole // (out_of * of * won)
    return f"{hundredths // 100}.{hundredths % 100:02}" if hundredths >= LEAST else None


def count_unseen(state: State, deck: Deck) -> dict[Card, int]:
    """Count the copies of each card that nobody has seen yet.

    The count is 0 if more copies were seen than exist.
    """
    counts = count_seen(state, hidden=False)
    return {card: max(0, deck.copies - counts[card]) for card in deck.cards}


def open_cards(state: State) -> list[Card]:
    """Return the open cards of the live round, in the order in which they were laid."""
    if not state.live:
        return []
    laid = [state.round.draws[entry.draw - 1].visible_card for entry in state.round.script if isinstance(entry, Laid)]
    return [card for card in laid if card]


def computations_ahead(house: House, state: State) -> list[Callable[[], object]]:
    """Return computations to run before anybody waits for the results, one callable each.

    While the table rests: the next round's first window. During a window: the next window, once for each card that may
    come. The game remembers the results. Empty if the game computes no odds, or no window follows.
    """
    pricing = house.game.pricing(house.settings)
    if pricing is None:
        return []
    left, cards = count_unseen(state, house.deck), open_cards(state)
    if state.life in RESTING:
        return [partial(pricing.chances, left, cards)]
    if state.life != "betting" or state.round.window >= pricing.windows:
        return []
    return [
        partial(pricing.chances, {**left, card: copies - 1}, [*cards, card]) for card, copies in left.items() if copies
    ]
