"""Life of a round: its states, and the table of transitions between them.

    idle       no round yet                         complete   all cards are dealt, the result is not confirmed
    betting    bets are open                        settled    the result is confirmed and paid
    dealing    a card (or a reveal) is due          cancelled  void, every stake returned
    deciding   people have to decide                paused     the procedure broke; the shift manager is in charge

TRANSITIONS is the only account of which state may follow which; the diagram in docs/architecture.md is drawn from it.
The machine only answers yes or no: it has no callbacks.

Every state but `paused` can be paused, also `idle`: a card can leave the shoe between rounds. A resume goes to the
state of the step that is expected *then*, not to the state before the pause: a ruling may have changed it. The
conditions of transitions only choose between those targets. The target of a resume is recorded.
"""

from functools import cache, partial
from operator import eq
from typing import Any, Literal, get_args

from transitions import Machine, MachineError

Stage = Literal["idle", "betting", "dealing", "deciding", "complete", "settled", "cancelled", "paused"]
STATES: tuple[Stage, ...] = get_args(Stage)
LIVE = frozenset({"betting", "dealing", "deciding", "complete"})
RESTING = frozenset({"idle", "settled", "cancelled"})  # a round may be opened

Trigger = Literal["open", "close", "reopen", "ask", "answer", "complete", "settle", "pause", "resume", "cancel"]

TRANSITIONS: list[dict[str, Any]] = [
    {"trigger": "open", "source": ["idle", "settled", "cancelled"], "dest": "betting"},
    {"trigger": "close", "source": "betting", "dest": "dealing"},
    {"trigger": "reopen", "source": "dealing", "dest": "betting"},  # a further betting window
    {"trigger": "ask", "source": "dealing", "dest": "deciding"},
    {"trigger": "answer", "source": "deciding", "dest": "dealing"},
    {"trigger": "complete", "source": "dealing", "dest": "complete"},
    {"trigger": "settle", "source": "complete", "dest": "settled"},
    *({"trigger": "pause", "source": state, "dest": "paused"} for state in STATES if state != "paused"),
    *(
        {"trigger": "resume", "source": "paused", "dest": state, "conditions": partial(eq, state)}
        for state in STATES
        if state != "paused"
    ),
    {"trigger": "cancel", "source": ["betting", "dealing", "deciding", "complete", "paused"], "dest": "cancelled"},
]


class NoTransition(Exception):
    """Error: TRANSITIONS does not have this transition. It is a bug, or the journal is of another program."""

    def __init__(self, state: str, trigger: str, target: str = "") -> None:
        super().__init__(f"{trigger!r} from {state!r}" + (f" to {target!r}" if target else ""))


class Life:
    """State of one round. The machine replaces the triggers below; they return True if the state changed."""

    def __init__(self, state: str) -> None:
        self.state = state
        Machine(self, STATES, initial=state, transitions=TRANSITIONS, auto_transitions=False, model_override=True)

    def open(self) -> bool:
        """Begin a round and open its bets."""
        raise NotImplementedError

    def close(self) -> bool:
        """Close the betting window (NO MORE BETS)."""
        raise NotImplementedError

    def reopen(self) -> bool:
        """Open a further betting window."""
        raise NotImplementedError

    def ask(self) -> bool:
        """Open the decision window of the players."""
        raise NotImplementedError

    def answer(self) -> bool:
        """End the decision window: everybody has decided."""
        raise NotImplementedError

    def complete(self) -> bool:
        """End the dealing: no further step is due."""
        raise NotImplementedError

    def settle(self) -> bool:
        """End the round with a confirmed result."""
        raise NotImplementedError

    def pause(self) -> bool:
        """Pause the round because the procedure broke."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """End the round as void."""
        raise NotImplementedError

    def resume(self, target: str) -> bool:
        """End the pause. `target`: state of the step that is expected now."""
        raise NotImplementedError


@cache
def next_state(state: str, trigger: Trigger, target: str = "") -> str:
    """Return the state after a trigger. Raises NoTransition.

    Answers are cached: they depend only on TRANSITIONS.
    """
    life = Life(state)
    try:
        moved = life.resume(target) if trigger == "resume" else getattr(life, trigger)()
    except MachineError:
        moved = False
    if not moved:
        raise NoTransition(state, trigger, target)
    return life.state
