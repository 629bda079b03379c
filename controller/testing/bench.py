"""A table on the test bench: events go in, records and state come out, the clock moves when a test says so."""

import msgspec

from controller.config.table_file import PROGRAM
from controller.core import events as e
from controller.core.clock import SECOND, from_text
from controller.core.decide import decide
from controller.core.encoding import decode, encode
from controller.core.fold import fold
from controller.core.house import House, Terms
from controller.core.position import Position
from controller.core.state import State
from controller.games import GAMES
from controller.rules.cards import FULL_DECK
from controller.script.lines import Halt, Restart, Wait
from controller.script.reader import parse

START = from_text("2026-01-01T00:00:00.000000Z")


class Bench:
    """One table. `says` gives every event in the words of `tablectl play`, one on a line or with `;` between."""

    def __init__(self, game="baccarat", settings=None, **terms):
        sheet = GAMES[game]
        given = msgspec.convert(settings or {}, sheet.settings)
        self.house = House(sheet, given, Terms(**terms), program=PROGRAM)
        self.now = START
        self.records = []
        self.judges = []
        self.position = Position(GAMES)
        self.state = State()
        self.do(e.Begin("bench"), e.OpenTable("manager"), e.DealerOn("dealer"), e.LoadShoe())

    def do(self, *events):
        """The records that these events lead to, all at the present time."""
        before = len(self.records)
        for event in events:
            was, draft = self.state, decide(self.house, self.position, self.state, event, self.now)
            self.records += draft.records
            self.state = draft.state
            for judge in self.judges:
                judge.look(was, event, draft.records, draft.state)
            if any(record.kind == "clock_set" for record in draft.records):
                self.now = draft.state.at
        return self.records[before:]

    def says(self, text):
        """The records that these lines lead to."""
        before = len(self.records)
        for _, line in parse(text.replace(";", "\n")):
            match line:
                case Wait(time=time):
                    self.wait(time / SECOND)
                case Restart(time=time):
                    self.now += time
                    self.restart()
                case Halt(time=time, reason=reason, dropped=dropped):
                    self.now += time
                    self.do(e.JournalBack(reason, dropped))
                case event:
                    self.do(event)
        return self.records[before:]

    def wait(self, seconds, event=None):
        """Time passes, and then something happens."""
        self.now += round(seconds * SECOND)
        return self.do(event or e.Tick())

    def restart(self):
        """The program starts anew, with nothing but its records."""
        self.position = Position(GAMES)
        self.state = fold(State(), [decode(encode(record)) for record in self.records])
        return self.do(e.ProgramBack())

    @property
    def due(self):
        """The step due."""
        return self.position.due(self.state)

    @property
    def life(self):
        """Where the round is in its life."""
        return self.state.life

    @property
    def fault(self):
        """The code of the fault that is open."""
        return self.state.fault and self.state.fault.code

    @property
    def fates(self):
        """What became of each draw of the round."""
        return [draw.fate for draw in self.state.round.draws]

    def on(self, place):
        """The cards that lie on a place, in the order of their draws."""
        return [draw.card for draw in self.state.round.draws if draw.fate == "placed" and draw.place == place]

    def named(self, bet):
        """A bet by its player and market, as a script would name it."""
        taken = {what.bet: what for what in (*self.whats("bet_accepted"), *self.whats("decided"))}
        return f"{taken[bet].player} {taken[bet].market}"

    def whats(self, kind):
        """All that was recorded under this kind."""
        return [record.what for record in self.records if record.kind == kind]


def kinds(records):
    """The kinds of these records, in order."""
    return [record.kind for record in records]


def fresh(state, number, deck=FULL_DECK):
    """A card of the deck that has not left the shoe in this round, as long as there is one."""
    out = {draw.card for draw in state.round.draws}
    cards = [card for card in deck if card not in out] or deck
    return cards[number % len(cards)]
