"""What a ruling on offer needs, is called and would do, with its card and place; the preview says what follows."""

from ...core.offers import may_go
from ...core.state import Draw, Fault, State
from ...core.withheld import seen
from ...rules.procedure import Deal, Step
from ...text.naming import card_sign
from ...text.table_words import TableWords
from . import manager_texts as m

NEEDS = {
    "enter": ("card",),
    "correct": ("draw", "card"),
    "move": ("draw", "place"),
    "burn": ("draw",),
    "void": ("draw",),
    "carry": ("draw", "seen"),
    "void_hand": ("place",),
}


def may_name(ruling: str, draw: Draw, state: State) -> bool:
    """True if the ruling can be about this draw at all."""
    match ruling:
        case "burn" | "void":
            return may_go(state, draw)
        case "carry":
            return draw.fate == "loose" and draw.card is not None
        case "correct":
            return draw.fate in ("placed", "loose") and draw.card is not None
        case "move":
            return draw.fate in ("placed", "loose")
    return False


def is_aside(name: str, code: str, fault: Fault, *, waits: bool) -> bool:
    """True if a ruling stands apart: the usual one `waits`, or it is about a card that nobody has called wrong.

    `code`: by which the rulings are told.
    """
    if name == "cancel" or (code, name) in m.ANSWERS:
        return False
    return waits or ("draw" in NEEDS.get(name, ()) and (fault.draw is None or code in m.ASKS))


def sign(draw: Draw | None, state: State) -> str | None:
    """Sign of a card, with its number where an equal one lies; empty if its value is not known. None: no card."""
    card = None if draw is None else seen(draw)
    if draw is None or card is None:
        return None if draw is None else ""
    equal = [one for one in state.round.draws if one.fate in ("placed", "loose") and seen(one) == card]
    return f"{card_sign(card)} (#{draw.number})" if len(equal) > 1 else card_sign(card)


def effect(ruling: str, code: str, card: str | None, due: Step | None, words: TableWords) -> str:
    """Describe a ruling on a fault. `card`: sign of the one it takes; `due`: step that is due then."""
    text = m.MEANS_NEXT if ruling == "resume" and card else m.MEANS[ruling]
    place = words.place(due.to) if isinstance(due, Deal) else ""
    text = m.MEANS_AT.get((code, ruling)) or (m.MEANS_IF_DUE.get(ruling, text) if place else text)
    return capital(words.say(text).format(card=card_told(card, words), place=place))


def with_card(ruling: str, code: str, card: str | None, due: Step | None, words: TableWords) -> str:
    """Name of a ruling with the sign of its card; without it if that is open or has no known value."""
    if (code, ruling) in m.TITLES_AT:
        return words.say(m.TITLES_AT[code, ruling])
    if ruling == "burn" and card is None:
        return words.say(m.BURN_ONE)
    if not card or ruling not in m.TITLES:
        return words.ruling(ruling)
    if ruling == "move" and isinstance(due, Deal):
        return words.say(m.MOVE_TO).format(card=card, place=words.place(due.to))
    return words.say(m.TITLES[ruling]).format(card=card)


def answer(code: str, ruling: str, due: Step | None, words: TableWords) -> str:
    """Name of a ruling behind the answer that it gives to the question of a fault; empty if it answers none."""
    said = m.ANSWERS.get((code, ruling))
    title = with_card(ruling, code, None, due, words)
    return "" if said is None else words.say(m.ANSWER).format(answer=words.say(said), label=title)


def question(code: str, draw: Draw | None, due: Step | None, words: TableWords, waiting: str | None) -> str:
    """What is to be decided, or done first. `draw`: that of the fault; `waiting`: the usual ruling, if it waits."""
    if waiting is not None:
        return words.say(m.ASKS_PATIENCE[waiting])
    card = None if draw is None else seen(draw)
    if code in m.ASKS_WHERE and card is not None and isinstance(due, Deal):
        return words.say(m.ASKS_WHERE[code]).format(card=card_sign(card), place=words.place(due.to))
    return words.say(m.ASKS.get(code) or m.ONE_RULING.get(code, m.ASKS_RULING))


def aside(state: State, code: str, words: TableWords, waiting: str | None) -> str:
    """When the rulings apart are to be made: if the usual one fails, which is `waiting`, or if a card is wrong."""
    if waiting is not None:
        return words.say(m.ASIDE_ELSE[waiting])
    lying = [seen(draw) for draw in state.round.draws if draw.fate in ("placed", "loose")]
    if code not in m.ASIDE_AT and len(lying) == 1 and lying[0] is not None:
        return words.say(m.ASIDE_CARD).format(card=card_sign(lying[0]))
    return words.say(m.ASIDE_AT.get(code, m.ASIDE_CARDS))


def card_told(card: str | None, words: TableWords) -> str:
    """Sign of a card, or a name for it if that is open or not known: see `sign`."""
    return card or words.say(m.ONE_CARD if card is None else m.THE_CARD)


def capital(text: str) -> str:
    """The same text, its first letter a capital."""
    return text[:1].upper() + text[1:]
