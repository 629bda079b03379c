"""Test bench of a table: events in, records and state out, a clock moved by the test."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from ...config.table_file import PROGRAM
from ...core import events as e
from ...core.clock import SECOND, from_text
from ...core.decide import decide
from ...core.decide.past_rounds import with_past
from ...core.encoding import decode, encode
from ...core.fold import fold
from ...core.house import House, Terms
from ...core.position import Position
from ...core.records import Record
from ...core.state import State
from ...core.withholding import with_salt
from ...games import GAMES
from ...rules.cards import FULL_DECK, Card
from ...rules.game import Game
from ...rules.procedure import Step
from ...script.directives import Halt, Recorded, Restart, WaitLine
from ...script.reader import parse
from .judge import Judge

# The library warns of each trigger without an explicit transition, for each table: a failing test would show hundreds.
logging.getLogger("transitions").setLevel(logging.ERROR)

START = from_text("2026-01-01T00:00:00.000000Z")


class Bench:
    """Table for tests, without devices and disk; its clock is moved by the test.

    `says` takes events in the language of `tablectl play`, one on a line or separated by `;`.
    """

    def __init__(self, game: str | Game = "baccarat", settings: Mapping[str, Any] | None = None, **terms: Any) -> None:
        sheet = GAMES[game] if isinstance(game, str) else game
        game_settings = msgspec.convert(settings or {}, sheet.settings)
        self.house = House(sheet, game_settings, Terms(**terms), program=PROGRAM)
        self.now = START
        self._salts = map("{:032x}".format, count(1))  # fixed, so that equal events give equal records
        self.heard: list[e.Input] = []
        self.records: list[Record] = []
        self.judges: list[Judge] = []
        self.games = {**GAMES, sheet.name: sheet}
        self.position = Position(self.games)
        self.state = State()
        self.do(e.Begin("bench"), e.OpenTable("manager"), e.DealerOn("dealer"), e.LoadShoe())
        self.begun, self.own = self.state, len(self.heard)  # state after the bench's own events, and their number

    def do(self, *events: e.Event) -> list[Record]:
        """Give these events to the table, all at the present time; return their records."""
        before = len(self.records)
        for event in events:
            while self.state.is_unfinished and isinstance(event, e.Resettle) and not event.past:
                self.do(e.Tick())  # a round can be settled anew only after all its payments are recorded
            event = with_past(self.house, self.position, self.state, event, self.records)  # noqa: PLW2901 - as heard
            self.heard.append(e.Input(event, self.now))
            was, draft = self.state, decide(self.house, self.position, self.state, event, self.now)
            records = with_salt(draft.records, self._salts.__next__)
            self.records += records
            self.state = draft.state
            for judge in self.judges:
                judge.look(was, event, records, draft.state)
            if any(record.kind == "clock_set" for record in records):
                self.now = draft.state.at
        return self.records[before:]

    def says(self, text: str) -> list[Record]:
        """Play these lines of a script; return their records."""
        before = len(self.records)
        for _, line in parse(text.replace(";", "\n")):
            match line:
                case WaitLine(time=time):
                    self.wait(time / SECOND)
                case Restart(time=time):
                    self.now += time
                    self.restart()
                case Halt(time=time, reason=reason, dropped=dropped, message=message):
                    self.now += time
                    self.do(e.JournalBack(reason, dropped, message))
                case Recorded():
                    raise ValueError("a bench begins by itself")
                case event:
                    self.do(event)
        return self.records[before:]

    def wait(self, seconds: float, event: e.Event | None = None) -> list[Record]:
        """Move the clock by `seconds`, then do the event (by default a tick); return its records."""
        self.now += round(seconds * SECOND)
        return self.do(event or e.Tick())

    def restart(self) -> list[Record]:
        """Restart the program, so that it rebuilds its state from its records."""
        self.position = Position(self.games)
        self.state = fold(State(), [decode(encode(record)) for record in self.records])
        return self.do(e.ProgramBack())

    @property
    def due(self) -> Step | None:
        """Step that is due in the round; None if there is none."""
        return self.position.due(self.state)

    @property
    def life(self) -> str:
        """State of the round in its life cycle, such as `dealing`."""
        return self.state.life

    @property
    def fault(self) -> str | None:
        """Code of the open fault; None if there is none."""
        return self.state.fault.code if self.state.fault else None

    @property
    def fates(self) -> list[str]:
        """Fate of each draw of the round, in order of drawing."""
        return [draw.fate for draw in self.state.round.draws]

    def cards_on(self, place: str) -> list[Card | None]:
        """Cards that count at a place, in the order of their draws."""
        return [draw.card for draw in self.state.round.draws if draw.fate == "placed" and draw.place == place]

    def bet_name(self, bet: str) -> str:
        """Name a bet by its player and market, as a script does."""
        bets = {what.bet: what for what in (*self.facts("bet_accepted"), *self.facts("decided"))}
        return f"{bets[bet].player} {bets[bet].market}"

    def facts(self, kind: str) -> list[Any]:
        """Facts recorded under this kind, in order."""
        return [record.what for record in self.records if record.kind == kind]


def kinds(records: Iterable[Record]) -> list[str]:
    """Kinds of these records, in order."""
    return [record.kind for record in records]


def undealt_card(state: State, number: int, deck: Sequence[Card] = FULL_DECK) -> Card:
    """Card of the deck that has not been dealt in this round, if any is left."""
    out = {draw.card for draw in state.round.draws}
    cards = [card for card in deck if card not in out] or deck
    return cards[number % len(cards)]
