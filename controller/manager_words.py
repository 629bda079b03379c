"""What the shift manager's console says: what each ruling means, why it may be made, what it would lead to.

The one rule: like `words`, it is made of what a view tells, so that what is withheld stays withheld.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .core.state import State
from .foresight import Change, Foreseen
from .refusals import in_words
from .ruling_texts import (
    BETTING,
    COMMON,
    COMPLETE,
    DEPENDS,
    DONE,
    LABELS,
    LAID,
    LOOSE,
    MEANS,
    NEXT_FAULT,
    NOBODY,
    NONE_RETURNED,
    PLACES,
    REASONS,
    REST,
    RESULTS,
    RETURNED,
    SETTLED,
    STANDS,
    STEPS,
    TIES,
    WAITING,
    WINS,
)  # fmt: skip
from .wording import money
from .words import Words


class ManagerWords:
    """The console's texts in one language."""

    def __init__(self, language: str) -> None:
        self.words = Words(language)
        self._say = self.words.notice

    def ruling(self, name: str) -> str:
        """What a ruling is called."""
        return self._say(LABELS[name])

    def means(self, name: str) -> str:
        """What a ruling does, in one line."""
        return self._say(MEANS[name])

    def reasons(self, code: str) -> list[str]:
        """Why such a fault is ruled on, the usual answers."""
        return [self._say(text) for text in dict.fromkeys((*REASONS[code], *COMMON))]

    def refusal(self, reason: str) -> str:
        """Why a ruling cannot be made."""
        return self._say(in_words(reason))

    def place(self, place: str) -> str:
        """What a place is called."""
        match = re.fullmatch(r"(\D+)(\d+)?(\.2)?", place)
        name, number, second = match.groups() if match else (place, None, None)
        if name == "seat" and number:
            return self._say(PLACES["hand" if second else "seat"]).format(number=number)
        said = self._say(PLACES[name]) if name in PLACES else place
        return f"{said} {number}" if number and name in PLACES else said

    def expected(self, text: str) -> str:
        """A step, as the record has it, in words."""
        for start, said in STEPS.items():
            if text.startswith(start):
                named = [self.place(place) for place in text.removeprefix(start).split(", ")]
                return self._say(said).format(place=", ".join(named))
        return text

    def fault(self, fault: Mapping[str, Any]) -> str:
        """What happened. `fault`: the shift manager's view of the record, or what has the same fields."""
        return self.words.manager({**fault, "expected": self.expected(fault["expected"])})

    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """What a round came to."""
        if "hands" in outcome:
            hands: Mapping[str, Mapping[str, Any]] = outcome["hands"]
            return ", ".join(f"{self.place(place)} {self._hand(hand)}" for place, hand in hands.items())
        winner = outcome["winner"]
        if winner is None:
            return self._say(NOBODY)
        won = self._say(TIES) if winner in ("tie", "push") else self._say(WINS).format(place=self.place(winner))
        return " ".join([won, *_totals(outcome)])

    def _hand(self, hand: Mapping[str, Any]) -> str:
        result = str(hand["result"])
        total = next((hand[name] for name in ("total", "points") if hand.get(name) is not None), None)
        said = self._say(RESULTS[result]) if result in RESULTS else result
        return said if total is None else f"{said} ({total})"

    # ── a ruling, before it is made ──────────────────────────────────────────────────────────────────────────────

    def foreseen(self, ruling: str, said: Mapping[str, Any], end: Foreseen, before: State) -> str:
        """What the ruling leads to, in one sentence. `said`: the card and place that were named with it."""
        parts = [*self._done(ruling, said, end), *self._went(end), *self._then(end, before)]
        if end.open:
            parts.append(self._say(DEPENDS))
        text = "; ".join(parts)
        return f"{text[:1].upper()}{text[1:]}."

    def _done(self, ruling: str, said: Mapping[str, Any], end: Foreseen) -> Iterator[str]:
        place = self.place(said.get("place") or "")
        yield self._say(DONE[ruling]).format(draw=end.draw, card=said.get("card"), place=place)
        if end.refunds is not None:
            returned = RETURNED if end.refunds.count else NONE_RETURNED
            yield self._say(returned).format(count=end.refunds.count, total=money(end.refunds.total))

    def _went(self, end: Foreseen) -> Iterator[str]:
        """Which cards find a place by it, and which lose theirs."""
        for change in end.cards:
            said = _moved(change)
            if said is not None:
                yield self._say(said).format(draw=change.draw, place=self.place(change.after.place or ""))

    def _then(self, end: Foreseen, before: State) -> Iterator[str]:
        outcome = None if end.outcome is None else self.outcome(end.outcome)
        if end.next is not None:
            known = {"code": end.next.code, "expected": end.next.expected, "got": end.next.got}
            yield self._say(NEXT_FAULT).format(fault=self.fault(known).rstrip("."))
        elif end.life == "settled":
            stands = before.paused_from == "settled"
            yield self._say(STANDS) if stands else self._say(SETTLED).format(outcome=outcome)
        elif end.life == "betting":
            yield self._say(BETTING)
        elif end.life == "idle":
            yield self._say(REST)
        elif end.life == "complete" and outcome is not None:
            yield self._say(COMPLETE).format(outcome=outcome)
        if end.due is not None and end.life in ("dealing", "deciding", "complete"):
            yield self._say(WAITING).format(due=self.expected(end.due))


def _moved(change: Change) -> str | None:
    if change.after.fate == "placed" and (change.before is None or change.before.fate != "placed"):
        return LAID
    placed_before = change.before is not None and change.before.fate == "placed"
    return LOOSE if placed_before and change.after.fate == "loose" else None


def _totals(outcome: Mapping[str, Any]) -> list[str]:
    """The figures that decided it, the winner's first."""
    sides = {name: outcome[name] for name in ("player", "banker", "dealer") if name in outcome}
    totals, winner = outcome.get("totals") or sides, outcome["winner"]
    order = sorted(totals, key=lambda name: name != winner)
    figures = [str(totals[name]) for name in order if totals[name] is not None]
    return [" : ".join(figures)] if figures else []
