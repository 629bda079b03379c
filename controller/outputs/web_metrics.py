"""Metrics of the table's web server and bus: connections, callers, refusals and response times."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prometheus_client import Histogram
from prometheus_client.core import Metric

from ..core.coded_message import CodedMessage
from ..text.metric_helps import help_of
from .families import Families

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class RequestPlaces(NamedTuple):
    """Concurrent requests of one kind of caller.

    `turned_away`: refused requests by HTTP status; `sent_away`: requests cancelled in favour of others.
    """

    limit: int
    taken: int
    streams: int
    turned_away: Mapping[int, int]
    sent_away: int


class Backlog(NamedTuple):
    """Records that are not on the bus yet: their number, and the seconds the oldest has waited."""

    records: int
    seconds: float


BUS = "bus"  # key of the bus in `troubles`


class WebState(NamedTuple):
    """State of the web server and the bus at one moment.

    `troubles`: defects of pages, sign-in, devices and bus, by part; `backlog`: None without a bus.
    """

    connections: int = 0
    connections_limit: int = 0
    places: Mapping[str, RequestPlaces] = {}
    troubles: Mapping[str, CodedMessage | str | None] = {}
    requests: Histogram | None = None
    backlog: Backlog | None = None

    def metrics(self, families: Families) -> Iterator[Metric]:
        """Yield all metrics of the web server and the bus."""
        gauge, one, places = families.gauge, families.single_gauge, self.places
        troubled = {what: int(trouble is not None) for what, trouble in self.troubles.items()}
        of_the_bus = troubled.pop(BUS, None)
        yield gauge("pages_trouble", troubled, "what")
        yield one("bus_trouble", of_the_bus)
        records, seconds = self.backlog or (None, None)
        yield one("bus_behind_records", records)
        yield one("bus_behind_seconds", seconds)
        yield one("connections", self.connections)
        yield one("connections_limit", self.connections_limit)
        limits = {kind: of.limit for kind, of in places.items()}
        yield gauge("places_limit", limits, "kind")
        occupancy = {kind: of.taken for kind, of in places.items()}
        yield gauge("places_taken", occupancy, "kind")
        streams = {kind: of.streams for kind, of in places.items()}
        yield gauge("subscribers", streams, "kind")
        away = {(kind, str(status)): n for kind, of in places.items() for status, n in of.turned_away.items()}
        yield families.counter("turned_away", away, "kind", "status")
        yield families.counter("sent_away", {kind: of.sent_away for kind, of in places.items()}, "kind")


def request_seconds() -> Histogram:
    """Create the histogram of response times, by route and status."""
    labels = ["table", "route", "status"]
    return Histogram("tablectl_request_seconds", help_of("request_seconds"), labels, registry=None, buckets=_SECONDS)
