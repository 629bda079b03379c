"""What a monitoring system asks of a table: its metrics, and whether it is well.

    GET /metrics    in the format of Prometheus
    GET /healthz    200 {"ok": true, ...} while the loop lives and what happens can be recorded; else 503, and why.
                    `troubles`: what keeps people from the pages, or is wrong with the record, its anchor or the bus, in
                    a line each; the table runs on. `record`: how many records stood when all were verified last, and
                    when, from which on it does not stand, and up to which its anchor remembers it
                    `bus`: how many `records` are not on it yet, the oldest for how many `seconds`
                    `clock`: how well NTP keeps it; `step`: by how many seconds it was set and is not yet followed

Whoever asks is told, for nothing in it is anybody's; of money those alone who have a token or are signed in. A loop
that hangs needs no word: it does not answer.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import to_builtins
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core.clock import SECOND, to_text
from ...outputs.doorway import Doorway
from ...outputs.keeping import Custody
from ...outputs.metrics import Metrics
from ...table.loop import Table
from ...table.ntp import ntp
from ...text.refusals import in_words
from ..net.replies import as_json
from .record_feed import Feed
from .request_parameters import SignOn

KNOWN = ("server", "manager")  # who is told of money


class Watch:
    """The routes, at one of the table's doors; without metrics there is only the health. `doorway`: how all doors look.
    `sign_on`: who is asking at this one."""

    def __init__(
        self,
        table: Table,
        feed: Feed,
        metrics: Metrics | None,
        doorway: Callable[[], Doorway],
        sign_on: SignOn,
        custody: Custody | None = None,
    ) -> None:
        self._table, self._feed, self._doorway, self._sign_on = table, feed, doorway, sign_on
        self._custody = custody
        self.routes = [Route("/healthz", self.health, methods=["GET"])]
        if metrics is not None:
            self.routes.append(Route("/metrics", partial(self.metrics, metrics), methods=["GET"]))

    async def metrics(self, metrics: Metrics, request: Request) -> Response:
        """Numbers."""
        caller = await self._sign_on(request)
        text = await metrics.text(self._doorway(), money=caller.role in KNOWN)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)

    async def health(self, _: Request) -> Response:
        """Well or not."""
        wrong = "ending" if self._feed.closed else "halted" if self._table.halted is not None else None
        state = self._table.state
        about: dict[str, Any] = {
            "table": state.table,
            "life": state.life,
            "round": state.round.number,
            "seq": state.seq,
        }
        doorway = self._doorway()
        about["troubles"] = [
            *filter(None, doorway.troubles.values()),
            *(() if self._custody is None else self._custody.told),
        ]
        if self._custody is not None:
            kept = self._custody.kept
            at = None if kept.at is None else to_text(kept.at)
            about["record"] = {"verified": kept.verified, "at": at, "damaged": kept.damaged, "anchored": kept.anchored}
        if doorway.backlog is not None:
            about["bus"] = doorway.backlog._asdict()
        about["clock"] = {**to_builtins(ntp()), "step": self._table.behind / SECOND}
        if wrong is not None:
            return as_json({"ok": False, "says": in_words(wrong), **about}, 503)
        return as_json({"ok": True, **about})
