"""Records back into the script that leads to them: `tablectl journal export --script`.

The one rule: only what came from outside is written (cards, keys, bets, rulings, time); everything else follows again.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .core import records as r
from .core.clock import SECOND, Time
from .wording import money


def as_script(records: Iterable[r.Record]) -> Iterator[str]:
    """The lines of a script. `play` starts with an open table, a dealer and a full shoe: those are left out."""
    now: Time | None = None
    known: set[int] = set()  # draws of the round that have been written
    for record in records:
        if isinstance(record.what, r.Opened):
            known.clear()
        line = _line(record.what, known)
        if line is None:
            continue
        if now is not None and record.at > now:
            yield f"wait {_seconds(record.at - now)}s"
        now = record.at
        yield line


def _seconds(time: Time) -> str:
    return f"{time / SECOND:.6f}".rstrip("0").rstrip(".")


def _line(what: r.What, known: set[int]) -> str | None:
    if isinstance(what, r.Dealt | r.Drawn):
        return _card(what, known)
    words = _WORDS.get(type(what))
    return words(what) if words else None


def _card(what: r.Dealt | r.Drawn, known: set[int]) -> str | None:
    if what.draw in known or what.source != "reader":  # told before, or entered by a ruling
        return None
    known.add(what.draw)
    if isinstance(what, r.Dealt):
        return f"card {what.card}"
    place = f" at {what.at_place}" if what.at_place else ""
    return f"card {what.card}{place}" if what.card else "unread"


def _ruled(what: r.Ruled) -> str:
    draw = f" {what.after['draw']}" if what.ruling in ("correct", "move", "burn", "carry") else ""
    card = f" {what.after['card']}" if what.ruling in ("correct", "enter") else ""
    place = f" {what.after['place']}" if what.ruling == "move" else ""
    because = f" because {shlex.quote(what.because)}" if what.because else ""
    return f"rule {what.ruling}{draw}{card}{place} by {shlex.quote(what.by)}{because}"


def _faulted(what: r.Faulted) -> str | None:
    """What broke the procedure without leaving a record of its own."""
    if what.code == "dealer_call":
        return "press manager"
    if what.code == "restarted":
        return "restart"
    if what.code in ("missing_card", "result_mismatch"):
        return "press finish" if what.got == "finish" else what.got
    return None


_WORDS: Mapping[type, Callable[[Any], str | None]] = {
    r.Shuffled: lambda _: "shuffled",
    r.ShoeChange: lambda _: "shoe change",
    r.DealerChanged: lambda what: f"dealer {shlex.quote(what.to)}" if what.before and what.to else None,
    r.ShoeReady: lambda what: "shoe ready" if what.id != "1" else None,
    r.CutCard: lambda _: "cut",
    r.Opened: lambda _: "open",
    r.BetAccepted: lambda what: f"bet {shlex.quote(what.player)} {what.market} {money(what.stake)}",
    r.BetRefused: lambda what: f"bet {shlex.quote(what.player)} {what.market} {money(what.stake)}",
    r.BetWithdrawn: lambda what: f"unbet {shlex.quote(what.player)} {what.market}",
    r.PlayerGone: lambda what: f"gone {shlex.quote(what.player)}",
    r.PlayerBack: lambda what: f"back {shlex.quote(what.player)}",
    r.Closed: lambda what: "close" if what.by != "clock" else None,
    r.Decided: lambda what: f"decide {what.who} {what.decision}" if what.by == "player" else None,
    r.DecisionRefused: lambda what: f"decide {what.who} {what.decision}",
    r.Settled: lambda what: {"dealer": "press finish", "shoe": f"result {what.outcome.get('winner')}"}.get(what.by),
    r.Faulted: _faulted,
    r.Acknowledged: lambda what: f"ack by {shlex.quote(what.by)}",
    r.Ruled: _ruled,
    r.DeviceLost: lambda what: f"lost {what.device}",
    r.DeviceFound: lambda what: f"found {what.device}",
}
