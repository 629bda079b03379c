"""Names and phrases for what happens at a table, in one language.

They cover places, devices, rulings, the expected step, what came instead, and why a round is void. They are made from a
view, so that what is withheld stays withheld.
"""

from collections.abc import Mapping
from typing import Any

from ..core import causes as c
from ..core import events as e
from ..core import records as r
from ..core.causes import Cause, Due, EmptyShoe, NoCard, Undriven
from ..core.notation import PLUS, cause_text
from ..games import GAMES
from ..rules.procedure import Ask, Deal, Reveal
from . import terms as t
from .coded import Defect
from .faults import Words
from .naming import card_sign, place_name
from .results import NO_CARDS, Lying, sentence

NAMED = 7  # asked players that are named, as many as a table has seats; more are only counted


class TableWords:
    """Names and phrases in one language."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.say = words.say

    def ruling(self, name: str) -> str:
        """Name of a ruling in this language."""
        return self.say(t.LABELS[name])

    def ruling_managers(self, what: r.Ruled) -> str:
        """Names of the shift managers who made a ruling: one, or two."""
        return what.by if what.second is None else self.say(t.BOTH).format(name=what.by, second=what.second)

    def place(self, place: str) -> str:
        """Name of a place in this language."""
        return place_name(place, self.words)

    def due_step(self, due: Due) -> str:
        """Return the words for the step that was due, with its places or people."""
        match due:
            case Deal(to=place) | Reveal(place=place):
                named = [place]
            case Ask(who=who) if len(who) > NAMED:
                return self.say(t.DUE_MANY).format(count=len(who))
            case Ask(who=who):
                named = list(who)
            case _:
                named = []
        return self.say(t.DUE[type(due)]).format(place=", ".join(map(self.place, named)))

    def describe_cause(self, cause: Cause) -> str:
        """Describe what came instead of the expected step."""
        match cause:
            case e.CardOut(card=card, place=place):
                text = card_sign(card) if card else self.say(t.CAME_UNREAD)
                return self.say(t.CAME_AT).format(card=text, place=self.place(place)) if place else text
            case e.KeyPressed(key=key) if key in t.CAME_KEYS:
                return self.say(t.CAME_KEYS[key])
            case e.ShoeSays(winner=winner):
                return self.say(t.CAME_RESULT).format(winner=self.winner(winner))
            case e.JournalBack():
                return self._failure(cause)
        return self.say(t.CAME[type(cause)]) if type(cause) in t.CAME else self._trouble(cause)

    def _trouble(self, cause: Cause) -> str:
        """Describe a problem of a device, the shoe or the record."""
        match cause:
            case e.LostDevice(device=device):
                return self.say(t.CAME_LOST).format(device=self.device(device))
            case e.Babbles(device=device):
                return self.say(t.CAME_BABBLE).format(device=self.device(device))
            case EmptyShoe(left=left):
                return self.say(t.CAME_TOO_FEW).format(left=left)
            case e.TelegramsLost(got=number, expected=expected):
                return self.say(t.CAME_TELEGRAM).format(got=number, expected=expected)
            case e.ShoeFails(code=code, meaning=meaning):
                return self.say(t.CAME_ERROR).format(code=code, meaning=meaning)
            case Undriven():
                template = t.CAME_FAILED if cause.why == "failed" else t.CAME_UNDRIVEN
                return self.say(template).format(round=cause.round, game=cause.game, where=cause.setting)
            case NoCard(seconds=seconds):
                return self.say(t.CAME_NOTHING).format(seconds=seconds)
        return cause_text(cause)

    def _failure(self, cause: e.JournalBack) -> str:
        reason = Defect(cause.reason, cause.message).text_in(self.say)
        return self.say(t.CAME_DROPPED).format(reason=reason, count=f"{cause.dropped:,}") if cause.dropped else reason

    def winner(self, name: str) -> str:
        """Name of the winner that a shoe reports: a place, a tie, or that its round was broken off."""
        return self.say(t.RESULTS[name]) if name in t.RESULTS else self.place(name)

    def result(self, written: str) -> str:
        """Name of a result as a record has it, such as `banker + player pair`."""
        winner, *pairs = written.split(PLUS)
        return PLUS.join([self.winner(winner), *map(self.say, pairs)])

    def card_of(self, written: str) -> str:
        """Name of a card by its place and number, written `player 2` in a record."""
        place, _, number = written.rpartition(" ")
        return self.say(t.CARD_OF).format(place=self.place(place), number=number)

    def both_results(self, cause: e.ShoeSays, game: str, outcome: Mapping[str, Any]) -> str:
        """Sentence with the shoe's and the table's result."""
        shoe = self.winner(cause.winner)
        if cause.winner == outcome.get("winner"):
            shoe = self.say(t.OTHER_PAIRS).format(winner=shoe)
        return self.say(t.BOTH_RESULTS).format(shoe=shoe, table=self.outcome(game, outcome))

    def fault(self, code: str, due: Due, cause: Cause) -> str:
        """Describe a fault to the shift manager. `cause`: without withheld cards."""
        expected, got = self.due_step(due), self.describe_cause(cause)
        if isinstance(cause, e.Babbles):  # no report of the device, so the sentences of its codes do not fit
            return self.say(t.CUT_OFF).format(got=got, expected=expected)
        text = self.words.manager(code, expected, got)
        outside = isinstance(cause, e.CardOut) and cause.place == e.OUTSIDE
        return f"{text} {self.say(t.CAME_OUTSIDE)}" if outside else text

    def outcome(self, game: str, outcome: Mapping[str, Any], lying: Lying = NO_CARDS) -> str:
        """Describe the result of a round; empty for an unknown game. `lying`: its cards, if they are known."""
        return sentence(GAMES[game], outcome, self.words, lying) if game in GAMES else ""

    def device(self, name: str) -> str:
        """Name of a device in this language."""
        return self.say(t.DEVICES.get(name, name))

    def void_reason(self, why: c.VoidReason) -> str:
        """Reason why a round is void."""
        match why:
            case c.ByRuling(because=reason):
                return reason
            case c.NoRuling(seconds=seconds):
                return self.say(t.NO_RULING).format(seconds=seconds)
            case c.NoServer():
                return self.say(t.NO_SERVER)
        return self.say(t.NO_SEAT)
