"""Rights at a floor's pages: every person with every act, for each assignment of the table."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.core import events as e
from tests.floor.service import MANAGER, SUPERVISOR, FloorVisitor, paused, studio
from tests.kept_files import is_kept
from tests.patience import on_loop, until
from tests.web.callers import CallerAnswer
from tests.web.rights_matrix import COMMANDS, HAND_OVER, RULE, SECOND, MatrixCell, came_of, says_of, table_of
from tests.web.staff import PINS

AT = "/tables/t1"
LOOKS = (
    "/", "/floor", "/session", "/hand-over", "/healthz", "/metrics", "/api/floor/now", "/api/floor/words",
    "/api/floor/rounds", "/api/floor/rounds/t1/e1/1", "/floor/round/t1/e1/1",
    "/api/floor/numbers", "/api/floor/export.csv",
    "/api/floor/reports", "/api/floor/history-words", "/api/floor/hand-over", f"{AT}/manager", f"{AT}/session",
    f"{AT}/api/words", f"{AT}/api/rounds", f"{AT}/api/devices", f"{AT}/api/state", f"{AT}/api/v1/state?role=server",
    "/tables/t%20/api/devices",
)  # fmt: skip
FLOOR_ACTS = (
    {"act": "release", "table": "t1", "fault": 999, "person": "103"},
    {"act": "acknowledge", "key": "t1:x"}, {"act": "unshelve", "key": "t1:x"},
    {"act": "shelve", "key": "t1:x", "minutes": 15, "because": "x"}, {"act": "claim", "table": "t1", "fault": 999},
    {"act": "assign", "table": "t2", "person": "101"},
    {"act": "hand_over", "to": {"name": "101", "pin": PINS["101"]}, "own": {"pin": PINS["103"]}},
)  # fmt: skip
WHO = ("nobody", *(number for number in PINS if number != "101"), "103 lapsed", "103 without word")


def acts() -> dict[str, tuple[str, str, object]]:
    """Return method, target and body of each act by its name."""
    requests = {name: ("POST", f"{AT}/api/commands", {**body, "by": "106"}) for name, body in COMMANDS.items()}
    requests["preview"] = ("POST", f"{AT}/api/preview", RULE)
    requests["two rule"] = ("POST", f"{AT}/api/rulings", {"ruling": RULE, "second": SECOND})
    requests["hand over at the table"] = ("POST", f"{AT}/session/hand-over", HAND_OVER)
    requests |= {str(body["act"]): ("POST", "/api/floor/acts", body) for body in FLOOR_ACTS}
    return requests | {look: ("GET", look, None) for look in LOOKS}


async def visitor(floor, who: str) -> FloorVisitor:
    """Return a visitor: nobody, or a person signed in, lapsed, or without the page's token."""
    number, *how = who.split()
    if number == "nobody":
        return FloorVisitor(floor)
    person = await floor.signed_in(number)
    if how == ["lapsed"]:
        for held in floor.floor.doors.site.sessions._sessions.values():
            held.used -= 1000.0 if held.csrf == person.csrf else 0.0
    person.csrf = None if how == ["without", "word"] else person.csrf
    return person


async def cells(floor, table) -> AsyncIterator[MatrixCell]:
    """Try every act as every person; yield one cell with the answer and what reached the table."""
    events: list[tuple[e.Event, str]] = []

    def take_all(parts) -> int:
        commands = (part for part in parts if part.origin is not None)
        events.extend((part.event, part.origin.via) for part in commands)
        return len(parts)

    maria = await floor.signed_in(MANAGER)
    paused(table)
    table.table.take_all = table.table.take_soon = take_all
    for owner in (None, SUPERVISOR):
        if owner is not None:
            assert (await maria.act("assign", table="t1", person=owner)).body["done"]
            await until(lambda: floor.hall.owner("t1") == SUPERVISOR)
        for who in WHO:
            person = await visitor(floor, who)
            for name, (method, target, body) in acts().items():
                events.clear()
                answer = await person.ask(method, target, body)
                head = CallerAnswer(answer.status, answer.headers, b"")
                yield MatrixCell(who, f"of {owner}", name, answer.status, says_of(head, answer.body), came_of(events))


@pytest.mark.proof
def test_rights_of_everybody_at_a_floor_are_as_kept(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            return [cell async for cell in cells(floor, table)]

    assert is_kept(Path(__file__).parent / "kept" / "rights.txt", "\n".join(table_of(on_loop(steps))) + "\n")
