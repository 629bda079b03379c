"""View of a table in another program, for an emulated dealer: reads its state by API ten times a second."""

import asyncio
import uuid
from collections.abc import Callable, Collection
from typing import Any, Protocol

import msgspec

from ... import Unusable
from ...core.life import RESTING
from ...rules.procedure import Step
from .pace import DemoPace, TableView

LOOK = 0.1  # seconds between looks at the table
PATIENCE = 30.0  # seconds for the table to follow


class DemoReply(Protocol):
    """Answer of a table to one request."""

    @property
    def status(self) -> int:
        """HTTP status of the reply."""

    @property
    def body(self) -> Any:  # noqa: ANN401 - JSON
        """Decoded JSON body of the reply."""


class NoTable(Exception):
    """Error in one line: the table does not answer."""


class DealerNotAccepted(Unusable):
    """Error: the table does not accept this sender as its dealer; one line says why."""


class TableLine(Protocol):
    """Connection to a table for requests as its dealer."""

    async def ask(self, method: str, target: str, body: object = None) -> DemoReply:
        """Send one request as the dealer. Raises NoTable, DealerNotAccepted."""


class ApiPace(DemoPace):
    """View of a table that is read over its API.

    `look`: seconds between two requests for the state; `news`: called with a short text on each new state.
    """

    def __init__(
        self,
        line: TableLine,
        speed: float,
        tell: Callable[[str], None],
        look: float = LOOK,
        news: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(speed, PATIENCE)
        self._line, self.tell, self._look, self._news = line, tell, look, news
        self._trouble: str | None = None
        self._last_request = self._last_used = (
            0  # numbers of the last request, and of the last one whose answer was used
        )
        self.state: dict[str, Any] = {}

    @property
    def sight(self) -> TableView:
        """Latest view of the table, from its last state."""
        state = self.state
        laid = sum(map(len, state["places"].values())) + len(state["loose"] or ())
        due: Step | None = msgspec.convert(state["due"], Step | None)
        return TableView(state["seq"], state["life"], laid, due, state["fault"] is not None)

    def describe_state(self) -> str:
        """Sentence with the round, its fault and the expected step."""
        state = self.state
        fault = f" by {state['fault']['code']}" if state["fault"] else ""
        return f"round {state['round']} stays {state['life']}{fault}, expected: {state['expected']}"

    async def watch(self) -> None:
        """Read the table's state regularly until cancelled. Raises DealerNotAccepted."""
        while True:
            await self.request_patiently("/api/state", self._see)
            await asyncio.sleep(self._look)

    async def request_patiently(self, target: str, see: Callable[[Any], None]) -> None:
        """Request `target` until it is answered, then call `see`. Raises DealerNotAccepted.

        Each trouble is printed once.
        """
        while True:
            try:
                self._last_request = mine = self._last_request + 1
                body = (await self._line.ask("GET", target)).body
            except NoTable as trouble:
                if str(trouble) != self._trouble:
                    self._trouble = str(trouble)
                    self.tell(self._trouble)
                await asyncio.sleep(LOOK)
            else:
                self._trouble = None
                if mine > self._last_used:  # else a later request was answered earlier
                    self._last_used = mine
                    see(body)
                return

    def _see(self, state: dict[str, Any]) -> None:
        self.state = state
        self.changed.set()
        if self._news is not None:
            self._news(self._step())

    def _step(self) -> str:
        """Summary of the table's state in a few words."""
        state, fault, missing = self.state, self.state["fault"], ", ".join(self.state["lost"] or ())
        parts = (
            f"round {state['round']} is {state['life']}" if state["round"] else "no round yet",
            f"fault {fault['code']}" if fault else "",
            f"missing: {missing}" if missing else "",
            "" if state["life"] in RESTING else f"next: {state['expected']}",
        )
        return "; ".join(filter(None, parts))

    async def act(self, command: str, expected: Collection[str] = (), **fields: str | int) -> str | None:
        """Send a command; returns the reason if it is refused, else None.

        A refusal for a reason that is not in `expected` is printed. Raises NoTable.
        """
        body = {"command": command, "id": str(uuid.uuid4()), **fields}
        reply = await self._line.ask("POST", "/api/commands", body)
        (verdict,) = reply.body.get("verdicts") or ({"verdict": "refused", "says": reply.body["detail"]},)
        await self.request_patiently("/api/state", self._see)
        if verdict["verdict"] == "done":
            return None
        reason: str = verdict.get("reason") or "ignored"
        if reason not in expected:
            self.tell(f"{command} {verdict['verdict']}: {verdict['says']}")
        return reason
