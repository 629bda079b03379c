"""The places of a table with the cards that lie there.

A hand with a hidden card has no total. Nor has a hand of a round that was settled anew, because other cards than
those on the table decided it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ...core.hands import BOARD, decisions, face_up_cards, hands, score, with_board
from ...core.state import Draw, Round
from ...rules.cards import Card
from ...rules.face import ROOM
from ...rules.game import Game
from ...rules.procedure import SECOND, Deal, Reveal, Step, seat_of
from ...text import terms
from ...text.faults import Words
from ...text.naming import CardFace, decision, face, phrase, place_name
from ...text.outcome_words import is_by_hand
from ...text.results import ranked_hand
from . import texts as t
from .at_fault import NOTHING, AtFault
from .table_snapshot import TableSnapshot

WON, LOST = ("win",), ("lose", "fold")  # results of every game; a game can name further ones


class ShownHand(Struct, frozen=True, omit_defaults=True):
    """Cards that count together."""

    place: str
    name: str
    cards: tuple[CardFace, ...]
    total: str
    said: str  # last decision for this hand
    asked: bool  # a decision on this hand is open
    due: bool  # the next card is dealt here, or these cards are turned over next; in a fault only if it waits for that
    result: str
    won: bool
    lost: bool
    void: bool  # its cards count for nothing: the round or this hand is void
    lifted: tuple[int, ...]  # positions of the cards that form the ranked hand, in games that rank hands
    formed: str  # name of that ranked hand
    strays: tuple[CardFace, ...] = ()  # cards that lie here too and do not belong to the hand
    note: str = ""  # note at this place during a fault
    wrong: tuple[int, ...] = ()  # positions, `strays` included, of the cards that the open fault is about
    alike: tuple[int, ...] = ()  # positions, `strays` included, of the other copies of a duplicate


class ScreenPlace(Struct, frozen=True):
    """A place of the layout: a hand, or the two hands of a split."""

    place: str
    name: str
    seat: bool
    taken: bool
    room: int  # number of cards with reserved space, so that nothing moves when a card is dealt
    stack: bool  # True: more cards than fit side by side
    hands: tuple[ShownHand, ...]


class NamedPlace(Struct, frozen=True):
    """Place as the record names it (`key`) and as the screen does (`text`)."""

    key: str
    text: str


def places(
    snapshot: TableSnapshot, words: Words, round_: Round, results: Mapping[str, str], marks: AtFault = NOTHING
) -> tuple[ScreenPlace, ...]:
    """Places in screen order, with what this audience may see of round, results and fault."""
    laid, named = _Laid(snapshot, words, round_, results, marks), named_places(snapshot.house.game, words)
    return tuple(laid.place(place) for place in named if not place.key.endswith(SECOND))


def places_in_order(game: Game) -> tuple[str, ...]:
    """The places of a game as they lie on its table."""
    return _sort_places(game.places, tuple(game.face.shown or game.places))


@lru_cache(maxsize=16)  # called many times a round, with few games
def _sort_places(places: tuple[str, ...], shown: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(places, key=lambda place: shown.index(seat_of(place))))


def named_places(game: Game, words: Words) -> tuple[NamedPlace, ...]:
    """Places on which a card can lie, in the order in which they lie on the table."""
    return _name_places(places_in_order(game), words.language)


@lru_cache(maxsize=16)
def _name_places(places: tuple[str, ...], language: str) -> tuple[NamedPlace, ...]:
    words = Words(language)
    return tuple(NamedPlace(place, place_name(place, words)) for place in places)


def seats_taken(round_: Round) -> frozenset[str]:
    """Seats taken in a round, by its bets until the participants are known."""
    if round_.joined is not None:
        return frozenset(round_.joined.seats)
    return frozenset(spot.seat for spot in round_.bets.staked if spot.seat)


def room(game: Game, place: str) -> int:
    """Cards for which a place has room on the screens."""
    capacity = game.face.room
    if isinstance(capacity, int):
        return ROOM if place == BOARD else capacity
    return capacity.get(place, ROOM)


class _Laid:
    """Cards of one round by place, with totals and marks."""

    def __init__(
        self, snapshot: TableSnapshot, words: Words, round_: Round, results: Mapping[str, str], marks: AtFault
    ) -> None:
        self._words, self._round, self._results, self._marks = words, round_, results, marks
        self._game: Game = snapshot.house.game
        stands = snapshot.state.fault is not None or snapshot.halted is not None
        self._due = marks.due if stands else snapshot.due if round_.number else None
        self._lying: Mapping[str, Sequence[Draw]] = (
            snapshot.cards_by_place if round_ is snapshot.state.round else hands(round_)
        )
        self._decisions = decisions(round_)
        self._seats = seats_taken(round_)
        self._void = snapshot.state.is_void
        self._is_anew = snapshot.state.round.number in snapshot.state.revisions

    def place(self, named: NamedPlace) -> ScreenPlace:
        game, place, name = self._game, named.key, named.text
        seat = place in game.seats
        is_taken = not seat or place in self._seats
        shown = [self._hand(place, name)]
        if (second := place + SECOND) in self._lying:
            shown.append(self._hand(second, self._words.say(terms.SECOND_OF_SPLIT)))
        cards = room(game, place)
        stack = not seat and cards > ROOM
        return ScreenPlace(place, name, seat, is_taken, cards, stack, tuple(shown))

    def _hand(self, place: str, name: str) -> ShownHand:
        void = place in self._lying and (self._void or self._round.is_void(place))
        is_counted = not void and not self._is_anew
        choices, result = self._decisions.get(place, []), "void" if void else self._results.get(place, "")
        asking, lifted = self._round.asking, self._raised_positions(place) if is_counted else ()
        called, strays = {**t.HAND_RESULTS, **self._game.face.results}, self._marks.strays.get(place, ())
        lying = (*self._lying.get(place, ()), *strays)
        return ShownHand(
            place=place,
            name=name,
            cards=tuple(face(draw, self._words) for draw in self._lying.get(place, [])),
            total=self._total(place) if is_counted else "",
            said=decision(self._game, choices[-1], self._words) if choices else "",
            asked=asking is not None and place in asking.undecided,
            due=is_due(place, self._due),
            result=self._words.say(called[result]) if result in called else "",
            won=has_won(self._game, result),
            lost=result in (*LOST, *self._game.face.losses),
            void=void,
            lifted=lifted,
            formed=self._words.say(self._game.face.formed) if lifted and self._game.face.formed else "",
            note=self._words.say(self._marks.notes[place]) if place in self._marks.notes else "",
            strays=tuple(face(draw, self._words) for draw in strays),
            wrong=tuple(index for index, draw in enumerate(lying) if draw.number in self._marks.draws),
            alike=tuple(index for index, draw in enumerate(lying) if draw.number in self._marks.alike),
        )

    def _total(self, place: str) -> str:
        """Total of a place's cards together with those on the board."""
        points, called = score(self._game, self._lying, place), self._game.face.hands
        if points not in called:
            return points
        ranked = ranked_hand(self._game, self._lying, place)
        return self._words.say(called[points]) if ranked is None else phrase(ranked, self._words)

    def _raised_positions(self, place: str) -> tuple[int, ...]:
        """Positions of the cards that are raised on screen: those that make up the hand's rank.

        In games with a board only the winner's, at the end; else those of each hand that is completely open.
        """
        owners = [place]
        if BOARD in self._game.places:
            winners = [one for one, result in self._results.items() if has_won(self._game, result)]
            owners = winners if place in (BOARD, *winners) else []
        forms = {card for owner in owners for card in self._forms(owner)}
        return tuple(index for index, draw in enumerate(self._lying.get(place, [])) if draw.card in forms)

    def _forms(self, place: str) -> Sequence[Card]:
        if (forms := self._game.face.forms) is None:
            return ()
        draws = with_board(self._lying, place)
        open_ = face_up_cards(draws)
        if len(open_) < len(draws):
            return ()
        try:
            return forms(open_)
        except Exception:  # noqa: BLE001 - anybody's sheet; none of them is lifted then
            return ()


def has_won(game: Game, result: str) -> bool:
    """True if a hand with this result has won."""
    return result in (*WON, *game.face.wins)


def is_due(place: str, due: Step | None) -> bool:
    """True if the next card goes to this place, or its cards are turned over next."""
    match due:
        case Deal(to=to):
            return to == place
        case Reveal(place=revealed):
            return revealed == place
    return False


def results_by_place(outcome: Mapping[str, Any] | None, game: Game) -> Mapping[str, str]:
    """Result of each place of an outcome: win, lose, push and so on."""
    if outcome is None:
        return {}
    by_hand = found if is_by_hand(found := outcome.get("hands")) else {}
    results = {place: hand["result"] for place, hand in by_hand.items() if isinstance(hand.get("result"), str)}
    return results or ({outcome["winner"]: "win"} if outcome.get("winner") in game.places else {})


def shown_results(snapshot: TableSnapshot) -> Mapping[str, str]:
    """Result of each place of the round on the table; none while the table is halted."""
    return {} if snapshot.halted is not None else results_by_place(snapshot.state.round.outcome, snapshot.house.game)


def draws(game: Game, place: str, lying: int) -> bool:
    """True if a place with `lying` cards draws its next card: it already has the first cards that all places get."""
    return place in game.places and place != BOARD and lying >= game.face.dealt
