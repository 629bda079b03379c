"""Alerts for a halted table, whose record cannot be written, and for its recovery.

They need no disk. Alerts about a fault are queued in the record until each target has got them. During a halt nothing
can be recorded, so all targets of the first level are called after GRACE seconds of halt, and get one more message when
the table has recovered. A failed delivery is logged and not repeated.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

import structlog

from ..config.alerts import Target
from ..core.records import Record
from ..table.loop import Table
from .alert_text import Alert
from .delivery import AlertMessage, send
from .own_alerts import halted_alert, recovery_alert

GRACE = 5.0  # seconds before the first alert; short disk problems pass by themselves
PATIENCE = 60.0  # seconds for one delivery


class HaltAlert:
    """Sender of halt alerts for one table. `hear` must be called after every change."""

    def __init__(self, targets: Mapping[str, Target]) -> None:
        self._targets = {name: target for name, target in targets.items() if target.level == 1}
        self._grace: asyncio.TimerHandle | None = None
        self._called = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger()

    def hear(self, table: Table, _: Sequence[Record]) -> None:
        """Schedule the alert when the table halts; cancel it, or report the recovery, when it runs again."""
        if table.halted is not None and self._grace is None:
            self._grace = asyncio.get_running_loop().call_later(GRACE, self._call, table)
        elif table.halted is None and self._grace is not None:
            self._grace.cancel()
            self._grace = None
            if self._called:
                self._called = False
                self._send(partial(recovery_alert, table.house.table))

    def _call(self, table: Table) -> None:
        self._called = True
        self._send(partial(halted_alert, table.house.table, table.halted or ""))

    def _send(self, compose: Callable[[str], Alert]) -> None:
        """Send an alert to each target, in the target's language."""
        for name, target in self._targets.items():
            alert = compose(target.language)
            self._do(self._deliver(name, AlertMessage(target, alert.subject, alert.body, urgent=not alert.over)))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, name: str, message: AlertMessage) -> None:
        reason = await send(message, PATIENCE)
        if reason is not None:
            self._log.warning("halt_alert_undelivered", target=name, reason=reason)

    async def stop(self) -> None:
        """Cancel all alerts at once, also those under way."""
        if self._grace is not None:
            self._grace.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()  # a task that has just ended may not have removed itself yet
