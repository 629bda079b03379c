"""Money of a demo in the table's currency, names of its people, and the end of a finished program."""

import re
from types import SimpleNamespace

from rich.console import Console

from controller.core.state import State
from controller.lab.demo.programs import Program, SupervisedProgram
from controller.lab.demo.purses import PlayerPurses
from controller.lab.demo.screen import _players
from controller.lab.demo.studio_folder import DEALERS, STAFF
from tests.patience import on_loop


def test_purses_are_shown_in_the_tables_currency():
    shown = {}
    for currency in ("JPY", "EUR"):
        table = SimpleNamespace(house=SimpleNamespace(currency=currency), state=State())
        console = Console(width=100)
        with console.capture() as picture:
            console.print(_players(table, PlayerPurses(("p1",), State())))
        shown[currency] = picture.get().split()[:2]
    assert shown == {"JPY": ["p1", "100000"], "EUR": ["p1", "1000.00"]}


def test_each_person_of_a_demo_has_a_different_name():
    names = [*DEALERS, *(name for name, _ in STAFF.values())]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[A-Z][a-z]+ [A-Z][a-z]+", name) for name in names)


def test_ending_a_program_that_is_gone_raises_nothing(tmp_path):
    sent = []

    def gone(*signal):
        sent.append(signal)
        raise ProcessLookupError

    async def waited():
        return 0

    async def steps():
        one = SupervisedProgram(Program("bus", ("true",), tmp_path / "log"), print, sent.append)
        one._process = SimpleNamespace(returncode=None, send_signal=gone, kill=gone, wait=waited)
        await one.end()

    on_loop(steps)
    assert len(sent) == 1
