"""Cards of one round as they lie, as HTML for its page."""

from html import escape

from msgspec.structs import replace

from ...core.house import House
from ...core.state import State
from ...reports.round_sheet import known_cards
from ...reports.round_stories import RoundStory
from ...rules.cards import Card
from ...rules.game import Game
from ...text.faults import Words
from ...text.naming import SIGNS, CardFace, card_sign, place_name
from . import round_texts as t
from .places import ScreenPlace, ShownHand, places, results_by_place
from .table_snapshot import TableSnapshot

RED = ("D", "H")


def cloth(state: State, game: Game, round_: RoundStory, words: Words) -> str:
    """Places of a round with their cards, totals and results; places without cards are left out.

    `state`: of the table just before the round ended.
    """
    if round_.end != "live":
        state = replace(state, life=round_.end, fault=None, paused_from=None)
    at_table = TableSnapshot(state, None, House(game, game.settings()))
    shown = places(at_table, words, state.round, results_by_place(round_.outcome, game))
    used = (one for one in shown if one.taken and (not one.seat or any(hand.cards for hand in one.hands)))
    return f'<div class="cloth" data-layout="{game.face.layout}">{"".join(map(_place, used))}</div>'


def cards_before_corrections(first: State | None, now: State, words: Words) -> str:
    """Cards as they lay before the corrections made after the round's end; empty if they lie so now."""
    if first is None or (lay := known_cards(first.round)) == known_cards(now.round):
        return ""
    cards = (f"{escape(place_name(one, words))} {' '.join(sign(card or None) for card in lay[one])}" for one in lay)
    before, after = words.say(t.LAY_FIRST).split("{cards}")
    return f"<p>{escape(before)}{' · '.join(cards)}{escape(after)}</p>"


def sign(card: Card | None) -> str:
    """Card within a sentence, with its sign and colour; `?` for None."""
    red = ' class="red"' if card is not None and card[1:] in RED else ""
    return f"<span{red}>{escape(card_sign(card or '?'))}</span>"


def _place(place: ScreenPlace) -> str:
    return f'<div class="spot">{"".join(_hand(place, hand) for hand in place.hands)}</div>'


def _hand(place: ScreenPlace, hand: ShownHand) -> str:
    name = place.name if hand.place == place.place else f"{place.name} · {hand.name}"
    text = " · ".join(filter(None, (hand.total, hand.said, hand.result)))
    won = " data-won" if hand.won else ""
    cards = "".join(map(_card, hand.cards))
    return f"<div{won}><h3>{escape(name)}<span>{escape(text)}</span></h3><p>{cards}</p></div>"


def _card(card: CardFace) -> str:
    kind = ' class="red"' if card.suit in RED else "" if card.rank else ' class="back"'
    sign = SIGNS.get(card.suit, "")
    return f'<i{kind} role="img" aria-label="{escape(card.name)}"><b>{escape(card.rank)}</b>{sign}</i>'
