"""Summaries of a record's rounds, one line each, for `tablectl journal list`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..accounts.rounds import RoundAccount
from ..core import records as r
from ..core.clock import to_text
from ..text.outcome_words import outcome_in_words


class Summary(Struct):
    """Summary of one round, shown in one line."""

    round: int
    at: str
    game: str
    end: str = "live"  # settled, cancelled
    told: str = ""
    faults: list[str] = []
    outcome: dict[str, Any] | None = None
    revision: int = 0  # how many times it was settled anew; `outcome` is the latest
    resettled_at: str | None = None  # time of the last resettlement
    training: bool = False  # True: the figures do not count it


Revisions = Mapping[int, r.Record]  # latest resettlement of a round, by its number
NO_REVISIONS: Revisions = {}


def revisions(latest_first: Iterable[r.Record]) -> Revisions:
    """Latest resettlement of each round with all its parts, from records in reverse order."""
    resettlements: dict[int, r.Record] = {}
    for record in latest_first:
        what = record.what
        if isinstance(what, r.Resettled) and not what.is_later_part and record.round not in resettlements:
            resettlements[record.round or 0] = replace(record, what=what.whole_record)
    return resettlements


def summaries(records: Iterable[r.Record], revised: Revisions = NO_REVISIONS) -> Iterator[Summary]:
    """Yield the rounds of a record in order, as they are settled now.

    A round is yielded when the next one begins, so that it includes late faults. `revised`: latest resettlements.
    """
    of_round: RoundAccount | None = None
    for record in records:
        if isinstance(record.what, r.Opened):
            yield from _summary(of_round, revised)
            of_round = RoundAccount(record, record.what)
        elif of_round is not None and not isinstance(record.what, r.Resettled):
            of_round.take(record)
    yield from _summary(of_round, revised)


def _summary(one: RoundAccount | None, revised: Revisions) -> Iterator[Summary]:
    if one is None:
        return
    if one.number in revised:
        one.take(revised[one.number])
    text = (one.void_reason or "") if one.end == "cancelled" else _result(one.outcome or {})
    later = one.revision, None if one.resettled is None else to_text(one.resettled), one.opening.training
    yield Summary(one.number, to_text(one.opening.at), one.opened.game, one.end, text, one.faults, one.outcome, *later)


def _result(outcome: Mapping[str, Any]) -> str:
    """Winner of a round; the whole outcome in words for a game that names none."""
    return str(outcome.get("winner") or outcome_in_words(outcome))
