"""The life of a round, as a table of transitions.

    idle       no round yet                         complete   all cards are dealt, the result is not confirmed
    betting    bets are open                        settled    the result is confirmed and paid
    dealing    a card (or a reveal) is due          cancelled  void, every stake returned
    deciding   people have to decide                paused     the procedure broke; the shift manager is in charge

Two rules. Everything about which state may follow which stands in TRANSITIONS, from which the diagram of
docs/architecture.md is drawn. And nothing happens in here: the machine says yes or no, it has no callback that acts.

A pause comes from every state but `paused` itself: a card can leave the shoe when no round is on. A resume goes to the
state of the step that is due *then*, not to the one the round was paused in: a ruling may have changed what is due. A
conditional transition does no more than choose between those. The target of a resume is recorded.
"""

from functools import cache, partial
from operator import eq
from typing import Any, Literal, get_args

from transitions import Machine, MachineError

Living = Literal["idle", "betting", "dealing", "deciding", "complete", "settled", "cancelled", "paused"]
STATES: tuple[Living, ...] = get_args(Living)
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


class WrongTurn(Exception):
    """A transition the table does not have: a bug here, or a journal that is not ours."""

    def __init__(self, state: str, trigger: str, target: str = "") -> None:
        super().__init__(f"{trigger!r} from {state!r}" + (f" to {target!r}" if target else ""))


class Life:
    """The model. Its triggers are filled in by the machine; they return whether the state changed."""

    def __init__(self, state: str) -> None:
        self.state = state
        Machine(self, STATES, initial=state, transitions=TRANSITIONS, auto_transitions=False, model_override=True)

    def open(self) -> bool:
        """A round begins: bets are open."""
        raise NotImplementedError

    def close(self) -> bool:
        """Close the betting window (NO MORE BETS)."""
        raise NotImplementedError

    def reopen(self) -> bool:
        """A further betting window opens."""
        raise NotImplementedError

    def ask(self) -> bool:
        """People have to decide."""
        raise NotImplementedError

    def answer(self) -> bool:
        """End the decision window: everybody has decided."""
        raise NotImplementedError

    def complete(self) -> bool:
        """End the dealing: no further step is due."""
        raise NotImplementedError

    def settle(self) -> bool:
        """The result is confirmed."""
        raise NotImplementedError

    def pause(self) -> bool:
        """Pause the round because the procedure broke."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """The round is void."""
        raise NotImplementedError

    def resume(self, target: str) -> bool:
        """Play goes on in the state that is due."""
        raise NotImplementedError


@cache
def turn(state: str, trigger: Trigger, target: str = "") -> str:
    """The state that a trigger leads to. Raises WrongTurn.

    The machine is asked once for each question: the answer depends on nothing but the table.
    """
    life = Life(state)
    try:
        moved = life.resume(target) if trigger == "resume" else getattr(life, trigger)()
    except MachineError:
        moved = False
    if not moved:
        raise WrongTurn(state, trigger, target)
    return life.state
