"""Hands of a round for display: the cards by place, their scores and the decisions.

They are derived from the round's script, so they are right after any ruling.
"""

from collections.abc import Mapping, Sequence

from ..rules.game import Game
from ..rules.procedure import SECOND
from .script import Laid, WindowAnswers
from .state import Draw, Round, State

BOARD = "board"  # the place whose cards count for all hands


def hands(round_: Round) -> Mapping[str, list[Draw]]:
    """Return the cards of a round by place, in the order dealt; only places that have cards.

    A split moves the second card of a seat to `SEAT.2`.
    """
    lying: dict[str, list[Draw]] = {}
    seats = round_.joined.seats if round_.joined else ()
    for entry in round_.script:
        match entry:
            case Laid(draw=number):
                draw = round_.draws[number - 1]
                lying.setdefault(draw.place or "", []).append(draw)
            case WindowAnswers(decisions=decisions):
                for seat in (seat for seat in seats if decisions.get(seat) == "split" and seat in lying):
                    lying[seat + SECOND] = [lying[seat].pop()]
    return lying


def settled_hands(state: State) -> Mapping[str, list[Draw]]:
    """Return the hands of the round on the table; none if it was settled anew, by other cards."""
    return {} if state.round.number in state.revisions else hands(state.round)


def score(game: Game, lying: Mapping[str, Sequence[Draw]], place: str) -> str:
    """Return the score of a place's cards with those on the board; empty if a card is face down.

    Also empty for a place without cards, for the board, and for cards that the sheet cannot count.
    """
    draws = with_board(lying, place)
    open_ = face_up_cards(draws)
    if not lying.get(place) or place == BOARD or len(open_) < len(draws):
        return ""
    try:
        return game.score(place, open_)
    except Exception:  # noqa: BLE001 - a sheet may be anybody's; cards that it cannot count have no score
        return ""


def with_board(lying: Mapping[str, Sequence[Draw]], place: str) -> list[Draw]:
    """Return the cards of a place, then those on the board."""
    return [*lying.get(place, []), *(lying.get(BOARD, []) if place != BOARD else [])]


def decisions(round_: Round) -> Mapping[str, list[str]]:
    """Return the decisions of the round so far, by player or seat, in the order made; none of void hands."""
    return {who: made for who, made in answers(round_).items() if not round_.is_void(who)}


def answers(round_: Round) -> Mapping[str, list[str]]:
    """Return the answers that the rule sheet got, by player or seat, in the order given.

    A void hand that is not asked takes the default: nobody has decided that.
    """
    by_player: dict[str, list[str]] = {}
    answered = [entry.decisions for entry in round_.script if isinstance(entry, WindowAnswers)]
    for window in [*answered, round_.asking.decided if round_.asking else {}]:
        for who, decision in window.items():
            by_player.setdefault(who, []).append(decision)
    return by_player


def is_to_clear(state: State) -> bool:
    """True if the dealer has to put aside the cards of a cancelled round.

    That is: the deck or shoe was not changed since.
    """
    drawn = state.round.draws[state.shoe.since :]
    return state.life == "cancelled" and any(draw.out and draw.fate in ("placed", "void") for draw in drawn)


def face_up_cards(draws: Sequence[Draw]) -> list[str]:
    """Return the cards among these draws that are face up and known, in order."""
    return [card for draw in draws if (card := draw.visible_card)]
