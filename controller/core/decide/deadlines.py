"""What the clock does: it closes betting, and it decides for who stayed silent."""

from ..draft import Draft
from .decisions import decide_for_the_silent
from .rounds import close_window


def expire(draft: Draft) -> None:
    """Do what was due before the event's time, each at its own time."""
    now = draft.at
    while draft.state.deadline is not None and draft.state.deadline <= now:
        draft.at = draft.state.deadline
        if draft.state.life == "betting":
            close_window(draft, "clock")
        else:
            decide_for_the_silent(draft)
    draft.at = now
