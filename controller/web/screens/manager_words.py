"""Sentences of the shift manager's console: reasons and foreseen effects of each ruling.

Like `words`, it gets a view of the record for its audience, so hidden values are not in it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...core import events as e
from ...core.open_fault import Fault
from ...core.records import DecisionMade, RoundDifference
from ...core.state import State
from ...games import GAMES
from ...reports.preview import DrawChange, RulingEffect
from ...rules.game import Game
from ...text import touched_texts as t
from ...text.money import money
from ...text.naming import card_sign, decision
from ...text.refusals import refusal_sentence
from ...text.table_words import TableWords
from . import manager_texts as m
from .card_signs import capital


class ManagerWords(TableWords):
    """Console texts in one language."""

    def refusal(self, ruling: str, reason: str) -> str:
        """Sentence why a ruling cannot be made."""
        return self.say(refusal_sentence(reason, ruling))

    # ── a ruling, before it is made ──────────────────────────────────────────────────────────────────────────────

    def preview_sentence(self, ruling: e.Rule, end: RulingEffect, before: State) -> str:
        """Effect of a previewed ruling, in one sentence."""
        parts = [
            *self._effects(ruling, end),
            *self._card_phrases(end),
            *self._affected_phrases(end, before),
            *self._next_phrases(end, before),
        ]
        if end.refused is not None:
            parts = [self.refusal(ruling.ruling, end.refused)]
        if end.open:
            parts.append(self.say(m.DEPENDS))
        if end.second:
            parts.append(self.say(m.SECOND))
        return f"{capital('; '.join(parts))}."

    def _effects(self, ruling: e.Rule, end: RulingEffect) -> Iterator[str]:
        place, card = self.place(ruling.place or ""), card_sign(ruling.card or "")
        yield self.say(m.DONE[ruling.ruling]).format(draw=end.draw, card=card, place=place)
        if end.refunds is not None:
            returned = m.RETURNED if end.refunds.count else m.NONE_RETURNED
            yield self.say(returned).format(
                count=end.refunds.count, total=money(end.refunds.total, end.refunds.currency)
            )

    def difference_phrases(
        self, touched: RoundDifference, game: Game, currency: str, decided: str = t.DECIDED
    ) -> Iterator[str]:
        """Phrases on totals, decisions, cards and bets that a ruling affects. `decided`: text for the decisions."""
        for total in touched.totals:
            text = t.TOTAL if total.right else t.TOTAL_GONE
            yield self.say(text).format(place=self.place(total.place), was=total.was, now=total.right)
        if touched.decisions:
            yield self.say(decided).format(made=", ".join(self._describe_decisions(touched.decisions, game, currency)))
        for text, draws in ((t.FOLLOWED, touched.cards), (t.COVERED, touched.covered), (t.SEEN, touched.seen)):
            if draws:
                yield self.say(text).format(draws=", ".join(f"#{draw}" for draw in draws))
        if touched.odds:
            yield self.say(t.WRONG_ODDS).format(count=touched.bets, total=money(touched.bet, currency))

    def difference_sentence(self, fault: Fault, game: Game, currency: str) -> str:
        """What a fault affects, as one sentence. Of an exposed face-down card only the report's time is known."""
        if fault.code == "hidden_card_exposed":
            phrases = self.difference_phrases(replace(fault.touched, cards=()), game, currency, t.DECIDED_BEFORE)
        else:
            phrases = self.difference_phrases(fault.touched, game, currency)
        return capital("; ".join(phrases))

    def _describe_decisions(self, decisions: Sequence[DecisionMade], game: Game, currency: str) -> Iterator[str]:
        """Phrases on decisions with their stakes: by seat or single player, else the number of each decision."""
        named = bool(game.seats) or len(decisions) == 1
        groups = defaultdict[tuple[str, str], list[int]](list)
        for one in decisions:
            groups[one.who if named else "", one.decision].append(one.stake)
        for (who, choice), stakes in groups.items():
            text = f"{self._name_of(who, game) if named else f'{len(stakes)} ×'} {decision(game, choice, self.words)}"
            stake = money(sum(stakes), currency)
            yield self.say(t.STAKED).format(made=text, stake=stake) if any(stakes) else text

    def _affected_phrases(self, end: RulingEffect, before: State) -> Iterator[str]:
        """Phrases on what the ruling affects, without the cards, which the page lists below."""
        if before.round.game in GAMES:
            difference = replace(end.touched, cards=())
            yield from self.difference_phrases(difference, GAMES[before.round.game], before.identity.currency)
        if end.touched.moved and end.refunds is None:
            yield self.say(t.MOVED).format(total=money(end.touched.moved, before.identity.currency))
        if end.choice is not None:
            yield self.say(t.LOWER if end.choice == "stand" and end.touched.odds else t.BECOMES[end.choice])

    def _name_of(self, who: str, game: Game) -> str:
        return self.place(who) if who in game.places else who

    def _card_phrases(self, end: RulingEffect) -> Iterator[str]:
        """Phrases on cards that get a place or lose theirs."""
        for change in end.cards:
            text = _movement_text(change)
            if text is not None:
                yield self.say(text).format(draw=change.draw, place=self.place(change.after.place or ""))

    def _next_phrases(self, end: RulingEffect, before: State) -> Iterator[str]:
        outcome = None if end.outcome is None else self.outcome(before.round.game, end.outcome)
        if end.next is not None:
            fault = self.fault(end.next.code, end.next.due, end.next.came)
            yield self.say(m.NEXT_FAULT).format(fault=fault.rstrip("."))
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
            yield self.say(m.WAITING).format(due=self.due_step(end.due))


def _movement_text(change: DrawChange) -> str | None:
    if change.after.fate == "placed" and (change.before is None or change.before.fate != "placed"):
        return m.LAID
    placed_before = change.before is not None and change.before.fate == "placed"
    return m.LOOSE if placed_before and change.after.fate == "loose" else None
