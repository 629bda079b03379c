"""The language of `tablectl play`: one event a line. Tests, training and bug reports are written in it.

    shuffled · open · bet p1 banker 10.00 · unbet p1 banker · close · gone p1 · back p1
    card 9H [at banker] · unread · result banker · cut · gap 2 4 · decide p1 call · wait 15s · press finish
    lost shoe · found shoe · restart · dealer d2 · dealer - · shoe change · shoe ready [ID [CARDS]]
    table open · table close
    rule burn [5] by manager1 because "second card stuck" · rule correct 4 7H by manager1 because "misread" · ack by m

The one rule: a script is read whole before anything runs; a malformed line is an error that names it.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from .cards import parse_card
from .core import events as e
from .core.clock import SECOND, Time

KEYS = ("open", "close", "finish", "manager", "dropped", "exposed", "shuffled")
DEVICES = ("shoe", "panel", "beacon", "server")
RULINGS = ("resume", "enter", "rescan", "correct", "move", "burn", "carry", "deal", "cancel")
LARGEST = Decimal(10) ** 13  # of an amount
UNITS: Mapping[str, Time] = {"ms": SECOND // 1000, "s": SECOND, "m": 60 * SECOND}


class Wait(Struct, frozen=True):
    """The clock moves."""

    time: Time


class Restart(Struct, frozen=True):
    """The program is killed and started again here."""


Line = e.Event | Wait | Restart


class BadScript(ValueError):
    """A malformed line. Nothing of the script has run."""

    def __init__(self, number: int, text: str, reason: str) -> None:
        super().__init__(f"line {number}: {reason}: {text!r}")


class _Bad(ValueError):
    """Why a line is malformed."""


def parse(text: str) -> list[tuple[int, Line]]:
    """The lines of a script with their numbers. Raises BadScript for the first malformed one."""
    lines: list[tuple[int, Line]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            words = shlex.split(_uncommented(line))
            if words:
                lines.extend((number, event) for event in _events(words))
        except ValueError as error:
            raise BadScript(number, line.strip(), str(error)) from None
    return lines


def event_of(words: Sequence[str]) -> Line:
    """What one line says that is in words already. Raises ValueError, with what was expected."""
    *_, event = _events(words)
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


def _events(words: Sequence[str]) -> Iterable[Line]:
    word, *rest = words
    if word not in _WORDS:
        raise _Bad(f"expected one of {', '.join(sorted(_WORDS))}")
    event = _WORDS[word](rest)
    if isinstance(event, e.Open) or event == e.Pressed("open"):
        return e.ShoeStandsBy(), event  # the scripted shoe stands by between rounds, as a real one does
    return (event,)


def _bare(event: Line) -> Callable[[Sequence[str]], Line]:
    def read(rest: Sequence[str]) -> Line:
        _shape(rest, 0, "nothing more on the line")
        return event

    return read


def _shape(rest: Sequence[str], count: int, expected: str) -> None:
    if len(rest) != count:
        raise _Bad(f"expected {expected}")


def _one_of(word: str, choices: Sequence[str]) -> str:
    if word not in choices:
        raise _Bad(f"expected one of {', '.join(choices)}, got {word!r}")
    return word


def _bet(rest: Sequence[str]) -> Line:
    if len(rest) not in (3, 4):
        raise _Bad("expected bet PLAYER [SEAT] MARKET AMOUNT")
    player, *market, amount = rest
    return e.PlaceBet(player, " ".join(market), minor_units(amount))


def minor_units(amount: str) -> int | None:
    """`10.00` as 1000; None for a number that is no amount of money, such as 1.005. Raises ValueError for no number."""
    try:
        number = Decimal(amount)
    except InvalidOperation:
        raise ValueError(f"expected an amount such as 10.00, got {amount!r}") from None
    if not number.is_finite() or abs(number) >= LARGEST or number != round(number, 2):
        return None
    return int(number * 100)


def _unbet(rest: Sequence[str]) -> Line:
    if len(rest) not in (2, 3):
        raise _Bad("expected unbet PLAYER [SEAT] MARKET")
    return e.WithdrawBet(rest[0], " ".join(rest[1:]))


def _card(rest: Sequence[str]) -> Line:
    match rest:
        case [card]:
            return e.CardOut(parse_card(card))
        case [card, "at", place]:
            return e.CardOut(parse_card(card), place)
    raise _Bad("expected card CARD [at PLACE]")


def _wait(rest: Sequence[str]) -> Line:
    _shape(rest, 1, "wait TIME, such as 15s")
    time = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)", rest[0])
    if not time:
        raise _Bad(f"expected a time such as 15s, 500ms or 2m, got {rest[0]!r}")
    return Wait(int(Decimal(time[1]) * UNITS[time[2]]))


def _gap(rest: Sequence[str]) -> Line:
    _shape(rest, 2, "gap EXPECTED GOT, two numbers of telegrams")
    return e.TelegramsLost(*rest)


def _dealer(rest: Sequence[str]) -> Line:
    _shape(rest, 1, "dealer NAME, or dealer - for nobody")
    return e.DealerOn(None if rest[0] == "-" else rest[0])


def _shoe(rest: Sequence[str]) -> Line:
    expected = "shoe change, or shoe ready [ID [CARDS]]"
    if rest[:1] == ["ready"] and len(rest) < 4 and all(word.isascii() and word.isdigit() for word in rest[2:]):
        return e.ShoeReady(id=rest[1] if rest[1:] else None, counted=int(rest[2]) if rest[2:] else None)
    _shape(rest, 1, expected)
    _one_of(rest[0], ("change", "ready"))
    return e.ChangeShoe()


def _table(rest: Sequence[str]) -> Line:
    _shape(rest, 1, "table open or table close")
    return e.OpenTable("script") if _one_of(rest[0], ("open", "close")) == "open" else e.CloseTable("script")


def _named(rest: Sequence[str]) -> tuple[list[str], str, str]:
    """The words before `by NAME because TEXT`, and those two."""
    words, by, because = list(rest), "manager", ""
    if "because" in words:
        at = words.index("because")
        words, reason = words[:at], words[at + 1 :]
        if "by" not in words and reason[-2:-1] == ["by"]:  # the other way round: because "..." by NAME
            words, reason = [*words, *reason[-2:]], reason[:-2]
        because = " ".join(reason)
    if "by" in words:
        at = words.index("by")
        _shape(words[at + 1 :], 1, "one name after by")
        by, words = words[at + 1], words[:at]
    return words, by, because


def _rule(rest: Sequence[str]) -> Line:
    words, by, because = _named(rest)
    if not words:
        raise _Bad(f"expected rule RULING, one of {', '.join(RULINGS)}")
    ruling, *rest = words
    _one_of(ruling, RULINGS)
    draw = int(rest.pop(0)) if rest and re.fullmatch(r"[0-9]{1,4}", rest[0]) else None
    card = parse_card(rest.pop(0)) if ruling in ("enter", "correct") and rest else None
    place = rest.pop(0) if ruling == "move" and rest else None
    if (ruling in ("enter", "correct") and card is None) or (ruling == "move" and place is None) or rest:
        raise _Bad("expected rule enter CARD, correct N CARD, move N PLACE, burn [N], carry [N], or the ruling alone")
    return e.Rule(ruling, by, because, draw, card, place)


def _ack(rest: Sequence[str]) -> Line:
    words, by, _ = _named(rest)
    _shape(words, 0, "ack by NAME")
    return e.Acknowledge(by)


def _name(make: Callable[[str], Line], expected: str) -> Callable[[Sequence[str]], Line]:
    def read(rest: Sequence[str]) -> Line:
        _shape(rest, 1, expected)
        return make(rest[0])

    return read


def _decide(rest: Sequence[str]) -> Line:
    _shape(rest, 2, "decide WHO DECISION")
    return e.Choose(*rest)


_WORDS: Mapping[str, Callable[[Sequence[str]], Line]] = {
    "shuffled": _bare(e.Shuffled()),
    "open": _bare(e.Open()),
    "close": _bare(e.Close()),
    "bet": _bet,
    "unbet": _unbet,
    "gone": _name(e.LineCut, "gone PLAYER"),
    "back": _name(e.LineBack, "back PLAYER"),
    "card": _card,
    "unread": _bare(e.CardOut(None)),
    "result": _name(e.ShoeSays, "result WINNER"),
    "decide": _decide,
    "wait": _wait,
    "press": _name(lambda key: e.Pressed(_one_of(key, KEYS)), "press KEY"),
    "lost": _name(lambda device: e.LostDevice(_one_of(device, DEVICES)), "lost DEVICE"),
    "found": _name(lambda device: e.FoundDevice(_one_of(device, DEVICES)), "found DEVICE"),
    "cut": _bare(e.CutCardOut()),
    "restart": _bare(Restart()),
    "dealer": _dealer,
    "gap": _gap,
    "shoe": _shoe,
    "table": _table,
    "rule": _rule,
    "ack": _ack,
}
