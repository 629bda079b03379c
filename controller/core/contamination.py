"""What hangs on a card: found from the state alone, before anything is done about the card.

The one rule: a decision hangs on a card that whoever made it was shown, of their own hand or of everybody's; not on the
hand of another seat. What came after the first such decision followed from it, whoever made it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from ..rules.cards import Card
from ..rules.game import Game
from ..rules.procedure import Deal
from .book import Bet
from .hands import hands, score
from .odds import Offer, odds_after
from .position import Position
from .spot import Spot
from .state import Answered, Draw, Laid, Round, Shown, State
from .touched import Made, Price, Total, Touched


def touched(position: Position, state: State, draw: Draw, card: Card | None = None) -> Touched:
    """What hangs on a draw that is really this card, or that does not lie where it lies."""
    if not state.live or state.round.joined is None:
        return Touched()
    if (
        draw.fate != "placed"
    ):  # it lost its place: what it was to the bets that were taken on it cannot be told any more
        return Touched(odds=tuple(_prices(position, state, draw, None)))
    corrected = _with(state, draw, card)
    return replace(
        decided(position, state.round, [draw.number], by_anybody=card is None),
        odds=tuple(_prices(position, state, draw, corrected if card else None)),
        totals=tuple(_totals(position.game(state.round), state.round, corrected.round)),
    )


def decided(position: Position, round_: Round, numbers: Collection[int], *, by_anybody: bool) -> Touched:
    """The decisions that hang on some draws. `by_anybody`: on these, all that came after them does."""
    kept = _answers_before(position, round_, numbers, by_anybody=by_anybody)
    if kept is None:
        return Touched()
    cut, game = round_.script[kept:], position.game(round_)
    answered = [entry.decisions for entry in cut if isinstance(entry, Answered)]
    made = [*answered, *([round_.asking.decided] if round_.asking else [])]
    return Touched(
        decisions=tuple(
            Made(who, what, sum(bet.stake for bet in staked_with(game, round_, who, what)))
            for decisions in made
            for who, what in decisions.items()
        ),
        answers=kept,
        cards=tuple(entry.draw for entry in cut if isinstance(entry, Laid)),
        turned=any(isinstance(entry, Shown) for entry in cut),
    )


def staked_with(game: Game, round_: Round, who: str, decision: str) -> list[Bet]:
    """What was staked with a decision."""
    added = game.follow_ons.get(decision)
    if added is None:
        return []
    spot = Spot(added.market, who if game.seats else None)
    return [bet for bet in round_.bets.values() if bet.spot == spot] if game.seats else round_.bets.on(who, spot)


def _answers_before(position: Position, round_: Round, numbers: Collection[int], *, by_anybody: bool) -> int | None:
    """How many answers the round had before the first decision that hangs on these draws; None: there is none."""
    seats, dealing = () if by_anybody else position.game(round_).seats, position.start(round_)
    face_down, shown = set[str](), set[str]()  # the places where they lie
    for count, entry in enumerate(round_.script):
        match entry:
            case Laid(draw=number) if number in numbers and isinstance(dealing.due, Deal):
                (shown if by_anybody or dealing.due.face_up else face_down).add(dealing.due.to)
            case Shown(place=place) if place in face_down:
                shown.add(place)
            case Answered(decisions=decisions) if _could_act(decisions, shown, seats):
                return count
        dealing.answer(position.answer(round_, entry))
    asking = round_.asking
    return len(round_.script) if asking and _could_act(asking.decided, shown, seats) else None


def _could_act(deciding: Iterable[str], shown: Iterable[str], seats: Collection[str]) -> bool:
    """Whether any of these decides by a card on one of these places."""
    hands = [place.split(".")[0] for place in shown]
    return any(hand not in seats or who.split(".")[0] == hand for who in deciding for hand in hands)


def _with(state: State, draw: Draw, card: Card | None) -> State:
    """The table with the draw as this card, or without it."""
    other = replace(draw, ruled=card) if card else replace(draw, fate="loose")
    script = tuple(entry for entry in state.round.script if card or entry != Laid(draw.number))
    return replace(state, round=replace(state.round, draws=state.round.draws_with(other), script=script))


def _prices(position: Position, state: State, draw: Draw, corrected: State | None) -> Iterator[Price]:
    """The bets at odds that were computed from the draw."""
    found = defaultdict[tuple[int, str, str, str | None], list[Bet]](list)
    offered, due = dict[int, Offer | None](), dict[int, Offer | None]()
    for bet in state.round.bets.values():
        if bet.odds is None or bet.drawn < draw.number:
            continue
        fair = _fair(position, state, bet, offered)
        right = None if corrected is None else _fair(position, corrected, bet, due)
        if fair != right:
            found[bet.window, str(bet.spot), bet.odds, right].append(bet)
    for (window, market, odds, right), bets in found.items():
        yield Price(window, market, odds, right, tuple(bet.id for bet in bets), sum(bet.stake for bet in bets))


def _fair(position: Position, state: State, bet: Bet, known: dict[int, Offer | None]) -> str | None:
    """The odds that the cards gave when the bet was taken; its own, where the game computes none."""
    if bet.drawn not in known:
        known[bet.drawn] = odds_after(position, state, bet.drawn)
    offer = known[bet.drawn]
    return bet.odds if offer is None else offer.get(bet.spot.market)


def _totals(game: Game, before: Round, after: Round) -> Iterator[Total]:
    lay, lie = hands(before), hands(after)
    for place in lay:
        totals = score(game, lay, place), score(game, lie, place)
        if totals[0] != totals[1]:
            yield Total(place, *totals)
