"""What a monitoring system asks of a floor: its metrics, and whether it is well.

    GET /metrics    in the format of Prometheus
    GET /healthz    200 {"ok": true, ...} while the floor hears the bus and keeps what comes; else 503.
                    `troubles`: what is wrong, in a line each

Whoever asks is told, for nothing in it is anybody's.
"""

from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.clock import SECOND, from_text
from ..outputs.families import Made
from ..web.net.admission import Admission
from ..web.net.replies import as_json
from .behind import Behind

Troubles = Callable[[], Sequence[str]]


class Watch:
    """`troubles`: what is wrong."""

    def __init__(self, behind: Behind, admission: Admission, troubles: Troubles) -> None:
        self._behind, self._admission, self._troubles = behind, admission, troubles
        self.routes = [
            Route("/healthz", self.health, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def health(self, _: Request) -> Response:
        """Well or not."""
        behind, troubles = self._behind, tuple(self._troubles())
        tables, heard = self._tables()
        ok = not (behind.line.trouble or behind.feed.trouble or behind.notes.trouble)
        about = {"floor": behind.config.floor.name, "tables": tables, "heard": heard, "calls": len(self._calls())}
        return as_json({"ok": ok, **about, "behind": behind.feed.behind, "troubles": troubles}, 200 if ok else 503)

    async def metrics(self, _: Request) -> Response:
        """Numbers."""
        registry = CollectorRegistry()
        registry.register(Made(self._told()))
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    def _tables(self) -> tuple[int, int]:
        hall = self._behind.hall
        return len(hall.tables), sum(hall.hears(table) for table in hall.tables)

    def _calls(self) -> list[float]:
        """For how many seconds each that is open has waited."""
        now, statuses = self._behind.clock.now(), self._behind.hall.tables.values()
        since = [from_text(one.fault.since) for one in statuses if one.fault is not None]
        since += [from_text(one.at) for one in statuses if one.fault is None and one.halted is not None]
        return [max(0.0, (now - at) / SECOND) for at in since]

    def _told(self) -> Iterator[Metric]:
        behind, calls, (tables, heard) = self._behind, self._calls(), self._tables()
        troubled = {
            "bus": behind.line.trouble, "store": behind.feed.trouble, "record": behind.notes.trouble,
        }  # fmt: skip
        yield self._gauge("tables", "Tables on the bus.", tables)
        yield self._gauge("tables_heard", "Tables that are heard.", heard)
        yield self._gauge("calls", "Calls that are open.", len(calls))
        yield self._gauge("oldest_call_seconds", "For how long the oldest open call waits.", max(calls, default=0.0))
        yield self._gauge("records_behind", "Records that are still to come.", behind.feed.behind)
        yield self._gauge("record_waiting", "Acts that are not in the floor's own record yet.", behind.notes.waiting)
        places = self._admission.rooms["manager"].figures
        yield self._gauge("streams", "Streams that people follow.", places.streams)
        trouble = GaugeMetricFamily("tablectl_floor_trouble", "1 for what is wrong.", labels=["floor", "what"])
        for what, says in troubled.items():
            trouble.add_metric([behind.config.floor.name, what], int(says is not None))
        yield trouble

    def _gauge(self, name: str, says: str, number: float) -> Metric:
        made = GaugeMetricFamily(f"tablectl_floor_{name}", says, labels=["floor"])
        made.add_metric([self._behind.config.floor.name], number)
        return made
