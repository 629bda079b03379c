"""The table in a terminal: what lies where, what comes next, what is wrong. Lines only, where no terminal is.

The one rule: built from views, as every screen is: a hidden card is a back.
"""

from collections import deque
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from .core.faults import expectation
from .core.records import Record
from .core.state import State
from .core.views import view
from .procedure import Deal
from .table import Table
from .wording import QUIET, sentence

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LINES = 12  # of what happened last


class Lines:
    """Each record as a line."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        """Print what happened."""
        for record in records:
            if record.kind not in QUIET:
                self._console.print(_line(record), highlight=False, soft_wrap=True)
        if table.halted:
            self._console.print(Text(f"HALTED: {table.halted}", "bold red"))


class Screen:
    """The whole table, redrawn after every event. A context manager: the terminal is given back at its end."""

    def __init__(self, console: Console) -> None:
        self._last: deque[Text] = deque(maxlen=LINES)
        self._live = Live(console=console, auto_refresh=False, screen=False)

    def __enter__(self) -> "Screen":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        """Show where the table stands."""
        self._last.extend(_line(record) for record in records if record.kind not in QUIET)
        self._live.update(self._picture(table), refresh=True)

    def _picture(self, table: Table) -> RenderableType:
        state = table.state
        parts: list[RenderableType] = [_places(table), _next(table)]
        if state.fault:
            parts.append(_fault(state))
        if table.halted:
            parts.append(Panel(Text(f"the record cannot be written: {table.halted}", "bold red"), title="HALTED"))
        title = f"{state.table} · {table.house.game.name} · round {state.round.number} · {state.life}"
        return Panel(Group(*parts, Text(), *self._last), title=title, border_style="red" if state.fault else "green")


def _places(table: Table) -> Grid:
    grid = Grid.grid(padding=(0, 3))
    for place in table.house.game.places:
        cards = [draw for draw in table.state.round.draws if draw.fate == "placed" and draw.place == place]
        seen = [draw.card for draw in cards if draw.card and not draw.hidden]
        score = table.house.game.score(seen) if seen and len(seen) == len(cards) else ""
        row = Text.assemble(*(_face(None if draw.hidden else draw.card) for draw in cards))
        grid.add_row(Text(place.upper(), "bold"), row, Text(score, "bold cyan"))
    return grid


def _face(card: str | None) -> Text:
    if card is None:
        return Text(" ▒▒ ", "blue on white") + Text(" ")
    colour = "red" if card[1] in "DH" else "black"
    return Text(f" {card[0].replace('T', '10')}{SUITS[card[1]]} ", f"bold {colour} on white") + Text(" ")


def _next(table: Table) -> Text:
    state = table.state
    if state.life == "paused":
        return Text("leave the cards, wait for the shift manager", "bold red")
    due = table.due
    told = expectation(state, due).upper() if state.live else "OPEN BETS"
    return Text(f"next: {told}", "bold yellow" if isinstance(due, Deal) else "yellow")


def _fault(state: State) -> Panel:
    fault = state.fault
    assert fault is not None  # noqa: S101 - asked before
    got = "a hidden card" if fault.hidden else fault.got
    text = f"{fault.code}: expected {fault.expected}, got {got}\nthe shift manager may rule: {', '.join(fault.rulings)}"
    return Panel(Text(text, "bold red"), title="FAULT", border_style="red")


def _line(record: Record) -> Text:
    event = view(record, "manager")
    style = {"faulted": "bold red", "device_lost": "bold red", "ruled": "magenta", "settled": "green"}.get(
        record.kind, ""
    )
    return Text(f"{event['at'][11:22]}  {sentence(event)}", style)
