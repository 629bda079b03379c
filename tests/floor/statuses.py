"""Statuses of a table, made up for tests of a floor."""

from msgspec.structs import replace

from controller.bus.status import OpenCall, Status
from controller.bus.status_texts import Texts
from controller.core.clock import SECOND, to_text

START = 1_800_000_000 * SECOND
ENGLISH = Texts("Baccarat", "Round 1", "Dealing", "PLAYER · first card", "", "", "")
QUIETLY = Status(
    table="t1", epoch="e1", seq=10, at=to_text(START), game="baccarat", currency="EUR", open=True, life="dealing",
    training=False, round=1, dealer="Ion", next="card to player", deadline=None, left=None, fault=None, waiting=0,
    lost=(), shoe=300, size=416, ends=False, bars=(), halted=None, troubles=(), version="1", rules="d",
    texts={"en": ENGLISH, "ro": replace(ENGLISH, life="Se împart cărți")},
)  # fmt: skip


def status(table: str = "t1", **about: object) -> Status:
    """Return the status of a quiet table with other values for `about`."""
    return replace(QUIETLY, table=table, **about)


def calling_status(
    table: str = "t1", *, seq: int = 11, calls: int = 0, waits: int = 0, money: int = 0, **more: object
) -> Status:
    """Return a status with a fault that had been open for `waits` seconds at START."""
    since = to_text(START - waits * SECOND)
    fault = OpenCall(seq, "card_early", since, "no card", "5H", calls, None, money, **more)
    texts = replace(ENGLISH, life="PAUSED", head="A card came early", text="5♥ came.")
    return status(table, seq=seq, fault=fault, life="paused", texts={"en": texts, "ro": texts})
