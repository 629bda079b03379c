"""Callers at a table's network door: the dealer at its PC, shift managers, programs, viewers."""

from collections.abc import Callable
from pathlib import Path

from controller.web.access.attempts import Attempts
from controller.web.access.wrong_pins import WrongPins
from tests.clocks import ManualClock
from tests.patience import on_loop
from tests.web.net import ELSEWHERE, BrowserPerson, NetworkTable


def counted(folder: Path, clock: Callable[[], float]) -> Attempts:
    """Return limits on wrong PINs that are stored in this folder."""
    return Attempts(clock, WrongPins(folder / "t.users", clock))


def with_clock(table: NetworkTable, clock: ManualClock) -> None:
    """Make sessions and PIN limits of a table use this clock."""
    table.site.sessions._now = clock
    table.api.checker.attempts._now = clock
    table.api.checker.attempts.persons._now = clock


def at_a_table(tmp_path, steps, **section) -> None:
    async def at_it():
        async with NetworkTable(tmp_path, **section) as table:
            await steps(table)

    on_loop(at_it)


async def kiosk(table) -> BrowserPerson:
    person = BrowserPerson(table)
    assert (await person.be_the_screen()).status == 303
    await person.open_page("dealer")
    return person


async def manager(table) -> BrowserPerson:
    person = BrowserPerson(table, ELSEWHERE)
    assert (await person.sign_in()).status == 200
    return person


async def nobody(table) -> BrowserPerson:
    return BrowserPerson(table, ELSEWHERE)


async def program(table) -> BrowserPerson:
    return BrowserPerson(table, {"authorization": f"Bearer {table.token}"})
