"""Recorded rounds back into the script that leads to them: `tablectl journal export --script`.

A script begins with what `play` does not begin with: the dealer, the cards that have left the shoe, a carried card.
With the table's config (`config_export`) it leads to the same records, but for these:

    seq, at, round, a shuffled deck's id and what else counts from the beginning of a script; so does what names a fault
    the origin of a command
    refused rulings, and what was ignored because a script has no word for it: neither changes anything
    where the shoe had not stood by since a ruling: `shoe_stood_by` at the next opening (in `play` it does before each),
        an opening that was refused, and results that were ignored in the round after it
    a result that was a fault for its pairs alone, and a reader that counts a place it does not name: not recorded
    a name or a reason with a line break, or what else cannot be seen, in it: a space is written for it
    a round that was played under another version of its sheet, or came back to one (`replay_failed`)

The one rule: a script is made of whole rounds, all under the same settings.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from .config_export import as_toml, config_of
from .core import records as r
from .core.fold import apply, fold, state_before
from .core.state import State
from .journal import Damaged
from .script_lines import Writer, quoted
from .script_words import DEVICES
from .selection import Rounds


class ScriptEnds(Exception):
    """Why a script ends before the record does, or is none."""


class Script:
    """The script of some rounds. `ended`: the last round that is over; a live one would name its hidden cards."""

    def __init__(self, records: Iterable[r.Record], wanted: Rounds, ended: int) -> None:
        """Read up to the first of the rounds. Raises ScriptEnds where it is not there or not over, Damaged."""
        self._records, self._wanted, self._ended = iter(records), wanted, ended
        past: list[r.Record] = []  # since the last checkpoint
        for record in self._records:
            if isinstance(record.what, r.Opened) and record.round in wanted:
                self._check_over(record)
                self._opening, self._opened, self._past = record, record.what, past
                return
            if isinstance(record.what, r.Checkpoint):
                past.clear()
            past.append(record)
        raise ScriptEnds("no such round: there is no script")

    @property
    def config(self) -> str:
        """The config that goes with it."""
        return as_toml(config_of(self._opened, self._opening.table))

    def lines(self) -> Iterator[str]:
        """The script. Raises ScriptEnds after its last line if more was wanted, Damaged."""
        yield f"# {self._opened.game}, from round {self._opening.round}. `tablectl play` needs this config with it:"
        yield from (f"# {line}".rstrip() for line in self.config.splitlines())
        before = _state(self._past, self._opening)
        yield from _beginning(before, self._opening)
        writer, between = Writer(self._opening.at, advisory=before.shoe.advisory), list[str]()
        for record, following in pairwise(chain([self._opening], self._records, [None])):
            assert record is not None  # noqa: S101 - only the last one is
            if isinstance(record.what, r.Opened):
                if record.round not in self._wanted:
                    return
                self._check_over(record)
                self._check_settings(record.what, record.round)
            between += writer.lines(record, following)
            if record.round in self._wanted or (following is None and self._wanted.last is None):
                yield from between
                between.clear()

    def _check_over(self, opening: r.Record) -> None:
        if (opening.round or 0) > self._ended:
            raise ScriptEnds(f"round {opening.round} is still on: the script ends before it")

    def _check_settings(self, opened: r.Opened, number: int | None) -> None:
        ours, theirs = ((one.game, one.version, one.settings, one.terms) for one in (self._opened, opened))
        if ours != theirs:
            raise ScriptEnds(f"round {number} was played under other settings: it needs a script of its own")


def _beginning(before: State, opening: r.Record) -> Iterator[str]:
    """What brings the table of `play` to where this one was when the round was opened."""
    after = apply(before, opening)
    cards = [f"card {card}" for card, count in after.shoe.seen.items() for _ in range(count)]
    cards += ["unread"] * (after.shoe.out - len(cards) - (after.carried is not None))
    by_rulings = before.shoe.shuffled or after.carried is not None  # a change of the shoe would undo these
    if before.shoe.shuffled:
        yield "shuffled"
    elif cards or before.shoe.id != "1":
        yield from ("shoe change", *([] if by_rulings else cards), f"shoe ready {quoted(before.shoe.id)}")
    if after.carried:
        yield from (f"card {after.carried}", "rule carry by manager")
    if by_rulings:
        yield from (line for card in cards for line in (card, "rule burn by manager"))
    if before.dealer not in (None, "dealer"):
        yield f"dealer {quoted(before.dealer or '')}"
    yield from (f"lost {device}" for device in before.lost if device in DEVICES)
    yield from (f"gone {quoted(player)}" for player in before.gone)


def _state(past: list[r.Record], opening: r.Record) -> State:
    """The table before the round was opened. Raises Damaged."""
    try:
        return fold(state_before(past[0] if past else opening), past)
    except Exception as error:
        where = f"record {opening.seq} does not follow from those before it ({type(error).__name__})"
        raise Damaged(f"{where}; `tablectl journal verify` says what stands") from error
