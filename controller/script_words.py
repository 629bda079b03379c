"""The words of a script: how each line of it is read.

The one rule: what is said is taken as it is said; whether it can be is for the table to answer.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from .cards import parse_card
from .core import events as e
from .core.clock import SECOND, Time
from .mistakes import did_you_mean, shown

KEYS = ("open", "close", "finish", "manager", "dropped", "exposed", "shuffled")
DEVICES = ("shoe", "panel", "beacon", "server")
RULINGS = ("resume", "enter", "rescan", "correct", "move", "burn", "carry", "deal", "cancel")
LARGEST = Decimal(10) ** 20  # of an amount: with its two decimals it is still exact
UNITS: Mapping[str, Time] = {"ms": SECOND // 1000, "s": SECOND, "m": 60 * SECOND}


class Wait(Struct, frozen=True):
    """The clock moves."""

    time: Time


class Restart(Struct, frozen=True):
    """The program is killed here and started again after a time in which nobody looks at the clock."""

    time: Time = 0


class Halt(Struct, frozen=True):
    """The record cannot be written for a time in which nobody looks at the clock."""

    time: Time = 0
    reason: str = ""


Line = e.Event | Wait | Restart | Halt


class Malformed(ValueError):
    """Why a line is malformed."""


def events_of(words: Sequence[str]) -> Iterable[Line]:
    """What the words of a line say. Raises Malformed, BadCard, ValueError."""
    word, *rest = words
    if word not in WORDS:
        raise Malformed(f"expected one of {', '.join(sorted(WORDS))}{did_you_mean(word, WORDS)}")
    event = WORDS[word](rest)
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
        raise Malformed(f"expected {expected}")


def _one_of(word: str, choices: Sequence[str]) -> str:
    if word not in choices:
        raise Malformed(f"expected one of {', '.join(choices)}, got {shown(word)}{did_you_mean(word, choices)}")
    return word


def _ending(rest: Sequence[str], word: str) -> tuple[Sequence[str], str | None]:
    """The words before `by NAME` (or `as ID`, or `at ADDRESS`) at the end of the line, and that name."""
    return (rest[:-2], rest[-1]) if rest[-2:-1] == [word] else (rest, None)


def _because(rest: Sequence[str]) -> tuple[Sequence[str], str]:
    """The words before `because TEXT`, and that text."""
    at = rest.index("because") if "because" in rest else len(rest)
    return rest[:at], " ".join(rest[at + 1 :])


def _by(make: Callable[[str], Line], usual: str = "dealer") -> Callable[[Sequence[str]], Line]:
    def read(rest: Sequence[str]) -> Line:
        rest, by = _ending(rest, "by")
        _shape(rest, 0, "nothing more on the line, or by NAME")
        return make(usual if by is None else by)

    return read


def _bet(rest: Sequence[str]) -> Line:
    rest, bet = _ending(rest, "as")
    if len(rest) not in (3, 4):
        raise Malformed("expected bet PLAYER [SEAT] MARKET AMOUNT [as ID]")
    player, *market, amount = rest
    return e.PlaceBet(player, " ".join(market), minor_units(amount), bet)


def minor_units(amount: str) -> int | None:
    """`10.00` as 1000; None for a number that is no amount of money, such as 1.005. Raises ValueError for no number."""
    try:
        number = Decimal(amount)
    except InvalidOperation:
        raise ValueError(f"expected an amount such as 10.00, got {shown(amount)}") from None
    if not number.is_finite() or number.copy_abs() >= LARGEST or number != round(number, 2):
        return None
    return int(number * 100)


def _unbet(rest: Sequence[str]) -> Line:
    if len(rest) not in (2, 3):
        raise Malformed("expected unbet PLAYER [SEAT] MARKET")
    return e.WithdrawBet(rest[0], " ".join(rest[1:]))


def _card(rest: Sequence[str]) -> Line:
    if not rest:
        raise Malformed("expected card CARD [at PLACE [NUMBER]]")
    place, position = _where(rest[1:])
    return e.CardOut(parse_card(rest[0]), place, position)


def _unread(rest: Sequence[str]) -> Line:
    return e.CardOut(None, *_where(rest))


def _where(rest: Sequence[str]) -> tuple[str | None, int | None]:
    """Where the reader says the card went, and its number there where it counts."""
    match rest:
        case []:
            return None, None
        case ["at", place]:
            return place, None
        case ["at", place, position] if re.fullmatch(r"[0-9]{1,4}", position):
            return place, int(position)
    raise Malformed("expected nothing more, or at PLACE [NUMBER]")


def _wait(rest: Sequence[str]) -> Line:
    _shape(rest, 1, "wait TIME, such as 15s")
    return Wait(_time(rest[0]))


def _time(text: str) -> Time:
    time = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)", text)
    if not time:
        raise Malformed(f"expected a time such as 15s, 500ms or 2m, got {shown(text)}")
    return int(Decimal(time[1]) * UNITS[time[2]])


def _restart(rest: Sequence[str]) -> Line:
    if len(rest) > 1:
        raise Malformed("expected restart, or restart TIME, such as 60s")
    return Restart(*map(_time, rest))


def _journal(rest: Sequence[str]) -> Line:
    rest, reason = _because(rest)
    if rest[:1] != ["failed"] or len(rest) > 2:
        raise Malformed("expected journal failed [TIME] [because TEXT]")
    return Halt(_time(rest[1]) if len(rest) == 2 else 0, reason)


def _gap(rest: Sequence[str]) -> Line:
    _shape(rest, 2, "gap EXPECTED GOT, two numbers of telegrams")
    return e.TelegramsLost(*rest)


def _dealer(rest: Sequence[str]) -> Line:
    rest, by = _ending(rest, "by")
    _shape(rest, 1, "dealer NAME, or dealer - for nobody, [by NAME]")
    return e.DealerOn(None if rest[0] == "-" else rest[0], by)


def _shoe(rest: Sequence[str]) -> Line:
    if not rest:
        raise Malformed(f"expected shoe and one of {', '.join(_SHOE)}")
    return _SHOE[_one_of(rest[0], tuple(_SHOE))](rest[1:])


def _shoe_ready(rest: Sequence[str]) -> Line:
    rest, by = _ending(rest, "by")
    if len(rest) > 2 or not all(re.fullmatch(r"[0-9]{1,4}", word) for word in rest[1:]):
        raise Malformed("expected shoe ready [ID [CARDS]] [by NAME]")
    shoe, counted = (*rest, None, None)[:2]
    return e.LoadShoe(by or "dealer", shoe, None if counted is None else int(counted))


def _shoe_error(rest: Sequence[str]) -> Line:
    rest, meaning = _because(rest)
    if len(rest) != 1 or not re.fullmatch(r"-?[0-9]{1,9}", rest[0]):
        raise Malformed("expected shoe error NUMBER [because TEXT]")
    return e.ShoeFails(int(rest[0]), meaning)


def _table(rest: Sequence[str]) -> Line:
    if not rest:
        raise Malformed("expected table open or table close")
    make = e.OpenTable if _one_of(rest[0], ("open", "close")) == "open" else e.CloseTable
    return _by(make, "script")(rest[1:])


def _lost(rest: Sequence[str]) -> Line:
    rest, reason = _because(rest)
    _shape(rest, 1, "lost DEVICE [because TEXT]")
    return e.LostDevice(_one_of(rest[0], DEVICES), reason)


def _found(rest: Sequence[str]) -> Line:
    rest, serial = _ending(rest, "as")
    rest, address = _ending(rest, "at")
    _shape(rest, 1, "found DEVICE [at ADDRESS] [as SERIAL]")
    return e.FoundDevice(_one_of(rest[0], DEVICES), address or "", serial or "")


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
        raise Malformed(f"expected rule RULING, one of {', '.join(RULINGS)}")
    ruling, *rest = words
    _one_of(ruling, RULINGS)
    draw = int(rest.pop(0)) if rest and re.fullmatch(r"[0-9]{1,4}", rest[0]) else None
    card = parse_card(rest.pop(0)) if ruling in ("enter", "correct") and rest else None
    place = rest.pop(0) if ruling == "move" and rest else None
    if (ruling in ("enter", "correct") and card is None) or (ruling == "move" and place is None) or rest:
        raise Malformed(
            "expected rule enter CARD, correct N CARD, move N PLACE, burn [N], carry [N], or the ruling alone"
        )
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


_SHOE: Mapping[str, Callable[[Sequence[str]], Line]] = {
    "change": _by(e.ChangeShoe),
    "cut": _by(e.CutShoe),
    "ready": _shoe_ready,
    "standby": _bare(e.ShoeStandsBy()),
    "error": _shoe_error,
}

WORDS: Mapping[str, Callable[[Sequence[str]], Line]] = {
    "shuffled": _by(e.NewDeck),
    "open": _by(e.Open),
    "close": _by(e.Close),
    "bet": _bet,
    "unbet": _unbet,
    "gone": _name(e.LineCut, "gone PLAYER"),
    "back": _name(e.LineBack, "back PLAYER"),
    "card": _card,
    "unread": _unread,
    "result": _name(e.ShoeSays, "result WINNER"),
    "decide": _decide,
    "wait": _wait,
    "press": _name(lambda key: e.Pressed(_one_of(key, KEYS)), "press KEY"),
    "lost": _lost,
    "found": _found,
    "cut": _bare(e.CutCardOut()),
    "restart": _restart,
    "journal": _journal,
    "dealer": _dealer,
    "gap": _gap,
    "shoe": _shoe,
    "table": _table,
    "rule": _rule,
    "ack": _ack,
}
