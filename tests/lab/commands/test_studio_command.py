"""Terminal of a studio of demo tables: its addresses and lines, and the signals that end it."""

import asyncio
import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.lab.commands.demo_studio import STAFF, _announce, _run_until_signal, _tell, show_studio
from controller.lab.demo import Plan
from controller.lab.demo.studio import StudioLine
from controller.lab.demo.studio_folder import STAFF as PEOPLE
from controller.lab.demo.studio_folder import OneTable
from tests.patience import on_loop, turns

SIGN_IN = ("1001 (manager)", "1002 (a second manager)", "1101 (supervisor)", "1201 (engineer)", "1301 (auditor)")


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
            await _run_until_signal(SimpleNamespace(tables=[1, 2, 3], run=run))

    on_loop(steps)
    assert cancelled == ["once", "ended"]
    assert capsys.readouterr().out == "starting a bus, 3 tables and a floor\n"


def test_a_studio_that_a_signal_ended_says_so(capsys, monkeypatch, tmp_path):
    async def run(_):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr("controller.lab.demo.studio.StudioDemo", lambda *_: SimpleNamespace(tables=[1], run=run))
    assert show_studio(Plan(), 1, None, tmp_path, 0) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "ended: nothing of it runs any more"


def test_a_studio_announces_its_addresses_and_who_can_sign_in(capsys):
    place = SimpleNamespace(folder=Path("demo"), tables=[OneTable("t1", "baccarat", "2001")])
    _announce(SimpleNamespace(place=place, floor_port=8040, pages={"t1": "http://127.0.0.1:7"}))
    assert capsys.readouterr().out.splitlines() == [
        "t1      baccarat      its own pages: http://127.0.0.1:7/manager",
        "configs, records and logs of all in demo",
        "the floor: http://127.0.0.1:8040/floor",
        f"sign in there, PIN 2580: {', '.join(SIGN_IN)}",
    ]
    assert {number: role.split()[-1] for role, number in STAFF} == {one: role for one, (_, role) in PEOPLE.items()}


def test_a_line_of_a_studio_has_its_time_and_source(capsys):
    _tell(StudioLine("t1", "round 3 is void"))
    assert re.fullmatch(r"\d\d:\d\d:\d\d  t1    round 3 is void\n", capsys.readouterr().out)
