"""Web routes for a monitoring system: metrics of a floor, and its health.

    GET /metrics    in the format of Prometheus
    GET /healthz    200 {"ok": true, ...} while the floor hears the bus and stores the events; else 503, and why.
                    `troubles`: the defects, one line each; `defects`: the same with their codes and parts

Open to everybody: the answers have counts and defects, and nothing of a game.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import Metric
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ... import __version__
from ...core.clock import SECOND, from_text
from ...core.coded_message import CodedMessage
from ...outputs.families import Families, ReadyMetrics
from ...text.coded import defects_of, render
from ...web.net.admission import Admission
from ...web.net.replies import as_json
from ..live.page_messages import ShownCall, Strip
from .components import FloorComponents


class NoViewer:
    """Viewer without any rights, to compose strips for counting."""

    id = ""

    def acts_at(self, owner: str | None) -> bool:  # noqa: ARG002 - whosever it is
        """Always False: no rights at any table."""
        return False


class FloorMonitoring:
    """Monitoring routes of one floor. `troubles`: returns its defects, one line each."""

    def __init__(
        self, components: FloorComponents, admission: Admission, troubles: Callable[[], Sequence[CodedMessage | str]]
    ) -> None:
        self._components, self._live_tables, self._troubles, self._admission = (
            components,
            components.live_tables,
            troubles,
            admission,
        )
        self._floor = components.config.floor.name
        self._families, self._process = Families(self._floor, "floor"), ProcessCollector(registry=None)
        self.routes = [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
        ]

    async def health(self, _: Request) -> Response:
        """GET /healthz: 200 if the floor is healthy, else 503 with the reason."""
        picture = self._live_tables.picture(NoViewer(), "en")
        count, defects = sum(map(self._live_tables.is_heard, self._live_tables.tables)), defects_of(self._troubles())
        about = {
            "floor": self._floor,
            "tables": len(picture.strips),
            "heard": count,
            "calls": len(_calls(picture.strips)),
            "behind": picture.head.behind,
            "troubles": [one.says for one in defects],
            "defects": defects,
        }
        components = self._components
        reason = picture.head.line or components.feed.trouble or components.notes.trouble
        if reason is None:
            return as_json({"ok": True, **about})
        return as_json({"ok": False, "says": render(reason), **about}, 503)

    async def metrics(self, _: Request) -> Response:
        """GET /metrics: metrics in the text format of Prometheus."""
        registry = CollectorRegistry()
        registry.register(ReadyMetrics([*self._table_metrics(), *self._floor_metrics()]))
        registry.register(self._process)
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    def _table_metrics(self) -> Iterator[Metric]:
        gauge, one = self._families.gauge, self._families.single_gauge
        strips = self._live_tables.picture(NoViewer(), "en").strips
        values = {table: int(self._live_tables.is_heard(table)) for table in sorted(self._live_tables.tables)}
        yield gauge("floor_table_heard", values, "table")
        yield gauge("floor_calls", _count_claims(strips), "claimed")
        now = self._components.clock.now()
        ages = [(now - from_text(call.since)) / SECOND for call in _calls(strips)]
        yield one("floor_call_age_seconds", max(ages, default=0.0))
        alarms = Counter(alarm.kind for strip in strips for alarm in strip.alarms if alarm.acknowledged is None)
        yield gauge("floor_alarms", alarms, "kind")

    def _floor_metrics(self) -> Iterator[Metric]:
        gauge, one = self._families.gauge, self._families.single_gauge
        head = self._live_tables.picture(NoViewer(), "en").head
        yield gauge("floor_info", {__version__: 1}, "version")
        yield one("floor_line_up", int(head.line is None))
        yield one("floor_behind_records", head.behind)
        yield one("floor_troubles", len(self._troubles()))
        streams = sum(each.figures.streams for each in self._admission.classes.values())
        yield one("floor_subscribers", streams)


def _calls(strips: Sequence[Strip]) -> list[ShownCall]:
    return [strip.call for strip in strips if strip.call is not None]


def _count_claims(strips: Sequence[Strip]) -> Mapping[str, int]:
    claimed = sum(call.claim is not None for call in _calls(strips))
    return {"yes": claimed, "no": len(_calls(strips)) - claimed}
