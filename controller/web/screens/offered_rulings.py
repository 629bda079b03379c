"""Rulings on the open fault as the shift manager's page offers them: inputs, defaults, names and effects.

The core decides which of them are possible; the preview says what follows.
"""

from collections.abc import Mapping

from msgspec import Struct

from ...core.fault_catalogue import CATALOGUE
from ...core.offers import hands_in_play, may_go, prospects
from ...core.state import Draw, Fault, State
from ...rules.procedure import Deal
from ...text.ruling_reasons import reasons
from . import manager_texts as m
from .at_fault import read_now, told_as
from .card_signs import capital, card_told, sign
from .look import Look
from .manager_words import ManagerWords
from .stop import comes_next

NEEDS = {
    "enter": ("card",),
    "correct": ("draw", "card"),
    "move": ("draw", "place"),
    "burn": ("draw",),
    "void": ("draw",),
    "carry": ("draw", "seen"),
    "void_hand": ("place",),
}
HAS_USUAL = {"card_before_close", "extra_card", "unread_card", "foreign_card", "wrong_place", "missing_card"}
WAITS = {"device_lost", "server_lost"}  # the usual ruling is made once what is lost is there again


class OfferedRuling(Struct, frozen=True):
    """Ruling on offer, with its inputs and defaults."""

    ruling: str
    label: str
    title: str  # the label with its card, where that is known
    means: str  # of the card that is meant
    needs: tuple[str, ...]  # of draw, card, place, seen
    draw: int | None  # that is meant, where no other is named
    place: str | None
    draws: tuple[int, ...]  # that may be named
    places: tuple[str, ...]  # that may be named; empty: any
    reasons: tuple[str, ...]  # to choose from; none is chosen beforehand
    advised: str  # why this one is to be made now
    usual: str = ""  # says that this one is usual at such a fault
    answer: str = ""  # what it answers to the question that the fault asks, with its title
    aside: bool = False  # apart from the others: see `ShownFault.aside`
    key: int = 0  # digit of the keyboard, the same as long as a fault is open; 0: it has none


class NotNow(Struct, frozen=True):
    """Ruling that is not possible now, with the reason."""

    ruling: str
    label: str
    why: str
    usual: str = ""
    key: int = 0  # digit that it will have; 0: none


class RulingsOnOffer:
    """Rulings that the open fault allows, in words. `code`: code by which they are told, see `at_fault.told_as`."""

    def __init__(self, look: Look, fault: Fault, words: ManagerWords) -> None:
        self.code = told_as(look.state, fault)
        self._state, self._due, self._fault, self._words = look.state, look.due, fault, words
        self._reasons = prospects(look.state, look.due)  # why each is not possible now; None: it is
        self._read_now = read_now(look.state)
        self._keys = _keys(fault, self._reasons)
        self._usual = self._usual_ruling()
        self._place = words.place(look.due.to) if isinstance(look.due, Deal) else ""
        self._signs: dict[int, str | None] = {}
        self.waiting = self._waiting()

    def possible(self) -> tuple[OfferedRuling, ...]:
        """Rulings that can be made now, in the order of their keys."""
        offered = [self._offered(name) for name, reason in self._reasons.items() if reason is None]
        return tuple(sorted(offered, key=lambda one: one.key))

    def not_now(self) -> tuple[NotNow, ...]:
        """Rulings that are not possible now; not those that nobody looks for any more."""
        return tuple(
            NotNow(name, self._words.ruling(name), self._words.refusal(name, reason))
            for name, reason in self._reasons.items()
            if reason is not None and not self._is_gone(name)
        )

    def _is_gone(self, name: str) -> bool:
        """True if the card that the ruling would wait for has come, or if the ruling is shown as the waiting one."""
        has_come = self._read_now is not None or self.code == "late_card"
        gone = {"rescan": self.code == "slid_again", "enter": has_come}
        return gone.get(name, False) or (self.waiting is not None and self.waiting.ruling == name)

    def _usual_ruling(self) -> str | None:
        """Ruling that does what the procedure says of this fault: its first; None if that depends on what was seen.

        A card that was slid again and not read is entered: nobody waits for a third slide.
        """
        if self.code == "slid_again" and self._read_now is None:
            return "enter"
        return CATALOGUE[self._fault.code].rulings[0] if self._fault.code in HAS_USUAL | WAITS else None

    def _waiting(self) -> NotNow | None:
        """The usual ruling, if it is not possible before somebody at the table has done something."""
        usual, say = self._usual, self._words.say
        if usual is None or usual not in m.WAITS or self._reasons.get(usual) is None:
            return None
        label, key = self._words.ruling(usual), self._keys.get(usual, 0)
        return NotNow(usual, label, say(m.WAITS[usual]), say(m.USUAL), key)

    def _offered(self, name: str) -> OfferedRuling:
        state, fault, words = self._state, self._fault, self._words
        draws = tuple(draw.number for draw in state.round.draws if may_name(name, draw, state))
        meant = self._meant(name)
        named = meant if meant in draws else draws[0] if len(draws) == 1 else None
        card, label = self._sign(self._taken(name, named)), words.ruling(name)
        return OfferedRuling(
            ruling=name,
            label=label,
            title=self._title(name, label, card),
            answer=self._answer(name, label),
            means=self._effect(name, card),
            needs=NEEDS.get(name, ()),
            draw=named,
            place=self._due.to if name == "move" and isinstance(self._due, Deal) else None,
            draws=draws,
            places=tuple(hands_in_play(state.round)) if name == "void_hand" else (),
            reasons=tuple(map(words.say, reasons(fault.code, name))),
            advised=words.say(m.OFFERED) if name == "cancel" and fault.offered else "",
            usual=words.say(m.USUAL) if name == self._usual and not fault.offered else "",
            key=self._keys.get(name, 0),
            aside=self._is_aside(name),
        )

    def _meant(self, name: str) -> int | None:
        """Draw that a ruling takes by default; None if it has no default."""
        if name in ("burn", "void", "carry") and self._fault.draw is None:
            return next((draw.number for draw in self._state.loose), None)
        return self._fault.draw

    def _taken(self, name: str, named: int | None) -> Draw | None:
        """Draw that a ruling takes: the one named, or by resuming the first that came in the pause."""
        if name == "resume":
            return self._state.loose[0] if comes_next(self._state) else None
        return None if named is None else self._state.round.draws[named - 1]

    def _sign(self, draw: Draw | None) -> str | None:
        """Sign of a draw, made once: most rulings take the same one."""
        number = 0 if draw is None else draw.number
        if number not in self._signs:
            self._signs[number] = sign(draw, self._state)
        return self._signs[number]

    def _is_aside(self, name: str) -> bool:
        """True if a ruling stands apart: the usual one waits, or it is about a card that nobody has called wrong."""
        if name == "cancel" or (self.code, name) in m.ANSWERS:
            return False
        of_a_card = "draw" in NEEDS.get(name, ()) and (self._fault.draw is None or self.code in m.ASKS)
        return self.waiting is not None or of_a_card

    # ── texts; `card`: sign of the card that the ruling takes, see `sign` ────────────────────────────────────────

    def _title(self, name: str, label: str, card: str | None) -> str:
        """Name of a ruling with the sign of its card; without it if that is open or has no known value."""
        say = self._words.say
        if (self.code, name) in m.TITLES_AT:
            return say(m.TITLES_AT[self.code, name])
        if name == "burn" and card is None:
            return say(m.BURN_ONE)
        if not card or name not in m.TITLES:
            return label
        if name == "move" and self._place:
            return say(m.MOVE_TO).format(card=card, place=self._place)
        return say(m.TITLES[name]).format(card=card)

    def _answer(self, name: str, label: str) -> str:
        """Name of a ruling behind the answer that it gives to the question of a fault; empty if it answers none."""
        said = m.ANSWERS.get((self.code, name))
        if said is None:
            return ""
        title = self._title(name, label, None)
        return self._words.say(m.ANSWER).format(answer=self._words.say(said), label=title)

    def _effect(self, name: str, card: str | None) -> str:
        """Describe what a ruling on the fault does."""
        text = m.MEANS_NEXT if name == "resume" and card else m.MEANS[name]
        if self._place:
            text = m.MEANS_IF_DUE.get(name, text)
        text = m.MEANS_AT.get((self.code, name), text)
        return capital(self._words.say(text).format(card=card_told(card, self._words), place=self._place))


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


def _keys(fault: Fault, allowed: Mapping[str, object]) -> Mapping[str, int]:
    """Digits of the rulings that the fault allows now or later, in the order in which they stand."""
    rulings = [name for name in CATALOGUE[fault.code].rulings if name in allowed]
    rulings.sort(key=lambda name: (fault.code, name) not in m.ANSWERS)  # what answers the question comes first
    return {name: number for number, name in enumerate(rulings, 1)}
