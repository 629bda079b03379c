"""Fault catalogue: cause of each fault and the rulings that may be offered, in the order in which faults are checked.

Its texts are in `controller.text.fault_texts`, its conditions and the irregularities that it catches in
`controller.text.fault_conditions`.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

CauseKind = Literal["procedure", "device", "program"]


class CataloguedFault(Struct, frozen=True, kw_only=True):
    """Fault of the catalogue: its cause and the rulings that may be offered."""

    cause: CauseKind
    rulings: tuple[str, ...]
    at_rest: tuple[str, ...] = ()  # rulings without a live round; empty: the fault cannot occur then


CATALOGUE: Mapping[str, CataloguedFault] = {
    "card_before_close": CataloguedFault(
        cause="procedure",
        rulings=("burn", "void", "cancel"),
    ),
    "extra_card": CataloguedFault(
        cause="procedure",
        rulings=("burn", "carry", "correct", "void", "void_hand", "cancel"),
        at_rest=("burn", "carry", "void"),
    ),
    "unread_card": CataloguedFault(
        cause="device",
        rulings=("rescan", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "foreign_card": CataloguedFault(
        cause="procedure",
        rulings=("burn", "correct", "void", "void_hand", "cancel"),
    ),
    "duplicate_card": CataloguedFault(
        cause="procedure",
        rulings=("void", "correct", "burn", "void_hand", "cancel"),
    ),
    "wrong_place": CataloguedFault(
        cause="procedure",
        rulings=("move", "burn", "correct", "void", "void_hand", "cancel"),
    ),
    "missing_card": CataloguedFault(
        cause="procedure",
        rulings=("deal", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "result_mismatch": CataloguedFault(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "cancel"),
    ),
    "shoe_error": CataloguedFault(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "shoe_exhausted": CataloguedFault(
        cause="procedure",
        rulings=("void", "cancel"),
    ),
    "device_lost": CataloguedFault(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "stalled": CataloguedFault(
        cause="procedure",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "telegram_lost": CataloguedFault(
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
    ),
    "hidden_card_exposed": CataloguedFault(
        cause="procedure",
        rulings=("resume", "void_hand", "cancel"),
    ),
    "card_dropped": CataloguedFault(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "dealer_call": CataloguedFault(
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
    "server_lost": CataloguedFault(
        cause="device",
        rulings=("resume", "cancel"),
    ),
    "restarted": CataloguedFault(
        cause="program",
        rulings=("resume", "enter", "correct", "burn", "void", "void_hand", "cancel"),
    ),
    "replay_failed": CataloguedFault(
        cause="program",
        rulings=("cancel",),
    ),
    "journal_failed": CataloguedFault(
        cause="program",
        rulings=("resume", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
    ),
}
