"""Signals to a studio of demo tables: the first one ends it in order, others change nothing."""

import asyncio
import os
import signal
from types import SimpleNamespace

import pytest

from controller.lab.commands.demo_studio import _until_told
from tests.patience import on_loop, turns


def test_only_the_first_signal_cancels_a_studio(capsys):
    cancelled = []

    async def run(_):
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("once")
            os.kill(os.getpid(), signal.SIGHUP)
            await turns()  # the tables end in their order
            cancelled.append("ended")
            raise

    async def steps():
        with pytest.raises(asyncio.CancelledError):
            await _until_told(SimpleNamespace(tables=[1, 2, 3], run=run))

    on_loop(steps)
    assert cancelled == ["once", "ended"]
    assert capsys.readouterr().out == "starting a bus, 3 tables and a floor\n"
