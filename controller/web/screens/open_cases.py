"""Open cases on the shift manager's page: reports about rounds that are over."""

from msgspec import Struct

from ...core import events as e
from ...core.clock import to_text
from ...core.state import Case, State
from ...text.faults import Words
from ...text.table_words import TableWords
from . import texts as t


class CaseToDecide(Struct, frozen=True):
    """Open case in the viewer's language."""

    seq: int  # to dismiss it by
    round: int
    name: str  # name of the round
    text: str
    by: str  # the shoe, if it made the report, and the dealer of the round
    since: str


def cases_to_decide(state: State, words: Words) -> tuple[CaseToDecide, ...]:
    """Open cases of a table, the oldest first."""
    return tuple(_case(case, TableWords(words)) for case in state.cases)


def _case(case: Case, words: TableWords) -> CaseToDecide:
    device = [words.device("shoe")] if isinstance(case.came, e.ShoeSays) else []
    dealer = words.say(t.NOBODY_DEALS) if case.dealer is None else words.say(t.DEALT_BY).format(name=case.dealer)
    name = words.say(t.ROUND).format(number=case.round)
    by = " · ".join([*device, dealer])
    return CaseToDecide(case.seq, case.round, name, words.describe_cause(case.came), by, to_text(case.since))
