"""Digest of a rule sheet: two programs with the same digest play the same game.

The digest covers what the sheet does, not its source code: deck, markets, pay tables, and a fixed corpus of rounds with
every step, outcome and return. Invariant: the corpus is the same on every machine and never changes, so its random
numbers are SHA-256 hashes of a seed.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import chain, pairwise
from typing import Any

import msgspec
from msgspec import inspect

from ..rules.cards import Card
from ..rules.dealing import Dealing, RuleSheetCall, as_answer
from ..rules.game import Game, Prize, Stake
from ..rules.procedure import Ask, Bets, Deal, Outcome, Participants, Settings, Step, seat_of

SEEDED = 500  # rounds of the corpus that chance deals
WINDOWED = 50  # of these, in which the betting windows are counted
PLAYERS = ("p1", "p2", "p3")
SEATS = 3  # at most, that are taken in a round
DEALER = "dealer"
ANY = ""  # every place that is not named

# Hands that chance seldom deals, for the rows of pay tables that are for them
HANDS = (
    "AS KS QS JS TS", "KS QS JS TS 9S", "9S 8S 7S 6S 5S", "6S 7S 8S 9S TS", "AS 2S 3S 4S 5S",  # rows of one suit
    "8S 8H 8D 8C 3S", "KS KH KD 2S 2H", "KS 9S 7S 4S 2S", "9S 8H 7D 6C 5S", "AS AH 9D 7C 2S",  # poker hands
    "6S 7S 8S 9S 3C", "6S 7S 8S 9S 4C", "6S 7S 8S 9S 7C", "6S 7S 8S TC AC", "AS 2S 3S 8C 9C",  # points
    "4S 5S QC QD 2S",
    "JS QH KD JC TS", "JS QH KD JC 9S", "JS QH KD JC 8S", "JS QH KD JC 7S",  # four faces
    "3C 2S KC 9C 7C 5C 4D", "2C 3D",  # the last card of five decides, by the least there is
)  # fmt: skip

_Stack = dict[str, list[Card]]  # cards to deal first, by place


@cache
def digest(game: Game) -> str:
    """Return the digest of a rule sheet: SHA-256 of its canonical JSON, 64 hex digits. Raises SheetFailed."""
    with RuleSheetCall():
        document = canonical([static_part(game), list(rounds(game))])
    return sha256(document).hexdigest()


@cache
def windows(game: Game, settings: Settings) -> int:
    """Return the most betting windows of a round in the first rounds of the corpus. Raises SheetFailed."""
    with RuleSheetCall():
        played = [_Round(game, settings, seed).play()["steps"] for seed in range(WINDOWED)]
    return max((step.window for steps in played for step, _ in steps if isinstance(step, Bets)), default=1)


@cache
def tables(game: Game) -> dict[str, Any]:
    """Return the pay tables of a game as plain JSON values, as `configured` records them."""
    read: dict[str, Any] = msgspec.json.decode(canonical(game.tables))
    return read


def canonical(value: object) -> bytes:
    """Encode as JSON with sorted keys and sets: the same bytes in every process.

    Fractions become text (`1/3`).

    Raises TypeError for a value without such a form.
    """
    plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_exact_text, order="sorted")
    return msgspec.json.encode(plain, order="sorted")


def _exact_text(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"expected what is the same in every process, got a {type(value).__name__}")


def static_part(game: Game) -> dict[str, Any]:
    """Return the static part of a sheet, with the deck per option.

    Name, version, places, seats, markets and pay tables.
    """
    return {
        "name": game.name,
        "version": game.version,
        "places": game.places,
        "seats": game.seats,
        "joins": game.joins,
        "markets": game.markets,
        "follow_ons": game.follow_ons,
        "tables": game.tables,
        "options": [_option(game, settings) for settings in options(game.settings)],
    }


def _option(game: Game, settings: Settings) -> dict[str, Any]:
    """Return deck and odds under one choice of settings.

    If the game computes odds: windows, margin and chances.
    """
    deck, pricing = game.deck(settings), game.pricing(settings)
    option: dict[str, Any] = {"settings": settings, "deck": deck}
    if pricing is not None:
        prefixes = [deck.cards[:cards] for cards in range(pricing.windows)]
        left = [{card: deck.copies - dealt.count(card) for card in deck.cards} for dealt in prefixes]
        chances = [pricing.chances(*cards) for cards in zip(left, prefixes, strict=True)]
        option |= {"windows": pricing.windows, "margin": pricing.margin, "chances": chances}
    return option


def options(kind: type[Settings]) -> list[Settings]:
    """Return the default settings, then one copy for each other value of each option, changed alone.

    Of a number only its least and greatest value are taken. Raises TypeError for an option of another type.
    """
    variants = [kind()]
    for field in msgspec.structs.fields(kind):
        values = _values(inspect.type_info(field.type))
        variants += [kind(**{field.name: value}) for value in values if value != field.default]
    return variants


def _values(kind: inspect.Type) -> list[Any]:
    match kind:
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.BoolType():
            return [False, True]
        case inspect.IntType(ge=least, le=most) | inspect.FloatType(ge=least, le=most):
            return [end for end in (least, most) if end is not None]
    raise TypeError(f"an option of a game is one of several, yes or no, or a number, not {kind}")


# ── the corpus ───────────────────────────────────────────────────────────────────────────────────────────────────


def rounds(game: Game) -> Iterator[dict[str, Any]]:
    """Play the corpus: `SEEDED` rounds with random cards, then the rounds with rare hands.

    Yields `_Round.play` of each.
    """
    choices = options(game.settings)
    for seed in range(SEEDED):
        yield _Round(game, choices[seed % len(choices)], seed).play()
    for seed, stack in enumerate(_stacks(game), start=SEEDED):
        yield _Round(game, choices[0], seed, stack).play()


def _stacks(game: Game) -> Iterator[_Stack]:
    """Yield the cards to deal first, by place, for each rare hand.

    First for all places but the dealer's, three times: the dealer gets random cards, the same hand in other suits, the
    next rare hand. Then for each single place that is no seat.
    """
    places = [place for place in game.places if seat_of(place) not in game.seats]
    for hand, following in pairwise((*HANDS, "")):
        like_it = hand.translate(str.maketrans("SHDC", "HDCS"))
        yield from ({ANY: hand.split(), DEALER: other.split()} for other in ("", like_it, following))
        yield from ({place: hand.split()} for place in places)


class _Round:
    """One round of the corpus. `stack`: cards to deal first, by place, as far as the deck has them."""

    def __init__(self, game: Game, settings: Settings, seed: int, stack: _Stack | None = None) -> None:
        self._game, self._settings, self._stack = game, settings, stack or {}
        self._chance = _chance(seed)
        deck = game.deck(settings)
        self._shoe = [card for card in deck.cards for _ in range(deck.copies)]
        self._joined = self._participants()

    def play(self) -> dict[str, Any]:
        """Play the round to its end. Returns `steps` (step and answer), `outcome`, and `returns` of each bet."""
        dealing = Dealing(self._game.procedure(self._settings, self._joined))
        steps: list[tuple[Step, Any]] = []
        while (due := dealing.due) is not None:
            answer = self._answer(due)
            steps.append((due, answer))
            dealing.answer(as_answer(due, answer))
        outcome = dealing.outcome
        assert outcome is not None  # noqa: S101 - nothing is due any more
        return {"steps": steps, "outcome": outcome.record(), "returns": self._returns(outcome, steps)}

    def _participants(self) -> Participants:
        game = self._game
        if not game.seats:
            return Participants(PLAYERS[: 1 + self._draw_below(len(PLAYERS))])
        seats = {game.seats[self._draw_below(len(game.seats))] for _ in range(1 if self._stack else SEATS)}
        return Participants(PLAYERS, tuple(seat for seat in game.seats if seat in seats))

    def _answer(self, due: Step) -> Any:  # noqa: ANN401 - as the step wants
        match due:
            case Deal(to=place):
                return self._card(self._stack.get(place, self._stack.get(ANY, [])))
            case Ask(who=who, options=words, default=default):
                if self._stack:  # no default, which could give up the hand: it is here to be paid
                    return dict.fromkeys(who, [word for word in words if word != default][-1])
                return {one: words[self._draw_below(len(words))] for one in who}
        return None

    def _card(self, stacked: list[Card]) -> Card:
        while stacked:
            card = stacked.pop(0)
            if card in self._shoe:
                self._shoe.remove(card)
                return card
        return self._shoe.pop(self._draw_below(len(self._shoe)))

    def _returns(self, outcome: Outcome, steps: Iterable[tuple[Step, Any]]) -> list[tuple[str, str, str]]:
        """Return (player, market, return) for each possible bet, and for each bet that came with a decision."""
        game = self._game
        who = self._joined.seats if game.seats else self._joined.players
        bets = [(one, market.name, market.odds) for one in who for market in game.markets]
        decided = chain.from_iterable(answer.items() for due, answer in steps if isinstance(due, Ask))
        added = ((one, game.follow_ons.get(decision)) for one, decision in decided)
        bets += [(one, bet.market, None) for one, bet in added if bet is not None]
        stakes = [Stake(one, market, odds, one if game.seats else None) for one, market, odds in bets]
        return [(stake.player, stake.market, _describe(game.pay(outcome, stake))) for stake in stakes]

    def _draw_below(self, end: int) -> int:
        return next(self._chance) % end


def _chance(seed: int) -> Iterator[int]:
    """Yield 64-bit pseudo-random numbers; the same sequence for the same seed."""
    value = str(seed).encode()
    while True:
        value = sha256(value).digest()
        yield int.from_bytes(value[:8])


def _describe(won: Fraction | Prize) -> str:
    return f"prize {won.amount}" if isinstance(won, Prize) else str(won)


def is_posted(game: Game, posted: str | None) -> bool:
    """True if players are shown these rules. `posted`: digest of the rules shown; None: not known."""
    return posted in (None, digest(game))
