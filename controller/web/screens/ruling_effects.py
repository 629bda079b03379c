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


def is_aside(name: str, fault: Fault, *, waits: bool) -> bool:
    """True if a ruling stands apart: the usual one `waits`, or it is about a card that nobody has called wrong."""
    if name == "cancel" or (fault.code, name) in m.ANSWERS:
        return False
    return waits or (fault.draw is None and "draw" in NEEDS.get(name, ()))


def effect(ruling: str, code: str, draw: Draw | None, due: Step | None, words: TableWords) -> str:
    """Describe a ruling on a fault. `draw`: card that it takes if no other is named; `due`: step that is due then."""
    text = m.MEANS_AT.get((code, ruling), m.MEANS[ruling])
    if isinstance(due, Deal):
        text = m.MEANS_AT.get((code, ruling)) or m.MEANS_IF_DUE.get(ruling, text)
        return capital(words.say(text).format(card=_card(draw, words), place=words.place(due.to)))
    return capital(words.say(text).format(card=_card(draw, words)))


def with_card(ruling: str, code: str, draw: Draw | None, due: Step | None, words: TableWords) -> str:
    """Name of a ruling with the card that it is about; without it if that is open or has no known value."""
    card = None if draw is None else seen(draw)
    if (code, ruling) in m.TITLES_AT:
        return words.say(m.TITLES_AT[code, ruling])
    if ruling == "burn" and draw is None:
        return words.say(m.BURN_ONE)
    if draw is None or card is None or ruling not in m.TITLES:
        return words.ruling(ruling)
    sign = card_sign(card)
    if code == "duplicate_card":
        sign = f"{sign} (#{draw.number})"  # as the table marks it: another copy lies there
    if ruling == "move" and isinstance(due, Deal):
        return words.say(m.MOVE_TO).format(card=sign, place=words.place(due.to))
    return words.say(m.TITLES[ruling]).format(card=sign)


def answer(code: str, ruling: str, due: Step | None, words: TableWords) -> str:
    """Name of a ruling behind the answer that it gives to the question of a fault; empty if it answers none."""
    said = m.ANSWERS.get((code, ruling))
    title = with_card(ruling, code, None, due, words)
    return "" if said is None else words.say(m.ANSWER).format(answer=words.say(said), label=title)


def question(code: str, words: TableWords, waiting: str | None) -> str:
    """What is to be decided, or done first. `waiting`: the usual ruling, if it waits for somebody at the table."""
    asks = m.ASKS.get(code) or m.ONE_RULING.get(code, m.ASKS_RULING)
    return words.say(asks if waiting is None else m.ASKS_PATIENCE[waiting])


def aside(state: State, code: str, words: TableWords, waiting: str | None) -> str:
    """When the rulings apart are to be made: if the usual one fails, which is `waiting`, or if a card is wrong."""
    if waiting is not None:
        return words.say(m.ASIDE_ELSE[waiting])
    lying = [seen(draw) for draw in state.round.draws if draw.fate in ("placed", "loose")]
    if code not in m.ASIDE_AT and len(lying) == 1 and lying[0] is not None:
        return words.say(m.ASIDE_CARD).format(card=card_sign(lying[0]))
    return words.say(m.ASIDE_AT.get(code, m.ASIDE_CARDS))


def _card(draw: Draw | None, words: TableWords) -> str:
    if draw is None:
        return words.say(m.ONE_CARD)
    card = seen(draw)
    return words.say(m.THE_CARD) if card is None else card_sign(card)


def capital(text: str) -> str:
    """The same text, its first letter a capital."""
    return text[:1].upper() + text[1:]
