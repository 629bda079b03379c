"""One round as it lies: cards, bets, the reasons of its game, and its story.

Made from the records as the shift manager is told them, so that the table's journal and a floor's copy give the same
sheet, and what lies face down stays withheld. Invariant: a round that is on has no reasons, as a reason may depend on a
card that is not shown yet.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core import records as r
from ..core.clock import Time
from ..core.events import Amendment
from ..core.fold import apply
from ..core.hands import decisions, hands
from ..core.records import Record
from ..core.spot import Spot
from ..core.state import Draw, Round, State, lying_on, script_without
from ..core.withheld import withhold
from ..games import GAMES
from ..rules.cards import Card
from ..rules.face import BetPlace, DealtRound, DrawReason, RuleReason
from ..rules.game import Game
from .round_stories import Story
from .sheet_bets import SheetBet, bets_of

CHANGES_CARDS = ("move", "burn", "void", "correct")  # corrections of a round that is over


class RoundSheet(Struct, frozen=True):
    """Sheet of a round. `state`: of the table just before the round ended, with the cards as they are ruled now.

    `story`: its events in words; `dealt_at`: time of each draw; `players`: in the order of their first bet.
    """

    story: Story
    currency: str
    state: State | None  # None: the records do not tell how the cards lie
    draws: tuple[DrawReason, ...]
    dealt_at: Mapping[int, Time]
    bets: tuple[SheetBet, ...]
    players: tuple[str, ...]
    reasons: Mapping[str, RuleReason]  # for each payment, by bet


def round_sheet(records: Sequence[Record], story: Story) -> RoundSheet:
    """Compose the sheet of a round from its records in order, the first of which opened it, and its story."""
    open_ = [replace(record, what=withhold(record.what)) for record in records]
    opened = open_[0].what
    assert isinstance(opened, r.Opened)  # noqa: S101 - the story was made from it
    bets = bets_of(open_)
    game, state = GAMES.get(opened.game), _lying(open_)
    dealt = None if game is None or state is None or story.round.end == "live" else _dealt(game, state.round, story)
    return RoundSheet(
        story=story,
        currency=opened.currency,
        state=state,
        draws=() if dealt is None or game is None else _draws(game, dealt, open_),
        dealt_at={record.what.draw: record.at for record in open_ if isinstance(record.what, r.Dealt)},
        bets=bets,
        players=tuple(dict.fromkeys(bet.player for bet in bets)),
        reasons={} if dealt is None or game is None else _payments(game, dealt, bets),
    )


def _lying(records: Sequence[Record]) -> State | None:
    """State just before the end, with the corrections made afterwards; None if it cannot be told."""
    state = State(seq=records[0].seq - 1)
    try:
        for record in records:
            if isinstance(record.what, r.Settled | r.Cancelled):
                break
            state = apply(replace(state, seq=record.seq - 1), record)
            if isinstance(record.what, r.PlaceRevealed):
                state = replace(state, round=_turned(state.round, record.what))
        for record in records:
            if isinstance(record.what, r.Resettled) and not record.what.is_later_part:
                for one in record.what.amendments:
                    state = replace(state, round=_amended(state.round, one))
    except Exception:  # noqa: BLE001 - part of a record, or one of another version: the page shows the rest
        return None
    return state


def _turned(round_: Round, what: r.PlaceRevealed) -> Round:
    """Round with the cards that turning a place over has shown."""
    numbers = [draw.number for draw in lying_on(round_, what.place)]
    if len(numbers) != len(what.cards):
        return round_
    shown = dict(zip(numbers, what.cards, strict=True))
    draws = (
        draw if draw.number not in shown or draw.card else replace(draw, read=shown[draw.number])
        for draw in round_.draws
    )
    return replace(round_, draws=tuple(draws))


def _amended(round_: Round, one: Amendment) -> Round:
    """Round with one correction."""
    if one.ruling not in CHANGES_CARDS or one.draw is None or not 0 < one.draw <= len(round_.draws):
        return round_
    draw = round_.draws[one.draw - 1]
    if one.ruling == "correct":
        return replace(round_, draws=round_.draws_with(replace(draw, ruled=one.card, read=draw.read)))
    if one.ruling == "move":
        return replace(round_, draws=round_.draws_with(replace(draw, place=one.place, fate="placed")))
    gone = replace(draw, fate="void" if one.ruling == "void" else "burnt")
    return replace(round_, draws=round_.draws_with(gone), script=script_without(round_, [one.draw]))


def _dealt(game: Game, round_: Round, story: Story) -> DealtRound | None:
    """Cards and decisions for the game's reasons; None if it gives none, or a card was moved afterwards."""
    moved = (one.ruling for record in story.resettled for one in _amendments(record))
    if game.face.reasons is None or {*moved} & {"move", "burn", "void"}:
        return None
    try:
        settings = msgspec.convert(round_.settings, game.settings)
        return DealtRound(settings, known_cards(round_), decisions(round_), story.round.outcome)
    except msgspec.ValidationError:
        return None


def _amendments(record: Record) -> Sequence[Amendment]:
    return record.what.amendments if isinstance(record.what, r.Resettled) else ()


def known_cards(round_: Round) -> Mapping[str, tuple[Card, ...]]:
    """Cards by place in the order dealt; a card that lies face down to the end is empty."""
    return {place: tuple(_card(draw) for draw in lying) for place, lying in hands(round_).items()}


def _card(draw: Draw) -> Card:
    return "" if draw.hidden else draw.card or ""


def _draws(game: Game, dealt: DealtRound, records: Sequence[Record]) -> tuple[DrawReason, ...]:
    assert game.face.reasons is not None  # noqa: S101 - else nothing was prepared for them
    if any(isinstance(record.what, r.HandVoided) for record in records):
        return ()  # a void hand is passed over: the sheet does not say how
    try:
        found = tuple(game.face.reasons.draws(dealt))
        return found if all(0 <= one.card <= len(dealt.hands.get(one.place, ())) for one in found) else ()
    except Exception:  # noqa: BLE001 - anybody's sheet; none of its sentences keeps a page from being shown
        return ()


def _payments(game: Game, dealt: DealtRound, bets: Sequence[SheetBet]) -> dict[str, RuleReason]:
    assert game.face.reasons is not None  # noqa: S101 - else nothing was prepared for them
    found = dict[str, RuleReason]()
    for bet in bets:
        spot = Spot.parse(bet.market)
        try:
            reason = game.face.reasons.payment(dealt, BetPlace(bet.player, spot.market, spot.seat))
        except Exception:  # noqa: BLE001, S112 - anybody's sheet; the others are explained
            continue
        if reason is not None and bet.returned is not None:
            found[bet.id] = reason
    return found
