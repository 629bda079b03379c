"""The law of knowledge, and the cards already seen at each decision.

The law: no question and no betting window is open while anybody who may answer has been sent, or is reported to have
seen, a card that still counts in this round and that the sheet shows only after the answer. A card that was sent to the
game server has been sent to all. Burnt and void cards do not count. Exempt are looks and reveals that the sheet itself
orders (the dealer's look under an ace or a ten; cards turned over) and a carried card until it is dealt
(`[table] carry`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..rules.cards import Card
from ..rules.dealing import CardTo, Dealing, Decisions, OutOfOrder, as_answer
from ..rules.procedure import Ask, Bets, Deal, Reveal, Step, seat_of
from .other_cards import OtherCards
from .position import Position, pass_over_void, without_void
from .script import Entry, Laid, PlaceShown, WindowAnswers
from .state import Round, State, states_at_rulings

LONGEST = 60  # steps looked ahead; 32 Card could redraw for ever on equal cards, and asks nobody
BURN = "burn"  # a place of some sheets: what lies there is burnt

Sight = Mapping[str, Sequence[Card]]  # the open cards of each place


class CardsOnTable:
    """Open and face-down cards by place, while the sheet is driven through a round."""

    def __init__(self, position: Position, round_: Round) -> None:
        self._position, self._round = position, round_
        self.dealing: Dealing = position.start(round_)
        self._open: dict[str, list[Card]] = {}
        self.down: dict[str, list[int]] = {}  # draws

    def take(self, entry: Entry) -> None:
        """Apply one more answer of the script. Raises OutOfOrder if it does not fit."""
        answer = self._position.answer(self._round, entry)
        pass_over_void(self._round, self.dealing, answer)
        due = self.dealing.due
        match entry:
            case Laid(draw=number) if isinstance(due, Deal) and due.to != BURN:
                if due.face_up:
                    self._open.setdefault(due.to, []).append(self._card(number))
                else:
                    self.down.setdefault(due.to, []).append(number)
            case PlaceShown(place=place):
                self._open.setdefault(place, []).extend(map(self._card, self.down.pop(place, ())))
        self.dealing.answer(answer)

    def _card(self, number: int) -> Card:
        return self._round.draws[number - 1].card or ""

    def sight(self, deciding: Collection[str]) -> Sight:
        """Open cards that the deciding hands see: their own, and those on places that are no seat."""
        seats, own = self._position.game(self._round).seats, {seat_of(who) for who in deciding}
        mine = (place for place in self._open if seat_of(place) in own or seat_of(place) not in seats)
        return {place: tuple(self._open[place]) for place in mine}


def sights(position: Position, round_: Round) -> Iterator[Sight]:
    """Open cards seen at each decision window of the script, as far as it fits, and at the open one.

    Void hands have decided nothing.
    """
    table = CardsOnTable(position, round_)
    for entry in round_.script:
        pass_over_void(round_, table.dealing, answer := position.answer(round_, entry))
        if not answer.fits(table.dealing.due):
            return
        if isinstance(entry, WindowAnswers) and (who := hands_in_play(round_, entry.decisions)):
            yield table.sight(who)
        table.take(entry)
    if round_.asking is not None:
        yield table.sight(round_.asking.decided)


def hands_in_play(round_: Round, decided: Collection[str]) -> list[str]:
    """Return the given players or seats whose hand is not void, in the given order."""
    return [who for who in decided if not round_.is_void(who)]


def draws_known_too_early(position: Position, state: State) -> tuple[int, ...]:
    """Numbers of the draws that should lie face down now and that somebody has seen."""
    return tuple(number for number, is_seen in _face_down_draws(position, state).items() if is_seen)


def _face_down_draws(position: Position, state: State) -> dict[int, bool]:
    """Draws that should lie face down now, each with True if somebody has seen it."""
    table = CardsOnTable(position, state.round)
    for entry in state.round.script:
        table.take(entry)
    draws = [state.round.draws[number - 1] for numbers in table.down.values() for number in numbers]
    return {draw.number: draw.shown or not draw.hidden for draw in draws}


def draws_revealed_too_early(position: Position, before: State, after: State) -> tuple[int, ...]:
    """Face-down draws after a ruling about which the earlier course of the round has revealed too much.

    Revealed is more than the sheet shows now: nearly the card's value, or the outcome of the question that is due.
    Example: a completed look under an ace when insurance is asked again. A look that the sheet orders before the
    question does not count.
    """
    if not after.live or after.round.joined is None:
        return ()
    ranks = {card[0]: card for card in position.deck(after.round).cards}
    return tuple(draw for draw in _face_down_draws(position, after) if _is_leaked(position, before, after, draw, ranks))


def _is_leaked(position: Position, before: State, after: State, number: int, ranks: Mapping[str, Card]) -> bool:
    """True if the course of the round up to this ruling has ruled out too many ranks for this draw."""
    others = OtherCards(position, after.round)
    way = _shape(others.drive({}).due)
    now = {rank for rank, card in ranks.items() if _is_consistent(others, number, card, way)}
    candidates = set(now)
    for state in states_at_rulings(before):
        if _is_face_down(state.round, number):
            then = OtherCards(position, state.round)
            shape = _visible_shape(then, state.round)
            candidates &= {rank for rank in candidates if _is_consistent(then, number, ranks[rank], shape)}
    if candidates == now:
        return False
    ends = {rank: _after_the_question(others.drive({number: ranks[rank]})) for rank in now}
    return 2 * len(candidates) < len(ranks) or {ends[rank] for rank in candidates} < {*ends.values()}


def _is_face_down(round_: Round, number: int) -> bool:
    draw = round_.draws[number - 1] if number <= len(round_.draws) else None
    return draw is not None and draw.hidden and draw.fate == "placed"


def _visible_shape(others: OtherCards, round_: Round) -> object:
    """Visible shape of the step due; None if it is a question that was never opened."""
    due = others.drive({}).due
    return None if round_.asking is None and isinstance(due, Ask) else _shape(due)


def _is_consistent(others: OtherCards, number: int, card: Card, shape: object) -> bool:
    """True if the round could have gone the same way with this card in place of a draw.

    `shape`: visible shape of the step that is due then; None: any.
    """
    try:
        due = others.drive({number: card}).due
    except OutOfOrder:
        return False
    return shape is None or _shape(due) == shape


def _after_the_question(dealing: Dealing) -> object:
    """Visible shape of the step after the question, if everybody took the default."""
    if not isinstance(due := dealing.due, Ask):
        return None
    dealing.answer(Decisions(dict.fromkeys(due.who, due.default)))
    return _shape(dealing.due)


def _shape(due: Step | None) -> object:
    """Visible part of a step: its options or place, but not who is asked."""
    match due:
        case Ask(options=options):
            return options
        case Deal(to=place) | Reveal(place=place):
            return type(due), place
    return type(due)


def forbids(position: Position, state: State, also: Collection[int] = ()) -> bool:
    """True if a question or betting window is or may still be opened that the law of knowledge forbids.

    `also`: numbers of draws that somebody is just reported to have seen.
    """
    if not state.live or state.round.joined is None or not (state.round.faults or also):
        return False
    early = {*draws_known_too_early(position, state), *also}
    return bool(early) and is_asked_before(position, state.round, early)


def is_asked_before(position: Position, round_: Round, early: Collection[int]) -> bool:
    """True if some continuation still asks a player while one of these draws lies face down."""
    ranks = {card[0]: card for card in position.deck(round_).cards}
    return any(_asks_on(position, round_, card, early) for card in ranks.values())


def _asks_on(position: Position, round_: Round, card: Card, early: Collection[int]) -> bool:
    """True if a player is asked while one of these draws lies face down, if all further cards are `card`."""
    table = CardsOnTable(position, round_)
    for entry in round_.script:
        table.take(entry)
    dealing, down = table.dealing, {place for place, lie in table.down.items() if set(lie) & set(early)}
    for _ in range(LONGEST):
        due = dealing.due
        if due is None or not down:
            return False
        if _is_asked(round_, due):
            return True
        if isinstance(due, Reveal):
            down.discard(due.place)
        _answer(dealing, due, card)
    return False


def _is_asked(round_: Round, due: Step) -> bool:
    step = without_void(round_, due)
    return bool(isinstance(step, Ask) and step.who) or (isinstance(due, Bets) and due.window > round_.shut)


def _answer(dealing: Dealing, due: Step, card: Card) -> None:
    match due:
        case Deal(to=place):
            dealing.answer(CardTo(card, place))
        case Ask(who=who, default=default):
            dealing.answer(Decisions(dict.fromkeys(who, default)))
        case _:
            dealing.answer(as_answer(due, None))
