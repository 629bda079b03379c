"""The language of `tablectl play`: one event a line. Tests, training and bug reports are written in it.

    shuffled · open · bet p1 banker 10.00 [as ID] · unbet p1 banker · close · gone p1 · back p1
    card 9H [at banker [2]] · unread [at banker [2]] · result banker · cut · decide p1 call · wait 15s · press finish
    lost shoe [because TEXT] · found shoe [at ADDRESS] [as SERIAL] · restart [60s] · journal failed [60s] [because TEXT]
    dealer d2 · dealer - · shoe change · shoe ready [ID [CARDS]] · shoe standby · shoe error 7 [because TEXT] · gap 2 4
    table open · table close
    rule burn [5] by manager1 because "second card stuck" · rule correct 4 7H by manager1 because "misread" · ack by m

Who did it may be named: open, close, shuffled, shoe change, shoe ready, table open and table close take `by NAME`.
The one rule: a script is read whole before anything runs; a malformed line is an error that names it.
"""

import shlex
from collections.abc import Sequence

from . import Unusable
from .mistakes import shown
from .script_words import Line, events_of
from .spelling import check_text


class BadScript(Unusable, ValueError):
    """A malformed line. Nothing of the script has run."""

    def __init__(self, number: int, text: str, reason: str) -> None:
        super().__init__(f"line {number}: {reason}: {shown(text)}")


def parse(text: str) -> list[tuple[int, Line]]:
    """The lines of a script with their numbers. Raises BadScript for the first malformed one."""
    lines: list[tuple[int, Line]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            words = shlex.split(_uncommented(line))
            check_text("".join(words))
            if words:
                lines.extend((number, event) for event in events_of(words))
        except ValueError as error:
            raise BadScript(number, line.strip(), str(error)) from None
    return lines


def event_of(words: Sequence[str]) -> Line:
    """What one line says that is in words already. Raises ValueError, with what was expected."""
    *_, event = events_of(words)
    return event


def _uncommented(line: str) -> str:
    """The line up to a `#` at the beginning of a word, outside quotes."""
    quote = ""
    for at, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line
