"""The language of `tablectl play`: one event a line.

Tests, training and bug reports are written in it.

    shuffled · open · bet p1 banker 10.00 · unbet p1 banker · close · gone p1 · back p1
    card 9H [at banker [2]] · unread [at banker [2]] · result banker [pairs player] · cut · decide p1 call · wait 15s
    press finish · lost shoe [because TEXT] · found shoe [at ADDRESS] [as SERIAL] · restart [60s]
    journal failed [60s] [losing 7] [because TEXT] · journal rotated · babble shoe 600 4 · clock 2026-01-01T12:00:00Z
    dealer d2 · dealer - · shoe change · shoe ready [ID [CARDS]] · shoe standby · shoe error 7 [because TEXT] · gap 2 4
    table open · table close · begin STATE
    resettle 1 correct 1 2C by m with n because x · resettle 1 correct 1 9C and move 5 banker by m with n because x
    resettle 1 void by m with n because x · dismiss 57 by m because x
    rule carry seen no by m · rule correct 4 7H touched stand by m (or anew, withdraw, cancel)
    rule burn [5] by manager1 because "second card stuck" · rule correct 4 7H by manager1 because "misread" · ack by m

`bet p1 banker 10.00 window 2 odds 1.52` names a betting window and the worst odds it is taken at; `unbet` and `close`
may name the window too. Without one they mean the window that is open.

Who did it may be named: open, close, shuffled, shoe change, shoe ready, table open and table close take `by NAME`.
`begin` is the state at the beginning of an exported script. Such a script has a line for every event; in any other the
shoe stands by between rounds, as a real one does, without a line for that. A line may also be its words as a JSON list,
in which invisible characters are escaped.
A script is read whole before anything runs; a malformed line is an error that names it.
"""

import json
import shlex
from collections.abc import Sequence

import msgspec

from .. import Unusable
from ..core import events as e
from ..core.clock import Time, from_text
from ..core.currency import USUAL
from ..core.state import State
from ..text.errors import quote
from ..text.spelling import check_text, is_seen
from .directives import START, Halt, Line, Recorded, Restart, WaitLine
from .lines import event_of, words_of
from .ruling_words import check_ruling
from .words import MalformedLine, check_years


class BadScript(Unusable, ValueError):
    """A malformed line. Nothing of the script has run."""

    def __init__(self, number: int, text: str, reason: str) -> None:
        super().__init__(f"line {number}: {reason}: {quote(text)}")


def parse(text: str, currency: str = USUAL) -> list[tuple[int, Line]]:
    """Read the lines of a script, with their numbers; amounts are in this currency.

    Raises BadScript for the first malformed line.
    """
    lines: list[tuple[int, Line]] = []
    latest = START
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            words = _words(line)
            for event in _events(words, lines, currency) if words else ():
                latest = check_years(_latest_time(event, latest))
                lines.append((number, event))
        except ValueError as error:
            raise BadScript(number, line.strip(), str(error)) from None
    return lines


def starting_state(lines: Sequence[tuple[int, Line]]) -> State | None:
    """Return the table's state at the beginning of a script; None if the script names none."""
    first = lines[0][1] if lines else None
    return first.state if isinstance(first, Recorded) else None


def write_line(line: Line, currency: str = USUAL) -> str:
    """Write a line as text, which `parse` reads back as the same line."""
    words = words_of(line, currency)
    return shlex.join(words) if all(is_seen(sign) for word in words for sign in word) else json.dumps(words)


def _events(words: Sequence[str], before: Sequence[tuple[int, Line]], currency: str) -> Sequence[Line]:
    """Return the events of one line, read after the lines `before`. Raises MalformedLine."""
    event = event_of(words, currency)
    if isinstance(event, Recorded) and before:
        raise MalformedLine("expected begin on the first line")
    recorded = bool(before) and isinstance(before[0][1], Recorded)
    if isinstance(event, e.Rule) and not recorded:
        check_ruling(event)
    opens = isinstance(event, e.Open) or event == e.KeyPressed("open")
    return (e.ShoeStandsBy(), event) if opens and not recorded else (event,)


def _latest_time(line: Line, latest: Time) -> Time:
    """Latest possible time of the clock after a line. `latest`: the same before the line."""
    match line:
        case Recorded(state=state):
            return state.at
        case WaitLine(time=time) | Restart(time=time) | Halt(time=time):
            return latest + time
        case e.SetClock(to=to):
            return max(latest, from_text(to))
    return latest


def _words(line: str) -> list[str]:
    if line.lstrip().startswith("["):
        check_text(line.strip())
        return msgspec.json.decode(line, type=list[str])
    words = shlex.split(_strip_comment(line))
    check_text("".join(words))
    return words


def _strip_comment(line: str) -> str:
    """Cut the line at a `#` that begins a word, outside quotes."""
    quote = ""
    for at, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line
