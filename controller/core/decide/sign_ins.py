"""Who came to a table's doors: it changes nothing there, and is remembered."""

from .. import events as e
from .. import records as r
from ..draft import Draft


def signed_in(draft: Draft, event: e.SignIn) -> None:
    """Somebody has shown who they are."""
    draft.write(r.SignedIn(event.by, event.source, event.door))


def refused(draft: Draft, event: e.BadSignIns) -> None:
    """Wrong PINs."""
    counts = event.wrong, event.delayed, event.most, event.delay
    draft.write(r.SignInsRefused(*counts, event.people, event.sources))
