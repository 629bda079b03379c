"""Messages to players while cards are dealt: who draws, who shows cards, who decides."""

from ...core.hands import BOARD
from ...rules.procedure import Ask, Deal, Reveal
from ...text.faults import Words
from ...text.naming import options, place_name
from . import player_texts as t
from .places import draws
from .table_snapshot import TableSnapshot


def act(snapshot: TableSnapshot, words: Words) -> tuple[str, str] | None:
    """Message for the step that is due, and a second line for it; None if players get no message."""
    match snapshot.due:
        case Deal(to=to):
            message = _deal(snapshot, to, words)
            return (message, "") if message else None
        case Ask():
            return _ask(snapshot, snapshot.due, words)
        case Reveal(place=place):
            return words.say(t.SHOWS).format(place=place_name(place, words)), ""
    return None


def _deal(snapshot: TableSnapshot, to: str, words: Words) -> str:
    """Message for a card; empty for the first cards of a place, because all places get those."""
    game, lying = snapshot.house.game, len(snapshot.cards_by_place.get(to, ()))
    if to == BOARD:
        return words.say(t.STREETS[lying])
    return words.say(t.DRAWS).format(place=place_name(to, words)) if draws(game, to, lying) else ""


def _ask(snapshot: TableSnapshot, due: Ask, words: Words) -> tuple[str, str]:
    asking = snapshot.state.round.asking
    silent = due.who if asking is None else asking.undecided
    choice = options(snapshot.house.game, due.options, words)
    if len(due.who) == 1 and silent and silent[0] in snapshot.house.game.places:
        return words.say(t.DECIDES).format(place=place_name(silent[0], words)), choice
    return words.say(t.PHASES["deciding"]), choice
