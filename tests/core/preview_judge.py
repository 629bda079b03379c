"""Judge of previews: the previewed effect of a ruling is the real one, in every field."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.redrive import state_without_ruling
from controller.core.difference import difference
from controller.core.draft import Draft
from controller.core.records import RoundDifference
from controller.lab.testing.judge import Judge
from controller.reports.preview import PreviewRefused, Refunds, RulingEffect, foresee


class PreviewMatches(Judge):
    """The preview of a ruling shows its real effect; a field that cannot be known yet stays empty."""

    def __init__(self, bench: Any) -> None:
        super().__init__(bench)
        self.looked = 0

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if not isinstance(event, e.Rule) or before.life != "paused" or records[0].kind in ("cancelled", "escalated"):
            return
        if self.bench.house.game.name not in ("baccarat", "blackjack", "casino_holdem", "rhum32", "thirty_two"):
            return
        end = foresee(self.bench.house, before, event, self.bench.now)
        self.looked += 1
        refused = next((record.what.reason for record in records if record.kind == "ruling_refused"), None)
        if refused == "needs_second":
            assert isinstance(end, RulingEffect)
            assert end.second
        elif refused is not None and isinstance(end, RulingEffect):
            assert end.open
        elif refused is not None:
            assert end == PreviewRefused(refused, getattr(end, "choices", ())), (end, refused)
        elif records[0].kind == "ruled":
            assert isinstance(end, RulingEffect), (end, event)
            self.compare(end, before, records, after)

    def compare(self, end: Any, before: Any, records: Sequence[Any], after: Any) -> None:
        expected = state_without_ruling(Draft(self.bench.house, self.bench.position, before, self.bench.now))
        ruled, whole = records[0].what, difference(self.bench.position, before, expected, after, records)
        assert replace(whole, moved=0) == ruled.touched
        assert whole.moved == ruled.moved
        refunds = [record.what.stake for record in records if record.kind == "refunded"]
        fault = after.fault if any(record.kind == "faulted" for record in records) else None
        happened = {
            "draw": ruled.after.get("draw"), "life": after.life, "outcome": after.round.outcome,
            "next": fault and fault.code, "manual": after.round.manual, "choice": ruled.choice,
            "refunds": Refunds(len(refunds), sum(refunds), "EUR") if after.life == "cancelled" else None,
        }  # fmt: skip
        guess = {name: getattr(end, name) for name in happened} | {"next": end.next and end.next.code}
        assert all(guess[name] == happened[name] or (end.open and not guess[name]) for name in guess), (guess, happened)
        for name in RoundDifference.__struct_fields__:
            value, expected = getattr(end.touched, name), getattr(whole, name)
            assert value == expected or (end.open and value == getattr(RoundDifference(), name)), (
                name,
                value,
                expected,
            )
        ours = {draw.number: (draw.fate, draw.place) for draw in after.round.draws}
        assert all(ours[change.draw] == (change.after.fate, change.after.place) for change in end.cards)
        changed = {shift.draw for shift in whole.shifts}
        assert end.open or changed <= {change.draw for change in end.cards}
