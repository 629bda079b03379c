"""Export of recorded rounds as a script that repeats them: `tablectl journal export --script`.

A script begins with the table's state; then each recorded input is a line, and time that passed is a `wait`. With the
table's config (`config_of_round`) it leads to the same records, byte by byte except for their salts.

A script is made of whole rounds, all under the same settings, and of the later corrections of these rounds.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.clock import Time
from ..core.fold import fold, state_before
from ..core.past_round import decode_past
from ..core.position import Position, Unplayable
from ..core.state import Round, State
from ..games import GAMES
from ..journal import Damaged
from ..reports.selection import Rounds
from .config_of_round import as_toml, config_of
from .directives import Halt, Line, Recorded, Restart, WaitLine
from .reader import write_line


class ScriptEnds(Exception):
    """Error: a script ends before the record does, or cannot be made; the text says why."""


class Script:
    """Script of some rounds.

    `ended`: number of the last round that is over; a script of a live round would reveal its hidden cards.
    """

    def __init__(self, records: Iterable[r.Record], rounds: Rounds, ended: int) -> None:
        """Read up to the first wanted round. Raises ScriptEnds if it is missing or cannot be in a script; Damaged."""
        self._records, self._rounds, self._ended = iter(records), rounds, ended
        past: list[r.Record] = []  # since the last checkpoint
        for record in self._records:
            if isinstance(record.what, r.Opened) and record.round in rounds:
                self._opening, self._opened, self._past = record, record.what, past
                self._check(record, record.what)
                return
            if isinstance(record.what, r.Checkpoint):
                past.clear()
            past.append(record)
        raise ScriptEnds("no such round: there is no script")

    @property
    def config(self) -> str:
        """Config of the table, as TOML, with which the script must be played."""
        return as_toml(config_of(self._opened, self._opening.table, self._state_before().identity))

    def lines(self) -> Iterator[str]:
        """Yield the lines of the script. Raises ScriptEnds after them if a wanted round cannot follow; Damaged."""
        before = self._state_before()
        yield f"# {self._opened.game}, from round {self._opening.round}. `tablectl play` needs this config with it:"
        yield from (f"# {line}".rstrip() for line in self.config.splitlines())
        yield write_line(
            Recorded(replace(before, seq=before.seq - 1))
        )  # the state is recorded again, as its last record
        between, now = list[str](), before.at
        revisions: dict[int, int] = {}  # of rounds of the script, so far
        for record in chain([self._opening], self._records):
            if isinstance(record.what, r.Opened):
                if record.round not in self._rounds:
                    yield from self._later_corrections(before.identity.currency, now, revisions)
                    return
                self._check(record, record.what)
            if record.input is not None:
                input_ = self._without_round(record.input, revisions)
                between += (write_line(line, before.identity.currency) for line in lines_of_input(input_, now))
                now = record.at if isinstance(record.what, r.ClockSet) else max(now, record.input.at)
            if isinstance(record.what, r.Resettled):
                revisions[record.round or 0] = record.what.revision
            if record.round in self._rounds:
                yield from between
                between.clear()

    def _later_corrections(self, currency: str, now: Time, revisions: dict[int, int]) -> Iterator[str]:
        """Yield the lines of resettlements of the script's rounds that were made after a later round was opened."""
        for record in self._records:
            if record.input is None or not isinstance(record.what, r.Resettled) or record.round not in self._rounds:
                continue
            input_ = self._without_round(record.input, revisions)
            yield from (write_line(line, currency) for line in lines_of_input(input_, now))
            now, revisions[record.round or 0] = max(now, record.input.at), record.what.revision

    def _without_round(self, input_: e.Input, revisions: Mapping[int, int]) -> e.Input:
        """Input for the script; a resettlement without its round if the script plays that round itself.

        A past round from before the round's latest resettlement is kept, as the table refused the input for that.
        """
        event, first = input_.event, self._opening.round or 0
        if not isinstance(event, e.Resettle) or event.round < first:
            return input_
        past = decode_past(event.past)
        if past is not None and past.revision != revisions.get(event.round, 0):
            return input_
        return replace(input_, event=replace(event, past=""))

    def _state_before(self) -> State:
        """State of the table before the first wanted round. Raises Damaged."""
        try:
            return fold(state_before(self._past[0] if self._past else self._opening), self._past)
        except Exception as error:
            where = f"record {self._opening.seq} does not follow from those before it ({type(error).__name__})"
            raise Damaged(f"{where}; `tablectl journal verify` says which records are sound") from error

    def _check(self, opening: r.Record, opened: r.Opened) -> None:
        """Check that a round can be in this script. Raises ScriptEnds if it cannot."""
        number = opening.round or 0
        if number > self._ended:
            raise ScriptEnds(f"round {number} is still on: the script ends before it")
        ours, theirs = ((one.game, one.version, one.settings, one.terms) for one in (self._opened, opened))
        if ours != theirs:
            raise ScriptEnds(f"round {number} was played under other settings: it needs a script of its own")
        try:
            of_sheet = (opened.round_id, opened.game, opened.version, opened.settings)
            Position(GAMES).settings(Round(number, *of_sheet, digest=opened.digest))
        except Unplayable as error:
            raise ScriptEnds(f"{error}: there is no script of it") from None


def lines_of_input(input_: e.Input, now: Time) -> Iterator[Line]:
    """Yield the script lines of an input. `now`: time before it."""
    time = max(0, input_.at - now)
    match input_.event:
        case e.Tick():
            yield WaitLine(time)
        case e.ProgramBack():
            yield Restart(time)
        case e.JournalBack(reason=reason, dropped=dropped, message=message):
            yield Halt(time, reason, dropped, message)
        case event:
            if time:
                yield WaitLine(time)
            yield event
