"""A round that is over, read back from its records so that it can be settled anew.

It holds the round just before it was settled or cancelled, with the bets that were then paid or refunded, and what has
been returned for each of them since. It goes into the input of the decision, so that a replay decides the same.
"""

import base64
import zlib
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from . import records as r
from .book import NO_BETS, Bet, Book
from .clock import Time
from .fold import apply, state_before
from .state import Round, State

PLAIN = 65_536  # bytes of a past round that is kept as it is
FAST = 1  # level of compression: quick, as a card may wait; still writes only a tenth of the bytes


class PastBet(Struct, frozen=True, omit_defaults=True):
    """Bet of a round that is over. `returned`: amount returned for it so far, in minor units."""

    bet: Bet
    returned: int
    gone: bool = False  # True: a correction has taken it out of play, and its stake was returned
    capped: tuple[r.AppliedCeiling, ...] = ()  # ceilings of payment that lowered `returned`


class PastRound(Struct, frozen=True, omit_defaults=True):
    """Round that is over, with its bets and what was returned for them."""

    state: State  # of the table just before the round ended, without its bets
    ended: Time  # when it was settled or cancelled for the first time
    bets: tuple[PastBet, ...] = ()  # in the order in which they were paid
    outcome: dict[str, Any] | None = None  # outcome by which it is settled now; null: it is void
    revision: int = 0  # how often it was settled anew

    @property
    def round(self) -> Round:
        """The round itself, with the bets that are in play."""
        return replace(self.state.round, bets=Book.of_bets(past.bet for past in self.bets if not past.gone))

    def differs_from(self, other: "PastRound") -> bool:
        """True if a card, its place, a decision or a return differs: not only who said what a card is."""
        ours, theirs = (_without_readings(one) for one in (self, other))
        return ours != theirs


def _without_readings(past: PastRound) -> PastRound:
    """The round with the value of each card, without who said so and without the number of its revision."""
    round_ = past.state.round
    draws = tuple(replace(draw, ruled=draw.card, told=None, shown=False) for draw in round_.draws)
    return replace(past, state=replace(past.state, round=replace(round_, draws=draws)), revision=0)


# made once: two threads that make a decoder at the same time crash the process
_decode = msgspec.json.Decoder(PastRound).decode


class RoundEnd:
    """Collector of a round's end: the record that ends it, then the returns of its bets."""

    def __init__(self, before: State, ends: r.Record) -> None:
        """`before`: the table just before; `ends`: its record `settled` or `cancelled`."""
        self._past = PastRound(_reduce(before), ends.at, outcome=getattr(ends.what, "outcome", None))
        self._bets = dict(before.round.bets)
        self._paid: list[PastBet] = []

    def take(self, what: r.What) -> PastRound | None:
        """Take the next record. Returns the round once its last bet is paid."""
        match what:
            case r.Paid(bet=bet, returned=amount, capped=capped):
                self._paid.append(PastBet(self._bets[bet], amount, capped=capped or ()))
            case r.Refunded(bet=bet, stake=amount):
                self._paid.append(PastBet(self._bets[bet], amount))
        return self.past_round if isinstance(what, r.Checkpoint) else None

    @property
    def past_round(self) -> PastRound:
        """The round with the bets that are paid so far."""
        return replace(self._past, bets=tuple(self._paid))


def read_past(records: Iterable[r.Record], number: int) -> PastRound | None:
    """Read a round from records that begin before it was opened; None if its end is not among them.

    Where the first record is no checkpoint, it is the first of the journal.
    """
    end: RoundEnd | None = None
    state = State()
    for record in records:
        what = record.what
        if end is not None:
            if (past := end.take(what)) is not None:
                return past
        elif record.round == number and isinstance(what, r.Settled | r.Cancelled):
            end = RoundEnd(state, record)
        else:
            state = apply(state if state.seq else state_before(record), record)
    return None


def decode_past(past: str) -> PastRound | None:
    """Past round of an event; None if there is none."""
    return _decode(plain_past(past)) if past else None


def encode_past(past: PastRound | None) -> str:
    """Past round as an event holds it: as JSON; above PLAIN bytes as base64 of the same, deflated."""
    if past is None:
        return ""
    text = msgspec.json.encode(past)
    return text.decode() if len(text) <= PLAIN else base64.b64encode(zlib.compress(text, FAST)).decode()


def plain_past(past: str) -> bytes:
    """Past round of an event as JSON, however the event holds it."""
    return past.encode() if past[:1] in ("{", "") else zlib.decompress(base64.b64decode(past))


def _reduce(state: State) -> State:
    """Copy of the state with only what the round depends on, without its bets."""
    round_ = replace(state.round, bets=NO_BETS, judged=(), stopped=0, returned={}, best_odds={})
    return State(
        table=state.table,
        identity=state.identity,
        game=state.game,
        seq=state.seq,
        at=state.at,
        dealer=round_.dealer,
        dealer_id=round_.dealer_id,
        life=state.life,
        paused_from=state.paused_from,
        shoe=state.shoe,
        round=round_,
        carried=state.carried,
    )
