"""Two tables that differ only in face-down cards; a judge compares all that people see of them.

The auditor, who may see hidden cards, is left out.
"""

import asyncio
from random import Random

from msgspec.structs import replace

from controller.bus.status import status
from controller.core import events as e
from controller.core import records as r
from controller.core.decide import decide, has_doubles, next_deadline, ruling_limit
from controller.core.life import RESTING
from controller.core.odds import count_unseen, open_cards
from controller.core.position import Position
from controller.core.views import AUDIENCES, view
from controller.games import GAMES
from controller.games.blackjack import VALUE
from controller.outputs.alert_text import KINDS, alert, pause
from controller.outputs.beacon import signal
from controller.outputs.keys import lights
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.shoe import is_open
from controller.outputs.timed_journal import TimedJournal
from controller.outputs.web_metrics import WebState
from controller.reports.event_lines import lines
from controller.reports.preview import foresee
from controller.reports.significant_events import significant
from controller.rules.cards import JOKER
from controller.rules.procedure import Deal
from controller.station.frames import Frames
from controller.text.faults import Words
from controller.text.records import sentence
from controller.web.api.commands import ROLES
from controller.web.api.table_state import build_state
from controller.web.api.verdicts import command_verdict
from controller.web.screens.history import LatestResults
from controller.web.screens.screens import COMPOSERS
from controller.web.screens.table_snapshot import TableSnapshot
from drivers.events import CardRead
from tests.outputs.test_metrics import Unwritten

from .chance import Judge, allowed_ruling, any_ruling
from .salts import unsalted

OTHERS = tuple(audience for audience in AUDIENCES if audience != "auditor")
TEXTS = Words("en")


class HiddenCardWorld:
    """One of the two simulated tables, from a given state on, with all its screens and outputs."""

    halted = None
    halted_at = 0
    behind = 0

    def __init__(self, house, state):
        self.house, self.state, self.position = house, state, Position(GAMES)
        self.pause = []  # records that alerts are made of
        self.history = LatestResults(house.game.name, every_round=house.deck.every_round)
        self.frames = Frames(hides=True)
        self.metrics = Metrics(self, TimedJournal(Unwritten(), house.table), MetricSources())

    def subscribe(self, hear):
        """Ignore a listener: in this class `take` passes the records on itself."""

    def now(self):
        return self.state.at

    @property
    def due(self):
        return self.position.due(self.state) if self.state.live else None

    def take(self, event, at):
        """Decide on an event, pass the records on to all outputs, and return them."""
        if isinstance(event, e.ProgramBack):
            self.position = Position(GAMES)
        before, draft = self.state, decide(self.house, self.position, self.state, event, at)
        self.state, records = draft.state, draft.records
        if isinstance(event, e.CardOut) and event.card:  # some shoes send a ten as two bytes
            self.frames.hear(CardRead(event.card, raw=event.card.replace("T", "10").encode()), at, before, self.state)
        self.history.hear(records)
        self.metrics.hear(self, records)
        self.pause += [record for record in records if record.kind in KINDS]
        return records

    def shows(self, role):
        """Compose the screen of one role from the present state."""
        past = self.history
        look = TableSnapshot(self.state, self.due, self.house, None, past.results, past.notices, voids=past.voids)
        return COMPOSERS[role](look, TEXTS)


# ── all that people see ──────────────────────────────────────────────────────────────────────────────────────────


def views(world, records, _):
    """Yield events, and the lines that logs, terminals and reports make of them."""
    over = world.state.life in RESTING
    yield from (view(record, audience, over=over) for record in records for audience in OTHERS)
    yield from (sentence(view(record, "manager")) for record in records)
    yield from lines(world.state, records)
    yield from (event for _, event in significant(records, lambda record: view(record, "manager")))


def answers(world, records, _):
    yield from (command_verdict("c", records, role) for role in ROLES)


def alerts(world, records, ask):
    """Yield the alerts of new records; with `ask`, those of the whole pause, delivered late."""
    for record in world.pause if ask is not None else records:
        if record.kind in KINDS:
            back = [one for one in reversed(world.pause) if one.seq <= record.seq]
            yield alert(record, pause(back), late=record is not world.pause[-1])


def states(world, _, __):
    yield from (build_state(world.state, world.due, None, role) for role in ROLES)
    yield next_deadline(world.house, world.position, world.state)
    yield ruling_limit(world.house, world.position, world.state)
    yield has_doubles(world.house, world.position, world.state)
    yield count_unseen(world.state, world.house.deck), open_cards(world.state)


def screens(world, _, ask):
    yield from (world.shows(role) for role in COMPOSERS if ask is not None)


def devices(world, _, __):
    yield lights(world.house, world.state, world.due), signal(world.state), is_open(world.state, world.due)
    if world.state.live:  # frames of a finished round are shown
        yield from world.frames.shown_frames(world.state)


def previews(world, _, ask):
    if world.state.life == "paused" and ask is not None:
        yield foresee(world.house, world.state, ask, world.state.at)


def metrics(world, _, ask):
    if ask is not None and world.state.seq % 5 == 0 and world.state.live:  # misreads are counted when the round is over
        text = asyncio.run(world.metrics.text(WebState())).decode()
        yield [line for line in text.splitlines() if line.startswith("tablectl_") and "_created" not in line]


def statuses(world, _, __):
    yield status(world, ())


TOLD = (views, answers, alerts, states, statuses, screens, devices, previews, metrics)


# ── the judge ────────────────────────────────────────────────────────────────────────────────────────────────────


class TwoWorlds(Judge):
    """Until a hidden card is shown or the round ends, both tables look the same to everybody."""

    told = TOLD
    seldom = 5  # slow views are compared once in this many events

    def __init__(self, bench):
        super().__init__(bench)
        self.worlds, self.rounds, self.compared = (), 0, 0

    def look(self, before, event, records, after):
        put = put_down(event, records, before, after)
        if put and not self.worlds:
            self.worlds = HiddenCardWorld(self.bench.house, before), HiddenCardWorld(self.bench.house, before)
        if not self.worlds:
            return
        chance = Random(after.seq)
        other = replace(event, card=another(event, self.bench.house, after, chance)) if put else event
        here, twin = (world.take(one, self.bench.now) for world, one in zip(self.worlds, (event, other), strict=True))
        assert here == [unsalted(record) for record in records]
        differing = self._differing() | ({put} if put else set())  # a refused correction leaves its card as it was
        if not any(lays_open(record.what, differing) for record in (*here, *twin)):
            self._compare((event, other), (here, twin), self._ask(chance))
            if after.live:
                return
        self.worlds, self.rounds = (), self.rounds + 1

    def _compare(self, events, records, ask):
        for what in self.told:
            here, twin = (list(what(*one, ask)) for one in zip(self.worlds, records, strict=True))
            assert here == twin, (what.__name__, events)
        self.compared += 1

    def _differing(self):
        """Return the numbers of the draws that differ between the two tables, as read or as ruled."""
        here, twin = (world.state.round.draws for world in self.worlds)
        return {
            one.number for one, two in zip(here, twin, strict=False) if (one.read, one.card) != (two.read, two.card)
        }

    def _ask(self, chance):
        """Return a ruling to preview, once in `seldom` events, else None."""
        how = chance.randrange(10**6)
        if how % self.seldom:
            return None
        asks = (any_ruling, allowed_ruling) if self.bench.state.fault else (any_ruling,)
        return chance.choice(asks)(self.bench, how)


def put_down(event, records, before, after):
    """Return the number of a face-down card to which the event gives a value unseen so far; 0 if there is none."""
    was, now = before.round.draws, after.round.draws
    match event:
        case e.CardOut(card=str()):
            return now[-1].number if len(now) > len(was) and now[-1].hidden else 0
        case e.Rule(ruling="enter" | "correct", card=str()):
            ruled = next((record.what.after for record in records if record.kind == "ruled"), {"draw": 0})
            number = ruled.get("draw", len(was) + 1)
            visible = 0 < number <= len(was) and was[number - 1].card is not None and not was[number - 1].hidden
            return number if number > 0 and now[number - 1].hidden and not visible else 0
    return 0


def another(event, house, state, chance):
    """Return another card for the event: of the deck or foreign, often one already on the table."""
    deck, lying = house.deck.cards, [draw.card for draw in state.round.draws if draw.card] * 3
    others = (
        [*deck, *lying, JOKER] if isinstance(event, e.CardOut) else [*deck, *(card for card in lying if card in deck)]
    )
    alike = [card for card in others if house.game.name != "blackjack" or peeked(card) == peeked(event.card)]
    return chance.choice([card for card in alike if card != event.card])


def peeked(card):
    """Return the value that the dealer of blackjack learns of a hole card: 1, 10, or None.

    The dealer looks for one under an ace or a ten; from then on everybody knows it.
    """
    value = VALUE.get(card)
    return value if value in (1, 10) else None


def lays_open(what, differing):
    """Return True if a record reveals a card that differs, or the fault found with the card then."""
    match what:
        case r.PlaceRevealed():
            return True
        case r.Dealt(draw=number, face_up=True):
            return number in differing
        case r.Faulted(code="foreign_card" | "duplicate_card", draw=number, due=due):
            return number in differing and due.face_up if isinstance(due, Deal) else True
    return False
