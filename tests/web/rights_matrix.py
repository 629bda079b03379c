"""Matrix of rights: every caller at every door tries every act in every state of the table.

The table under test decides nothing: it notes each event that it receives, so no act changes its state.
"""

import getpass
import hashlib
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from controller.core import events as e
from tests.table.test_table import NATURAL
from tests.web.callers import WHO, CallerAnswer, DoorCaller, caller
from tests.web.staff import PINS, Staffed
from tests.web.test_access import COMMANDS

PERSONS = ("by", "person", "dealer", "id", "second", "second_id", "witness", "to", "name")
LONG = 20_000  # bytes; the content of a longer answer is not compared
RULE = COMMANDS["rule"]
SECOND = {"name": "106", "pin": PINS["106"]}
HAND_OVER = {"from": {"name": "103", "pin": PINS["103"]}, "to": SECOND}
LOOKS = (
    "state", "state?role=manager", "state?role=dealer", "state?role=server", "state?role=player",
    "screen", "screen?role=manager", "screen?role=dealer", "screen?role=player",
    "events?after=0", "events?after=0&role=manager",
    "game", "openapi.json", "rounds", "rounds/1", "rounds/1/cards", "rounds/choices", "devices", "words",
)  # fmt: skip
PAGES = (
    "/report",
    "/round/1",
    "/round/1?player=1",
    "/metrics",
    "/healthz",
    "/session",
    "/session?role=dealer",
    "/session/hand-over",
    "/",
    "/manager",
)


class MatrixColumn(NamedTuple):
    """Request of one column. `named`: place of the command in the body, None if there is no command."""

    method: str
    target: str
    body: Any = None
    named: Sequence[str] | None = None


def acts() -> Iterator[tuple[str, MatrixColumn]]:
    """Yield each act with its name."""
    for name, command in COMMANDS.items():
        body = {**command, "name": "101"} if name == "dealer" else command
        yield name, MatrixColumn("POST", "/api/commands", body, ())
    yield "a list", MatrixColumn("POST", "/api/v1/commands", [COMMANDS["open"], RULE])
    yield "preview", MatrixColumn("POST", "/api/preview", RULE, ())
    yield "preview resettle", MatrixColumn("POST", "/api/preview", COMMANDS["resettle"], ())
    yield "two rule", MatrixColumn("POST", "/api/v1/rulings", {"ruling": RULE, "second": SECOND}, ("ruling",))
    yield "dealer signs on", MatrixColumn("POST", "/session/dealer", {"name": "101", "pin": PINS["101"]})
    yield "hand over", MatrixColumn("POST", "/session/hand-over", HAND_OVER)
    yield "search rounds", MatrixColumn("POST", "/api/rounds", {"player": "p1"})
    yield "alive", MatrixColumn("POST", "/session/alive", {})
    for look in LOOKS:
        yield look, MatrixColumn("GET", f"/api/{look}")
    for page in PAGES:
        yield page, MatrixColumn("GET", page)
    yield "no such path", MatrixColumn("GET", "/api/nothing")
    yield "wrong method", MatrixColumn("DELETE", "/api/state")


ACTS = dict(acts())


class EventRecordingTable(Staffed):
    """Staffed table that, while `notes` is set, notes the events it receives and handles none."""

    def doors(self) -> Any:
        self.came: list[tuple[e.Event, str]] = []
        self.notes = False  # while False, the table handles events
        self._does = self.table.take_all
        self.table.take_all = self.table.take_soon = self._take_all
        return super().doors()

    def _take_all(self, parts: Sequence[Any]) -> int:
        if not self.notes:
            return self._does(parts)
        inputs = (part for part in parts if not isinstance(part.event, e.Tick))  # the clock's ticks are no acts
        self.came += [(part.event, "" if part.origin is None else part.origin.via) for part in inputs]
        return len(parts)


STATES: Mapping[str, Sequence[e.Event]] = {  # events that lead from the state before
    "idle": (),
    "closed": (e.CloseTable("manager"),),
    "betting": (e.OpenTable("manager"), e.Open()),
    "dealing": (e.Close(), e.CardOut("9C")),
    "paused": (e.KeyPressed("manager"),),
    "halted": (),
}


# ── the states of the table ──────────────────────────────────────────────────────────────────────────────────────


async def states(table: Any) -> AsyncIterator[str]:
    """Play a round to its end, then bring the table from one state to the next and yield their names."""
    table.rig.take(e.Open(), e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish"))
    await table.table.wait_until_paid()
    for name, events in STATES.items():
        table.notes = False
        table.rig.take(*events)
        table.table.halted, table.notes = "disk full" if name == "halted" else None, True
        yield name
    table.table.halted = None


# ── the cells ────────────────────────────────────────────────────────────────────────────────────────────────────


class MatrixCell(NamedTuple):
    """Result of one act: status, summary of the answer, and the events that the table received."""

    who: str
    state: str
    act: str
    status: int
    says: str
    came: str

    @property
    def sign(self) -> str:
        """Mark of the cell in a table: `+` for an accepted act, otherwise the status."""
        return "+" if self.status == 200 else str(self.status)


async def cells(table: Any, over_the_bus: Any) -> AsyncIterator[MatrixCell]:
    """Try every act as every caller in every state, and yield the results."""
    number = 0
    async for state in states(table):
        for who in WHO:
            asking = await caller(table, who, over_the_bus)
            for name, act in ACTS.items():
                if act.method == "DELETE" and not asking.close:
                    continue  # a caller on the bus cannot send this method
                number += 1
                table.came.clear()
                answer = await asking.ask(act.method, _target(act, asking), _body(act, asking, number))
                yield MatrixCell(who, state, name, answer.status, _says(answer), came_of(table.came))
            if asking.close is not None:
                asking.close()


def _target(act: MatrixColumn, asking: DoorCaller) -> str:
    if asking.role is None or "role=" in act.target:
        return act.target
    return f"{act.target}{'&' if '?' in act.target else '?'}role={asking.role}"


def _body(act: MatrixColumn, asking: DoorCaller, number: int) -> Any:
    """Return the body of an act, its command with an id of its own and in the caller's name."""
    if act.named is None:
        return act.body
    named = {"id": f"n{number}", **({"by": asking.by} if asking.by else {})}
    if not act.named:
        return {**act.body, **named}
    (place,) = act.named
    return {**act.body, place: {**act.body[place], **named}}


def came_of(events: Sequence[tuple[e.Event, str]]) -> str:
    """Return the received events as text, with their persons and their callers."""
    return "; ".join(map(_came, events))


def _came(what: tuple[e.Event, str]) -> str:
    """Return an event as text, with the persons it names and the caller that is recorded."""
    event, via = what
    persons = " ".join(f"{name}={value}" for name in PERSONS if (value := getattr(event, name, None)) is not None)
    return f"{event.__struct_config__.tag} {persons} via {via}".replace(getpass.getuser(), "USER")


def _says(answer: CallerAnswer) -> str:
    if len(answer.body) > LONG:
        return "a document"
    try:
        return says_of(answer, json.loads(answer.body))
    except ValueError:
        return says_of(answer, b"")


def says_of(answer: CallerAnswer, body: Any) -> str:
    """Summarize an answer: the reason of a problem, its verdicts, or which fields have a value."""
    if isinstance(body, bytes):
        return answer.headers.get("location", answer.headers.get("content-type", ""))
    if isinstance(body, dict) and "reason" in body and "detail" in body:
        return f"{body['reason']}: {body['detail']}"
    if isinstance(body, dict) and "verdicts" in body:
        return ", ".join(f"{one['verdict']} {one.get('reason')}" for one in body["verdicts"])
    return " ".join(sorted(_named(body)))


def _named(body: Any) -> Iterator[str]:
    """Yield the names of fields that have a value, and the role that a page is shown."""
    if isinstance(body, dict):
        yield from (f"{name}={body[name]}" for name in ("role", "who_rules", "looks_on") if name in body)
        yield from (name for name, value in body.items() if value not in (None, [], {}))


def digest(found: Sequence[MatrixCell]) -> str:
    """Return a hash of all cells: statuses, reasons, and the events that the table received."""
    lines = (repr(cell._replace(says=cell.says.partition(":")[0])) for cell in found)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def table_of(found: Sequence[MatrixCell]) -> Iterator[str]:
    """Yield the lines of a table of all cells; callers with the same results share a row."""
    rows: dict[str, list[str]] = {}
    for state, who in dict.fromkeys((cell.state, cell.who) for cell in found):
        row = [cell for cell in found if (cell.state, cell.who) == (state, who)]
        rows.setdefault("\n".join(_by_sign(row)), []).append(f"{who} ({state})")
    for text, whose in rows.items():
        yield from (", ".join(whose), text, "")
    yield f"{len(found)} cells, digest {digest(found)}"


def _by_sign(row: Sequence[MatrixCell]) -> Iterator[str]:
    for sign in sorted({cell.sign for cell in row}):
        yield f"  {sign:4}{', '.join(cell.act for cell in row if cell.sign == sign)}"
