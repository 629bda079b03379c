"""Cards of a past round and its possible corrections, for the form that puts the round right."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...core.offers import NEEDS, may_name, seats_in_play
from ...core.past_round import PastRound
from ...games import GAMES
from ...rules.cards import Deck
from ...rules.face import Layout
from ...text.naming import CardFace
from . import resettling_texts as t
from .at_fault import strays
from .manager_words import ManagerWords
from .offered_rulings import OfferedRuling
from .places import NamedPlace, ScreenPlace, named_places, places, results_by_place
from .revisions import describe_outcome
from .table_cards import ShownLooseCard, draw_numbers, loose_cards, suits
from .table_snapshot import TableSnapshot

OF_A_CARD = ("correct", "move", "burn", "void")


class PastTable(Struct, frozen=True):
    """Round that is over, with its possible corrections.

    `bar`: reason why it cannot be corrected now; `only`: reason why it can only be made void; empty: no such reason.
    `revision`: how many times it was settled anew; `corrections`: the possible ones, with the draws to choose from.
    """

    round: int
    revision: int
    result: str
    bar: str
    only: str
    layout: Layout
    places: tuple[ScreenPlace, ...]
    draws: dict[str, tuple[int, ...]]  # numbers of the cards of each hand, in their order
    loose: tuple[ShownLooseCard, ...]
    deck: tuple[tuple[CardFace, ...], ...]  # every card of the deck, a row for each suit
    lays: tuple[NamedPlace, ...]  # places where a card can lie
    corrections: tuple[OfferedRuling, ...]
    reasons: tuple[str, ...]  # to choose from; none is preselected


def past_table(
    snapshot: TableSnapshot, past: PastRound, deck: Deck | None, bar: str | None, words: ManagerWords
) -> PastTable:
    """Compose the page of a past round. `bar`: reason code why it cannot be corrected now; None: it can.

    `deck`: deck of the round; None if it was played by other rules, so that it can only be made void.
    """
    game = GAMES.get(past.round.game, snapshot.house.game)
    round_ = past.round
    at_table = replace(snapshot, state=past.state, due=None, house=replace(snapshot.house, game=game))
    return PastTable(
        round=round_.number,
        revision=past.revision,
        result=describe_outcome(past.outcome, round_.game, words),
        bar="" if bar is None else words.refusal("resettle", bar),
        only=words.refusal("resettle", "other_rules") if deck is None else "",
        layout=game.face.layout,
        places=places(at_table, words.words, round_, results_by_place(past.outcome, game)),
        draws=draw_numbers(at_table),
        loose=loose_cards(past.state, strays(at_table), words.words),
        deck=() if deck is None else suits(deck, words.words),
        lays=named_places(game, words.words),
        corrections=() if bar else tuple(_corrections(past, words, only_void=deck is None)),
        reasons=tuple(words.say(text) for text in t.REASONS),
    )


def _corrections(past: PastRound, words: ManagerWords, *, only_void: bool) -> Iterator[OfferedRuling]:
    """Yield the possible corrections; the preview tells whether they lead to a result."""
    if not only_void:
        for name in OF_A_CARD:
            yield _correction(name, words, draws=_draws(name, past))
        if seats := tuple(seats_in_play(past.round)):
            yield _correction("void_hand", words, places=seats)
        if past.outcome is None:
            yield _correction("resume", words)
    if past.outcome is not None:
        yield _correction("cancel", words)


def _draws(name: str, past: PastRound) -> tuple[int, ...]:
    return tuple(draw.number for draw in past.round.draws if may_name(name, draw, past.state))


def _correction(
    name: str, words: ManagerWords, draws: tuple[int, ...] = (), places: tuple[str, ...] = ()
) -> OfferedRuling:
    label, means = words.say(t.LABELS[name]), words.say(t.MEANS[name])
    needs = NEEDS.get(name, ())
    return OfferedRuling(name, label, label, means, needs, None, None, draws, places, (), "")
