"""Callers at a table's network door: the dealer at its PC, shift managers, programs, viewers."""

from collections.abc import Callable
from pathlib import Path

from controller.web.access.attempts import Attempts
from controller.web.access.wrong_pins import WrongPins
from tests.clocks import Clock
from tests.patience import on_loop
from tests.web.net import ELSEWHERE, OnTheNet, Person


def counted(folder: Path, clock: Callable[[], float]) -> Attempts:
    """Return limits on wrong PINs that are stored in this folder."""
    return Attempts(clock, WrongPins(folder / "t.users", clock))


def with_clock(table: OnTheNet, clock: Clock) -> None:
    """Make sessions and PIN limits of a table use this clock."""
    table.site.sessions._now = clock
    table.api.checker.attempts._now = clock
    table.api.checker.attempts.persons._now = clock


def at_a_table(tmp_path, steps, **section) -> None:
    async def at_it():
        async with OnTheNet(tmp_path, **section) as table:
            await steps(table)

    on_loop(at_it)


async def kiosk(table) -> Person:
    person = Person(table)
    assert (await person.be_the_screen()).status == 303
    await person.open_page("dealer")
    return person


async def manager(table) -> Person:
    person = Person(table, ELSEWHERE)
    assert (await person.sign_in()).status == 200
    return person


async def nobody(table) -> Person:
    return Person(table, ELSEWHERE)


async def program(table) -> Person:
    return Person(table, {"authorization": f"Bearer {table.token}"})
