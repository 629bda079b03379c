"""Inputs of a table that are not recorded yet, in the order of their arrival.

Players' inputs can be recorded in one transaction with the inputs after them. So they wait for each other, as long as
each turn of the event loop brings more. Any other input ends the wait and is recorded in the same transaction.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..core import events as e
from ..core.clock import Time
from ..core.decide.input_groups import GroupPart

MANY = 50  # largest number of players' inputs that wait for each other
LONGEST = 0.004  # longest time that they wait, in seconds
OF_PLAYERS = e.PlaceBet | e.WithdrawBet | e.Choose | e.LineCut | e.LineBack


class InputGroup(NamedTuple):
    """Events that are decided together. `at`: time of their arrival."""

    parts: Sequence[GroupPart]
    at: Time


class InputQueue:
    """Queue of inputs. `dropped`: number of events that arrived while the queue was full."""

    def __init__(self) -> None:
        self._inputs = deque[InputGroup]()
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._inputs)

    @property
    def first(self) -> InputGroup | None:
        """The input that is next; None if none waits."""
        return self._inputs[0] if self._inputs else None

    def add(self, *inputs: InputGroup) -> None:
        """Add inputs after all others."""
        self._inputs.extend(inputs)

    def put_first(self, inputs: Sequence[InputGroup]) -> None:
        """Put inputs before all others, such as those that could not be recorded."""
        self._inputs.extendleft(reversed(inputs))

    def take_group(self) -> list[InputGroup]:
        """Take the next inputs that can share a transaction: players' inputs and the one after them."""
        group = [self._inputs.popleft()]
        while self._inputs and len(group) <= MANY and _is_of_player(group[-1]):
            group.append(self._inputs.popleft())
        return group

    def take_all(self) -> list[InputGroup]:
        """Take all inputs out of the queue."""
        inputs = list(self._inputs)
        self._inputs.clear()
        return inputs


class Gathering:
    """Short time in which players' inputs wait for each other. `over`: called at its end."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self._count = 0  # inputs so far
        self._until = 0.0  # in the loop's time
        self._next: asyncio.Handle | None = None

    def note_input(self) -> None:
        """Note that an input has arrived; start the waiting time if it is the first."""
        self._count += 1
        if self._next is None:
            loop = asyncio.get_running_loop()
            self._until = loop.time() + LONGEST
            self._next = loop.call_soon(self._look, self._count)

    def _look(self, before: int) -> None:
        loop = asyncio.get_running_loop()
        if self._count > before and loop.time() < self._until:
            self._next = loop.call_soon(self._look, self._count)
            return
        self._next = None
        self._over()


def _is_of_player(one: InputGroup) -> bool:
    return len(one.parts) == 1 and isinstance(one.parts[0].event, OF_PLAYERS)
