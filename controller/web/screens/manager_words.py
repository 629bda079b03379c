"""What the shift manager's console says: what each ruling means, why it may be made, what it would lead to.

The one rule: like `words`, it is made of what a view tells, so that what is withheld stays withheld.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from ...core.events import Rule
from ...core.state import State
from ...foresight import Change, Foreseen
from ...wording import money
from ...words import Words
from . import manager_texts as m
from .manager_reasons import reasons
from .naming import place_name
from .results import sentence

_GOT = (
    (re.compile(r"(?P<card>\S+) at (?P<place>\S+)(?: \d+)?"), m.GOT_AT),
    (re.compile(r"result (?P<winner>\S+)"), m.GOT_RESULT),
    (re.compile(r"(?P<device>\S+) lost"), m.GOT_LOST),
    (re.compile(r"no card in (?P<seconds>\d+) s"), m.GOT_NOTHING),
)


class ManagerWords:
    """The console's texts in one language."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.say = words.say

    def ruling(self, name: str) -> str:
        """What a ruling is called."""
        return self.say(m.LABELS[name])

    def means(self, name: str) -> str:
        """What a ruling does, in one line."""
        return self.say(m.MEANS[name])

    def reasons(self, code: str, ruling: str) -> tuple[str, ...]:
        """Why such a fault is ruled on so: that none is given, then the usual answers."""
        return tuple(self.say(text) for text in reasons(code, ruling))

    def refusal(self, ruling: str, reason: str) -> str:
        """Why a ruling cannot be made."""
        return self.say(m.REFUSED_HERE.get((ruling, reason)) or m.REFUSALS.get(reason, reason))

    def place(self, place: str) -> str:
        """What a place is called."""
        return place_name(place, self.words)

    def expected(self, text: str) -> str:
        """A step, as the record has it, in words."""
        for start, said in m.STEPS.items():
            if text.startswith(start):
                named = [self.place(place) for place in text.removeprefix(start).split(", ")]
                return self.say(said).format(place=", ".join(named))
        return text

    def fault(self, fault: Mapping[str, Any]) -> str:
        """What happened. `fault`: the shift manager's view of the record, or what has the same fields."""
        got = "a hidden card" if fault.get("hidden") else fault["got"]
        return self.words.manager({**fault, "expected": self.expected(fault["expected"]), "got": self.got(got)})

    def both_results(self, got: str, game: str, outcome: Mapping[str, Any]) -> str:
        """The shoe's result, as a fault has it, and the table's."""
        said = got.removeprefix("result ")
        shoe = self._winner(said)
        if said == outcome.get("winner"):
            shoe = self.say(m.OTHER_PAIRS).format(winner=shoe)
        return self.say(m.BOTH_RESULTS).format(shoe=shoe, table=self.outcome(game, outcome))

    def _winner(self, name: str) -> str:
        return self.say(m.TIE) if name == "tie" else self.place(name)

    def got(self, text: str) -> str:
        """What came, as a fault has it, in words."""
        for pattern, said in _GOT:
            found = pattern.fullmatch(text)
            if found:
                named = found.groupdict()
                if "place" in named:
                    named["place"] = self.place(named["place"])
                if "winner" in named:
                    named["winner"] = self._winner(named["winner"])
                if "device" in named:
                    named["device"] = self.say(m.DEVICES.get(named["device"], named["device"]))
                return self.say(said).format(**named)
        return self.say(m.GOT[text]) if text in m.GOT else text

    def outcome(self, game: str, outcome: Mapping[str, Any]) -> str:
        """What a round came to."""
        return sentence(game, outcome, self.words)

    # ── a ruling, before it is made ──────────────────────────────────────────────────────────────────────────────

    def foreseen(self, ruling: Rule, end: Foreseen, before: State) -> str:
        """What the ruling leads to, in one sentence."""
        parts = [*self._done(ruling, end), *self._went(end), *self._then(end, before)]
        if end.open:
            parts.append(self.say(m.DEPENDS))
        text = "; ".join(parts)
        return f"{text[:1].upper()}{text[1:]}."

    def _done(self, ruling: Rule, end: Foreseen) -> Iterator[str]:
        place = self.place(ruling.place or "")
        yield self.say(m.DONE[ruling.ruling]).format(draw=end.draw, card=ruling.card, place=place)
        if end.refunds is not None:
            returned = m.RETURNED if end.refunds.count else m.NONE_RETURNED
            yield self.say(returned).format(count=end.refunds.count, total=money(end.refunds.total))

    def _went(self, end: Foreseen) -> Iterator[str]:
        """Which cards find a place by it, and which lose theirs."""
        for change in end.cards:
            said = _moved(change)
            if said is not None:
                yield self.say(said).format(draw=change.draw, place=self.place(change.after.place or ""))

    def _then(self, end: Foreseen, before: State) -> Iterator[str]:
        outcome = None if end.outcome is None else self.outcome(before.round.game, end.outcome)
        if end.next is not None:
            yield self.say(m.NEXT_FAULT).format(fault=self.fault(asdict(end.next)).rstrip("."))
        elif end.life == "settled":
            stands = before.paused_from == "settled"
            yield self.say(m.STANDS) if stands else self.say(m.SETTLED).format(outcome=outcome)
        elif end.life == "betting":
            yield self.say(m.BETTING)
        elif end.life == "idle":
            yield self.say(m.REST)
        elif end.life == "complete" and outcome is not None:
            yield self.say(m.COMPLETE).format(outcome=outcome)
        if end.due is not None and end.life in ("dealing", "deciding", "complete"):
            yield self.say(m.WAITING).format(due=self.expected(end.due))


def _moved(change: Change) -> str | None:
    if change.after.fate == "placed" and (change.before is None or change.before.fate != "placed"):
        return m.LAID
    placed_before = change.before is not None and change.before.fate == "placed"
    return m.LOOSE if placed_before and change.after.fate == "loose" else None
