"""Draw the table in a terminal: cards, stakes, decisions, the next step, and faults.

Without a terminal, only events are printed. It is built from views and from face-up cards: a hidden card is a back.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from ...core.decide.openings import lacks_shuffled_deck
from ...core.faults import due_of
from ...core.hands import decisions, face_up_cards, hands, is_to_clear, settled_hands
from ...core.life import RESTING
from ...core.notation import cause_text, due_text
from ...core.offers import possible_rulings
from ...core.records import Record
from ...core.state import Draw, State
from ...reports.event_lines import EventLine, amounts, lines
from ...rules.game import Game
from ...rules.procedure import SECOND, Deal, Step
from ...table.loop import Table
from ...text.faults import Words
from ...text.money import money, signed_money
from ...text.naming import card_sign
from .purses import PlayerPurses

LINES = 12  # latest events that are shown, if there is room
FRAME = 3  # lines of the frame
CARD = 5  # columns for a card


class Lines:
    """Prints each event as a line."""

    def __init__(self, console: Console, rule_at: str = "") -> None:
        self._console, self._rule_at = console, rule_at

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        """Print the lines of committed records."""
        for line in lines(table.state, records):
            self._console.print(_line_text(line), highlight=False, soft_wrap=True)
            if line.kind == "faulted" and self._rule_at:
                self._console.print(Text(f"rule on it: go to {self._rule_at}", "bold red"), soft_wrap=True)
        if table.halted:
            self._console.print(Text(f"HALTED: {table.halted}", "bold red"), soft_wrap=True)


class Screen:
    """Screen with the whole table, redrawn after every event.

    A context manager: the terminal is restored at its end. `rule_at`: where a person has to rule on a fault, if nobody
    does it for them.
    """

    def __init__(self, console: Console, purses: PlayerPurses, rule_at: str = "") -> None:
        self._console, self._purses, self._rule_at = console, purses, rule_at
        self._last: deque[EventLine] = deque(maxlen=LINES)
        self._live = Live(console=console, auto_refresh=False, screen=False)

    def __enter__(self) -> "Screen":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        """Redraw the table after committed records."""
        self._last.extend(lines(table.state, records))
        self._live.update(self.picture(table), refresh=True)

    def picture(self, table: Table) -> RenderableType:
        """Compose the table's picture; the last events fill the remaining lines."""
        state = table.state
        parts: list[RenderableType] = [_places(table), Text(), _next(table), Text(), _players(table, self._purses)]
        if state.fault:
            parts.append(_fault(state, table.due, self._rule_at))
        if table.halted:
            parts.append(Panel(Text(f"the record cannot be written: {table.halted}", "bold red"), title="HALTED"))
        inside = self._console.options.update_width(self._console.width - 4)
        room = self._console.height - FRAME - len(self._console.render_lines(Group(*parts), inside))
        last = list(self._last)[-max(1, room) :]
        title = f"{state.table} · {table.house.game.name} · round {state.round.number} · {state.life}"
        shown = Group(*parts, Text(), *(_line_text(line, cut=True) for line in last))
        return Panel(shown, title=title, border_style="red" if state.fault else "green")


def _places(table: Table) -> Grid:
    """Table of places in play: the cards, their score, and the decisions for each."""
    grid = _grid(8, 5 * CARD, 7, 14, 10)
    state, game = table.state, table.house.game
    lying, choices = hands(state.round), decisions(state.round)
    results = (state.round.outcome or {}).get("hands", {}) if state.life in RESTING else {}
    for place in _shown_places(state, game, lying):
        row = Text.assemble(*(_face(draw.visible_card) for draw in lying.get(place, [])))
        void = state.is_void and place in lying
        result = "void" if void else results.get(place, {}).get("result", "")
        grid.add_row(
            Text(place.upper(), "bold"),
            row,
            Text("" if void else _score(game, place, settled_hands(state)), "bold cyan"),
            Text(", ".join(choices.get(place, []))),
            Text(result.upper(), "bold green"),
        )
    return grid


def _grid(*widths: int) -> Grid:
    """Make columns of at least these widths, so that the layout is stable during a round."""
    grid = Grid.grid(padding=(0, 2))
    for width in widths:
        grid.add_column(min_width=width)
    return grid


def _shown_places(state: State, game: Game, lying: Mapping[str, list[Draw]]) -> Iterator[str]:
    """Yield the places to show: taken seats only, each with the second hand of its split."""
    bet_seats = {bet.spot.seat for bet in state.round.bets.values()}
    for place in game.places:
        if place in (*game.seats, *(seat + SECOND for seat in game.seats)):
            if place in game.seats and (place in lying or place in bet_seats):
                yield place
            if place + SECOND in lying:
                yield place + SECOND
        else:
            yield place


def _score(game: Game, place: str, lying: Mapping[str, list[Draw]]) -> str:
    """Score of a place's cards together with those on the board; empty while one of them is hidden."""
    draws = [*lying.get(place, []), *(lying.get("board", []) if place != "board" else [])]
    cards = face_up_cards(draws)
    return game.score(place, cards) if place in lying and place != "board" and len(cards) == len(draws) else ""


def _face(card: str | None) -> Text:
    if card is None:
        return Text(" ▒▒ ", "blue on white") + Text(" ")
    colour = "red" if card[1] in "DH" else "black"
    return Text(f" {card_sign(card)} ", f"bold {colour} on white") + Text(" ")


def _next(table: Table) -> Text:
    state, due = table.state, table.due
    if state.fault is not None:
        return Text(Words("en").dealer(state.fault.code), "bold red")
    asking = state.round.asking
    if asking is not None:
        text = f"{', '.join(asking.undecided)}: {' or '.join(asking.options)}?".upper()
    elif state.live:
        text = due_text(due_of(state, due)).upper()
    elif is_to_clear(state):
        text = "CLEAR THE CARDS"
    else:
        text = "SHUFFLE" if lacks_shuffled_deck(table.house, state) else "OPEN BETS"
    return Text(f"next: {text}", "bold yellow" if isinstance(due, Deal) else "yellow")


def _players(table: Table, purses: PlayerPurses) -> Grid:
    """Table of players: money left, stakes of this round, decisions, and amount returned."""
    grid = _grid(2, 7, 5 * CARD, 0, 23)
    grid.columns[1].justify = "right"
    currency = table.house.currency
    choices, gone = decisions(table.state.round), table.state.gone
    for player in purses.players:
        back, staked = purses.back[player], purses.stakes[player].total()
        over = table.state.life in RESTING and staked
        grid.add_row(
            Text(player, "strike" if player in gone else "bold"),
            money(purses[player], currency),
            amounts(purses.stakes[player], currency),
            ", ".join(choices.get(player, [])),
            Text(
                f"back {money(back, currency)} ({signed_money(back - staked, currency)})" if over else "",
                "green" if back > staked else "",
            ),
        )
    return grid


def _fault(state: State, step: Step | None, rule_at: str) -> Panel:
    fault = state.fault
    assert fault is not None  # noqa: S101 - asked before
    due, cause = due_text(fault.due), cause_text(fault.visible_cause)
    rulings = ", ".join(possible_rulings(state, step))
    text = f"{fault.code}: expected {due}, got {cause}\nthe shift manager may rule: {rulings}"
    if rule_at:
        text += f"\nrule on it: go to {rule_at}"
    return Panel(Text(text, "bold red"), title="FAULT", border_style="red")


_STYLES = {"faulted": "bold red", "device_lost": "bold red", "ruled": "magenta", "settled": "green", "money": "cyan"}


def _line_text(line: EventLine, *, cut: bool = False) -> Text:
    text = Text(f"{line.at[11:22]}  {line.text}", _STYLES.get(line.kind, ""))
    if cut:
        text.no_wrap, text.overflow = True, "ellipsis"
    return text
