"""The catalogue of faults: each code, in the order in which they are tried, and the rulings that make sense for it.

The one rule: what a catalogue entry allows is only ever narrowed by the moment: nothing is offered that could not be
carried out then.
"""

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct

from ..rules.procedure import Bets, Deal, Step
from .came import Due, Finish
from .life import LIVE
from .state import State

Cause = Literal["procedure", "device", "program"]


class Entry(Struct, frozen=True):
    """One fault that can be."""

    when: str
    cause: Cause
    rulings: tuple[str, ...]
    at_rest: tuple[str, ...] = ()  # with no round on, or after its settlement; none: it cannot come then


CATALOGUE: Mapping[str, Entry] = {
    "card_before_close": Entry("a card leaves the shoe while bets are open", "procedure", ("burn", "cancel")),
    "extra_card": Entry(
        "a card comes when none is due", "procedure", ("burn", "carry", "correct", "cancel"), ("burn", "carry")
    ),
    "unread_card": Entry(
        "the reader saw a card and could not read it", "device", ("rescan", "enter", "burn", "cancel")
    ),
    "foreign_card": Entry("a card this game's deck does not hold", "procedure", ("burn", "correct", "cancel")),
    "duplicate_card": Entry("more copies of a card than the decks in play hold", "procedure", ("correct", "cancel")),
    "wrong_place": Entry(
        "the reader, or driving the round again, says another place than the one due",
        "procedure",
        ("move", "burn", "correct", "cancel"),
    ),
    "missing_card": Entry(
        "FINISH is pressed, or the shoe gives a result, while a card is due",
        "procedure",
        ("deal", "correct", "cancel"),
    ),
    "result_mismatch": Entry(
        "the shoe's own result differs from the table's", "procedure", ("resume", "correct", "cancel")
    ),
    "shoe_error": Entry("the shoe reports an error of its own", "device", ("resume", "enter", "burn", "cancel")),
    "shoe_exhausted": Entry("no card is left and one is due", "procedure", ("cancel",)),
    "device_lost": Entry(
        "the shoe is lost in a live round; a panel where the table is set so", "device", ("resume", "enter", "cancel")
    ),
    "stalled": Entry("no card within the limit while one is due", "procedure", ("resume", "enter", "cancel")),
    "telegram_lost": Entry(
        "a gap in the shoe's own numbering in a live round, where the table is set so",
        "device",
        ("resume", "enter", "cancel"),
    ),
    "hidden_card_exposed": Entry(
        "the dealer reports that a face-down card was seen early", "procedure", ("resume", "cancel")
    ),
    "card_dropped": Entry(
        "the dealer reports a card off the table", "procedure", ("resume", "correct", "burn", "cancel")
    ),
    "dealer_call": Entry("the dealer presses CALL MANAGER", "procedure", ("resume", "correct", "cancel"), ("resume",)),
    "server_lost": Entry("the game server's line is gone before the close", "device", ("resume", "cancel")),
    "restarted": Entry(
        "the program came back in the middle of a round", "program", ("resume", "enter", "correct", "cancel")
    ),
    "replay_failed": Entry("a recorded round cannot be rebuilt", "program", ("cancel",)),
    "journal_failed": Entry(
        "records could not be made durable for a while", "program", ("resume", "cancel"), ("resume",)
    ),
}


def rulings(
    state: State, code: str, due: Step | None, *, carry: bool, without: Collection[str] = ()
) -> tuple[str, ...]:
    """The rulings that make sense for a fault raised now. `carry`: the table lets a card open the next round."""
    entry = CATALOGUE[code]
    possible = {
        "enter": isinstance(due, Deal | Bets),  # not once a decision or a reveal is due, or nothing
        "carry": carry and state.carried is None,  # one card can open the next round
    }
    allowed = entry.rulings if state.live else entry.at_rest or entry.rulings
    return tuple(ruling for ruling in allowed if possible.get(ruling, True) and ruling not in without)


def due_of(state: State, step: Step | None) -> Due:
    """What should come: the step due; where none is, the confirmation of a live round's result."""
    life = state.paused_from if state.life == "paused" else state.life
    return step or (Finish() if life in LIVE else None)
