"""Checks whether a card fits the expected step of the round, and which fault it is otherwise.

The checks are made in the order of the catalogue; the first that fails names the fault. The value of a face-down card
takes part in no check, neither its own nor another's, before it is turned over or dealing has ended: otherwise refusals
would reveal it.
"""

from collections.abc import Iterable, Sequence
from itertools import cycle, islice, product

from ..rules.cards import Card
from ..rules.dealing import CardTo, Dealing, Revealed, SheetFailed, as_answer
from ..rules.procedure import Bets, Deal, Reveal, Step
from .copies import copies, open_draws_before
from .draft import Draft
from .state import Draw

_MOST_DUE = 20  # cards: no round of a shoe that serves several rounds needs more before a player decides
_TRIED = 3  # next cards of which all ranks are tried


def misfit(draft: Draft, due: Step | None, draw: Draw) -> str | None:
    """Fault code if a draw does not fit the expected step `due`; None if it fits."""
    if isinstance(due, Bets):
        return "card_before_close"
    if not isinstance(due, Deal):
        return "extra_card"
    if draw.card is None:
        return "unread_card"
    wrong = "wrong_place" if draw.place not in (None, due.to) else None
    if not due.face_up or (draw.hidden and wrong):
        return wrong
    return _flaw(draft, draw, open_draws_before(draft.state, draw)) or wrong


def first_flaw(draft: Draft, turned: Iterable[Draw]) -> tuple[Draw, str] | None:
    """First of these cards that is wrong once face up, with its fault code; None if all are right."""
    turning = list(turned)
    lying = [draw for draw in draft.state.round.draws if not draw.hidden and draw not in turning]
    for draw in turning:
        if code := _flaw(draft, draw, lying):
            return draw, code
        lying.append(draw)
    return None


def _flaw(draft: Draft, draw: Draw, others: Iterable[Draw]) -> str | None:
    """Fault code of a card's value beside these other draws, whatever its place; None if it is right."""
    deck = draft.position.deck(draft.state.round)
    if draw.card not in deck.cards:
        return "foreign_card"
    return "duplicate_card" if copies(draft.state, draw.card, others) >= deck.copies else None


def may_go_face_down(draft: Draft) -> bool:
    """True if the next card may end face down, however the loose cards before it are ruled on."""
    state = draft.state
    if not state.live or state.round.joined is None:
        return False
    if state.fault and state.fault.code == "replay_failed":
        return True  # the round cannot be driven, so this is not known
    try:
        return _goes_face_down(draft)
    except SheetFailed:
        return True


def _goes_face_down(draft: Draft) -> bool:
    state, dealing = draft.state, draft.position.drive_copy(draft.state.round)
    cards = draft.position.deck(state.round).cards
    loose = [draw.card if draw.card in cards and not draw.hidden else cards[0] for draw in state.loose_draws]
    for card in [*loose, cards[0]]:
        while isinstance(dealing.due, Reveal):
            dealing.answer(Revealed(dealing.due.place))
        if not isinstance(dealing.due, Deal):
            return False
        if not dealing.due.face_up:
            return True
        dealing.answer(CardTo(card or cards[0], dealing.due.to))
    return False


def can_be_dealt(draft: Draft, left: int) -> bool:
    """True if `left` cards could bring the round to its end, or to a decision that may end it.

    Tries all ranks for the next few cards, then repeats them: no rule sheet needs more to end as soon as it can,
    because two tied hands do not draw the same cards for ever. The first expected cards, at most sixteen, do not
    depend on ranks. Always True while a card lies face down: another answer could reveal it.
    """
    round_ = draft.state.round
    if left > _MOST_DUE or any(draw.hidden for draw in round_.draws):
        return True
    ranks = {card[0]: card for card in draft.position.deck(round_).cards}.values()
    lines = product(ranks, repeat=min(left, _TRIED))
    return any(_ends_within(draft.position.drive_copy(round_), line, left) for line in lines)


def _ends_within(dealing: Dealing, line: Sequence[Card], left: int) -> bool:
    for card in islice(cycle(line), left):
        _answer_reveals_and_bets(dealing)
        if not isinstance(dealing.due, Deal):
            return True
        dealing.answer(CardTo(card, dealing.due.to))
    _answer_reveals_and_bets(dealing)
    return not isinstance(dealing.due, Deal)


def _answer_reveals_and_bets(dealing: Dealing) -> None:
    while isinstance(dealing.due, Reveal | Bets):
        dealing.answer(as_answer(dealing.due, None))
