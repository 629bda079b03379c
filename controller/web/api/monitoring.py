"""Endpoints for a monitoring system: a table's metrics and its health.

    GET /metrics    in the format of Prometheus
    GET /healthz    200 {"ok": true, ...} while the loop runs and records can be written; else 503 with the reason.
                    `troubles`: defects of pages, sign-in, devices, record, anchor or bus, one line each; the table
                    goes on meanwhile
                    `defects`: the same with codes and parts
                    `record`: number and time of the last verification; the first damaged record; the anchor's last one
                    `bus`: `records` that are not on it yet, `seconds` since the oldest of them
                    `clock`: quality of NTP; `step`: seconds by which it was set and that the table does not follow yet

No sign-in is needed, except for money in the metrics: it is sent only to signed-in callers and callers with a token.
A loop that hangs does not answer at all.
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
from ...outputs.custody_status import CustodyStatus
from ...outputs.metrics import Metrics
from ...outputs.web_metrics import WebState
from ...table.loop import Table
from ...table.ntp import ntp
from ...text.coded import defects_of
from ...text.refusals import refusal_sentence
from ..net.replies import as_json
from .callers import caller_of
from .record_feed import RecordFeed

KNOWN = ("server", "manager")  # roles that see money


class TableMonitoring:
    """Routes of metrics and health; only health if `metrics` is None.

    `web_state`: returns the state of all doors.
    """

    def __init__(
        self,
        table: Table,
        feed: RecordFeed,
        metrics: Metrics | None,
        web_state: Callable[[], WebState],
        custody: CustodyStatus | None = None,
    ) -> None:
        self._table, self._feed, self._web_state = table, feed, web_state
        self._custody = custody
        self.routes = [Route("/healthz", self.health)]
        if metrics is not None:
            self.routes.append(Route("/metrics", partial(self.metrics, metrics)))

    async def metrics(self, metrics: Metrics, request: Request) -> Response:
        """GET /metrics: all metrics as text; money only for known callers."""
        text = await metrics.text(self._web_state(), money=caller_of(request).role in KNOWN)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)

    async def health(self, _: Request) -> Response:
        """GET /healthz: 200 if the table works, else 503 with the reason."""
        wrong = "ending" if self._feed.closed else "halted" if self._table.halted is not None else None
        state = self._table.state
        about: dict[str, Any] = {
            "table": state.table,
            "life": state.life,
            "round": state.round.number,
            "seq": state.seq,
        }
        web_state = self._web_state()
        messages = () if self._custody is None else self._custody.messages
        defects = defects_of([*(one for one in web_state.troubles.values() if one), *messages])
        about["troubles"], about["defects"] = [one.says for one in defects], defects
        if self._custody is not None:
            progress = self._custody.progress
            at = None if progress.at is None else to_text(progress.at)
            about["record"] = {
                "verified": progress.verified,
                "at": at,
                "damaged": progress.damaged,
                "anchored": progress.anchored,
            }
        if web_state.backlog is not None:
            about["bus"] = web_state.backlog._asdict()
        about["clock"] = {**to_builtins(ntp()), "step": self._table.behind / SECOND}
        if wrong is not None:
            return as_json({"ok": False, "says": refusal_sentence(wrong), **about}, 503)
        return as_json({"ok": True, **about})
