"""Cards that left the shoe, cards that its reader reported, and those that it misread.

A misread is a card that the reader could not read (`unread`), or read as another card (`corrected`: the shift manager
ruled so, and the ruling stood when the round ended). Statistics, metrics, a floor's rows of rounds and its alarm all
ask this account, from the journal's own records or from those that a shift manager is told (`reports.event_records`).

Not counted: training; a card that the round before carried over, as it was counted there. A card that was ruled void
during a pause never left the shoe; the reader did report it.

The value of a card that came face down is never used, so that the account is the same for everybody: such a card is
unread if its fault says so, and corrected if a ruling corrects it, to whatever card.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from ..core import records as r
from ..core.records import Record
from ..core.state import State
from ..core.withholding import withholds
from ..rules.cards import Card

READER_FAULTS = frozenset({"unread_card", "shoe_error", "telegram_lost"})  # fault codes that count for the shoe
FACE_DOWN: Card = ""  # a card whose value is withheld: no card's name


class CardChange(NamedTuple):
    """Change of the account by one record.

    `cards`: out of the shoe; `read`: reported by the reader; `entered`: by hand, also if the reader reported it unread.
    `draw`: number of the draw in its round whose reading has changed; None for a card burnt in a shoe change.
    """

    cards: int = 0
    read: int = 0
    entered: int = 0
    unread: int = 0
    corrected: int = 0
    draw: int | None = None


NO_CHANGE = CardChange()


class CardReads(Struct):
    """Reader's cards and corrections in the live round of one table, updated record by record.

    `read`: by draw, the card as the reader reported it, FACE_DOWN if it came so; None if unread, or not reported by the
    reader. `ruled`: by draw, the card as last corrected, FACE_DOWN if it is withheld.
    """

    round: int = 0
    changing: bool = False  # True during a shoe change
    paused: bool = False
    read: dict[int, Card | None] = {}
    ruled: dict[int, Card] = {}

    def take(self, record: Record) -> CardChange:
        """Add a record; return what changed."""
        handle = _HANDLERS.get(type(record.what))
        if handle is None or (record.training and handle is not _shoe):
            return NO_CHANGE
        if record.round and record.round != self.round:
            self.round, self.read, self.ruled = record.round, {}, {}
        return handle(self, record.what)

    def is_misread(self, draw: int) -> bool:
        """True if a draw that the reader reported is unread, or is ruled to be another card so far."""
        return self.read.get(draw) is None or self._is_corrected(draw)

    def _is_corrected(self, draw: int) -> bool:
        read = self.read.get(draw)
        return draw in self.ruled and read is not None and (read == FACE_DOWN or read != self.ruled[draw])

    def end_round(self) -> int:
        """Number of cards that the reader read as another: final, as a correction may itself be corrected."""
        wrong = sum(self._is_corrected(draw) for draw in self.ruled)
        self.ruled = {}
        return wrong

    @classmethod
    def of(cls, state: State) -> "CardReads":
        """Account for a table in this state, to begin counting in mid-round."""
        account = cls(state.round.number, changing=state.shoe.changing, paused=state.life == "paused")
        for draw in () if state.round.terms.training else state.round.draws:
            account.read[draw.number] = _reader_card(draw.read, draw.source, hidden=draw.hidden)
            if draw.ruled is not None:
                account.ruled[draw.number] = FACE_DOWN if draw.hidden else draw.ruled
        return account


def _reader_card(card: Card | None, source: r.Source, *, hidden: bool) -> Card | None:
    if source != "reader":
        return None
    return FACE_DOWN if hidden else card


def _drawn(account: CardReads, what: r.Dealt | r.Drawn) -> CardChange:
    if what.draw in account.read:  # a card that found no place before
        return NO_CHANGE
    card = account.read[what.draw] = _reader_card(what.card, what.source, hidden=withholds(what))
    if what.source == "reader":
        return CardChange(cards=1, read=1, unread=int(card is None), draw=what.draw)
    entered = int(what.source == "manual")
    return CardChange(cards=entered, entered=entered)


def _burnt(account: CardReads, what: r.Burnt) -> CardChange:
    if not account.changing:
        return NO_CHANGE
    return CardChange(cards=1, read=1, unread=int(what.card is None))


def _voided(account: CardReads, what: r.Voided) -> CardChange:
    return CardChange(cards=-1, draw=what.draw) if account.paused else NO_CHANGE


def _faulted(account: CardReads, what: r.Faulted) -> CardChange:
    """Note the pause; a face-down card counts as unread if its fault says so."""
    account.paused = True
    if what.code == "unread_card" and what.draw is not None and account.read.get(what.draw) == FACE_DOWN:
        account.read[what.draw] = None
        return CardChange(unread=1, draw=what.draw)
    return NO_CHANGE


def _ruled(account: CardReads, what: r.Ruled) -> CardChange:
    if what.ruling == "enter" and "draw" in what.after:  # without a draw, the card follows as a draw of its own
        return CardChange(entered=1)
    draw = what.after.get("draw") if what.ruling == "correct" else None
    if not isinstance(draw, int):
        return NO_CHANGE
    account.ruled[draw] = FACE_DOWN if what.hidden else what.after.get("card", FACE_DOWN)
    return CardChange(draw=draw)


def _resumed(account: CardReads, _: r.Resumed) -> CardChange:
    account.paused = False
    return NO_CHANGE


def _ended(account: CardReads, what: r.Settled | r.Cancelled) -> CardChange:
    if isinstance(what, r.Cancelled):
        account.paused = False
    return CardChange(corrected=account.end_round())


def _shoe(account: CardReads, what: r.ShoeChange | r.ShoeReady) -> CardChange:
    account.changing = isinstance(what, r.ShoeChange)
    return NO_CHANGE


_HANDLERS: Mapping[type[r.Fact], Callable[[CardReads, Any], CardChange]] = {
    r.Dealt: _drawn,
    r.Drawn: _drawn,
    r.Burnt: _burnt,
    r.Voided: _voided,
    r.Faulted: _faulted,
    r.Ruled: _ruled,
    r.Resumed: _resumed,
    r.Settled: _ended,
    r.Cancelled: _ended,
    r.ShoeChange: _shoe,
    r.ShoeReady: _shoe,
}
COUNTED = frozenset(_HANDLERS)  # types of the records that change the account
KINDS = frozenset(str(what.__struct_config__.tag) for what in _HANDLERS)  # kinds of the same records
