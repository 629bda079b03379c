"""Colours of the demo: errors are red, rulings of a person magenta, money cyan."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from controller.games import GAMES
from controller.lab.demo.screen import Lines
from controller.script.reader import parse
from tests.games.table_scripts import table
from tests.kept_files import is_kept
from tests.lab.demo.test_kept_demo_screen import steps
from tests.lab.demo.test_screen import ShownScript

HERE = Path(__file__).parent / "kept"


AT = "http://127.0.0.1/manager"


class ColourTerminal:
    """Terminal with colours. `shown`: printed text with the numbers of its escape sequences."""

    def __init__(self) -> None:
        self._out = StringIO()
        self.console = Console(file=self._out, width=100, force_terminal=True, color_system="standard", no_color=False)

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self._out.getvalue().replace("\x1b", "^").splitlines())


def test_the_picture_of_the_demo_has_its_kept_colours():
    terminal = ColourTerminal()
    for step in ("stopped", "over"):
        view = ShownScript("baccarat", steps("baccarat")[step].replace("; ", " · "), rule_at=AT)
        terminal.console.print(view.screen.picture(view._shown))
    view._shown.halted = "disk full"
    terminal.console.print(view.screen.picture(view._shown))
    assert is_kept(HERE / "picture.colours.txt", terminal.shown)


def test_the_lines_of_the_demo_have_their_kept_colours():
    terminal, play = ColourTerminal(), table(GAMES["baccarat"], "")
    printer, script = (
        Lines(terminal.console, AT),
        f"{steps('baccarat')['stopped']}; rule resume by anna because {'x' * 120}",
    )
    for _, event in parse(script.replace("; ", "\n")):
        printer(SimpleNamespace(state=play.state, halted=None), play.take(event))
    printer(SimpleNamespace(state=play.state, halted="disk full"), [])
    assert is_kept(HERE / "lines.colours.txt", terminal.shown)
