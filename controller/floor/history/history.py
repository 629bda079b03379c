"""History of all tables, read from the floor's copy; thread-safe, and read again for each request.

Invariant: the texts are those of the tables' own pages. Exception: for a round of a game that is not installed here,
the timeline has the English lines of the log, and the list of rounds shows the outcome in codes.
"""

from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...config.shifts import Period, ShiftsSection
from ...core.clock import Time, to_text
from ...core.currency import decimals
from ...core.records import Record
from ...games import GAMES
from ...reports.round_sheet import RoundSheet, round_sheet
from ...reports.round_stories import compose_story
from ...text.faults import Words
from ...text.money import money
from ...text.outcome_words import outcome_in_words
from ...text.story import tell
from ...text.table_words import TableWords
from ...web.api.round_history import Timeline, timeline
from ...web.screens.revisions import describe_outcome
from ..storage.complete_records import records
from ..storage.rows import RoundRow
from ..storage.store import Store
from .figure_file import FigureFile
from .names import fault_name, ruling_name, void_reason
from .numbers import By, Numbers, numbers, reader_name
from .report import PeriodReport, report, voids
from .search import PAGE, FoundRound, SearchParameters, cursor_after, encode_cursor, search


class RoundSummary(Struct, frozen=True):
    """Summary of a round, with its texts in the viewer's language."""

    table: str
    epoch: str
    round: int
    game: str
    dealer: str
    opened: str
    ended: str
    end: str  # settled, cancelled
    result: str
    faults: tuple[str, ...]
    rulings: tuple[str, ...]  # each with the name of the person who ruled
    staked: str
    currency: str
    decimals: int  # of the currency
    manual: bool
    disputed: bool
    training: bool
    lost: bool
    revision: int = 0  # how often it was settled anew


class PastPage(Struct, frozen=True):
    """Page of rounds, the latest first. `more`: token of the next page; None: this is the last."""

    rounds: tuple[RoundSummary, ...]
    more: str | None


_OPENED = "SELECT opened FROM rounds WHERE table_ = ? AND epoch = ? AND number = ?"


class FloorHistory(NamedTuple):
    """History of one floor: rounds and figures. Every method raises FloorFailed."""

    store: Store
    counted: FigureFile
    shifts: ShiftsSection
    minimum: int  # rounds below which nothing is ranked

    def follow(self) -> int:
        """Count the records stored since the last call; return how many there were."""
        return self.counted.follow(self.store)

    def rounds(self, parameters: SearchParameters, language: str) -> PastPage:
        """Return one page of the rounds that match a search, the latest first."""
        rounds = list(search(self.store, parameters, PAGE + 1))
        words = TableWords(Words(language))
        more = encode_cursor(cursor_after(rounds[PAGE - 1])) if len(rounds) > PAGE else None
        return PastPage(tuple(summarise(one, words) for one in rounds[:PAGE]), more)

    def story(self, table: str, epoch: str, number: int, language: str) -> Timeline | None:
        """Return the timeline of a round; None if the record that opened it is not stored (any more)."""
        whole, words = self._records_of_round(table, epoch, number), TableWords(Words(language))
        return timeline(compose_story(whole, partial(tell, words)), words) if whole else None

    def sheet(self, table: str, epoch: str, number: int, language: str) -> RoundSheet | None:
        """Return the sheet of a round; None if the record that opened it is not stored (any more)."""
        whole, words = self._records_of_round(table, epoch, number), TableWords(Words(language))
        return round_sheet(whole, partial(tell, words)) if whole else None

    def _records_of_round(self, table: str, epoch: str, number: int) -> list[Record]:
        """Records of a round from the one that opened it; empty if that is not stored."""
        whole = list(records(table, self.store.events_of_round(table, epoch, number)))
        return whole if whole and whole[0].kind == "opened" else []

    def opening_time(self, table: str, epoch: str, number: int) -> str | None:
        """Time at which a round was opened (ISO text); None: it is not known here.

        After a loss there may be two rounds of one number.
        """
        with self.store.open_read_only() as db:
            row = db.execute(_OPENED, (table, epoch, number)).fetchone()
        return None if row is None else str(row[0])

    def numbers(self, since: Time, until: Time, by: By, language: str) -> Numbers:
        """Return figures from `since` to `until`, with all records stored up to now."""
        self.follow()
        words = Words(language)
        figures = numbers(self.counted, by, (since, until), self.minimum, self.shifts)
        readers = tuple(replace(one, name=reader_name(one, words)) for one in figures.devices)
        return replace(figures, devices=readers)

    def voids(self, period: Period) -> list[RoundRow]:
        """Rounds that were cancelled in a period, as in its report."""
        return voids(self.store, (to_text(period.since), to_text(period.until)))

    def report(self, period: Period) -> PeriodReport:
        """Compose the report of a shift or a day, with all records stored up to now."""
        self.follow()
        return report(self.store, self.counted, period, self.minimum, self.shifts)


def summarise(round_: FoundRound, words: TableWords) -> RoundSummary:
    """Compose the summary of a round."""
    row = round_.row
    return RoundSummary(
        table=row.table_,
        epoch=row.epoch,
        round=row.number,
        game=GAMES[row.game].face.title if row.game in GAMES else row.game,
        dealer=row.dealer,
        opened=row.opened,
        ended=row.ended,
        end=row.how,
        result=_describe_outcome(row, words),
        faults=tuple(fault_name(code, words.words) for code in round_.codes),
        rulings=tuple(f"{ruling_name(ruling, words.words)} · {who}" for ruling, who in round_.rulings),
        staked=money(row.staked, row.currency) if row.currency else "",
        currency=row.currency,
        decimals=decimals(row.currency),
        manual=row.manual,
        disputed=row.disputed,
        training=row.training,
        lost=row.lost,
        revision=row.revision,
    )


def _describe_outcome(row: RoundRow, words: TableWords) -> str:
    """Outcome of a round as it is settled now, or why it is void, in words."""
    if not row.outcome:
        return describe_outcome(None, row.game, words) if row.revision else void_reason(row, words.words)
    outcome = msgspec.json.decode(row.outcome)
    return words.outcome(row.game, outcome) if row.game in GAMES else outcome_in_words(outcome)
