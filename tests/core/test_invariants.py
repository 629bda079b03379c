"""What must be true of every table at every moment, whatever happens at it."""

from collections import Counter
from decimal import Decimal
from itertools import takewhile

import pytest
from hypothesis import settings
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.bounds import MOST_LOOSE
from controller.core.life import LIVE
from controller.core.movements import movement
from controller.core.odds import further_odds, odds_after
from controller.core.persons import is_like
from controller.core.state import Laid

from .chance import TABLES, Judge, play, whatever_happens
from .test_leaving import Leaves
from .test_panel_keys import Keys

# while paused these may be recorded, apart from a ruling's own records
HARMLESS = {
    "drawn", "burnt", "acknowledged", "ruling_refused", "bet_refused", "decision_refused", "player_gone",
    "player_back", "start_refused", "ignored", "device_lost", "device_found", "cut_card", "table_opened",
    "table_closed", "shoe_stood_by", "escalated", "restarted", "telegrams_missing", "configured",
    "loss_accepted", "record_damaged", "record_sound",
    "reported", "report_answered", "disputed", "disagreed",
    "device_cut_off", "dealer_leaving", "signed_in", "sign_ins_refused", "handed_over",
}  # fmt: skip


class Draws(Judge):
    """Every draw has a number and exactly one fate; the script holds the placed ones, in some order, once each."""

    def look(self, before, event, records, after):
        round_ = after.round
        assert [draw.number for draw in round_.draws] == list(range(1, len(round_.draws) + 1))
        placed = [draw.number for draw in round_.draws if draw.fate == "placed"]
        laid = [entry.draw for entry in round_.script if isinstance(entry, Laid)]
        assert sorted(laid) == placed
        assert not after.loose or after.life == "paused"
        if before.round.number == round_.number:
            self._one_way(before.round.draws, round_.draws)

    def _one_way(self, before, after):
        assert len(after) >= len(before)
        for was, now in zip(before, after, strict=False):
            assert was.read == now.read
            if was.fate in ("burnt", "carried", "void"):
                assert was == now


class Pause(Judge):
    """A fault is open while paused and only then; only a ruling ends a pause."""

    def look(self, before, event, records, after):
        assert (after.life == "paused") == (after.fault is not None)
        assert after.life in ("betting", "deciding", "paused") or after.deadline is None
        assert after.life not in ("betting", "deciding") or after.deadline is not None
        assert after.left is None or after.life == "paused"
        assert (after.round.asking is not None) == (after.life == "deciding") or after.life == "paused"
        if before.life == "paused" and any(record.kind == "cancelled" for record in records):
            assert isinstance(event, e.Rule) or before.round.terms.unruled == "cancel" or "server" in before.lost
        elif before.life == "paused" and not isinstance(event, e.Rule):
            assert {record.kind for record in records} <= HARMLESS
            assert after.life == "paused"
            assert (after.fault.seq, after.fault.rulings) == (before.fault.seq, before.fault.rulings)
            assert after.left == before.left


class Reports(Judge):
    """What is reported during a pause waits, in order, until it is a fault or its answer is recorded; each once."""

    def __init__(self, bench):
        super().__init__(bench)
        self.waiting = []

    def look(self, before, event, records, after):
        was = list(self.waiting)
        for record in records:
            match record.what:
                case r.Reported():
                    self.waiting.append(record.seq)
                case r.Faulted(report=int(report)):
                    assert report == self.waiting.pop(0)
                case r.ReportAnswered(report=report):
                    self.waiting.remove(report)
        assert self.waiting == [one.seq for one in after.waiting]
        assert after.life == "paused" or not self.waiting
        if before.life == "paused" and self.is_report(before, event):
            again = [record.what.reason for record in records if record.kind == "ignored"] == ["reported_already"]
            assert self.waiting[len(was) :] or again

    def is_report(self, before, event):
        lying = [draw for draw in before.round.draws if draw.fate in ("placed", "loose")]
        match event:
            case e.Pressed(key="manager"):
                return True
            case e.Pressed(key="dropped"):
                return before.live and lying
            case e.Pressed(key="exposed"):
                return before.live and any(draw.hidden for draw in lying)
            case e.LostDevice(device="shoe"):
                return before.live and "shoe" not in before.lost
            case e.ShoeFails() if is_cut_off(before):  # it is not heard
                return False
        return before.live and isinstance(event, e.ShoeFails | e.JournalBack)


class Rulings(Judge):
    """A ruling that is refused changes nothing; one that names another fault is refused."""

    def look(self, before, event, records, after):
        if not isinstance(event, e.Rule) or before.life != "paused":
            return
        if event.fault not in (None, before.fault.seq):
            assert [record.what.reason for record in records] == ["stale_fault"]
        if any(record.kind == "ruling_refused" for record in records):
            assert len(records) == 1
            assert replace(after, seq=0, at=0) == replace(before, seq=0, at=0)
        else:
            assert isinstance(records[0].what, r.Ruled)
            assert records[0].what.fault == before.fault.seq
            limit, void = before.round.terms.second_above, any(record.kind == "cancelled" for record in records)
            assert event.second is None or not is_like(event.second, event.by)
            assert event.second is not None or not (void and limit is not None and before.round.bets.total > limit)


class OwnRound(Judge):
    """Nobody who deals, or dealt the round, rules on it or says that they have seen it, under any name."""

    def look(self, before, event, records, after):
        if any(isinstance(record.what, r.Ruled | r.Acknowledged) for record in records):
            dealers = (before.dealer, before.dealer_id, before.round.dealer, before.round.dealer_id)
            theirs = {one and one.casefold() for one in dealers}
            second = getattr(event, "second", None)
            assert not {event.by.casefold(), event.person, second and second.casefold()} & theirs - {None}


class Copies(Judge):
    """A round that goes on or is settled holds no more copies of a card than the decks in play, nor a foreign card; of
    what lies face down that is known once it is turned over, or settled on."""

    def look(self, before, event, records, after):
        if after.life not in LIVE | {"settled"} or not after.round.number:
            return
        deck = self.bench.house.deck
        draws = [draw for draw in after.round.draws if after.life == "settled" or not draw.hidden]
        placed = Counter(draw.card for draw in draws if draw.fate == "placed")
        assert set(placed) <= set(deck.cards)
        assert max(placed.values(), default=0) <= deck.copies


def is_cut_off(state):
    """Whether the shoe is not heard."""
    return any(one.device == "shoe" for one in state.cut_off)


class CutOff(Judge):
    """A device that babbles is missing, and everything stands still until a ruling; it is not heard until then."""

    def look(self, before, event, records, after):
        devices = {one.device for one in after.cut_off}
        assert len(devices) == len(after.cut_off)
        assert devices <= set(after.lost)
        assert after.life == "paused" or not devices
        assert len(after.loose) <= MOST_LOOSE
        if before.cut_off and not isinstance(event, e.Rule):
            assert {one.device for one in before.cut_off} <= devices
        if is_cut_off(before) and isinstance(event, e.CardOut | e.ShoeFails | e.TelegramsLost):
            assert not any(record.input and record.input.event == event for record in records)


class Dates(Judge):
    """Time goes back where the clock was set between rounds, and nowhere else."""

    def look(self, before, event, records, after):
        at, on = before.at, before.life in LIVE | {"paused"}
        for record in records:
            assert record.at >= at or record.kind == "clock_set"
            assert not on or record.kind != "clock_set"
            at, on = record.at, on and record.kind not in ("cancelled", "settled")  # its time may have run out before


class OutOfTheShoe(Judge):
    """Cards are counted as they leave the shoe: by the reader, or by hand where the reader saw nothing."""

    def __init__(self, bench):
        super().__init__(bench)
        self.out = 0

    def look(self, before, event, records, after):
        self.out += isinstance(event, e.CardOut) and not is_cut_off(before) and not before.shoe.reading
        for record in records:
            match record.what:
                case r.Cancelled():
                    break  # what is void from here on is so with its round
                case r.ShoeReady() if not before.shoe.changing or before.shoe.reading:
                    self.out = 0
                case r.Shuffled() | r.ShoeChange(reading=False):
                    self.out = 0
                case r.Ruled(ruling="enter", after=ruled) if "draw" not in ruled:
                    self.out += 1
                case r.Voided() if isinstance(event, e.Rule) and event.ruling in ("rescan", "void"):
                    self.out -= 1  # the same card, read again; or there was none
        assert after.shoe.out == self.out


class Book(Judge):
    """Every stake that is taken comes to exactly one end, in the round in which it was taken."""

    def __init__(self, bench):
        super().__init__(bench)
        self.open = {}
        self.betting = False
        self.settled = 0

    def look(self, before, event, records, after):
        ends = {
            "opened": self.opened, "window_opened": self.window, "closed": self.close, "bet_accepted": self.taken,
            "decided": self.decided, "bet_withdrawn": self.gone, "refunded": self.gone, "paid": self.paid,
            "settled": self.settle,
        }  # fmt: skip
        for record in records:
            ends.get(record.kind, lambda what: None)(record.what)
        assert {bet.id: bet.stake for bet in after.round.bets.values()} == self.open
        if after.life in ("settled", "cancelled", "idle"):
            assert not self.open
        if after.life == "paused" and after.paused_from in ("settled", "cancelled", "idle"):
            assert not self.open

    def opened(self, _):
        assert not self.open
        self.betting, self.settled, self.number = True, 0, 1

    def window(self, what):
        self.betting, self.number = True, what.window

    def close(self, what):
        if what.by == "table":  # after a ruling, the answer of a window closed before; never the one that is open
            assert what.window < self.number or not self.betting
        else:
            assert what.window == self.number
            self.betting = False

    def taken(self, what):
        assert self.betting
        assert what.stake > 0
        assert what.bet not in self.open
        self.open[what.bet] = what.stake

    def decided(self, what):
        if what.stake is not None:
            assert what.bet not in self.open
            self.open[what.bet] = what.stake

    def gone(self, what):
        assert self.open.pop(what.bet) == what.stake

    def paid(self, what):
        assert self.settled
        assert what.returned >= 0
        self.gone(what)

    def settle(self, _):
        self.settled += 1
        assert self.settled == 1


class Purses(Judge):
    """Stakes in = returned + kept by the house + refunded; a round that is void leaves every purse as it was."""

    def __init__(self, bench):
        super().__init__(bench)
        self.purses = Counter()
        self.staked = self.back = self.paid = 0
        self.at_open = Counter()

    def look(self, before, event, records, after):
        for record in records:
            self.move(record.kind, record.what)
        if after.life in ("settled", "cancelled"):
            assert self.staked == self.back + self.paid
        if after.life == "cancelled":
            assert {who: sum_ for who, sum_ in self.purses.items() if sum_ != self.at_open[who]} == {}

    def move(self, kind, what):
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
    """Bets are taken at the odds that the cards on the table and the cards seen before give, and at no others; and none
    stands at better odds than those which its cards turned out to give."""

    def look(self, before, event, records, after):
        if after.life == "betting":
            assert after.round.odds == further_odds(self.bench.position, after)
        odds = before.round.odds
        for record in records:
            if record.kind in ("opened", "window_opened"):  # by a carried card, when the time of the last one was up
                odds = record.what.odds
            elif record.kind == "bet_accepted":
                assert record.what.odds == odds.get(record.what.market)
        if after.life in LIVE and self.bench.house.game.pricing(self.bench.house.settings):
            for bet in after.round.bets.values():
                fair = odds_after(self.bench.position, after, bet.drawn)
                assert Decimal(bet.odds) <= Decimal(fair[bet.spot.market])


class Touching(Judge):
    """A ruling that touches something says what becomes of it, and that is what becomes of it."""

    def look(self, before, event, records, after):
        for ruled in (record.what for record in records if record.kind == "ruled"):
            assert (ruled.choice is None) == (not (ruled.touched.decisions or ruled.touched.odds))
            assert isinstance(event, e.Rule)
            assert event.touched in (None, ruled.choice) or ruled.choice is None
            if ruled.choice == "anew":
                assert {draw.number for draw in after.round.draws if draw.fate == "burnt"} >= set(ruled.touched.cards)
                assert len(after.round.script) <= ruled.touched.answers or after.life != "deciding"
            kept = {bet.id: bet.odds for bet in after.round.bets.values()}
            stand = ruled.choice == "stand"
            for price in ruled.touched.odds:
                assert after.life == "cancelled" or stand or not set(price.bets) & set(kept)


class Moved(Judge):
    """Each bet is debited once and credited once, under ids that never come again; what goes back in all is said."""

    def __init__(self, bench):
        super().__init__(bench)
        self.ids, self.in_play, self.rounds = set(), {}, set()

    def look(self, before, event, records, after):
        for place, record in enumerate(records):
            what, moved = record.what, movement(record.what)
            if moved is not None:
                self.move(what, moved)
            if isinstance(what, r.Opened):
                assert what.round_id not in self.rounds
                self.rounds.add(what.round_id)
            if isinstance(what, r.Rewound | r.Cancelled):
                stakes = self.back(what, records[place + 1 :])
                assert (what.bets, what.amount) == (len(stakes), sum(stakes))
        assert sum(self.in_play.values()) == sum(bet.stake for bet in after.round.bets.values())
        if not after.live:
            assert not self.in_play

    def back(self, what, rest):
        """The stakes that go back with it."""
        if isinstance(what, r.Cancelled):
            return [one.what.stake for one in rest if one.kind == "refunded"]
        withdrawn = takewhile(lambda one: one.kind == "bet_withdrawn", rest)
        return [one.what.stake for one in withdrawn]

    def move(self, what, moved):
        bet, _, side = moved.id.rpartition(".")
        assert moved.id not in self.ids
        assert (bet, moved.currency) == (what.bet, "EUR")
        assert bet.partition(".")[0] in self.rounds
        self.ids.add(moved.id)
        if side == "debit":
            self.in_play[bet] = moved.amount
        else:
            del self.in_play[bet]


JUDGES = (
    Moved, Purses, Draws, Pause, Reports, Rulings, OwnRound, Copies, OutOfTheShoe, CutOff, Dates, Book, Offer, Touching,
    Leaves, Keys,
)  # fmt: skip


def test_no_example_of_what_chance_brings_has_a_deadline():
    assert settings().deadline is None


@whatever_happens(TABLES, 20, 120)
def test_the_rules_of_a_table_hold_whatever_happens(table, rolled):
    play(table, JUDGES, rolled)


@pytest.mark.proof
@pytest.mark.timeout(0)
@whatever_happens(TABLES, 50, 300)
def test_the_rules_of_a_table_hold_for_long_whatever_happens(table, rolled):
    play(table, JUDGES, rolled)
