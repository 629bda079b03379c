"""Histogram of the time from each request to its answer, by route and status."""

import time

from prometheus_client import Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...outputs.web_metrics import request_seconds

NO_ROUTE = "none"  # no such path, or the request was refused before routing


class Latency:
    """Request latency of one table, at all its doors."""

    def __init__(self, table: str) -> None:
        self.histogram: Histogram = request_seconds()
        self._table = table

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that each of its answers is timed."""

        async def timed_app(scope: Scope, receive: Receive, send: Send) -> None:
            began = time.perf_counter()

            async def send_timed(message: Message) -> None:
                if message["type"] == "http.response.start":
                    route = getattr(scope.get("route"), "path", NO_ROUTE)
                    series = self.histogram.labels(self._table, route, str(message["status"]))
                    series.observe(time.perf_counter() - began)
                await send(message)

            await app(scope, receive, send_timed)

        return timed_app
