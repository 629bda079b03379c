"""Account of the cards of a shoe or deck, and evidence that cards are missing.

Only cards that somebody has seen are counted. A deck that is shuffled every round is watched over many rounds: a card
that has not come for longer than chance can explain is held to be missing.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ..rules.cards import Card, Deck
from ..rules.game import Game
from .copies import count_seen
from .house import House
from .records import ShoeEnded
from .shoe import DeckPast, Shoe
from .state import State

FALSE_ALARM = 1e-4  # chance that a complete deck is suspected within LIFE
KEPT = 4  # decks whose past is remembered, per table
LIFE = 9_000  # cards dealt from one deck in all its rounds: a thousand rounds of nine cards
THOUSANDTHS = 1000  # of a nat: weights are whole numbers, so that every machine computes the same sum

# A card that is there goes unseen in a round of n cards out of N with the chance 1 - n/N, so over many rounds with
# exp(-weight), `weight` being the sum of -ln(1 - n/N). Each card that comes begins a new stretch of waiting for it, and
# so does each that the deck begins with: with this limit the chances of all stretches together stay below FALSE_ALARM.
LIMIT = math.ceil(THOUSANDTHS * math.log((LIFE + 52) / FALSE_ALARM))


def account(state: State, deck: Deck, left: int | None, waiting: Card | None) -> ShoeEnded:
    """Account of the shoe on the table.

    `left`: cards counted in it when it was taken away, None: not counted; `waiting`: carried card that no round has
    dealt.
    """
    shoe, of_each = state.shoe, dict.fromkeys(deck.cards, deck.copies)
    read = sum(shoe.read_out.values())
    faces = count_seen(state) + Counter({card: many for card, many in shoe.read_out.items() if card})
    faces.update([waiting] if waiting else [])
    return ShoeEnded(
        cards=shoe.size,
        dealt=shoe.out - shoe.burnt,
        burnt=shoe.burnt,
        read_out=read,
        left=left,
        missing={card: many - faces[card] for card, many in of_each.items() if shoe.reading and faces[card] < many},
        surplus={
            card: many - of_each.get(card, 0) for card, many in sorted(faces.items()) if many > of_each.get(card, 0)
        },
        unaccounted=shoe.cards_left - (read if shoe.reading else left or 0),
    )


def loaded_deck(shoe: Shoe, house: House, games: Mapping[str, Game]) -> Deck:
    """Deck that a shoe was loaded with, found by the recorded game and number of cards.

    The house's own deck without a shoe, or if its game has no deck of this size.
    """
    game = house.game if shoe.game == house.game.name else games.get(shoe.game)
    if game is None:
        return house.deck
    deck = house.deck if game is house.game else game.deck(game.settings())
    copies, rest = divmod(shoe.size, len(deck.cards))
    return house.deck if rest or not copies else replace(deck, copies=copies)


def doubles(state: State, deck: Deck, waiting: Card | None) -> tuple[Card, ...]:
    """Cards that were seen open more often than the decks in play have copies, sorted.

    `waiting`: carried card that no round has dealt.
    """
    counts = count_seen(state, hidden=False) + Counter([waiting] if waiting else [])
    return tuple(sorted(card for card, many in counts.items() if many > deck.copies and card in deck.cards))


# ── over many rounds ─────────────────────────────────────────────────────────────────────────────────────────────


def with_round(past: DeckPast, counts: Mapping[Card, int], size: int) -> DeckPast:
    """Past of a deck of `size` cards after these cards came out of the whole deck."""
    many = min(sum(counts.values()), size - 1)
    if many <= 0:
        return past
    weight = past.weight + round(-THOUSANDTHS * math.log1p(-many / size))
    rest = ((at, tuple(card for card in cards if card not in counts)) for at, cards in past.last)
    last = (*((at, cards) for at, cards in rest if cards), (weight, tuple(sorted(counts))))
    return DeckPast(past.rounds + 1, weight, last, past.suspect)


def overdue_cards(past: DeckPast, deck: Deck) -> Iterator[Card]:
    """Cards that have not come for longer than LIMIT allows."""
    last = {card: at for at, cards in past.last for card in cards}
    return (card for card in deck.cards if past.weight - last.get(card, 0) >= LIMIT)


def with_deck(decks: Mapping[str, DeckPast], deck: str, past: DeckPast) -> dict[str, DeckPast]:
    """Return what is remembered of decks with this one as the latest; the oldest beyond KEPT are forgotten."""
    others = {name: one for name, one in decks.items() if name != deck}
    return dict([*others.items(), (deck, past)][-KEPT:])
