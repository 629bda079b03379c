"""Bets of a round: stakes taken and withdrawn. All amounts are integers of minor units.

Each bet is accepted or refused on its own, and nothing is accepted once betting has closed.
"""

from collections.abc import Mapping
from decimal import Decimal

from msgspec import UNSET, UnsetType

from ...rules.game import Market
from ...rules.procedure import seat_of
from .. import events as e
from .. import records as r
from ..book import Bet
from ..bounds import MOST_NUMBER
from ..difference import follow_on_bets
from ..draft import Draft
from ..house import Limits, Terms
from ..returns import share
from ..spot import Spot
from ..stake_sums import exceeded_limit, find_short_sum, maxima
from ..windows import are_worse, open_window, window_mismatch
from .exposures import warn_of_exposure


def place(draft: Draft, event: e.PlaceBet) -> None:
    """Accept or refuse a player's bet on a market."""
    stake, round_ = event.stake or 0, draft.state.round
    reason = refusal(draft, event)
    if reason:
        refuse_bet(draft, event, reason)
        return
    odds, window = _odds(draft, event.market), round_.window if draft.house.records_windows else UNSET
    about = round_.next_bet, event.player, event.market, stake, odds, draft.currency, window
    draft.write(r.BetAccepted(*about, event.player_class or UNSET))
    warn_of_exposure(draft)


def refuse_bet(draft: Draft, event: e.PlaceBet, reason: str) -> None:
    """Record that a bet is refused, with the betting window that is open and the odds in force there."""
    about = event.player, event.market, event.stake or 0, reason, draft.currency
    if not draft.house.records_windows:
        draft.write(r.BetRefused(*about))
        return
    window = open_window(draft.state)
    odds = None if window is None else draft.state.round.odds.get(Spot.parse(event.market).market)
    draft.write(r.BetRefused(*about, window, odds, _limit(draft, event, reason)))


def refusal(draft: Draft, event: e.PlaceBet) -> str | None:
    """Reason code for refusing a bet; None if it is accepted."""
    state = draft.state
    spot = Spot.parse(event.market)
    market = _market(draft, spot)
    needed = market.needs if market else None
    if reason := window_mismatch(state, event.round, event.window):
        return reason
    stake, limits = event.stake or 0, _limits(draft, event)
    checks = (
        (state.life != "betting", "betting_closed"),
        (event.player in state.gone, "player_gone"),
        (market is None or _is_off_offer(draft, market), "unknown_market"),
        (not event.stake or event.stake < 0, "bad_amount"),
        (are_worse(_odds(draft, event.market), event.odds), "odds_changed"),
        (_find_bet(draft, event.player, spot) is not None, "duplicate_bet"),
        (_holder(draft, spot.seat) not in (None, event.player), "seat_taken"),
        (not _is_known_class(state.round.terms, event.player_class), "unknown_class"),
        (needed is not None and _find_bet(draft, event.player, Spot(needed, spot.seat)) is None, _needs(draft, needed)),
        (stake < limits.minimum, "below_minimum"),
        (limits.maximum is not None and _is_above(draft, event.market, stake, limits.maximum), "above_maximum"),
        (market is not None and _exceeded_limit(draft, event) is not None, "limit_reached"),
    )
    return next((reason for stands, reason in checks if stands), None)


def _needs(draft: Draft, needed: str | None) -> str:
    """Reason code for a bet that lacks the bet on the market that it needs."""
    return "needs_bet" if draft.house.has_code_for_needs and needed != "ante" else f"needs_{needed}"


def _is_known_class(terms: Terms, name: str | None) -> bool:
    """True if the table knows this class of players, or the player has no class."""
    capped = terms.ceilings.classes if terms.ceilings else {}
    return name is None or name in terms.stakes.classes or name in capped


def _limits(draft: Draft, event: e.PlaceBet) -> Limits:
    """Limits of one bet on this market: of the player's class, else the table's."""
    terms, market = draft.state.round.terms, Spot.parse(event.market).market
    of_class = terms.stakes.limits_of(event.player_class).bets
    return of_class.get(market) or terms.limits.get(market, Limits())


def _exceeded_limit(draft: Draft, event: e.PlaceBet) -> r.ReachedLimit | None:
    return exceeded_limit(draft.house.game, draft.state.round, _further_bet(event))


def _further_bet(event: e.PlaceBet) -> Bet:
    return Bet("", event.player, Spot.parse(event.market), event.stake or 0, player_class=event.player_class)


def _limit(draft: Draft, event: e.PlaceBet, reason: str) -> r.ReachedLimit | UnsetType:
    """Limit that a refused bet does not keep; UNSET if it is refused for another reason."""
    if reason == "limit_reached":
        return _exceeded_limit(draft, event) or UNSET
    if reason in ("below_minimum", "above_maximum") and draft.house.names_limits:
        limits, sums = _limits(draft, event), maxima(draft.house.game, draft.state.round, _further_bet(event))
        left = min((one.left for one in sums if one.left is not None), default=None)
        most = [one for one in (limits.maximum, left) if one is not None]
        return r.ReachedLimit("bet", limits.minimum, limits.maximum, min(most, default=None))
    return UNSET


def _odds(draft: Draft, market: str) -> str | None:
    """Odds in force of a market, whatever its seat; None if it has none."""
    name = Spot.parse(market).market if draft.house.judges_each_bet else market
    return draft.state.round.odds.get(name)


def _is_above(draft: Draft, market: str, stake: int, maximum: int) -> bool:
    """True if the stake is above the maximum, or its win could be larger than a record can hold."""
    odds = Decimal(_odds(draft, market) or 1)
    return stake > maximum or stake * odds > MOST_NUMBER


def withdraw(draft: Draft, event: e.WithdrawBet) -> None:
    """Return a stake before the close, and with it the bets that require it.

    An event that names another bet than the one in play is ignored (`no_bet`): the bet in play was placed after it. If
    the command of the bet or of the event is not known, the market alone names the bet.
    """
    bet = _find_bet(draft, event.player, Spot.parse(event.market))
    if reason := window_mismatch(draft.state, event.round, event.window):
        draft.ignore(event, reason)
        return
    if draft.state.life != "betting":
        draft.ignore(event)
        return
    if bet is None or (draft.house.judges_each_bet and _is_another(bet, event)):
        draft.ignore(event, "no_bet")
        return
    for other in _with_dependent_bets(draft, bet):
        give_back(draft, other)


def _is_another(bet: Bet, event: e.WithdrawBet) -> bool:
    """True if the event names a command, and the bet is known to come from another one or another sender's."""
    return None not in (bet.origin, event.bet) and bet.origin != e.Origin(event.via, event.bet)


def withdraw_absent(draft: Draft) -> None:
    """Return the bets of players who are disconnected when betting closes, unless the table keeps them.

    Source: "Casino Hold'em", DISCONNECTION. If the line breaks "before bets are placed, i.e. before the 'No More Bets'
    message", then "the bet will not be deducted ... and the player will not participate". So a bet counts as placed at
    the close, and the setting `return` is the default. The setting `keep` applies "if the bet was placed, the game will
    proceed as normal" to every stake that was accepted before the close.
    """
    if draft.state.round.terms.gone == "keep":
        return
    gone = frozenset(draft.state.gone)
    for bet in draft.state.round.bets.values():
        if bet.player in gone and bet.window == draft.state.round.window:
            give_back(draft, bet)


def withdraw_short(draft: Draft) -> None:
    """Return the stakes of the closing window whose sums do not reach a minimum.

    The bets that require them are returned too.
    """
    while shortfall := find_short_sum(draft.house.game, draft.state.round):
        limit, bets = shortfall
        for bet in bets:
            for other in _with_dependent_bets(draft, bet):
                if other.id in draft.state.round.bets:
                    give_back(draft, other, limit)


def _with_dependent_bets(draft: Draft, bet: Bet) -> list[Bet]:
    """Bets of the player that require this bet, then the bet itself."""
    spots = [Spot(one.name, bet.spot.seat) for one in draft.house.game.markets if one.needs == bet.spot.market]
    others = (other for spot in spots for other in draft.state.round.bets.bets_on(bet.player, spot))
    keeps_earlier = draft.house.judges_each_bet  # bets of an earlier window stay in play
    return [*(other for other in others if other.window == bet.window or not keeps_earlier), bet]


def withdraw_follow_ons(draft: Draft, decisions: Mapping[str, str]) -> None:
    """Return the additional stakes of decisions that a ruling has withdrawn."""
    for bet in follow_ons(draft, decisions):
        give_back(draft, bet)


def follow_ons(draft: Draft, decisions: Mapping[str, str]) -> list[Bet]:
    """Additional bets that came with these decisions (by player or seat)."""
    game, round_ = draft.house.game, draft.state.round
    return [bet for who, decision in decisions.items() for bet in follow_on_bets(game, round_, who, decision)]


def line_cut(draft: Draft, event: e.LineCut) -> None:
    """Record that a player's connection was lost; ignored if it is lost already."""
    if reason := window_mismatch(draft.state, event.round, None):
        draft.ignore(event, reason)
    elif event.player in draft.state.gone:
        draft.ignore(event, "gone_already")
    else:
        draft.write(r.PlayerGone(event.player))


def line_back(draft: Draft, event: e.LineBack) -> None:
    """Record that a player's connection is back; ignored if it was not lost."""
    if reason := window_mismatch(draft.state, event.round, None):
        draft.ignore(event, reason)
    elif event.player in draft.state.gone:
        draft.write(r.PlayerBack(event.player))
    else:
        draft.ignore(event, "not_gone")


def follow_on(draft: Draft, who: str, decision: str) -> tuple[Bet, Bet] | None:
    """Bet that a decision builds on, and the additional bet; None if the decision needs no stake.

    `who`: the deciding player, or the seat in a seated game.
    """
    game = draft.house.game
    added = game.follow_ons.get(decision)
    if added is None:
        return None
    if game.seats:  # a seat decides, or the second hand of its split: the stake is from the player on the seat
        base, spot = Spot(added.of, seat_of(who)), Spot(added.market, who)
        base_bet = next((bet for bet in draft.state.round.bets.values() if bet.spot == base), None)
    else:
        base_bet, spot = _find_bet(draft, who, Spot(added.of)), Spot(added.market)
    if base_bet is None:
        return None
    stake = share(base_bet.stake, added.times)
    return base_bet, Bet(draft.state.round.next_bet, base_bet.player, spot, stake, player_class=base_bet.player_class)


def _market(draft: Draft, spot: Spot) -> Market | None:
    """Market of the game at this spot; None if the game has no such market or seat."""
    game = draft.house.game
    if spot.seat not in (game.seats or (None,)):
        return None
    return next((market for market in game.markets if market.name == spot.market), None)


def _is_off_offer(draft: Draft, market: Market) -> bool:
    """True if the market has odds but is not on offer in this betting window."""
    return market.odds is not None and market.name not in draft.state.round.odds


def _holder(draft: Draft, seat: str | None) -> str | None:
    """Player who has staked on this seat; None if nobody has."""
    if seat is None:
        return None
    return next((bet.player for bet in draft.state.round.bets.values() if bet.spot.seat == seat), None)


def _find_bet(draft: Draft, player: str, spot: Spot) -> Bet | None:
    """Bet of a player on a market in the current betting window; None if there is none."""
    round_ = draft.state.round
    return next((bet for bet in round_.bets.bets_on(player, spot) if bet.window == round_.window), None)


def give_back(draft: Draft, bet: Bet, limit: r.ReachedLimit | UnsetType = UNSET) -> None:
    """Record that a stake is returned to its player. `limit`: the minimum not reached, if that is the reason."""
    draft.write(r.BetWithdrawn(bet.id, bet.player, str(bet.spot), bet.stake, draft.currency, limit))
