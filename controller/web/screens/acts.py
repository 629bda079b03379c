"""Messages to players while cards are dealt: who draws, who shows cards, who decides."""

from ...core.hands import BOARD, hands
from ...rules.procedure import Ask, Deal, Reveal
from ...text.faults import Words
from ...text.naming import options, place_name
from . import player_texts as t
from .look import Look
from .places import draws


def act(look: Look, words: Words) -> tuple[str, str] | None:
    """Message for the step that is due, and a second line for it; None if players get no message."""
    match look.due:
        case Deal(to=to):
            told = _deal(look, to, words)
            return (told, "") if told else None
        case Ask():
            return _ask(look, look.due, words)
        case Reveal(place=place):
            return words.say(t.SHOWS).format(place=place_name(place, words)), ""
    return None


def _deal(look: Look, to: str, words: Words) -> str:
    """Message for a card; empty for the first cards of a place, because all places get those."""
    game, lying = look.house.game, len(hands(look.state.round).get(to, ()))
    if to == BOARD:
        return words.say(t.STREETS[lying])
    return words.say(t.DRAWS).format(place=place_name(to, words)) if draws(game, to, lying) else ""


def _ask(look: Look, due: Ask, words: Words) -> tuple[str, str]:
    asking = look.state.round.asking
    silent = [who for who in due.who if asking is None or who not in asking.decided]
    choice = options(look.house.game, due.options, words)
    if len(due.who) == 1 and silent and silent[0] in look.house.game.places:
        return words.say(t.DECIDES).format(place=place_name(silent[0], words)), choice
    return words.say(t.PHASES["deciding"]), choice
