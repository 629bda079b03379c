"""Sheet of one round: its cards, bets, timeline, and the game's reasons for them.

It is made from the records in the shift manager's view. So the table's journal and a floor's copy give the same sheet,
and face-down cards stay withheld. Invariant: a live round has no reasons, neither of the game nor of a ruling, because
a reason may depend on a card that is not shown yet, or name it.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core import records as r
from ..core.clock import Time
from ..core.fold import apply
from ..core.hands import answers, hands
from ..core.records import Record
from ..core.spot import Spot
from ..core.state import Draw, Round, State, draws_on
from ..core.withholding import withhold
from ..games import GAMES
from ..rules.cards import Card
from ..rules.face import BetPlace, DealtRound, DrawReason, RuleReason
from ..rules.game import Game
from .redriven_round import FinalCards, redrive_round
from .round_stories import Story, Tell, compose_story
from .sheet_bets import SheetBet, bets_of


class RoundSheet(Struct, frozen=True):
    """Sheet of a round. `state`: of the table just before the round ended, with the cards after all corrections.

    `first`: the same before the corrections that were made after its end, None if there were none; `story`: its events
    in words; `drawn_at`: time at which each draw came, before any ruling on it.
    """

    story: Story
    currency: str
    state: State | None  # None: the cards cannot be told from the records
    draws: tuple[DrawReason, ...]
    drawn_at: Mapping[int, Time]
    bets: tuple[SheetBet, ...]
    reasons: Mapping[str, RuleReason]  # reason of each payment, by bet
    first: State | None = None


def round_sheet(records: Sequence[Record], tell: Tell) -> RoundSheet:
    """Compose the sheet of a round from its records in order, the first of which opened it; `tell` writes its lines."""
    shown = [replace(record, what=withhold(record.what)) for record in records]
    opened = shown[0].what
    assert isinstance(opened, r.Opened)  # noqa: S101 - the first record opened the round
    game = GAMES.get(opened.game)
    final = _final_cards(shown, game)
    anew = {} if final is None else {one.bet.id: one for one in final.bets}
    bets = tuple(replace(bet, odds=anew[bet.id].bet.odds) if bet.id in anew else bet for bet in bets_of(shown))
    is_live = not any(isinstance(record.what, r.Settled | r.Cancelled) for record in records)
    story = compose_story(list(map(_without_reason, records)) if is_live else records, tell)
    dealt = None if game is None or final is None or is_live else _dealt_round(game, final.state.round, story)
    in_play = [bet for bet in bets if bet.id not in anew or not anew[bet.id].gone]
    return RoundSheet(
        story=story,
        currency=opened.currency,
        state=None if final is None else final.state,
        draws=() if game is None or final is None or dealt is None else _draws(game, dealt, final.state.round, shown),
        drawn_at={one.what.draw: one.at for one in reversed(shown) if isinstance(one.what, r.Dealt | r.Drawn)},
        bets=bets,
        reasons={} if game is None or dealt is None else _payments(game, dealt, in_play),
        first=None if final is None else final.first,
    )


def _without_reason(record: Record) -> Record:
    """Return the record without the reason of a ruling: a person typed it, and it may name a hidden card."""
    return replace(record, what=replace(record.what, because="")) if isinstance(record.what, r.Ruled) else record


def _final_cards(records: Sequence[Record], game: Game | None) -> FinalCards | None:
    """Cards after all corrections; None if the records do not suffice."""
    state = State(seq=records[0].seq - 1)
    try:
        for place, record in enumerate(records):
            if isinstance(record.what, r.Settled | r.Cancelled):
                return _cards_after_resettlements(game, state, records[place:])
            state = apply(replace(state, seq=record.seq - 1), record)
            state = replace(state, round=_with_shown_cards(state.round, record.what))
    except Exception:  # noqa: BLE001 - part of a record, or one of another version: the page shows the rest
        return None
    return FinalCards(state)


def _cards_after_resettlements(game: Game | None, before: State, ended: Sequence[Record]) -> FinalCards | None:
    if not any(isinstance(record.what, r.Resettled) for record in ended):
        return FinalCards(before)
    return None if game is None else redrive_round(game, before, ended)


def _with_shown_cards(round_: Round, what: r.Fact) -> Round:
    """Return the round with the values of cards that this record shows and that were withheld before."""
    match what:
        case r.Dealt(draw=number, card=card) | r.Drawn(draw=number, card=card):  # it was face down, and lies open now
            shown: dict[int, Card | None] = {number: card}
        case r.PlaceRevealed(place=place, cards=cards):
            numbers = [draw.number for draw in draws_on(round_, place)]
            shown = dict(zip(numbers, cards, strict=True)) if len(numbers) == len(cards) else {}
        case _:
            return round_
    draws = (
        draw if draw.number not in shown or draw.card else replace(draw, read=shown[draw.number])
        for draw in round_.draws
    )
    return replace(round_, draws=tuple(draws))


def _dealt_round(game: Game, round_: Round, story: Story) -> DealtRound | None:
    """Cards and decisions from which the game gives its reasons; None if the game gives none."""
    if game.face.reasons is None:
        return None
    try:
        settings = msgspec.convert(round_.settings, game.settings)
        return DealtRound(settings, known_cards(round_), answers(round_), story.round.outcome)
    except msgspec.ValidationError:
        return None


def known_cards(round_: Round) -> Mapping[str, tuple[Card, ...]]:
    """Cards by place in the order dealt; a card that lies face down to the end is empty."""
    return {place: tuple(_card(draw) for draw in lying) for place, lying in hands(round_).items()}


def _card(draw: Draw) -> Card:
    return "" if draw.hidden else draw.card or ""


def _draws(game: Game, dealt: DealtRound, round_: Round, records: Sequence[Record]) -> tuple[DrawReason, ...]:
    """Reasons of the game for the draws. A hand that was made void after the round has none for a card not dealt."""
    assert game.face.reasons is not None  # noqa: S101 - else nothing was prepared for them
    if any(isinstance(record.what, r.HandVoided) for record in records):
        return ()  # the rule sheet has no reasons for the draws after a hand became void
    try:
        reasons = tuple(one for one in game.face.reasons.draws(dealt) if one.card or not round_.is_void(one.place))
        return reasons if all(0 <= one.card <= len(dealt.hands.get(one.place, ())) for one in reasons) else ()
    except Exception:  # noqa: BLE001 - anybody's sheet; none of its sentences keeps a page from being shown
        return ()


def _payments(game: Game, dealt: DealtRound, bets: Sequence[SheetBet]) -> dict[str, RuleReason]:
    assert game.face.reasons is not None  # noqa: S101 - else nothing was prepared for them
    reasons = dict[str, RuleReason]()
    for bet in bets:
        spot = Spot.parse(bet.market)
        try:
            reason = game.face.reasons.payment(dealt, BetPlace(bet.player, spot.market, spot.seat))
        except Exception:  # noqa: BLE001, S112 - anybody's sheet; the others are explained
            continue
        if reason is not None and bet.returned is not None:
            reasons[bet.id] = reason
    return reasons
