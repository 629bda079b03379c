"""Judges of the money: stakes, odds, payments and moved amounts, after every event."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import takewhile
from typing import Any

from ...core import events as e
from ...core import records as r
from ...core.life import LIVE
from ...core.movements import movement
from ...core.odds import further_odds, odds_after
from ...core.returns import returns_by_bet
from ...core.spot import Spot
from .bench import Bench
from .judge import Judge


class BookJudge(Judge):
    """Every accepted stake is paid, returned or refunded exactly once, in its own round."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.open: dict[str, int] = {}
        self.betting = False
        self.settled = 0

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        ends = {
            "opened": self.opened, "window_opened": self.window, "closed": self.close, "bet_accepted": self.add_bet,
            "decided": self.decided, "bet_withdrawn": self.remove_bet, "refunded": self.remove_bet, "paid": self.paid,
            "settled": self.settle,
        }  # fmt: skip
        for record in records:
            ends.get(record.kind, lambda what: None)(record.what)
        assert {bet.id: bet.stake for bet in after.round.bets.values()} == self.open
        if after.life in ("settled", "cancelled", "idle"):
            assert not self.open
        if after.life == "paused" and after.paused_from in ("settled", "cancelled", "idle"):
            assert not self.open

    def opened(self, _: Any) -> None:
        assert not self.open
        self.betting, self.settled, self.number = True, 0, 1

    def window(self, what: Any) -> None:
        self.betting, self.number = True, what.window

    def close(self, what: Any) -> None:
        if what.by == "table":  # repeats the close of an earlier window after a ruling, never of the open one
            assert what.window < self.number or not self.betting
        else:
            assert what.window == self.number
            self.betting = False

    def add_bet(self, what: Any) -> None:
        assert self.betting
        assert what.stake > 0
        assert what.bet not in self.open
        self.open[what.bet] = what.stake

    def decided(self, what: Any) -> None:
        if what.stake is not None:
            assert what.bet not in self.open
            self.open[what.bet] = what.stake

    def remove_bet(self, what: Any) -> None:
        assert self.open.pop(what.bet) == what.stake

    def paid(self, what: Any) -> None:
        assert self.settled
        assert what.returned >= 0
        self.remove_bet(what)

    def settle(self, _: Any) -> None:
        self.settled += 1
        assert self.settled == 1


class PursesJudge(Judge):
    """Stakes = stakes of paid bets + stakes returned or refunded, in each round.

    A void round leaves every purse unchanged.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.purses: Counter[str] = Counter()
        self.staked = self.back = self.paid = 0
        self.at_open: Counter[str] = Counter()

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        for record in records:
            self.move(record.kind, record.what)
        if after.life in ("settled", "cancelled"):
            assert self.staked == self.back + self.paid
        if after.life == "cancelled":
            assert {who: sum_ for who, sum_ in self.purses.items() if sum_ != self.at_open[who]} == {}

    def move(self, kind: str, what: Any) -> None:
        match kind:
            case "opened":
                self.at_open = self.purses.copy()
                self.staked = self.back = self.paid = 0
            case "bet_accepted" | "decided" if what.stake is not None:
                self.purses[what.player] -= what.stake
                self.staked += what.stake
            case "bet_withdrawn" | "refunded":
                self.purses[what.player] += what.stake
                self.back += what.stake
            case "paid":
                self.purses[what.player] += what.returned
                self.paid += what.stake
            case "cancelled":
                assert self.paid == 0


class Offer(Judge):
    """Bets are taken only at the odds computed from the cards on the table and the cards seen.

    No bet keeps better odds than those computed from the correct cards.
    """

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if after.life == "betting":
            assert after.round.odds == further_odds(self.bench.position, after)
        odds = before.round.odds
        for record in records:
            if record.kind in ("opened", "window_opened"):  # also at once, if a carried card opens the next window
                odds = record.what.odds
            elif record.kind == "bet_accepted":
                assert record.what.odds == odds.get(Spot.parse(record.what.market).market)
        if after.life in LIVE and self.bench.house.game.pricing(self.bench.house.settings):
            for bet in after.round.bets.values():
                fair = odds_after(self.bench.position, after, bet.drawn) or {}
                assert Decimal(bet.odds) <= Decimal(fair[bet.spot.market])


class Touching(Judge):
    """A ruling records what happens to affected decisions and bets, and exactly that happens."""

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        for ruled in (record.what for record in records if record.kind == "ruled"):
            assert (ruled.choice is None) == (not (ruled.touched.decisions or ruled.touched.odds))
            assert isinstance(event, e.Rule)
            assert event.touched in (None, "stand" if ruled.choice is None else ruled.choice)
            withdrawn = {who for record in records if record.kind == "rewound" for who in record.what.decisions}
            assert withdrawn <= {decision.who for decision in ruled.touched.decisions} or after.life == "cancelled"
            assert not withdrawn or ruled.choice in ("anew", "cancel")
            if ruled.choice == "anew":
                assert {draw.number for draw in after.round.draws if draw.fate == "burnt"} >= set(ruled.touched.cards)
            odds = {bet.id: bet.odds for bet in after.round.bets.values()}
            stand = ruled.choice == "stand"
            for price in ruled.touched.odds:
                assert after.life == "cancelled" or stand or not set(price.bets) & set(odds)


class TwoPersons(Judge):
    """Rulings of one person alone never move more money than the limit for one person.

    The amounts returned at settlement are compared with those due at the first ruling on the complete round. Exempt are
    rounds with a ruling of two persons, or with a new card after that ruling.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.found: dict[str, int] = {}  # by bet: amount due at the first ruling on the complete round
        self.other = False  # True: two persons have ruled, or a card came, so the round is exempt

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        ruled = isinstance(event, e.Rule) and records[0].kind == "ruled" and before.live
        if ruled and not self.found and (outcome := self.bench.position.outcome(before)) is not None:
            game, currency = self.bench.position.game(before.round), before.identity.currency
            bets = before.round.bets.values()
            returns = returns_by_bet(game, before.round, outcome, bets, currency)
            self.found = {bet: one.amount for bet, one in returns.items()}
        self.other |= (ruled and event.second is not None) or any(self._is_new(record, before) for record in records)
        paid = {record.what.bet: record.what.returned for record in records if record.kind == "paid"}
        limit = before.round.terms.second_above
        if limit is not None and not self.other:
            assert sum(abs(back - self.found.get(bet, back)) for bet, back in paid.items()) <= limit
        if any(record.kind in ("settled", "cancelled") for record in records):
            self.found, self.other = {}, False

    @staticmethod
    def _is_new(record: Any, before: Any) -> bool:
        return record.kind in ("dealt", "drawn") and record.what.draw > len(before.round.draws)


class Moved(Judge):
    """Each bet is debited once and credited once, under ids that never repeat.

    Each record that returns stakes has their number and sum.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.ids, self.in_play, self.rounds = set[str](), dict[str, int](), set[str]()

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        for place, record in enumerate(records):
            what, moved = record.what, movement(record.what)
            if moved is not None:
                self.move(what, moved)
            if isinstance(what, r.Opened):
                assert what.round_id not in self.rounds
                self.rounds.add(what.round_id)
            if isinstance(what, r.Rewound | r.Cancelled):
                stakes = self.stakes_back(what, records[place + 1 :])
                assert (what.bets, what.amount) == (len(stakes), sum(stakes))
        assert sum(self.in_play.values()) == sum(bet.stake for bet in after.round.bets.values())
        if not after.live:
            assert not self.in_play

    def stakes_back(self, what: Any, rest: Sequence[Any]) -> list[int]:
        """Stakes returned by this record."""
        if isinstance(what, r.Cancelled):
            return [one.what.stake for one in rest if one.kind == "refunded"]
        withdrawn = takewhile(lambda one: one.kind == "bet_withdrawn", rest)
        return [one.what.stake for one in withdrawn]

    def move(self, what: Any, moved: Any) -> None:
        bet, _, side = moved.id.rpartition(".")
        assert moved.id not in self.ids
        assert (bet, moved.currency) == (what.bet, "EUR")
        assert bet.partition(".")[0] in self.rounds
        self.ids.add(moved.id)
        if side == "debit":
            self.in_play[bet] = moved.amount
        else:
            del self.in_play[bet]
