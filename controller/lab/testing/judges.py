"""Judges of the table: its cards, faults, rulings, devices and clock, after every event."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ...core import events as e
from ...core import records as r
from ...core.bounds import MOST_LOOSE
from ...core.known_returns import face_down_draws, returns
from ...core.life import LIVE
from ...core.persons import is_like
from ...core.script import Laid
from ...core.state import State, states_at_rulings
from .bench import Bench
from .judge import Judge

# kinds of records that may be recorded during a pause, apart from a ruling's own records
HARMLESS = {
    "drawn", "burnt", "read_out", "acknowledged", "ruling_refused", "bet_refused", "decision_refused", "player_gone",
    "player_back", "start_refused", "starts_refused", "ignored", "device_lost", "device_found", "cut_card",
    "table_opened", "table_closed", "shoe_stood_by", "escalated", "restarted", "telegrams_missing", "configured",
    "loss_accepted", "record_damaged", "record_sound", "anchor_begun", "anchor_lost", "anchor_back",
    "witness_unheard", "witness_heard",
    "reported", "report_answered", "disputed", "disagreed",
    "resettled", "resettle_refused", "case_opened", "case_dismissed",
    "device_cut_off", "dealer_leaving", "signed_in", "sign_ins_refused", "handed_over",
}  # fmt: skip


class Draws(Judge):
    """Every draw has a number and exactly one fate.

    The round's script contains each placed draw once, in any order.
    """

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        round_ = after.round
        assert [draw.number for draw in round_.draws] == list(range(1, len(round_.draws) + 1))
        placed = [draw.number for draw in round_.draws if draw.fate == "placed"]
        laid = [entry.draw for entry in round_.script if isinstance(entry, Laid)]
        assert sorted(laid) == placed
        assert not after.loose_draws or after.life == "paused"
        if before.round.number == round_.number:
            self._check_fates(before.round.draws, round_.draws)

    def _check_fates(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        assert len(after) >= len(before)
        for was, now in zip(before, after, strict=False):
            assert was.read == now.read
            if was.fate in ("burnt", "carried", "void"):
                assert was == now


class Pause(Judge):
    """A fault is open exactly while the table is paused, and only a ruling ends the pause."""

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        assert (after.life == "paused") == (after.fault is not None)
        assert (after.life in ("betting", "deciding")) == (after.deadline is not None)
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
    """Reports made during a pause wait in order, each once, until they become a fault or are answered."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.waiting: list[int] = []

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
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

    def is_report(self, before: Any, event: Any) -> Any:
        lying = [draw for draw in before.round.draws if draw.lies]
        match event:
            case e.KeyPressed(key="manager"):
                return True
            case e.KeyPressed(key="dropped"):
                return before.live and lying
            case e.KeyPressed(key="exposed"):
                return before.live and any(draw.hidden for draw in lying)
            case e.LostDevice(device="shoe"):
                return before.live and "shoe" not in before.lost
            case e.ShoeFails() if is_cut_off(before):  # events of a shoe that is cut off are ignored
                return False
        return before.live and isinstance(event, e.ShoeFails | e.JournalBack)


class Rulings(Judge):
    """A refused ruling changes nothing, and a ruling for another fault is refused."""

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if not isinstance(event, e.Rule) or before.life != "paused":
            return
        if event.fault not in (None, before.fault.seq):
            assert [getattr(record.what, "reason", "") for record in records] == ["stale_fault"]
        if any(record.kind == "ruling_refused" for record in records):
            assert len(records) == 1
            assert replace(after, seq=0, at=0) == replace(before, seq=0, at=0)
        else:
            assert isinstance(records[0].what, r.Ruled | r.Extended)
            assert records[0].what.fault == before.fault.seq
            limit, void = before.round.terms.second_above, any(record.kind == "cancelled" for record in records)
            assert event.second is None or not is_like(event.second, event.by)
            if event.second is None and limit is not None:
                is_small = before.round.outcome or before.round.bets.total <= limit
                assert not void or is_small or self._had_results(before)
                assert getattr(records[0].what, "moved", 0) <= limit

    def _had_results(self, before: Any) -> bool:
        """True if a bet had a result before an earlier ruling; the moved money is then counted from that result."""
        results = (returns(self.bench.position, state, face_down_draws(before)) for state in states_at_rulings(before))
        return any(amount is not None for one in results for amount in one.values())


class OwnRound(Judge):
    """No present or earlier dealer of a round rules on it or acknowledges its fault, under any name."""

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if any(isinstance(record.what, r.Ruled | r.Acknowledged) for record in records):
            dealers = (before.dealer, before.dealer_id, before.round.dealer, before.round.dealer_id)
            names = {one and one.casefold() for one in dealers}
            second = getattr(event, "second", None)
            assert not {event.by.casefold(), event.person, second and second.casefold()} & names - {None}


class Copies(Judge):
    """A live or settled round never has more copies of a card than the decks in play, and no foreign card.

    Face-down cards are counted after they are turned over, or after the round is settled.
    """

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if after.life not in LIVE | {"settled"} or not after.round.number:
            return
        deck = self.bench.house.deck
        draws = [draw for draw in after.round.draws if after.life == "settled" or not draw.hidden]
        placed = Counter(draw.card for draw in draws if draw.fate == "placed")
        assert set(placed) <= set(deck.cards)
        assert max(placed.values(), default=0) <= deck.copies


def is_cut_off(state: State) -> bool:
    """True if the shoe is cut off, so that its events are ignored."""
    return any(one.device == "shoe" for one in state.cut_off)


class CutOff(Judge):
    """A device that is cut off counts as missing, and the table waits for a ruling.

    Until then its events are ignored. A shoe is cut off for too many cards that were never on a place; cards that a
    ruling took from a place do not count.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.dealt: set[int] = set()

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        devices = {one.device for one in after.cut_off}
        assert len(devices) == len(after.cut_off)
        assert devices <= set(after.lost)
        assert after.life == "paused" or not devices
        for record in records:
            match record.what:
                case r.Opened():
                    self.dealt.clear()
                case r.Dealt(draw=draw):
                    self.dealt.add(draw)
        assert sum(draw.number not in self.dealt for draw in after.loose_draws) <= MOST_LOOSE
        if before.cut_off and not isinstance(event, e.Rule):
            assert {one.device for one in before.cut_off} <= devices
        if is_cut_off(before) and isinstance(event, e.CardOut | e.ShoeFails | e.TelegramsLost):
            assert not any(record.input and record.input.event == event for record in records)


class Dates(Judge):
    """Recorded times go back only if the clock was set, and it is set only between rounds."""

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        at, on = before.at, before.life in LIVE | {"paused"}
        for record in records:
            assert record.at >= at or record.kind == "clock_set"
            assert not on or record.kind != "clock_set"
            at, on = record.at, on and record.kind not in ("cancelled", "settled")  # a deadline may end the round first


SLID = frozenset({"rescan", "enter", "void"})  # rulings that fewer cards have left the shoe than were reported


class OutOfTheShoe(Judge):
    """Each card is counted when it leaves the shoe, by the reader or entered by hand."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.out = 0

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        self.out += isinstance(event, e.CardOut) and not is_cut_off(before) and not before.shoe.reading
        over = False
        for record in records:
            match record.what:
                case r.Cancelled():
                    over = True  # later `voided` records follow from the cancelled round
                case r.ShoeReady() if not before.shoe.changing or before.shoe.reading:
                    self.out = 0
                case r.Shuffled() | r.ShoeChange(reading=False):
                    self.out = 0
                case r.Ruled(ruling="enter", after=ruled) if "draw" not in ruled:
                    self.out += 1
                case r.Voided() if not over and isinstance(event, e.Rule) and event.ruling in SLID:
                    self.out -= 1  # the card was slid twice, or there was no card
        assert after.shoe.out == self.out
