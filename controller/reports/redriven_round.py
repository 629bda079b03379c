"""Cards of a round after its resettlements, computed again by the rules that settled it anew."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ..core import events as e
from ..core import records as r
from ..core.decide.resettlements import try_corrections
from ..core.draft import Draft
from ..core.house import House
from ..core.past_round import PastBet, PastRound, RoundEnd
from ..core.position import Position
from ..core.records import Record
from ..core.state import State
from ..rules.game import Game


class FinalCards(NamedTuple):
    """Cards of a round after all rulings and corrections. `state`: of the table just before the round's end.

    `bets`: those of a round that was settled anew, at their present odds; `first`: the state before all corrections
    that were made after the round's end, None if there were none.
    """

    state: State
    bets: tuple[PastBet, ...] = ()
    first: State | None = None


def redrive_round(game: Game, before: State, records: Sequence[Record]) -> FinalCards | None:
    """Return the round after all its resettlements; None if the records do not suffice or give another result.

    They do not suffice for a correction of a withheld card. `before`: state just before the round ended; `records`: the
    record that ended the round, and the later ones about it.
    """
    past = _ended_round(before, records)
    house = House(game, msgspec.convert(before.round.settings, game.settings))
    position = Position({game.name: game})
    for record in records:
        what = record.what
        if past is None or not isinstance(what, r.Resettled) or what.is_later_part:
            continue
        number = before.round.number
        event = e.Resettle(number, what.amendments, what.by, what.because, what.second)
        result = try_corrections(Draft(house, position, State(), record.at), event, past)
        past = result.past if result.reason is None and result.past.outcome == what.now else None
    if past is None:
        return None
    return FinalCards(past.state, past.bets, before)


def _ended_round(before: State, records: Sequence[Record]) -> PastRound | None:
    """Return the round as it was first settled or cancelled, with the amounts returned then."""
    end: RoundEnd | None = None
    for record in records:
        if isinstance(record.what, r.Settled | r.Cancelled):
            end = RoundEnd(before, record)
        elif end is not None:
            end.take(record.what)
    return None if end is None else end.past_round
