"""What a monitoring system asks of a table: its metrics, and whether it is well.

    GET /metrics    in the format of Prometheus
    GET /healthz    200 {"ok": true, ...} while the loop lives and what happens can be recorded; else 503, and why.
                    `troubles`: what keeps people from the pages, in a line each; the table runs on without them

Whoever asks is told, for nothing in it is anybody's. A loop that hangs needs no word: it does not answer.
"""

from collections.abc import Callable
from functools import partial

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...outputs.metrics import Metrics
from ...table.loop import Table
from ..net.lookout import Lookout
from ..net.replies import as_json
from .api import ENDING, HALTED
from .record_feed import Feed


class Watch:
    """The routes. `connections`: how many there are at all doors. Without metrics there is only the health."""

    def __init__(
        self, table: Table, feed: Feed, metrics: Metrics | None, connections: Callable[[], int], lookout: Lookout
    ) -> None:
        self._table, self._feed, self._connections, self._lookout = table, feed, connections, lookout
        self.routes = [Route("/healthz", self.health, methods=["GET"])]
        if metrics is not None:
            self.routes.append(Route("/metrics", partial(self.metrics, metrics), methods=["GET"]))

    async def metrics(self, metrics: Metrics, _: Request) -> Response:
        """Numbers."""
        text = await metrics.text(self._connections(), self._lookout.troubles)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)

    async def health(self, _: Request) -> Response:
        """Well or not."""
        wrong = ENDING if self._feed.closed else HALTED if self._table.halted is not None else None
        state = self._table.state
        about = {"table": state.table, "life": state.life, "round": state.round.number, "seq": state.seq}
        about["troubles"] = self._lookout.told
        if wrong is not None:
            return as_json({"ok": False, "says": wrong, **about}, 503)
        return as_json({"ok": True, **about})
