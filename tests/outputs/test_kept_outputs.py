"""Alerts, key lights, beacon, symbols and metrics compared with stored output."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

from controller.core.events import Key
from controller.core.records import Record
from controller.games import GAMES
from controller.outputs.alert_text import summary
from controller.outputs.beacon import signal
from controller.outputs.keys import lights
from controller.outputs.symbols import draw_symbol
from controller.outputs.web_metrics import WebState
from controller.text.metric_helps import HELPS
from drivers.panels import Light
from tests.core.bench import START
from tests.core.chance import TABLES, play, rolls
from tests.kept_files import is_kept
from tests.outputs.test_alerts import alert_of
from tests.outputs.test_metrics import Heard
from tests.reports.night import night
from tests.web.random_records import RARE
from tests.web.test_kept_screens import looks_by_state

HERE = Path(__file__).parent / "kept"
OF_THIS_MACHINE = ("process_", "tablectl_build_info", "tablectl_clock", "_created")


def messages() -> Iterator[str]:
    """Yield every alert of a night, of rare records, and their summaries."""
    records = night()
    results = [alert_of(records[:number], record) for number, record in enumerate(records, 1)]
    results += [
        alert_of([record], record) for record in (Record(7, START, "t1", what, round=3, shoe="2") for what in RARE)
    ]
    alerts = [one for one in results if one]
    for one in (*alerts, summary(alerts, "en"), summary(alerts * 3, "en")):
        about = f"{one.seq} {one.id} {sorted(one.levels)}{' over' if one.over else ''}"
        yield f"── {about}\n{one.subject}\n{one.body}"


def lit(game: str) -> Iterator[str]:
    """Yield the lit keys and the beacon's signal for every state of a game."""
    for name, look in looks_by_state(game).items():
        keys = lights(look.house, look.state, look.due)
        burning = " ".join(f"{key}{'!' * (light is Light.FLASH)}" for key, light in keys.items() if light)
        shown = signal(look.state, halted=look.halted is not None)
        beacon = " ".join(f"{part}={how.name}" for part, how in asdict(shown).items() if how.name != "OFF")
        yield f"{name}: {burning} | {beacon}"


def runs(image: Image.Image) -> Iterator[str]:
    """Yield the white pixels of a picture row by row, as first and last column; equal rows make one line."""
    data, width = image.tobytes(), image.width
    rows = [data[first : first + width] for first in range(0, len(data), width)]
    first = 0
    for row, equal in groupby(rows):
        last = first + len(list(equal)) - 1
        white = [list(part) for is_white, part in groupby(range(len(row)), key=lambda x: row[x] != 0) if is_white]
        yield f"{first}-{last}: {' '.join(f'{part[0]}-{part[-1]}' for part in white)}"
        first = last + 1


def test_the_alerts_of_a_night_are_as_they_were_kept():
    assert is_kept(HERE / "alerts.txt", "\n".join(messages()))


@pytest.mark.parametrize("game", GAMES)
def test_keys_and_beacon_in_every_state_are_kept(game):
    assert is_kept(HERE / f"lights.{game}.txt", "\n".join(lit(game)))


def test_the_symbols_of_the_keys_are_as_they_were_kept():
    text = "\n".join(line for act in get_args(Key) for line in (f"── {act}", *runs(draw_symbol(act))))
    assert is_kept(HERE / "symbols.txt", text)


def test_the_help_of_each_metric_is_as_it_was_kept():
    assert is_kept(HERE / "metric_helps.txt", "\n".join(f"{name}: {HELPS[name]}" for name in sorted(HELPS)))


def test_the_metrics_of_a_walk_are_as_they_were_kept():
    walk = play(TABLES[0], (Heard,), rolls("kept 0", 200))
    told_of = asyncio.run(walk.judges[0].metrics.text(WebState(), money=True)).decode().splitlines()
    lines = [line for line in told_of if not any(part in line for part in OF_THIS_MACHINE)]
    assert is_kept(HERE / "metrics.txt", "\n".join(lines))
