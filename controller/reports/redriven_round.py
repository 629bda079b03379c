"""Cards of a round after its resettlements, computed again by the rules that settled it anew.

Cards that lie face down to the end are withheld from the records. Other cards take their places meanwhile: the result
does not depend on them, or it is another one and is not used.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.decide.resettlements import try_corrections
from ..core.draft import Draft
from ..core.house import House
from ..core.past_round import PastBet, PastRound, RoundEnd
from ..core.position import Position
from ..core.records import DECIDING, Record
from ..core.records.journal import NAMING
from ..core.state import State
from ..rules.cards import Card
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

    In older records they do not if one resettlement corrects a withheld card together with an open one. `before`: state
    just before the round ended; `records`: the record that ended the round, and the later ones about it. They do not
    say how each resettlement was decided: the present way is tried first, then that of older versions.
    """
    settings = msgspec.convert(before.round.settings, game.settings)
    houses = [House(game, settings, deciding=deciding) for deciding in (DECIDING, NAMING - 1)]
    position, stand_ins = Position({game.name: game}), _stand_ins(houses[0].deck.cards, before, records)
    past = _ended_round(_with_cards(before, stand_ins), records)
    for record in records:
        what = record.what
        if past is None or not isinstance(what, r.Resettled) or what.is_later_part:
            continue
        number = before.round.number
        amendments = tuple(replace(one, card=one.card or stand_ins.get(one.draw)) for one in what.amendments)
        event = e.Resettle(number, amendments, what.by, what.because, what.second)
        results = (try_corrections(Draft(house, position, State(), record.at), event, past) for house in houses)
        past = next((one.past for one in results if one.reason is None and one.past.outcome == what.now), None)
    if past is None:
        return None
    return FinalCards(_with_cards(past.state, dict.fromkeys(stand_ins)), past.bets, before)


def _stand_ins(deck: Sequence[Card], before: State, records: Sequence[Record]) -> Mapping[int | None, Card]:
    """Cards to put in place of the withheld ones, by draw: neither dealt nor named by a correction."""
    amendments = [one for record in records if isinstance(record.what, r.Resettled) for one in record.what.amendments]
    known = {*(draw.card for draw in before.round.draws), *(one.card for one in amendments)}
    withheld = [draw.number for draw in before.round.draws if draw.hidden and draw.card is None]
    return dict(zip(withheld, (card for card in deck if card not in known), strict=False))


def _with_cards(state: State, cards: Mapping[int | None, Card | None]) -> State:
    """Copy of the state with these cards as the readings of their draws; None: withheld."""
    draws = (
        replace(draw, read=cards[draw.number], ruled=None) if draw.number in cards else draw
        for draw in state.round.draws
    )
    return replace(state, round=replace(state.round, draws=tuple(draws)))


def _ended_round(before: State, records: Sequence[Record]) -> PastRound | None:
    """Return the round as it was first settled or cancelled, with the amounts returned then."""
    end: RoundEnd | None = None
    for record in records:
        if isinstance(record.what, r.Settled | r.Cancelled):
            end = RoundEnd(before, record)
        elif end is not None:
            end.take(record.what)
    return None if end is None else end.past_round
