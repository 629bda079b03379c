"""Records of random rounds of every game, with all kinds of faults; the same in each test run."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec

from controller.core import records as r
from controller.core.events import Amendment, ShoeSays
from controller.core.mark import Mark
from controller.core.views import view
from controller.games import GAMES
from controller.web.api import commands as c
from controller.web.api.schemas import bundle
from controller.web.api.table_state import build_state
from tests.core import chance
from tests.core.chance import Judge

AUDIENCES = get_args(c.Role)
ALL = tuple(GAMES.values())
KINDS = {str(fact.__struct_config__.tag): fact for fact in get_args(r.What)}
RARE = (
    r.CutCardDrawn(),
    r.Disputed(ShoeSays("tie"), "player"),
    r.Resettled(
        1,
        {"winner": "player"},
        None,
        (r.BetDifference("b1.r1", "b1", "p1", "tie", 500, 0, 500, 500),),
        "anna",
        "bea",
        "wrong shoe",
        (Amendment("cancel"),),
        "2026-01-01T12:00:00.000000Z",
        "EUR",
    ),
    r.CaseDismissed(7, "anna", "a chip fell"),
    r.ExposureWarned(250_000, 200_000, "EUR"),
    r.ShoeCut("eva"),
    r.CutSkipped("eva", "cut before"),
    r.CutCardDrawn(),
    r.Acknowledged(7, "anna"),
    r.Restarted(7),
    r.Extended(7, "anna", 9),
    r.HandVoided("seat1", 1, 500, "EUR"),
    r.TelegramsMissing("shoe", "2", "4"),
    r.ShoeCut("dealer"),
    r.RecordDamaged("chain", 9, "changed"),
    r.RecordSound("chain"),
    r.AnchorBegun("A2", True, "anna", "a new stick"),
    r.AnchorLost("it is not there", True),
    r.AnchorBack(),
    r.WitnessUnheard(7, "no answer"),
    r.WitnessHeard(),
    r.StartsRefused("no_dealer", 3, "2026-01-01T12:00:00.000000Z", "2026-01-01T12:00:05.000000Z"),
    r.LossAccepted("e2", "e1", Mark("e1", 57, "0c" * 32, "t1"), "anna", "the disk broke"),
    r.DeviceCutOff("shoe", 700, 9),
    r.DeviceTakenBack("shoe", "anna"),
    r.ClockSet("2026-01-01T00:00:00.000000Z", "2026-01-01T02:00:00.000000Z"),
    r.ReadOut("5C"),
    r.DealerLeaving("dealer"),
    r.TableClosed("m"),
    r.TableOpened("m"),
    r.Carried(4, "5C"),
    r.BetRepriced("p1 player", "p1", "player", 1000, "2.07", "1.52"),
)


def as_json(content: object) -> Any:
    """Return the content as a client decodes it from JSON."""
    return json.loads(msgspec.json.encode(content))


@cache
def schemas_of(audience: str, games=ALL) -> dict[str, Any]:
    """Return the schemas of an audience, as sent over the wire; cached."""
    return as_json(bundle(audience, games))


class RecordKeeper(Judge):
    """Judge that keeps all records and some states."""

    def __init__(self, bench):
        super().__init__(bench)
        self.records: list[r.Record] = []
        self.standings: list[tuple[str, Any]] = []

    def look(self, before, event, records, after):
        self.records += records
        for audience in AUDIENCES[len(self.records) % 5 :]:
            state = build_state(after, self.bench.due, None, audience)
            self.standings.append((audience, as_json(state)))


@cache
def _judges() -> tuple[RecordKeeper, ...]:
    judges = []
    for number, table in enumerate(chance.TABLES):
        dice = random.Random(number)
        rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(150)]
        judges.append(chance.play(table, (RecordKeeper,), rolled).judges[0])
    return tuple(judges)


def all_states() -> list[tuple[str, Any]]:
    """Return the states that the judges kept, each with its audience."""
    return [standing for judge in _judges() for standing in judge.standings]


@cache
def all_records() -> tuple[r.Record, ...]:
    """Return all records, rare kinds that chance hardly produces, and some records in training."""
    records = [record for judge in _judges() for record in judge.records]
    rare = [msgspec.structs.replace(records[0], what=what) for what in RARE]
    return (*records, *rare, *(msgspec.structs.replace(record, training=True) for record in records[:200]))


def audience_events(audience: str) -> Iterator[dict[str, Any]]:
    """Yield all records as events of an audience."""
    return (as_json(view(record, audience)) for record in all_records())


def records_by_game() -> Iterator[tuple[str, r.Record]]:
    """Yield (game, record) pairs without the records in training; rare records count as baccarat."""
    for judge in _judges():
        yield from ((judge.bench.house.game.name, record) for record in judge.records)
    yield from (("baccarat", record) for record in all_records() if record.what in RARE and not record.training)
