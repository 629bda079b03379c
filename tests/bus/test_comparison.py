"""Comparison of a running table with the bus: it continues after a failed attempt."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.bus import comparison
from controller.core.coded_message import coded
from controller.core.state import State
from controller.journal import JournalError
from tests.patience import on_loop, until


class GrowingHeads:
    """Bus that has no heads, but reports new ones at each read."""

    marks = ()

    def __init__(self, *_: object) -> None:
        pass

    async def read(self) -> bool:
        await asyncio.sleep(0)
        return True


@pytest.mark.parametrize("error", [JournalError(coded("disk_silent")), TimeoutError()])
def test_a_failed_comparison_is_repeated_at_the_next_beat(monkeypatch, error):
    """A journal error or a timeout in one comparison does not stop the next one."""
    monkeypatch.setattr(comparison, "seconds_to_beat", lambda _: 0)
    monkeypatch.setattr(comparison, "Heads", GrowingHeads)
    failing, findings = [error], []

    def record():
        if failing:
            raise failing.pop()
        return Path("t.journal"), State()

    async def steps():
        line = SimpleNamespace(client=None, up=asyncio.Event())
        line.up.set()
        task = asyncio.create_task(comparison.Comparison(line, None, None, record, findings.append).run())
        await until(lambda: findings or task.done())
        task.cancel()
        assert findings[0] is None

    on_loop(steps)
