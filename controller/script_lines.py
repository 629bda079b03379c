"""A record as the line of a script that leads to it.

The one rule: only what came from outside is written (cards, keys, bets, rulings, time); everything else follows again.
What a record does not hold cannot be written: see `script_export`.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from .core import records as r
from .core.clock import SECOND, Time
from .script_words import DEVICES, KEYS
from .spelling import is_seen

_LONGEST = 10**6 * SECOND  # that can be written in seconds


class Writer:
    """Writes the records of one table, from the opening of a round on. `advisory`: the shoe's results do not count."""

    def __init__(self, at: Time, *, advisory: bool) -> None:
        self._now = at
        self._advisory = advisory
        self._deaf = advisory  # the round was opened so; in `play` the shoe stands by before each opening
        self._known: set[int] = set()  # draws of the round that have been written
        self._changing = False  # the shoe
        self._turned = False  # a reveal waits for the dealer's key
        self._paused = False
        self._unseen = False  # nobody has looked at the clock since the line before
        self._withdrawn: list[str] = []  # not written yet

    def lines(self, record: r.Record, following: r.Record | None) -> list[str]:
        """The lines of a record, after the time that has passed until then."""
        gap, self._now = max(0, record.at - self._now), record.at
        look = gap > 0 or _by_the_clock(record.what, unseen=self._unseen)
        unseen = _unseen(record.what)
        self._unseen = unseen is not None
        self._follow(record.what)
        if unseen:
            command, rest = unseen
            return [" ".join(filter(None, [command, _span(gap), rest]))]
        waiting = [f"wait {_span(gap) or '0s'}"] if look else []
        if isinstance(record.what, r.BetWithdrawn):
            return waiting + self._taken_back(record, following)
        line = self._line(record.what, following.what if following else None)
        return waiting + ([line] if line else [])

    def _follow(self, what: r.What) -> None:
        match what:
            case r.Opened():
                self._known.clear()
                self._turned = what.terms.get("reveal") == "dealer"
                self._deaf = self._advisory
            case r.Ruled() if what.ruling in r.PAST_THE_SHOE:
                self._advisory = True
            case r.ShoeStoodBy() | r.ShoeChange() | r.ShoeReady():
                self._advisory = self._deaf = False
                self._changing = isinstance(what, r.ShoeChange)
            case r.Faulted():
                self._paused = True
            case r.Resumed() | r.Cancelled():
                self._paused = False

    def _taken_back(self, record: r.Record, following: r.Record | None) -> list[str]:
        """What a player took back; not what a ruling or the clock's close gave back to one who is gone."""
        if self._paused or not isinstance(record.what, r.BetWithdrawn):
            return []
        what, after = record.what, following.what if following and following.at == record.at else None
        self._withdrawn.append(f"unbet {quoted(what.player)} {_market(what.market)}")
        if isinstance(after, r.BetWithdrawn):
            return []
        lines, self._withdrawn = self._withdrawn, []
        return [] if isinstance(after, r.Closed) and after.by == "clock" else lines

    def _line(self, what: r.What, following: r.What | None) -> str | None:
        match what:
            case r.Dealt() | r.Drawn():
                return self._card(what, following)
            case r.Burnt():
                return _read(what.card) if self._changing else None
            case r.Revealed():
                return "press finish" if self._turned else None
            case r.StartRefused() if self._advisory:
                return None  # `open` would make the shoe stand by
            case r.Ignored() if self._deaf and what.what.startswith("result "):
                return None
            case r.ShoeStoodBy():
                return None if isinstance(following, r.Opened) else "shoe standby"  # `open` has one before it
        words = _WORDS.get(type(what))
        return words(what) if words else None

    def _card(self, what: r.Dealt | r.Drawn, following: r.What | None) -> str | None:
        if what.draw in self._known or what.source != "reader":  # told before, or entered by a ruling
            return None
        self._known.add(what.draw)
        if isinstance(what, r.Dealt) or not what.at_place:
            return _read(what.card)
        return f"{_read(what.card)} at {quoted(what.at_place)}{_position(what, following)}"


def _unseen(what: r.What) -> tuple[str, str] | None:
    """What came before anybody looked at the clock again: the words before and after the time until then."""
    match what:
        case r.Faulted(code="restarted") | r.Restarted():
            return "restart", ""
        case r.Faulted(code="journal_failed", got=reason):
            return "journal failed", _because(reason)
        case r.Ignored(what=said) if said.startswith("journal failed: "):
            return "journal failed", _because(said.removeprefix("journal failed: "))
    return None


def _by_the_clock(what: r.What, *, unseen: bool) -> bool:
    """Whether it was the clock that did it, so that somebody has to look at it again though no time has passed."""
    if isinstance(what, r.Closed | r.Decided):
        return what.by in ("clock", "table")
    return unseen and isinstance(what, r.Escalated | r.Cancelled)


def _span(time: Time) -> str:
    """A time as a script has it; nothing for none. Above eleven days only the minutes can be written."""
    if time >= _LONGEST:
        return f"{time // (60 * SECOND)}m"
    return f"{time / SECOND:.6f}".rstrip("0").rstrip(".") + "s" if time else ""


def quoted(text: str) -> str:
    """A name as one word on one line."""
    return shlex.quote("".join(character if is_seen(character) else " " for character in text))


def _because(text: str) -> str:
    return f"because {quoted(text)}" if text else ""


def _done(words: str, by: str, usual: str = "dealer") -> str:
    return words if by == usual else f"{words} by {quoted(by)}"


def _counted(what: r.ShoeReady) -> str:
    return "" if what.counted is None else str(what.counted)


def _read(card: str | None) -> str:
    return f"card {card}" if card else "unread"


def _position(drawn: r.Drawn, following: r.What | None) -> str:
    """The number within its place that a reader gave, as the fault about it tells."""
    if not isinstance(following, r.Faulted) or (following.code, following.draw) != ("wrong_place", drawn.draw):
        return ""
    return following.got.removeprefix(f"{drawn.card} at {drawn.at_place}")


def _market(market: str) -> str:
    """A market as its words, a seat first."""
    seat, _, name = market.rpartition(" ")
    return f"{quoted(seat)} {quoted(name)}" if seat else quoted(name)


def _bet(what: r.BetAccepted | r.BetRefused) -> str:
    amount = f"{Decimal(what.stake).scaleb(-2):f}"
    usual = isinstance(what, r.BetAccepted) and what.bet == f"{what.player} {what.market}"
    named = "" if usual else f" as {quoted(what.bet)}"
    return f"bet {quoted(what.player)} {_market(what.market)} {amount}{named}"


def _ruled(what: r.Ruled) -> str:
    draw = str(what.after.get("draw", "")) if what.ruling in ("correct", "move", "burn", "carry") else ""
    card = what.after.get("card") if what.ruling in ("correct", "enter") else ""
    place = quoted(what.after.get("place") or "") if what.ruling == "move" else ""
    words = ("rule", what.ruling, draw, card, place, "by", quoted(what.by), _because(what.because))
    return " ".join(filter(None, words))


def _faulted(what: r.Faulted) -> str | None:
    """What broke the procedure without leaving a record of its own."""
    match what.code:
        case "dealer_call":
            return "press manager"
        case "card_dropped" | "hidden_card_exposed":
            return f"press {what.got}"
        case "missing_card" | "result_mismatch":
            return _said(what.got)
        case "shoe_error":
            return _shoe_error(what.got)
    return None


def _shoe_error(said: str) -> str | None:
    told = re.fullmatch(r"error (-?\d+): (.*)", said, re.DOTALL)
    return " ".join(filter(None, ["shoe error", told[1], _because(told[2])])) if told else None


def _said(what: str) -> str | None:
    """What a record names in the words of a script, as the line; nothing where the script has no such word."""
    word, _, rest = what.partition(" ")
    match word:
        case "finish":
            return "press finish"
        case "gone" | "back" | "dealer" | "result":
            return f"{word} {quoted(rest)}"
        case "unbet":
            player, _, market = rest.rpartition(" ")
            return f"unbet {quoted(player)} {quoted(market)}"
    if what.startswith("shoe ready: "):
        counted = re.match(r"shoe ready: (\d+) cards counted", what)
        return f"shoe ready 1 {counted[1]}" if counted else "shoe ready"
    if what.startswith("shoe error "):
        return _shoe_error(what.removeprefix("shoe "))
    plain = {"close", "cut", "shuffled", "shoe change", "shoe cut", "shoe ready", "table open", "table close"}
    plain |= {f"press {key}" for key in KEYS} | {f"lost {device}" for device in DEVICES}
    return what if what in plain else None


def _where(what: r.DeviceFound) -> str:
    at = f" at {quoted(what.address)}" if what.address else ""
    return at + (f" as {quoted(what.serial)}" if what.serial else "")


def _disputed(what: r.Disputed) -> str | None:
    told = re.fullmatch(r"the shoe says (.*), settled was .*", what.because, re.DOTALL)
    return f"result {quoted(told[1])}" if told else None


_SETTLED: Mapping[str, Callable[[r.Settled], str]] = {
    "dealer": lambda _: "press finish",
    "shoe": lambda what: f"result {quoted(str(what.outcome.get('winner')))}",
}


_WORDS: Mapping[type, Callable[[Any], str | None]] = {
    r.TableOpened: lambda what: _done("table open", what.by, "script"),
    r.TableClosed: lambda what: _done("table close", what.by, "script"),
    r.Shuffled: lambda what: _done("shuffled", what.by),
    r.ShoeChange: lambda what: _done("shoe change", what.by),
    r.ShoeCut: lambda what: _done("shoe cut", what.by),
    r.ShoeReady: lambda what: _done(f"shoe ready {quoted(what.id)} {_counted(what)}".rstrip(), what.by),
    r.DealerChanged: lambda what: f"dealer {quoted(what.to or '-')}" + (f" by {quoted(what.by)}" if what.by else ""),
    r.CutCard: lambda _: "cut",
    r.Opened: lambda what: _done("open", what.by),
    r.BetAccepted: _bet,
    r.BetRefused: _bet,
    r.PlayerGone: lambda what: f"gone {quoted(what.player)}",
    r.PlayerBack: lambda what: f"back {quoted(what.player)}",
    r.Closed: lambda what: _done("close", what.by) if what.by not in ("clock", "table") else None,
    r.Decided: lambda what: f"decide {quoted(what.who)} {quoted(what.decision)}" if what.by == "player" else None,
    r.DecisionRefused: lambda what: f"decide {quoted(what.who)} {quoted(what.decision)}",
    r.Settled: lambda what: _SETTLED[what.by](what) if what.by in _SETTLED else None,
    r.Disputed: _disputed,
    r.Faulted: _faulted,
    r.Acknowledged: lambda what: f"ack by {quoted(what.by)}",
    r.Ruled: _ruled,
    r.StartRefused: lambda _: "open",
    r.Ignored: lambda what: _said(what.what),
    r.TelegramsMissing: lambda what: f"gap {quoted(what.expected)} {quoted(what.got)}",
    r.DeviceLost: lambda what: " ".join(filter(None, ["lost", what.device, _because(what.reason)])),
    r.DeviceFound: lambda what: f"found {what.device}" + _where(what),
}
