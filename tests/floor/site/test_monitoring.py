"""Metrics and health of a floor, for a monitoring system."""

import re

from controller.core import events as e
from tests.floor.service import paused, studio
from tests.outputs.test_monitoring import FLOORS, QUERIES, RULES
from tests.patience import on_loop, until
from tests.web.net import BrowserPerson


def numbers(text: str) -> dict[str, float]:
    """Return the values of the metrics by name and labels."""
    return {name: float(value) for name, value in re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)}


def test_the_metrics_count_heard_tables_and_open_calls(bus, tmp_path):
    async def steps() -> None:
        async with studio(tmp_path, bus) as (floor, table):
            anybody = BrowserPerson(floor)
            paused(table)
            await until(lambda: (one := floor.hall.status_of("t1")) is not None and one.fault is not None)
            metrics = await anybody.ask("GET", "/metrics")
            health = await anybody.ask("GET", "/healthz")
            assert (metrics.status, health.status) == (200, 200)
            text = metrics.body.decode()
            named = set(re.findall(rf"\b{FLOORS}\w+", " ".join([*QUERIES, RULES.read_text()])))
            assert named <= set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
            found = numbers(text)
            assert found['tablectl_floor_table_heard{floor="main",table="t1"}'] == 1
            assert found['tablectl_floor_calls{claimed="no",floor="main"}'] == 1
            assert found['tablectl_floor_line_up{floor="main"}'] == 1
            about = {name: health.body[name] for name in ("ok", "floor", "tables", "heard", "calls", "troubles")}
            assert about == {"ok": True, "floor": "main", "tables": 1, "heard": 1, "calls": 1, "troubles": []}

    on_loop(steps)


def test_a_floor_without_its_bus_is_unhealthy_and_says_so(bus, tmp_path):
    async def steps() -> None:
        async with studio(tmp_path, bus) as (floor, table):
            anybody = BrowserPerson(floor)
            bus.kill()
            await until(lambda: floor.floor.components.line.trouble is not None and not floor.hall.is_heard("t1"))
            health = await anybody.ask("GET", "/healthz")
            assert (health.status, health.body["ok"], health.body["heard"]) == (503, False, 0)
            assert health.body["says"]
            found = numbers((await anybody.ask("GET", "/metrics")).body.decode())
            assert found['tablectl_floor_line_up{floor="main"}'] == 0
            table.table.take(e.Open())  # the table still deals

    on_loop(steps)
