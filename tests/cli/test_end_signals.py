"""What ends a program that serves: its signals, and errors that nothing handles."""

import asyncio
import os
import signal

import pytest
from structlog.testing import CapturingLogger

from controller.cli.end_signals import ends
from tests.patience import on_loop, turns


def test_an_unhandled_error_is_logged_and_ends_the_program():
    error, log = ValueError("lost"), CapturingLogger()

    def fail():
        raise error

    async def steps():
        errors = ends(stopping := asyncio.Event(), log)
        asyncio.get_running_loop().call_soon(fail)
        await turns()
        return stopping.is_set(), errors

    stops, (crash,) = on_loop(steps)
    assert stops
    assert crash["exception"] is error
    (call,) = log.calls
    assert (call.method_name, call.args) == ("error", ("crashed",))
    assert call.kwargs == {"what": crash["message"], "exc_info": error}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_program_without_an_error(number):
    async def steps():
        errors = ends(stopping := asyncio.Event(), CapturingLogger())
        os.kill(os.getpid(), number)
        await stopping.wait()
        return errors

    before = signal.signal(number, lambda *_: None)  # the tests themselves may run under nohup
    try:
        assert on_loop(steps) == []
    finally:
        signal.signal(number, before)


def test_a_closed_terminal_ends_no_program_under_nohup():
    async def steps():
        ends(stopping := asyncio.Event(), CapturingLogger())
        os.kill(os.getpid(), signal.SIGHUP)
        await turns()
        return stopping.is_set()

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert on_loop(steps) is False
    finally:
        signal.signal(signal.SIGHUP, before)
