"""Status message of a table, from which floors draw its strip without a request.

It is published completely at each change. Details are requested from the table.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from .. import __version__
from ..core.clock import SECOND, to_text
from ..core.coded_message import CodedMessage
from ..core.decide.openings import obstacles
from ..core.faults import due_of
from ..core.house import House
from ..core.life import RESTING
from ..core.notation import cause_text, due_text
from ..core.open_fault import Fault
from ..core.sheet import digest
from ..core.state import State
from ..rules.game import Game
from ..table.loop import Table
from ..text.coded import Defect, defects_of, render
from ..web.screens.table_snapshot import TableSnapshot
from .status_texts import Texts, texts

SOON = 24  # cards until the shoe is changed: four rounds of baccarat, of at most six cards each
BARS = frozenset({"no_dealer", "rules_mismatch", "deck_suspect"})  # a damaged record is among the troubles instead


class OpenCall(Struct, frozen=True):
    """Open fault in a table's status message."""

    seq: int
    code: str
    since: str
    expected: str
    got: str
    calls: int  # number of further levels that were called, since the last restart
    seen_by: str | None
    money: int  # stakes at risk, in minor units
    restarted: str = ""  # time of the table's last restart during the fault; empty: none
    offer: int = 0  # number of the present offer to cancel the round; 0: none


class Status(Struct, frozen=True, kw_only=True):
    """Status of one table. Fields with a default may be missing in a message of an older version."""

    table: str
    epoch: str
    seq: int
    at: str
    game: str
    currency: str
    open: bool
    life: str
    training: bool
    round: int
    dealer: str | None
    next: str  # code of the expected step
    deadline: str | None
    left: float | None  # seconds of the open window, while paused
    fault: OpenCall | None
    waiting: int  # reports that wait for a ruling
    lost: tuple[str, ...]  # devices that are not connected
    shoe: int  # cards left in the shoe
    cases: tuple[int, ...] = ()  # numbers of earlier rounds with an open case
    size: int = 0  # cards of the full shoe
    ends: bool = False  # True: the shoe is to be changed soon
    bars: tuple[str, ...] = ()  # reasons why no round can open until a person acts
    halted: str | None
    halted_at: str | None = None  # time since which nothing can be recorded
    troubles: tuple[str, ...]  # the sentences of `defects`, for floors of an older version
    defects: tuple[Defect, ...] = ()  # defects of the table's PC, record and bus
    version: str
    rules: str  # the rule sheet's digest
    texts: dict[str, Texts] = {}  # by language

    @property
    def is_playing(self) -> bool:
        """True if the table is open, or the last round before it is closed is live; False in training."""
        return (self.open or self.life not in RESTING) and not self.training

    @property
    def all_defects(self) -> tuple[Defect, ...]:
        """Defects of PC, pages, record and bus; a table of an older version sends only their sentences."""
        return self.defects or tuple(map(Defect, self.troubles))


def status(table: Table, troubles: Sequence[CodedMessage | str]) -> Status:
    """Status message of a table; called in its event loop. `troubles`: defects of PC, pages, record and bus."""
    state = table.state
    snapshot = TableSnapshot(state, table.due, table.house, table.halted, halted_at=table.halted_at)
    return Status(
        table=state.table,
        epoch=state.identity.epoch,
        seq=state.seq,
        at=to_text(state.at),
        game=table.house.game.name,
        currency=state.identity.currency,
        open=state.open,
        life=state.life,
        training=snapshot.terms.training,
        round=state.round.number,
        dealer=state.dealer,
        next=due_text(due_of(state, snapshot.due)),
        deadline=None if state.deadline is None else to_text(state.deadline),
        left=None if state.left is None else state.left / SECOND,
        fault=None if state.fault is None else _call(table, state.fault),
        waiting=len(state.waiting), lost=tuple(state.lost),
        cases=tuple(dict.fromkeys(case.round for case in state.cases)),
        shoe=state.shoe.shown_cards_left, size=state.shoe.size, ends=_ends(table.house, state),
        bars=tuple(reason for reason in obstacles(table.house, state) if reason in BARS),
        halted=None if table.halted is None else render(table.halted),
        halted_at=None if table.halted is None else to_text(table.halted_at),
        troubles=tuple(map(render, troubles)), defects=defects_of(troubles), version=__version__,
        rules=_digest(table.house.game),
        texts=texts(snapshot),
    )  # fmt: skip


def _ends(house: House, state: State) -> bool:
    """True if few cards are left until the shoe is changed. Always False for decks that are shuffled every round."""
    shoe, deck = state.shoe, house.deck
    if deck.every_round or not shoe.size or shoe.changing:
        return False
    return shoe.cut or shoe.cards_left - deck.change_below < SOON


def _call(table: Table, fault: Fault) -> OpenCall:
    words = due_text(fault.due), cause_text(fault.visible_cause)
    round_, restarted = table.state.round, to_text(fault.restarted) if fault.restarted else ""
    offer = round_.extended + 1 if fault.offered else 0  # each extension ends an offer
    about = fault.seq, fault.code, to_text(fault.since), *words, fault.escalations, fault.seen_by
    return OpenCall(*about, round_.bets.total, restarted, offer)


@cache
def _digest(game: Game) -> str:
    return digest(game)
