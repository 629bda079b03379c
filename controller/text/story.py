"""Story of a round for the shift manager, in their language, with names of places, bets and rulings.

It is made from records without what is withheld.
"""

from collections.abc import Sequence

from ..core import records as r
from ..core.causes import ByRuling
from ..core.notation import place_due
from ..core.records import Record
from ..core.spot import Spot
from ..core.views import view
from ..games import GAMES
from ..rules.game import Game
from . import story_texts as t
from . import terms
from .money import money
from .naming import card_sign, decision, market_name, options
from .records import sentence
from .refusals import refusal_sentence
from .table_story import tell as tell_of_table
from .table_words import TableWords

Bet = r.BetAccepted | r.Paid | r.Refunded
MANY: dict[type[Bet], tuple[str, str]] = {
    r.BetAccepted: (t.BETS, "stake"),
    r.Paid: (t.PAID_MANY, "returned"),
    r.Refunded: (t.REFUNDED_MANY, "stake"),
}


def tell(words: TableWords, game: str, records: Sequence[Record]) -> str:
    """One line about a record, or about the bets of many players.

    For an unknown game, or a record without a text, it is the line of the log.
    """
    first = records[0]
    if game not in GAMES:
        return sentence(view(first, "manager"))
    writer = _StoryWriter(words, GAMES[game])
    if len(records) > 1:
        return writer.bets_line([record.what for record in records if isinstance(record.what, Bet)])
    line = writer.money(first.what) or writer.cards(first.what) or writer.people(first) or writer.fault(first.what)
    return line or tell_of_table(words, first) or sentence(view(first, "manager"))


class _StoryWriter:
    """Story lines of one game in one language."""

    def __init__(self, words: TableWords, game: Game) -> None:
        self._words, self._game, self._say = words, game, words.say

    def bets_line(self, bets: Sequence[Bet]) -> str:
        capped = [bet for bet in bets if isinstance(bet, r.Paid) and bet.capped]
        text, field = (t.PAID_MANY_CAPPED, "returned") if capped else MANY[type(bets[0])]
        total = sum(getattr(bet, field) for bet in bets)
        markets = sorted({self._market(bet.market) for bet in bets})
        currency = bets[0].currency
        values = {"count": len(bets), "total": money(total, currency), "markets": ", ".join(markets)}
        less = money(sum(bet.above_ceilings for bet in capped), currency)
        return self._say(text).format(capped=len(capped), less=less, **values)

    def money(self, what: r.What) -> str | None:
        match what:
            case r.BetAccepted(player=player, market=market, stake=stake, currency=currency):
                text, more = t.BET, {"stake": money(stake, currency)}
            case r.BetRefused(player=player, market=market, reason=reason):
                text, more = t.BET_REFUSED, {"reason": self._reason(reason)}
            case r.BetWithdrawn(player=player, market=market, stake=stake, currency=currency):
                text, more = t.WITHDRAWN, {"stake": money(stake, currency)}
            case r.BetRepriced(player=player, market=market, odds=odds, was=was):
                text, more = t.REPRICED, {"odds": odds, "was": was}
            case r.Paid(player=player, market=market, stake=stake, returned=returned, currency=currency):
                text, more = t.PAID, {"stake": money(stake, currency), "returned": money(returned, currency)}
                if what.capped:
                    text, more = t.PAID_CAPPED, more | self._ceilings(what.capped, currency)
            case r.Refunded(player=player, market=market, stake=stake, currency=currency):
                text, more = t.REFUNDED, {"stake": money(stake, currency)}
            case _:
                return None
        return self._say(text).format(player=player, market=self._market(market), **more)

    def _ceilings(self, steps: Sequence[r.AppliedCeiling], currency: str) -> dict[str, str]:
        names = ", ".join(self._say(CEILINGS[one.of]) for one in steps)
        return {"was": money(steps[0].was, currency), "to": money(steps[-1].to, currency), "ceilings": names}

    def cards(self, what: r.What) -> str | None:
        match what:
            case r.Dealt(card=card, to=to):
                values = {"card": card_sign(card or ""), "place": self._words.place(to)}
                return self._say(t.DEALT if card else t.DEALT_DOWN).format(**values)
            case r.Drawn(card=card, draw=draw):
                text = t.NO_PLACE
            case r.Burnt(card=card, draw=draw):
                text = t.BURNT
            case r.Carried(card=card, draw=draw):
                text = t.CARRIED
            case r.Voided(card=card, draw=draw):
                text = t.VOIDED
            case r.PlaceRevealed(place=place, cards=cards):
                signs = " ".join(map(card_sign, cards))
                return self._say(t.REVEALED).format(place=self._words.place(place), cards=signs)
            case _:
                return None
        return self._say(text).format(card=card_sign(card) if card else self._say(t.SOME_CARD), draw=draw)

    def people(self, record: Record) -> str | None:
        match record.what:
            case r.Opened():
                return self._say(t.OPENED).format(round=record.round)
            case r.WindowOpened(window=window):
                return self._say(t.WINDOW).format(window=window)
            case r.PlayerGone(player=player):
                return self._say(t.GONE).format(player=player)
            case r.PlayerBack(player=player):
                return self._say(t.BACK).format(player=player)
            case r.Asked(who=who, options=choices, seconds=seconds):
                names, question = ", ".join(map(self._name_of, who)), options(self._game, choices, self._words.words)
                return self._say(t.ASKED).format(who=names, options=question, seconds=seconds)
            case r.Decided() as decision:
                return self._decided(decision)
            case r.DecisionRefused(who=one, decision=choice, reason=reason):
                values = {"who": self._name_of(one), "decision": self._decision(choice), "reason": self._reason(reason)}
                return self._say(t.DECISION_REFUSED).format(**values)
        return None

    def _decided(self, decision: r.Decided) -> str:
        values = {"who": self._name_of(decision.who), "decision": self._decision(decision.decision)}
        if decision.stake and decision.market:
            return self._say(t.DECIDED_STAKE).format(
                stake=money(decision.stake, decision.currency or ""), market=self._market(decision.market), **values
            )
        return self._say(t.DECIDED_FOR if decision.by == "table" else t.DECIDED).format(**values)

    def fault(self, what: r.What) -> str | None:
        match what:
            case r.Faulted(code=code):
                return self._say(t.FAULTED).format(head=self._words.words.manager_title(code))
            case r.Reported(came=cause):
                return self._say(t.REPORTED).format(got=self._words.describe_cause(cause))
            case r.Acknowledged(by=name) | r.Extended(by=name):
                return self._say(t.HERE if isinstance(what, r.Acknowledged) else t.MORE_TIME).format(name=name)
            case r.Escalated(level=level):
                return self._say(t.ADVISED if level is None else t.CALLED)
            case r.Ruled(ruling=ruling, because=because, after=after):
                values = {
                    "name": self._words.ruling_managers(what),
                    "ruling": self._words.ruling(ruling),
                    "because": because,
                }
                texts = (t.RULED_DRAW, t.RULED_DRAW_ONLY) if "draw" in after else (t.RULED, t.RULED_ONLY)
                text = texts[not because]
                return self._say(text).format(draw=_ruled_draw(what), **values)
            case r.RulingRefused():
                return self._refusal_line(what)
            case r.Rewound(answers=answers):
                return self._say(t.REWOUND).format(step=answers + 1)
        return self._end(what)

    def _refusal_line(self, what: r.RulingRefused) -> str:
        if what.ruling == "acknowledge":
            return self._say(t.ACKNOWLEDGEMENT_REFUSED).format(name=what.by, reason=self._reason(what.reason))
        values = {"ruling": self._words.ruling(what.ruling), "reason": self._reason(what.reason, what.ruling)}
        return self._say(t.RULING_REFUSED).format(name=what.by, **values)

    def _disagreement_line(self, what: r.Disagreed) -> str:
        named = self._words.card_of if what.about == "place" else self._words.result
        text, due = named(what.theirs), place_due(what.ours)
        if due is not None:
            return self._say(t.DISAGREED_EARLY).format(theirs=text, place=self._words.place(due))
        return self._say(t.DISAGREED).format(theirs=text, ours=named(what.ours))

    def _end(self, what: r.What) -> str | None:
        match what:
            case r.Closed(early=int(early)):
                return self._say(t.CLOSED_EARLY).format(early=early)
            case r.HandVoided(place=place):
                return self._say(t.HAND_VOIDED).format(place=self._name_of(place))
            case r.Settled(outcome=outcome, manual=manual):
                text = t.SETTLED_MANUAL if manual else t.SETTLED
                return self._say(text).format(outcome=self._words.outcome(self._game.name, outcome))
            case r.Disputed(came=cause):
                return self._say(t.DISPUTED).format(winner=self._words.winner(cause.winner))
            case r.Disagreed():
                return self._disagreement_line(what)
            case r.Ignored(reason=reason, state=state):
                why = self._reason(reason) if reason else self._say(terms.LIVES.get(state, state))
                return self._say(t.IGNORED).format(why=why)
            case r.Cancelled(why=why) if not isinstance(why, ByRuling):  # a ruling has its own line
                return self._say(t.CANCELLED_WHY).format(why=self._words.void_reason(why))
        return self._say(PLAIN[type(what)]) if type(what) in PLAIN else self._later_line(what)

    def _later_line(self, what: r.What) -> str | None:
        match what:
            case r.Resettled(by=name, second=second, now=now, because=because, currency=currency):
                moved = what.differences
                about = {"count": len(moved), "total": money(sum(moved), currency), "because": because}
                outcome = "" if now is None else self._words.outcome(self._game.name, now)
                text = t.MADE_VOID if now is None else t.SETTLED_ANEW
                return self._say(text).format(name=name, second=second, outcome=outcome, **about)
            case r.ResettleRefused(by=name, reason=reason, case=case):
                text = t.RESETTLE_REFUSED if case is None else t.DISMISS_REFUSED
                return self._say(text).format(name=name, reason=self._reason(reason, "resettle"))
            case r.CaseOpened(came=cause):
                return self._say(t.CASE_OPENED).format(got=self._words.describe_cause(cause))
            case r.ExposureWarned(exposure=exposure, above=above, currency=currency):
                return self._say(t.EXPOSED).format(exposure=money(exposure, currency), above=money(above, currency))
            case r.CaseDismissed(by=name, because=because):
                return self._say(t.CASE_DISMISSED).format(name=name, because=because)
        return None

    def _market(self, market: str) -> str:
        return market_name(self._game, Spot.parse(market), self._words.words)

    def _decision(self, choice: str) -> str:
        return decision(self._game, choice, self._words.words)

    def _name_of(self, who: str) -> str:
        return self._words.place(who)

    def _reason(self, reason: str, ruling: str = "") -> str:
        return self._say(refusal_sentence(reason, ruling))


def _ruled_draw(what: r.Ruled) -> str:
    """Number of the draw that a ruling is about, with the card before and after: `4: ? → 3♠`."""
    draw, (was, now) = what.after.get("draw"), (fields.get("card") for fields in (what.before, what.after))
    if not isinstance(now, str) or now == was:
        return f"{draw}"
    return f"{draw}: {card_sign(was) if isinstance(was, str) else '?'} → {card_sign(now)}"


CEILINGS = {"bet": t.CEILING_OF_BET, "player": t.CEILING_OF_PLAYER, "round": t.CEILING_OF_ROUND}
PLAIN: dict[type[r.What], str] = {
    r.Closed: t.CLOSED,
    r.Completed: t.COMPLETED,
    r.Cancelled: t.CANCELLED,
    r.ReportAnswered: t.ANSWERED,
    r.Restarted: t.RESTARTED,
    r.Resumed: t.RESUMED,
}
