"""Fault catalogue: cause of each fault and the rulings that may be offered, in the order in which faults are tried.

Its texts are in `controller.text.fault_texts`, its conditions and the irregularities that it catches in
`controller.text.fault_conditions`.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Cause = Literal["procedure", "device", "program"]


class Entry(Struct, frozen=True, kw_only=True):
    """One fault that can be."""

    cause: Cause
    rulings: tuple[str, ...]
    at_rest: tuple[str, ...] = ()  # with no round on, or after its settlement; none: it cannot come then


CATALOGUE: Mapping[str, Entry] = {
    "card_before_close": Entry(
        cause="procedure",
        rulings=("burn", "void", "cancel"),
    ),
    "extra_card": Entry(
        cause="procedure",
        rulings=("burn", "carry", "correct", "void", "void_hand", "cancel"),
        at_rest=("burn", "carry", "void"),
    ),
    "unread_card": Entry(
        cause="device",
        rulings=("rescan", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "foreign_card": Entry(
        cause="procedure",
        rulings=("burn", "correct", "void", "void_hand", "cancel"),
    ),
    "duplicate_card": Entry(
        cause="procedure",
        rulings=("void", "correct", "burn", "void_hand", "cancel"),
    ),
    "wrong_place": Entry(
        cause="procedure",
        rulings=("move", "burn", "correct", "void", "void_hand", "cancel"),
    ),
    "missing_card": Entry(
        cause="procedure",
        rulings=("deal", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "result_mismatch": Entry(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "cancel"),
    ),
    "shoe_error": Entry(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "shoe_exhausted": Entry(
        cause="procedure",
        rulings=("void", "cancel"),
    ),
    "device_lost": Entry(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "stalled": Entry(
        cause="procedure",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "telegram_lost": Entry(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "hidden_card_exposed": Entry(
        cause="procedure",
        rulings=("resume", "void_hand", "cancel"),
    ),
    "card_dropped": Entry(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "dealer_call": Entry(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "server_lost": Entry(
        cause="device",
        rulings=("resume", "cancel"),
    ),
    "restarted": Entry(
        cause="program",
        rulings=("resume", "enter", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "replay_failed": Entry(
        cause="program",
        rulings=("cancel",),
    ),
    "journal_failed": Entry(
        cause="program",
        rulings=("resume", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
}
