"""Who has seen what: the law of knowledge, and what somebody saw when they decided.

The law: no question and no betting window is open while anybody who may answer has been sent, or is reported to have
seen, a card that still counts in this round and that the sheet shows only after the answer. A card that was sent to
the game server has been sent to all. Burnt and void cards do not count. Exempt are what the sheet itself orders (the
dealer's look under an ace or a ten; what it turns over) and a carried card until it is dealt (`[table] carry`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from ..rules.cards import Card
from ..rules.dealing import CardTo, Dealing, Decisions, as_answer
from ..rules.procedure import Ask, Bets, Deal, Reveal, Step
from .position import Position, pass_over_void, without_void
from .state import Answered, Entry, Laid, Round, Shown, State

LONGEST = 60  # steps looked ahead; 32 Card could redraw for ever on equal cards, and asks nobody
BURN = "burn"  # a place of some sheets: what lies there is burnt

Sight = Mapping[str, Sequence[Card]]  # the open cards of each place


class Table:
    """What lies open and what lies face down, by place, as the sheet is driven through a round."""

    def __init__(self, position: Position, round_: Round) -> None:
        self._position, self._round = position, round_
        self.dealing: Dealing = position.start(round_)
        self._open: dict[str, list[Card]] = {}
        self.down: dict[str, list[int]] = {}  # draws

    def take(self, entry: Entry) -> None:
        """One more answer of the script, which must fit."""
        answer = self._position.answer(self._round, entry)
        pass_over_void(self._round, self.dealing, answer)
        due = self.dealing.due
        match entry:
            case Laid(draw=number) if isinstance(due, Deal) and due.to != BURN:
                if due.face_up:
                    self._open.setdefault(due.to, []).append(self._card(number))
                else:
                    self.down.setdefault(due.to, []).append(number)
            case Shown(place=place):
                self._open.setdefault(place, []).extend(map(self._card, self.down.pop(place, ())))
        self.dealing.answer(answer)

    def _card(self, number: int) -> Card:
        return self._round.draws[number - 1].card or ""

    def sight(self, deciding: Collection[str]) -> Sight:
        """The open cards by which these decide: of their own hands, and of all places that are nobody's seat."""
        seats, own = self._position.game(self._round).seats, {who.split(".")[0] for who in deciding}
        mine = (place for place in self._open if place.split(".")[0] in own or place.split(".")[0] not in seats)
        return {place: tuple(self._open[place]) for place in mine}


def sights(position: Position, round_: Round) -> Iterator[Sight]:
    """What they saw who decided: for each decision window of the script, as far as it fits, and for the one open. Void
    hands have decided nothing.
    """
    table = Table(position, round_)
    for entry in round_.script:
        pass_over_void(round_, table.dealing, answer := position.answer(round_, entry))
        if not answer.fits(table.dealing.due):
            return
        if isinstance(entry, Answered) and (who := in_play(round_, entry.decisions)):
            yield table.sight(who)
        table.take(entry)
    if round_.asking is not None:
        yield table.sight(round_.asking.decided)


def in_play(round_: Round, decided: Collection[str]) -> list[str]:
    """Whoever of these has a hand that is not void."""
    return [who for who in decided if not round_.is_void(who)]


def known_too_early(position: Position, state: State) -> tuple[int, ...]:
    """The draws that the sheet has lie face down now, and that somebody has seen all the same."""
    return tuple(number for number, known in _down(position, state).items() if known)


def _down(position: Position, state: State) -> dict[int, bool]:
    """The draws that the sheet has lie face down now: whether somebody has seen each."""
    table = Table(position, state.round)
    for entry in state.round.script:
        table.take(entry)
    draws = [state.round.draws[number - 1] for numbers in table.down.values() for number in numbers]
    return {draw.number: draw.shown or not draw.hidden for draw in draws}


def told_by_play(position: Position, round_: Round, first: int) -> tuple[int, ...]:
    """The draws that lay face down at this answer of the script, and of which the way the round has gone since says
    something: with another card there it would have gone another way. So the dealer's look under an ace is told."""
    table = Table(position, round_)
    for entry in round_.script[:first]:
        table.take(entry)
    lay = [number for numbers in table.down.values() for number in numbers]
    ranks = {card[0]: card for card in position.deck(round_).cards}
    return tuple(draw for draw in lay if any(_parts(position, round_, first, draw, card) for card in ranks.values()))


def _parts(position: Position, round_: Round, first: int, number: int, card: Card) -> bool:
    """Whether the round, with this card in the place of a draw, would have gone on otherwise after that answer only."""
    draw = replace(round_.draws[number - 1], ruled=card, hidden=False)
    other = replace(round_, draws=round_.draws_with(draw))
    dealing = position.start(other)
    for place, entry in enumerate(other.script):
        pass_over_void(other, dealing, answer := position.answer(other, entry))
        if not answer.fits(dealing.due):
            return place > first
        dealing.answer(answer)
    pass_over_void(other, dealing)
    due, asking = dealing.due, round_.asking
    return asking is not None and not (isinstance(due, Ask) and due.options == asking.options)


def forbids(position: Position, state: State, also: Collection[int] = ()) -> bool:
    """Whether a question or a betting window is open, or may still open, that the law of knowledge forbids. `also`:
    draws that somebody is just said to have seen."""
    if not state.live or state.round.joined is None or not (state.round.faults or also):
        return False
    early = {*known_too_early(position, state), *also}
    return bool(early) and is_asked_before(position, state.round, early)


def is_asked_before(position: Position, round_: Round, early: Collection[int]) -> bool:
    """Whether anybody may still be asked while one of these draws lies face down, whatever cards come."""
    ranks = {card[0]: card for card in position.deck(round_).cards}
    return any(_asks_on(position, round_, card, early) for card in ranks.values())


def _asks_on(position: Position, round_: Round, card: Card, early: Collection[int]) -> bool:
    """Whether that comes to pass where each card that comes is this one."""
    table = Table(position, round_)
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
    asked = without_void(round_, due)
    return bool(isinstance(asked, Ask) and asked.who) or (isinstance(due, Bets) and due.window > round_.shut)


def _answer(dealing: Dealing, due: Step, card: Card) -> None:
    match due:
        case Deal(to=place):
            dealing.answer(CardTo(card, place))
        case Ask(who=who, default=default):
            dealing.answer(Decisions(dict.fromkeys(who, default)))
        case _:
            dealing.answer(as_answer(due, None))
