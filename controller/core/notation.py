"""Notation of steps and inputs in `--json` and the API: `card to banker`, `4D at player`, `finish`.

Nothing reads the notation back. Programs take the same facts from the data beside it (`due`, `came`, `why`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..rules.procedure import Ask, Bets, Deal, Reveal
from . import causes as c
from . import events as e
from . import records as r

CARD_TO = "card to "  # and the place
PLUS = " + "  # between a winner and each pair


def due_text(due: c.Due) -> str:
    """Write the step due in this notation, such as `card to player`."""
    match due:
        case Deal(to=place):
            return f"{CARD_TO}{place}"
        case Ask(who=(who,)):
            return f"decision of {who}"
        case Ask(who=who):  # `due` has the names
            return f"decisions of {len(who)}"
        case Reveal(place=place):
            return f"reveal of {place}"
        case Bets():
            return "no more bets"
        case c.Finish():
            return "finish"
    return "no card"


def cause_text(cause: c.Cause) -> str:
    """Write the input that came instead of the step due, such as `4D at player`."""
    return _GOT[type(cause)](cause)


def place_due(step: str) -> str | None:
    """Place of a step that is written as `card to player`; None of another step."""
    return step.removeprefix(CARD_TO) if step.startswith(CARD_TO) else None


def result_of(winner: str | None, pairs: Sequence[str] | None) -> str:
    """Format a result of the shoe: the winner and reported pairs."""
    return PLUS.join([winner or "nobody", *(f"{side} pair" for side in pairs or ())])


def _card(event: e.CardOut) -> str:
    card = event.card or "unread"
    if not event.place:
        return card
    return f"{card} at {event.place}" + (f" {event.position}" if event.position else "")


def _undriven(cause: c.Undriven) -> str:
    match cause.why:
        case "version":
            here = "none" if cause.here is None else f"version {cause.here}"
            return f"round {cause.round} was opened under {cause.game} {cause.version}, here is {here}"
        case "digest":
            return f"round {cause.round} was opened under another {cause.game}: their digests differ"
        case "settings":
            return f"round {cause.round} was played under other settings: {cause.setting}"
        case "failed":
            return f"the rule sheet of {cause.game} failed in round {cause.round} ({cause.setting})"
    return f"round {cause.round} does not follow its rule sheet"


def _excess(event: e.Babbles) -> str:
    return f"{event.device} cut off: {excess_text(event.heard, event.seconds)}"


def excess_text(heard: int, seconds: int) -> str:
    """Amount that a cut-off device has sent, in words: messages in a time, or cards without one."""
    return f"{heard:,} messages in {seconds} s" if seconds else f"{heard:,} cards"


def _journal_back(event: e.JournalBack) -> str:
    return event.reason + (f"; {event.dropped:,} events were too many to be kept" if event.dropped else "")


_GOT: Mapping[type, Callable[[Any], str]] = {
    e.CardOut: _card,
    e.KeyPressed: lambda event: str(event.key),
    e.ShoeSays: lambda event: f"result {event.winner}",
    e.ShoeFails: lambda event: f"error {event.code}: {event.meaning}",
    e.TelegramsLost: lambda event: f"telegram {event.got} for {event.expected}",
    e.LostDevice: lambda event: f"{event.device} lost",
    e.Babbles: _excess,
    e.ProgramBack: lambda _: "restart",
    e.JournalBack: _journal_back,
    c.NoCard: lambda event: f"no card in {event.seconds} s",
    c.EmptyShoe: lambda event: f"{event.left} left in the shoe" if event.left else "empty shoe",
    c.Undriven: _undriven,
    c.HiddenCard: lambda _: "a hidden card",
}
_IGNORED: Mapping[type, Callable[[Any], str]] = {
    e.CutCardOut: lambda _: "cut",
    e.ShoeSays: lambda event: f"result {event.winner}",
    e.ShoeFails: lambda event: f"shoe error {event.code}: {event.meaning}",
    e.KeyPressed: lambda event: f"press {event.key}",
    e.Open: lambda _: "open",
    e.Close: lambda _: "close",
    e.WithdrawBet: lambda event: f"unbet {event.player} {event.market}",
    e.LineCut: lambda event: f"gone {event.player}",
    e.LineBack: lambda event: f"back {event.player}",
    e.NewDeck: lambda _: "shuffled",
    e.ChangeShoe: lambda _: "shoe change",
    e.CutShoe: lambda _: "shoe cut",
    e.SkipCut: lambda _: "shoe uncut",
    e.LoadShoe: lambda _: "shoe ready",
    e.OpenTable: lambda _: "table open",
    e.CloseTable: lambda _: "table close",
    e.DealerOn: lambda event: f"dealer {event.dealer or '-'}",
    e.Leave: lambda _: "leave",
    e.LostDevice: lambda event: f"lost {event.device}",
    e.TelegramsLost: lambda event: f"gap {event.expected} {event.got}",
    e.FoundDevice: lambda event: f"found {event.device}",
    e.Babbles: _excess,
    e.SetClock: lambda event: f"clock {event.to}",
    e.JournalBack: lambda event: f"journal failed: {_journal_back(event)}",
    e.Begin: lambda _: "begin",
    e.AcceptLoss: lambda _: "record continued",
    e.BeginAnchor: lambda _: "anchor begun",
    e.AnchorChecked: lambda event: f"anchor {event.standing or 'back'}",
    e.WitnessAsked: lambda event: f"witness {'unheard' if event.first else 'heard'}",
    e.NoText: lambda event: f"{event.what} with a name that is no text",
}


def void_reason(why: c.VoidReason) -> str:
    """Reason in words why a round is void."""
    match why:
        case c.ByRuling(because=reason):
            return reason
        case c.NoRuling(seconds=seconds):
            return f"no ruling in {seconds} s"
        case c.NoServer():
            return "the game server's line did not come back"
    return "no seat was taken"


def _ignored(what: r.Ignored) -> str:
    if what.full is not None and isinstance(what.came, e.LoadShoe):
        return f"shoe ready: {what.came.counted} cards counted, expected {what.full}"
    return _IGNORED[type(what.came)](what.came)


Render = Callable[[Any], str]
WRITTEN: Mapping[type[r.Fact], Mapping[str, Render]] = {  # texts that views add to a record's own fields
    r.Faulted: {"expected": lambda what: due_text(what.due), "got": lambda what: cause_text(what.came)},
    r.Reported: {"got": lambda what: cause_text(what.came)},
    r.Ignored: {"what": _ignored},
    r.CaseOpened: {"got": lambda what: cause_text(what.came)},
    r.Disputed: {"because": lambda what: f"the shoe says {what.came.winner}, settled was {what.settled or 'nobody'}"},
    r.Cancelled: {"because": lambda what: void_reason(what.why)},
    r.Escalated: {"target": lambda what: "cancellation" if what.level is None else f"level {what.level}"},
}


def written_fields(what: r.Fact) -> dict[str, str]:
    """Text fields that are computed from a record's data."""
    return {name: render(what) for name, render in WRITTEN.get(type(what), {}).items()}
