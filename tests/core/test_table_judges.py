"""Judges of a table: each accepts the last step of a script, and refuses it with one change."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from controller.core.state import DecisionWindow
from controller.lab.testing.judge import Judge
from controller.lab.testing.judges import Copies, CutOff, Dates, Draws, OutOfTheShoe, OwnRound, Pause, Reports, Rulings
from controller.lab.testing.money import BookJudge, Moved

from .bench import Bench


class TableStep(NamedTuple):
    """Event of a table with its records, and the states before and after it."""

    before: Any
    event: Any
    records: list[Any]
    after: Any

    def copy_with(self, **fields: Any) -> "TableStep":
        return self._replace(after=replace(self.after, **fields))

    def in_round(self, **fields: Any) -> "TableStep":
        return self.copy_with(round=replace(self.after.round, **fields))

    def by(self, **fields: Any) -> "TableStep":
        return self._replace(event=replace(self.event, **fields))

    def recording(self, **fields: Any) -> "TableStep":
        """Change the content of the first record."""
        first = self.records[0]
        return self._replace(records=[replace(first, what=replace(first.what, **fields)), *self.records[1:]])

    def drawn(self, which: int, **fields: Any) -> "TableStep":
        draws = [replace(draw, **fields) if draw.number == which else draw for draw in self.after.round.draws]
        return self.in_round(draws=tuple(draws))


class StepKeeper(Judge):
    """Keeps the last step."""

    def look(self, *step: Any) -> None:
        self.step = TableStep(*step)


BET = "open", "bet p1 player 10.00"
CARD = "open; bet p1 player 10.00; close", "card 6H"
TWO = "open; close; card 6H", "card 2D"
STOPPED = "open; bet p1 player 10.00; close; card 6H; press manager"
QUIET = STOPPED, "lost panel"
VOID = STOPPED, "rule cancel with ben by ana because spilt"
FLOOD = "open" + "; card 2C" * 19, "card 2C"  # one more than may lie loose
CUT_OFF = "; ".join(FLOOD), "card 3C"
CHANGES: dict[str, tuple[type[Judge], tuple[str, str], Callable[[TableStep], TableStep]]] = {
    "a placed card without its draw": (Draws, CARD, lambda one: one.in_round(draws=())),
    "a draw with another number": (Draws, CARD, lambda one: one.drawn(1, number=2)),
    "a card twice in the script": (Draws, CARD, lambda one: one.in_round(script=one.after.round.script * 2)),
    "a loose card in a round that goes on": (Draws, CARD, lambda one: one.drawn(1, fate="loose").in_round(script=())),
    "an earlier card that is read anew": (Draws, TWO, lambda one: one.drawn(1, read="7H")),
    "a pause without a fault": (Pause, QUIET, lambda one: one.copy_with(fault=None)),
    "a fault without a pause": (Pause, QUIET, lambda one: one.copy_with(life="dealing", left=None)),
    "a deadline while cards are dealt": (Pause, CARD, lambda one: one.copy_with(deadline=1)),
    "a deadline in a pause": (Pause, QUIET, lambda one: one.copy_with(deadline=1)),
    "betting without a deadline": (Pause, ("", "open"), lambda one: one.copy_with(deadline=None)),
    "time left beside a deadline": (Pause, ("", "open"), lambda one: one.copy_with(left=1)),
    "a question while cards are dealt": (
        Pause, CARD, lambda one: one.in_round(asking=DecisionWindow(("p1",), ("hit",), "hit")),
    ),
    "another fault without a ruling": (Pause, QUIET, lambda one: one.copy_with(fault=replace(one.after.fault, seq=1))),
    "other rulings without a ruling": (
        Pause, QUIET, lambda one: one.copy_with(fault=replace(one.after.fault, rulings=())),
    ),
    "an end of the pause without a ruling": (Pause, QUIET, lambda one: one.copy_with(life="dealing", fault=None)),
    "other time left without a ruling": (Pause, QUIET, lambda one: one.copy_with(left=1)),
    "a card dealt in a pause": (
        Pause, QUIET, lambda one: one._replace(records=[replace(one.records[0], what=dealt_card())]),
    ),
    "a cancelled round without a ruling": (Pause, VOID, lambda one: one._replace(event=None)),
    "a report that does not wait": (Reports, (STOPPED, "press dropped"), lambda one: one.copy_with(waiting=())),
    "a report that is not recorded": (Reports, (STOPPED, "press dropped"), lambda one: one._replace(records=[])),
    "a report without a record and a place": (
        Reports, (STOPPED, "press dropped"), lambda one: one._replace(records=[]).copy_with(waiting=()),
    ),
    "a refused ruling that changes the table": (
        Rulings, (STOPPED, "rule burn by ana because x"), lambda one: one.copy_with(dealer="eva"),
    ),
    "a refused ruling with a further record": (
        Rulings, (STOPPED, "rule burn by ana because x"), lambda one: one._replace(records=one.records * 2),
    ),
    "a ruling recorded for another fault": (Rulings, VOID, lambda one: one.recording(fault=1)),
    "a ruling on another fault": (Rulings, VOID, lambda one: one.by(fault=1)),
    "a ruling that is recorded as something else": (Rulings, VOID, lambda one: one._replace(records=one.records[1:])),
    "a large void by one person": (Rulings, VOID, lambda one: one.by(second=None)),
    "the same person twice": (Rulings, VOID, lambda one: one.by(second="Ana")),
    "a ruling by the dealer": (OwnRound, VOID, lambda one: one.by(by="DEALER")),
    "a ruling by the dealer's number": (OwnRound, VOID, lambda one: one.by(person="dealer")),
    "a ruling with the dealer as second": (OwnRound, VOID, lambda one: one.by(second="Dealer")),
    "one copy more than in the shoe": (
        Copies, CARD, lambda one: one.in_round(draws=one.after.round.draws * 7),
    ),
    "a card of no deck": (Copies, CARD, lambda one: one.drawn(1, read="1H")),
    "a record before the one before": (
        Dates, CARD, lambda one: one._replace(records=[replace(one.records[0], at=one.before.at - 1)]),
    ),
    "a device cut off twice": (CutOff, FLOOD, lambda one: one.copy_with(cut_off=one.after.cut_off * 2)),
    "a device cut off that is not missing": (CutOff, FLOOD, lambda one: one.copy_with(lost=())),
    "a device cut off in a round that goes on": (CutOff, FLOOD, lambda one: one.copy_with(life="betting")),
    "more loose cards than the most": (CutOff, FLOOD, lambda one: one.in_round(draws=one.after.round.draws * 2)),
    "a device that is heard again without a ruling": (CutOff, CUT_OFF, lambda one: one.copy_with(cut_off=())),
    "a bet that is debited twice": (Moved, BET, lambda one: one._replace(records=one.records * 2)),
    "a bet in another currency": (Moved, BET, lambda one: one.recording(currency="USD")),
    "a bet of no round": (Moved, BET, lambda one: one.recording(bet="another.1")),
    "a bet of another stake": (Moved, BET, lambda one: one.recording(stake=900)),
    "a bet that is accepted twice": (BookJudge, BET, lambda one: one._replace(records=one.records * 2)),
    "a bet without a stake": (BookJudge, BET, lambda one: one.recording(stake=0)),
    "a card that is not counted": (OutOfTheShoe, CARD, lambda one: one._replace(after=one.before)),
    "a card counted twice": (
        OutOfTheShoe, CARD, lambda one: one.copy_with(shoe=replace(one.after.shoe, out=one.after.shoe.out + 1)),
    ),
}  # fmt: skip


def dealt_card() -> Any:
    """Return the content of the record of a dealt card."""
    table = Bench("baccarat")
    table.says("; ".join(CARD))
    return next(record.what for record in table.records if record.kind == "dealt")


@pytest.mark.parametrize("change", CHANGES)
def test_a_judge_refuses_a_step_with_one_change(change):
    kind, (first, last), changed = CHANGES[change]
    table = Bench("baccarat", second_above=500)
    table.judges = [judge := kind(table)]
    table.says(first)
    table.judges = [keeper := StepKeeper(table)]
    table.says(last)
    other = deepcopy(judge, {id(table): table})
    judge.look(*keeper.step)
    with pytest.raises(AssertionError):
        other.look(*changed(keeper.step))
