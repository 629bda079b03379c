"""Start of a record or program, and change of file.

Each time the record says which table this is and under which rules it plays from here on.
"""

from ...rules.procedure import plain
from .. import events as e
from .. import records as r
from .. import sheet
from ..draft import Draft
from ..position import Unplayable
from ..state import RecordIdentity
from .reports import is_reported, report


def begin(draft: Draft, event: e.Begin) -> None:
    """Write the first record of a journal; ignored if there is one already."""
    if draft.state.seq:
        draft.ignore(event)
    else:
        house = draft.house
        configure(draft, RecordIdentity(event.epoch, house.game.family_name, house.currency, event.rounds))


def new_file(draft: Draft, _: e.NewFile) -> None:
    """Write the configuration again at the start of a new file, so that the file is complete by itself."""
    configure(draft, draft.state.identity)


def restarted(draft: Draft, event: e.ProgramBack) -> None:
    """Handle a restart of the program.

    A live round is paused; in a pause the restart waits as the next fault, if records after the open fault are lost. A
    round that cannot be driven can only be cancelled.
    """
    configure(draft, draft.state.identity)
    if draft.state.fault is not None:
        draft.write(r.Restarted(draft.state.fault.seq))
    if not draft.state.live:
        return
    try:
        draft.position.due(draft.state)
    except Unplayable as error:
        draft.fault("replay_failed", error.round)
        return
    if draft.is_running or (_lacks_records(draft) and not is_reported(draft.state, event)):
        report(draft, event)


def _lacks_records(draft: Draft) -> bool:
    """True if records that came after the open fault were accepted as lost: their cards may lie on the table."""
    fault, losses = draft.state.fault, draft.state.losses
    return draft.house.keeps_restarts and fault is not None and any(loss.stands >= fault.seq for loss in losses)


def configure(draft: Draft, identity: RecordIdentity) -> None:
    """Record the configuration that is valid from here on."""
    house = draft.house
    draft.write(
        r.Configured(
            epoch=identity.epoch,
            family=identity.family,
            currency=identity.currency,
            rounds=identity.rounds,
            studio=house.studio,
            game=house.game.name,
            version=house.game.version,
            settings=plain(house.settings),
            terms=house.pinned_terms(),
            tables=sheet.tables(house.game),
            digest=sheet.digest(house.game),
            program=house.program,
            posted=house.posted_digest,
            deciding=house.deciding,
        )
    )
