"""Strips of tables in every state, and a floor's metrics, compared with stored output field by field."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.bus.status import Status
from controller.bus.status import status as status_of
from controller.core.clock import SECOND, from_text, to_text
from controller.floor.live.live_tables import LiveTables
from controller.floor.shared_state.documents import AlarmAcknowledgement, FloorWorker, HeldAlarm, Shelving
from controller.floor.site.monitoring import FloorMonitoring
from tests.floor.bare_floor import FloorViewer
from tests.floor.live.test_live_tables import ANNA, ION, At, claim, passes
from tests.floor.statuses import START, calling_status, status
from tests.kept_files import is_kept, of_any_version
from tests.web.test_kept_screens import looks_by_state, screen_lines

HERE = Path(__file__).parent / "kept"
GAMES = ("baccarat", "blackjack")
ALARMS: dict[str, dict[str, Any]] = {
    "halted": {"halted": "disk full", "halted_at": to_text(START - 9 * SECOND)},
    "lost": {"lost": ("shoe", "panel", "server")},
    "barred": {"bars": ("no_dealer", "shoe_low"), "dealer": None},
    "troubled": {"troubles": ("alerts: nobody answers", "clock: 7 s behind")},
    "training": {"training": True, "bars": ("deck_suspect",)},
    "closed": {"open": False, "life": "idle", "dealer": None, "round": 0},
    "ends": {"ends": True, "shoe": 40, "deadline": to_text(START + 12 * SECOND), "waiting": 2},
    "paused": {"life": "paused", "left": 7.5, "currency": "RON"},
}


def statuses(game: str) -> Iterator[tuple[str, Status]]:
    """Yield the statuses that a table publishes in each state of a game."""
    for name, look in looks_by_state(game).items():
        table: Any = SimpleNamespace(
            state=look.state, house=look.house, due=look.due, halted=look.halted, halted_at=look.state.at,
            now=lambda at=look.state.at: at,
        )  # fmt: skip
        yield name, status_of(table, ("the anchor is gone",) if look.halted else ())


def status_lines(game: str) -> Iterator[str]:
    """Yield each status and the strip of its table by line, without lines that the state before has, too."""
    before: set[str] = set()
    for name, shown in statuses(game):
        at = At()
        at.now = from_text(shown.at) + 3 * SECOND
        hall = LiveTables("main", 6, at)
        hall.set_trouble(None)
        hall.take_status(shown.table, shown)
        hall.note_beat(shown.table, at.now)
        about = {"status": replace(shown, version="", rules=""), "strip": hall.picture(ANNA, "en").strips[0]}
        now = list(screen_lines(msgspec.to_builtins(about)))
        yield f"── {name}"
        yield from (line for line in now if line not in before)
        before = set(now)


def busy() -> tuple[LiveTables, At]:
    """Return live tables with one table for each kind of alarm, and calls with and without a claim."""
    at = At()
    hall = LiveTables("main", 6, at)
    hall.set_trouble(None)
    hall.set_staff([FloorWorker("7", "Anna Pop", "manager"), FloorWorker("8", "Ion Rusu", "supervisor")])
    for table, about in ALARMS.items():
        hall.take_status(table, status(table, **about))
    for number in range(3):
        hall.take_status(
            f"call{number}", calling_status(f"call{number}", calls=number, waits=20 * number, money=100_00 * number)
        )
    hall.set_claim("call1", claim())
    hall.set_assignments({"lost": "8", "barred": "8", "call1": "7"})
    person, shelved = (ANNA.id, "Anna"), to_text(START + 99 * SECOND)
    held = {
        "lost:lost:panel": HeldAlarm(
            to_text(START), text="panel", acknowledged=AlarmAcknowledgement(*person, to_text(START))
        ),
        "lost:lost:shoe": HeldAlarm(to_text(START), text="shoe", shelved=Shelving(shelved, *person, "one comes")),
        "ends:lost:beacon": HeldAlarm(to_text(START), text="beacon", over=to_text(START)),
    }
    hall.set_alarms(held)
    passes(hall, at, 70, *ALARMS, "call0", "call1")
    return hall, at


@pytest.mark.parametrize("game", GAMES)
def test_status_and_strip_of_every_state_are_kept(game):
    assert is_kept(HERE / f"strips.{game}.txt", "\n".join(status_lines(game)))


@pytest.mark.parametrize(
    ("viewer", "language"), [(ANNA, "en"), (ION, "ro"), (FloorViewer("9", "Eva", all=False), "en")]
)
def test_the_floors_picture_for_each_viewer_is_as_kept(viewer, language):
    hall, _ = busy()
    picture = screen_lines(msgspec.to_builtins(hall.picture(viewer, language)))
    assert is_kept(HERE / f"hall.{viewer.id}.txt", "\n".join(picture))


def test_the_metrics_of_a_floor_are_as_they_were_kept():
    hall, at = busy()
    rooms = {name: SimpleNamespace(figures=SimpleNamespace(streams=number)) for number, name in enumerate("abc", 1)}
    clock, config = SimpleNamespace(now=at), SimpleNamespace(floor=SimpleNamespace(name="main"))
    quiet = SimpleNamespace(trouble=None)
    components: Any = SimpleNamespace(live_tables=hall, config=config, clock=clock, feed=quiet, notes=quiet)
    admission: Any = SimpleNamespace(classes=rooms)
    watch = FloorMonitoring(components, admission, lambda: ("one", "two"))
    texts = [asyncio.run(ask(None)).body.decode() for ask in (watch.metrics, watch.health)]
    told_of = [line for text in texts for line in text.splitlines() if "process_" not in line]
    assert is_kept(HERE / "metrics.txt", of_any_version("\n".join(told_of)))
