"""Rulings on the open fault as the shift manager's page offers them: inputs, defaults, names and effects.

The core decides which of them are possible; the preview says what follows.
"""

from collections.abc import Mapping

from msgspec import Struct

from ...core.fault_catalogue import CATALOGUE
from ...core.offers import NEEDS, may_name, prospects, seats_in_play
from ...core.open_fault import Fault
from ...core.state import Draw
from ...rules.procedure import Deal
from ...text.ruling_reasons import reasons
from . import manager_texts as m
from .at_fault import has_come, second_reading_at_fault, text_code
from .card_signs import card_sentence, sign
from .manager_words import ManagerWords
from .stop_screen import has_cards_to_deal
from .table_snapshot import TableSnapshot

HAS_USUAL = {"card_before_close", "extra_card", "unread_card", "foreign_card", "wrong_place", "missing_card"}
WAITS = {"device_lost", "server_lost"}  # the usual ruling has to wait until device or server is back


class OfferedRuling(Struct, frozen=True):
    """Ruling on offer, with its inputs and defaults."""

    ruling: str
    label: str
    title: str  # the label with the sign of its card, if known
    means: str  # effect of the ruling on that card
    needs: tuple[str, ...]  # required inputs: draw, card, place, seen
    draw: int | None  # default draw
    place: str | None
    draws: tuple[int, ...]  # draws that may be chosen
    places: tuple[str, ...]  # places that may be chosen; empty: any
    reasons: tuple[str, ...]  # to choose from; none is preselected
    advised: str  # text why this ruling is advised now
    usual: str = ""  # text that this is the usual ruling at such a fault
    answer: str = ""  # answer to the fault's question, with the title of this ruling
    aside: bool = False  # shown apart from the others, below `ShownFault.aside`
    key: int = 0  # digit of the keyboard, the same as long as the fault is open; 0: none


class NotNow(Struct, frozen=True):
    """Ruling that is not possible now, with the reason."""

    ruling: str
    label: str
    why: str
    usual: str = ""
    key: int = 0  # digit of the keyboard once it is possible; 0: none


class RulingsOnOffer:
    """Rulings that the open fault allows, in words. `code`: see `at_fault.text_code`."""

    def __init__(self, snapshot: TableSnapshot, fault: Fault, words: ManagerWords) -> None:
        self.code = text_code(snapshot.state, fault)
        self._state, self._due, self._fault, self._words = snapshot.state, snapshot.due, fault, words
        self._reasons = prospects(snapshot.state, snapshot.due)  # reason code why not now, by ruling; None: possible
        self._read_now = second_reading_at_fault(snapshot.state)
        self._keys = _keys(fault, self._reasons)
        self._usual, self._because = self._usual_ruling(), reasons(fault.code)
        self._place = words.place(snapshot.due.to) if isinstance(snapshot.due, Deal) else ""
        self._signs: dict[int, str | None] = {}
        self.waiting = self._waiting_ruling()

    def possible_rulings(self) -> tuple[OfferedRuling, ...]:
        """Rulings that can be made now, in the order of their keys."""
        offered = [self._offered_ruling(name) for name, reason in self._reasons.items() if reason is None]
        return tuple(sorted(offered, key=lambda one: one.key))

    def impossible_rulings(self) -> tuple[NotNow, ...]:
        """Rulings that are not possible now, except `rescan` after a second slide and `enter` after a reading."""
        return tuple(
            NotNow(name, self._words.ruling(name), self._words.refusal(name, reason))
            for name, reason in self._reasons.items()
            if reason is not None and not self._is_gone(name)
        )

    def _is_gone(self, name: str) -> bool:
        """True if the card that the ruling would wait for has come, or if the ruling is shown as the waiting one."""
        gone = {"rescan": self.code == "slid_again", "enter": has_come(self._state)}
        return gone.get(name, False) or (self.waiting is not None and self.waiting.ruling == name)

    def _usual_ruling(self) -> str | None:
        """Usual ruling on this fault: its first in the catalogue; None if the ruling depends on what people saw.

        A card that was not read at the second slide either is entered: there is no third slide.
        """
        if self.code == "slid_again" and self._read_now is None:
            return "enter"
        return CATALOGUE[self._fault.code].rulings[0] if self._fault.code in HAS_USUAL | WAITS else None

    def _waiting_ruling(self) -> NotNow | None:
        """The usual ruling, if somebody at the table has to act before it is possible; else None."""
        usual, say = self._usual, self._words.say
        if usual is None or usual not in m.WAITS or self._reasons.get(usual) is None:
            return None
        label, key = self._words.ruling(usual), self._keys.get(usual, 0)
        return NotNow(usual, label, say(m.WAITS[usual]), say(m.USUAL), key)

    def _offered_ruling(self, name: str) -> OfferedRuling:
        state, fault, words = self._state, self._fault, self._words
        draws = tuple(draw.number for draw in state.round.draws if may_name(name, draw, state))
        meant = self._default_draw(name)
        named = meant if meant in draws else draws[0] if len(draws) == 1 else None
        card, label = self._sign(self._chosen_draw(name, named)), words.ruling(name)
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
            places=tuple(seats_in_play(state.round)) if name == "void_hand" else (),
            reasons=tuple(map(words.say, self._because[name])),
            advised=words.say(m.OFFERED) if name == "cancel" and fault.offered else "",
            usual=words.say(m.USUAL) if name == self._usual and not fault.offered else "",
            key=self._keys.get(name, 0),
            aside=self._is_aside(name),
        )

    def _default_draw(self, name: str) -> int | None:
        """Draw that a ruling uses by default; None if it has no default."""
        if name in ("burn", "void", "carry") and self._fault.draw is None:
            return next((draw.number for draw in self._state.loose_draws), None)
        return self._fault.draw

    def _chosen_draw(self, name: str, named: int | None) -> Draw | None:
        """Draw that a ruling uses: the chosen one; for `resume`, the first card that came in the pause."""
        if name == "resume":
            return self._state.loose_draws[0] if has_cards_to_deal(self._state) else None
        return None if named is None else self._state.round.draws[named - 1]

    def _sign(self, draw: Draw | None) -> str | None:
        """Sign of a draw, made once: most rulings take the same one."""
        number = 0 if draw is None else draw.number
        if number not in self._signs:
            self._signs[number] = sign(draw, self._state)
        return self._signs[number]

    def _is_aside(self, name: str) -> bool:
        """True if a ruling is shown apart: the usual one waits, or it is about a card that nobody has called wrong."""
        if name == "cancel" or (self.code, name) in m.ANSWERS:
            return False
        of_a_card = "draw" in NEEDS.get(name, ()) and (self._fault.draw is None or self.code in m.ASKS)
        return self.waiting is not None or of_a_card

    # ── texts; `card`: sign of the card that the ruling takes, see `sign` ────────────────────────────────────────

    def _title(self, name: str, label: str, card: str | None) -> str:
        """Name of a ruling with the sign of its card; without a sign if no card is chosen or its value is not known."""
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
        """Answer that a ruling gives to the fault's question, followed by the ruling's name; empty if it gives none."""
        answer = m.ANSWERS.get((self.code, name))
        if answer is None:
            return ""
        title = self._title(name, label, None)
        return self._words.say(m.ANSWER).format(answer=self._words.say(answer), label=title)

    def _effect(self, name: str, card: str | None) -> str:
        """Describe what a ruling on the fault does."""
        text = m.MEANS_NEXT if name == "resume" and card else m.MEANS[name]
        if self._place:
            text = m.MEANS_IF_DUE.get(name, text)
        text = m.MEANS_AT.get((self.code, name), text)
        return card_sentence(text, card, self._words, place=self._place)


def _keys(fault: Fault, allowed: Mapping[str, object]) -> Mapping[str, int]:
    """Digits of the rulings that the fault allows now or later, in the order in which the page lists them."""
    rulings = [name for name in CATALOGUE[fault.code].rulings if name in allowed]
    rulings.sort(key=lambda name: (fault.code, name) not in m.ANSWERS)  # answers to the fault's question first
    return {name: number for number, name in enumerate(rulings, 1)}
