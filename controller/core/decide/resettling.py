"""Settling a round anew that is over. Nothing of a live round changes by it."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from ...rules.dealing import SheetFailed
from .. import events as e
from .. import records as r
from ..clock import SECOND, to_text
from ..draft import Draft
from ..past_round import PastRound, decoded_past
from ..persons import acted_on_own, second_objection
from ..position import Unplayable
from ..state import State
from .card_rulings import Reason
from .reopened import SettledAnew, made_void, settled_anew

HOUR = 3600 * SECOND


def resettle(draft: Draft, event: e.Resettle) -> None:
    """Settle a past round anew, or record why that is refused."""
    past = decoded_past(event.past)
    found = resettlement(draft, event, past)
    if isinstance(found, str) or past is None:
        known = None if past is None else revision_of(draft.state, past)
        refused = r.ResettleRefused(event.by, str(found), known)
        if past is None:  # no round of that number is at hand: the record names none
            draft.write(refused)
        else:
            draft.write_about(event.round, refused, past.state)
        return
    after, before = found.past, draft.state.revisions.get(event.round)
    what = r.Resettled(
        after.revision, past.outcome, after.outcome, tuple(differences(past, after)), event.by, event.second or "",
        event.because, event.amendments, to_text(past.ended), draft.currency, event.second_id, found.hidden,
        None if before is None else before.seq,
    )  # fmt: skip
    draft.write_about(event.round, what, past.state)


def resettlement(draft: Draft, event: e.Resettle, past: PastRound | None) -> SettledAnew | str:
    """Result of settling the round anew, or the reason code why it cannot be."""
    if past is None:
        return "no_round"
    if (reason := objection(draft, event, past)) is not None:
        return reason
    found = settled_on_the_side(draft, event, past)
    return found if found.reason is None else found.reason


def settled_on_the_side(draft: Draft, event: e.Resettle, past: PastRound) -> SettledAnew:
    """Result of the corrections, with a reason where nothing would change."""
    found = tried(draft, event, past)
    same = found.reason is None and replace(found.past, revision=past.revision) == past
    return replace(found, reason="no_change") if same else found


def tried(draft: Draft, event: e.Resettle, past: PastRound) -> SettledAnew:
    """Result of the corrections alone, without a check of who makes them.

    Another rule sheet cannot drive the round again.
    """
    if [one.ruling for one in event.amendments] == ["cancel"]:
        return made_void(past)
    if not event.amendments or any(one.ruling == "cancel" for one in event.amendments):
        return SettledAnew(past, reason="not_allowed")
    try:
        return settled_anew(draft.house, draft.position, past, event, draft.at)
    except (Unplayable, SheetFailed):
        return SettledAnew(past, reason="other_rules")


def differences(past: PastRound, after: PastRound) -> Iterator[r.BetDifference]:
    """Difference of each bet of the round, also where it is zero."""
    for was, now in zip(past.bets, after.bets, strict=True):
        bet, amounts = was.bet, (was.returned, now.returned, now.returned - was.returned)
        name = f"{bet.id}.r{after.revision}"
        yield r.BetDifference(name, bet.id, bet.player, str(bet.spot), bet.stake, *amounts, now.capped or UNSET)


def revision_of(state: State, past: PastRound) -> int:
    """Latest revision of the round. The table knows of one made after the round was read."""
    known = state.revisions.get(past.state.round.number)
    return past.revision if known is None else known.number


def objection(draft: Draft, event: e.Resettle, past: PastRound) -> Reason:
    """Reason against a resettlement that needs no look at the cards; None if there is none."""
    latest = revision_of(draft.state, past)
    if past.revision != latest or event.revision not in (None, latest):
        return "stale_revision"
    if acted_on_own(event, past.state):
        return "own_round"
    if event.second is None:
        return "needs_second"
    if is_too_late(draft, past):
        return "too_late"
    return second_objection(past.state, event)


def is_too_late(draft: Draft, past: PastRound) -> bool:
    """True if the round has been over for longer than the table lets it be settled anew."""
    return draft.at > past.ended + draft.house.terms.resettle_hours * HOUR
