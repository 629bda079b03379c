"""Description of one event in lines of text for people.

The money of all players is one line, so that the cards are easy to find. The lines are made from views, which contain
no hidden card.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..core import records as r
from ..core.book import Bet
from ..core.records import Record
from ..core.spot import Spot
from ..core.state import State
from ..core.views import view
from ..text.money import money, signed_money
from ..text.records import QUIET, describe_ceilings, sentence

SUMMED = frozenset({"bet_accepted", "paid", "refunded"})  # kinds of records that are summed up in one line
REPEATED = frozenset({"asked"})  # kinds of records whose content the next line repeats


class EventLine(Struct, frozen=True):
    """Line of the demo's event list: time and kind of a record, and its sentence."""

    at: str
    kind: str
    text: str


def lines(state: State, records: Sequence[Record]) -> Iterator[EventLine]:
    """Yield the lines of one event. `state`: after the event; `records`: those of the event."""
    for record in records:
        if record.kind in QUIET | SUMMED | REPEATED:
            continue
        event = view(record, "manager")
        yield EventLine(event["at"], record.kind, sentence(event))
        text = _money(state, record, records)
        if text:
            yield EventLine(event["at"], "money", text)


def _money(state: State, record: Record, records: Iterable[Record]) -> str:
    """Line about money after this record: stakes, payments or refunds; empty for other records."""
    match record.what:
        case r.Closed():
            return _stakes(state.round.bets.values(), state.identity.currency)
        case r.Settled():
            return _paid([one.what for one in records if isinstance(one.what, r.Paid)], state.identity.currency)
        case r.Cancelled():
            return _refund_line(
                [one.what for one in records if isinstance(one.what, r.Refunded)], state.identity.currency
            )
    return ""


def _stakes(bets: Iterable[Bet], currency: str) -> str:
    staked: defaultdict[str, Counter[Spot]] = defaultdict(Counter)
    for bet in bets:
        staked[bet.player][bet.spot] += bet.stake
    return (
        f"stakes: {', '.join(f'{player} {amounts(on, currency)}' for player, on in staked.items())}" if staked else ""
    )


def amounts(on: Mapping[Spot, int], currency: str) -> str:
    """Stakes on each market, each seat named once: `seat1 ante 10.00 tie 5.00`."""
    words, last = [], None
    for spot, stake in on.items():
        if stake:
            words.append(f"{spot.market if spot.seat == last else spot} {money(stake, currency)}")
            last = spot.seat
    return " ".join(words)


def _paid(bets: Sequence[r.Paid], currency: str) -> str:
    won = Counter[str]()
    for bet in bets:
        won[bet.player] += bet.returned - bet.stake
    if not won:
        return ""
    text = ", ".join(f"{player} {signed_money(net, currency)}" for player, net in won.items())
    return f"paid: {text}{describe_ceilings([bet.above_ceilings for bet in bets if bet.capped], currency)}"


def _refund_line(bets: Sequence[r.Refunded], currency: str) -> str:
    back = Counter[str]()
    for bet in bets:
        back[bet.player] += bet.stake
    return (
        f"refunded: {', '.join(f'{player} {money(stake, currency)}' for player, stake in back.items())}" if back else ""
    )
