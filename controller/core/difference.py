"""Difference that a ruling makes between the round before it and the round after it.

Preview, choices, second person, alert, record and texts are all computed from it. It is pure: its input is two states
and the records between them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ..rules.game import Game
from . import records as r
from .book import Bet
from .hands import hands, score
from .knowledge import draws_known_too_early
from .known_returns import Returns, earliest_returns, face_down_draws, returns
from .odds import odds_after
from .position import Position
from .records import DecisionMade, DrawShift, Price, Record, RoundDifference, Total
from .script import Laid, WindowAnswers
from .spot import Spot
from .state import Draw, Round, State, states_at_rulings

MovedAmounts = Mapping[str, int]  # change of each bet that changes, by its id, in minor units


def difference(
    position: Position, before: State, baseline: State, after: State, records: Sequence[Record]
) -> RoundDifference:
    """Compute all that a ruling changes between two states, by the records that led from one to the other.

    `baseline`: the state that the pause would lead to without the ruling; bets that had no result take theirs from it.
    """
    ruled = next(record.what for record in records if isinstance(record.what, r.Ruled))
    down, back = face_down_draws(before), _returned_stakes(records)
    was = earliest_returns(returns(position, state, down) for state in _differing_states(before, baseline))
    now = _current_returns(position, before, after, records)
    stakes = {bet.id: bet.stake for bet in before.round.bets.values()}
    shifts = tuple(_shifts(before.round.draws, after.round.draws))
    touched, moved = ruled.touched, sum(_changes(was, now, back, stakes).values())
    by_sum = {"moved": moved, "shifts": shifts}
    if before.round.joined is None or before.fault is None or before.fault.code == "replay_failed":
        return _merge(touched, by_sum)
    early = draws_known_too_early(position, after) if after.live else ()
    return _merge(
        touched,
        by_sum,
        totals=tuple(_totals(position.game(before.round), _remove_draws(before.round, touched.cards), after.round)),
        stands=len(decisions(before.round)) - len(touched.decisions),
        asked=_new_participants(before.round, after.round),
        covered=tuple(number for number in early if number not in down),
        seen=tuple(number for number in early if number in down),
    )


def _merge(original: RoundDifference, *fields: Mapping[str, object], **more: object) -> RoundDifference:
    values = {name: getattr(original, name) for name in original.__struct_fields__}
    for one in (*fields, more):
        values |= one
    return RoundDifference(**values)


# ── decisions and stakes ─────────────────────────────────────────────────────────────────────────────────────────


def decisions(round_: Round, first: int = 0) -> list[tuple[str, str]]:
    """Decisions as pairs (player or seat, decision) from this index of the script on, without void hands."""
    answers = [entry.decisions for entry in round_.script[first:] if isinstance(entry, WindowAnswers)]
    answers += [round_.asking.decided] if round_.asking else []
    return [(who, what) for one in answers for who, what in one.items() if not round_.is_void(who)]


def decisions_from(game: Game, round_: Round, first: int | None) -> RoundDifference:
    """Decisions from this index of the script on, with stakes and later draws. `first` None: none."""
    if first is None:
        return RoundDifference()
    affected_decisions = tuple(
        DecisionMade(who, what, sum(bet.stake for bet in follow_on_bets(game, round_, who, what)))
        for who, what in decisions(round_, first)
    )
    cards = tuple(entry.draw for entry in round_.script[first:] if isinstance(entry, Laid))
    return RoundDifference(decisions=affected_decisions, answers=first, cards=cards)


def follow_on_bets(game: Game, round_: Round, who: str, decision: str) -> list[Bet]:
    """Additional bets that came with one decision."""
    added = game.follow_ons.get(decision)
    if added is None:
        return []
    spot = Spot(added.market, who if game.seats else None)
    return [bet for bet in round_.bets.values() if bet.spot == spot] if game.seats else round_.bets.bets_on(who, spot)


def _new_participants(before: Round, after: Round) -> tuple[str, ...]:
    was, now = before.asking, after.asking
    return () if now is None or (was is not None and was.seq == now.seq) else now.who


# ── money ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _differing_states(*states: State) -> Iterator[State]:
    """Yield the states whose bets, cards or answers differ from the state before."""
    last: tuple[object, ...] = ()
    for state in states:
        round_ = state.round
        facts = [*round_.bets], round_.void, round_.script, round_.draws
        if facts != last:
            yield state
        last = facts


def _current_returns(position: Position, before: State, after: State, records: Sequence[Record]) -> Returns:
    """Amount returned for each earlier bet: what these records paid, or what the cards give now.

    If cards lay face down, payments would reveal them: then only the amounts that all possible cards give count.
    """
    down, whats = face_down_draws(before), [record.what for record in records]
    paid: Returns = {what.bet: what.returned for what in whats if isinstance(what, r.Paid)}
    if down and paid:
        unpaid = replace(after, life="complete", round=replace(after.round, bets=before.round.bets))
        paid = {bet: amount for bet, amount in returns(position, unpaid, down).items() if bet in paid}
    return {**dict.fromkeys(before.round.bets), **returns(position, after, down), **paid, **_returned_stakes(records)}


def _returned_stakes(records: Sequence[Record]) -> dict[str, int]:
    gone = (record.what for record in records)
    return {what.bet: what.stake for what in gone if isinstance(what, r.BetWithdrawn | r.Refunded)}


def moved_amounts(
    position: Position, before: State, baseline: State, after: State | None = None, records: Sequence[Record] = ()
) -> MovedAmounts:
    """Amount that all rulings of the round have moved, by bet, in minor units.

    Each bet counts once: from its value before the first ruling that found a result, to its value now. `baseline`: the
    state that the pause would lead to without a ruling; `after`: the state after this ruling, None to leave it out.
    """
    down, back = face_down_draws(before), {**before.round.returned, **_returned_stakes(records)}
    first = earliest_returns(
        returns(position, state, down) for state in _differing_states(*states_at_rulings(before), baseline)
    )
    stakes = {bet.id: bet.stake for state in states_at_rulings(before) for bet in state.round.bets.values()}
    now = returns(position, baseline, down) if after is None else _current_returns(position, before, after, records)
    return _changes(first, {**now, **back}, back, stakes)


def _changes(was: Returns, now: Returns, back: Returns, stakes: Mapping[str, int]) -> MovedAmounts:
    """Change of each bet, in minor units, without those that stay. `back`: the stakes that were returned."""
    every = {bet: _change(was.get(bet), now[bet], stakes.get(bet, 0), back.get(bet)) for bet in now}
    return {bet: change for bet, change in every.items() if change}


def _change(was: int | None, now: int | None, stake: int, back: int | None) -> int:
    """Change of one bet, in minor units.

    A bet that loses its result is in play again with its stake; for a bet without a result the returned stake counts.
    """
    if was is None:
        return back or 0
    return abs(was - (stake if now is None else now))


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _shifts(before: Sequence[Draw], after: Sequence[Draw]) -> Iterator[DrawShift]:
    for draw in after:
        was = _describe_place(before[draw.number - 1]) if draw.number <= len(before) else None
        if was != _describe_place(draw):
            yield DrawShift(draw.number, was, _describe_place(draw))


def _describe_place(draw: Draw) -> str:
    return draw.place or draw.fate if draw.fate == "placed" else draw.fate


def _remove_draws(round_: Round, numbers: Sequence[int]) -> Round:
    """Copy of the round without these draws in its script."""
    left = (entry for entry in round_.script if not isinstance(entry, Laid) or entry.draw not in numbers)
    return replace(round_, script=tuple(left))


def _totals(game: Game, before: Round, after: Round) -> Iterator[Total]:
    hands_before, hands_after = hands(before), hands(after)
    for place in hands_before:
        was, now = score(game, hands_before, place), score(game, hands_after, place)
        if was and was != now:
            yield Total(place, was, now)


def prices(position: Position, before: State, after: State) -> tuple[Price, ...]:
    """Bets at odds that were computed from cards which differ after the ruling, or lie elsewhere."""
    groups = defaultdict[tuple[int, str, str, str | None], list[Bet]](list)
    odds_by_drawn: dict[int, tuple[Mapping[str, str], Mapping[str, str]] | None] = {}
    for bet in before.round.bets.values():
        if bet.odds is None:
            continue
        if bet.drawn not in odds_by_drawn:
            odds_by_drawn[bet.drawn] = _odds_before_and_after(position, before, after, bet.drawn)
        offers = odds_by_drawn[bet.drawn]
        if offers is not None and (right := offers[1].get(bet.spot.market)) != offers[0].get(bet.spot.market):
            groups[bet.window, str(bet.spot), bet.odds, right].append(bet)
    return tuple(
        Price(window, market, odds, right, tuple(bet.id for bet in bets), sum(bet.stake for bet in bets))
        for (window, market, odds, right), bets in groups.items()
    )


def _odds_before_and_after(
    position: Position, before: State, after: State, drawn: int
) -> tuple[Mapping[str, str], Mapping[str, str]] | None:
    """Old and new odds after the first `drawn` draws; the new ones are empty if a draw lies elsewhere now.

    None if the game computes no odds, or nothing about these draws has changed.
    """
    first = [(draw.card, _describe_place(draw)) for draw in before.round.draws[:drawn]]
    then = [(draw.card, _describe_place(draw)) for draw in after.round.draws[:drawn]]
    if first == then or (was := odds_after(position, before, drawn)) is None:
        return None
    stays = [where for _, where in first] == [where for _, where in then]
    return was, (odds_after(position, after, drawn) or {}) if stays else {}
