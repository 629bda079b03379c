"""`tablectl demo --tables N` runs a bus, tables and a floor, each as a process of its own."""

import os
import re
import signal
import socket
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.journal import read, verify
from tests.end_to_end.studio import Browser, process_ids, show
from tests.patience import PATIENCE, eventually


def test_a_demo_of_two_tables_ends_and_leaves_nothing(tmp_path):
    with show(tmp_path, "--tables", "2", "--rounds", "1", "--speed", "1000") as studio:
        studio.stands()
        studio.has_said(r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d  t[12] +\S")
        studio.says("^ended: nothing of it runs any more")
        assert (studio.process.wait(PATIENCE), studio.errors()) == (0, "")
        assert process_ids(studio.folder) == []
    games = set()
    for name in ("t1", "t2"):
        journal = studio.folder / name / f"{name}.journal"
        assert verify(journal).finding is None
        games.add(next(record.what.game for record in read(journal) if record.kind == "configured"))
        assert [record.kind for record in read(journal) if record.kind in ("settled", "cancelled")]
    assert len(games) == 2


def test_a_missing_bus_server_is_one_line_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.lab.demo.studio.shutil.which", lambda *_, **__: None)
    result = CliRunner().invoke(main, ["demo", "--tables", "2", "--journal", str(tmp_path)])
    assert result.exit_code == 2
    assert result.stderr == (
        "tablectl: the bus needs nats-server, which is not installed here: pip install 'tablectl[demo]'\n"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--tables", "2", "--no-web"], "--tables: it needs the page that --no-web leaves out"),
        (["--tables", "0"], "invalid value for '--tables': expected a whole number from 1 to 200, got '0'"),
    ],
)
def test_an_impossible_demo_of_several_tables_is_refused(options, says):
    result = CliRunner().invoke(main, ["demo", *options])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert says in result.stderr


def test_a_taken_port_of_the_floor_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = CliRunner().invoke(main, ["demo", "--tables", "1", "--port", str(port), "--journal", str(tmp_path)])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert f"127.0.0.1:{port}: address already in use" in result.stderr


# ── long runs ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_a_ruling_from_the_floor_shows_on_the_tables_page(tmp_path):
    with show(tmp_path, "--tables", "2", "--by-hand", "--speed", "20", "--seed", "7") as studio:
        floor = Browser(studio.stands(), "1001")
        table = studio.has_said(r"^\S+ +(t\d) +FAULT (\w+)")[1]
        own = Browser(studio.page_of(table), "1002")
        call = eventually(lambda: call_of(floor, table))
        ruling = {"command": "rule", "id": "r1", "fault": call["seq"], "ruling": "cancel", "because": "tried out"}

        foreseen = floor.ask("POST", f"/tables/{table}/api/preview", ruling)
        (verdict,) = floor.ask("POST", f"/tables/{table}/api/commands?role=manager", ruling)["verdicts"]
        assert (foreseen["verdict"], verdict["verdict"]) == ("leads", "done")

        eventually(lambda: call_of(floor, table) is None)
        console, screen = (picture(page) for page in (lambda: floor_picture(floor, table), lambda: own_picture(own)))
        assert console["fault"] is screen["fault"] is None
        studio.is_ended()
    journal = studio.folder / table / f"{table}.journal"
    (ruled,) = (record for record in read(journal) if record.kind == "ruled")
    assert ruled.input is not None
    assert ruled.input.origin is not None
    assert (ruled.what.ruling, ruled.person, ruled.input.origin.via) == ("cancel", "1001", "floor:main")


def call_of(floor: Browser, table: str) -> Any:
    """Return the open call of a table as the floor shows it; None if there is none."""
    strips = floor.ask("GET", "/api/floor/now?lang=en")["strips"]
    return next((strip["call"] for strip in strips if strip["table"] == table), None)


def floor_picture(floor: Browser, table: str) -> Any:
    return floor.ask("GET", f"/tables/{table}/api/screen?role=manager&lang=en")


def own_picture(own: Browser) -> Any:
    return own.ask("GET", "/api/screen?role=manager&lang=en")


def picture(look: Any) -> Any:
    return look()["screen"]


@pytest.mark.proof
def test_a_killed_program_of_the_demo_is_started_again(tmp_path):
    with show(tmp_path, "--tables", "2", "--speed", "20") as studio:
        studio.stands()
        for name, what in (("t1", "t1.toml"), ("floor", "floor.toml"), ("bus", "bus.conf")):
            (process,) = process_ids(studio.folder, what)
            os.kill(process, signal.SIGKILL)
            studio.says(rf"  {name} +ended by SIGKILL: it is started again")
            eventually(lambda what=what, process=process: set(process_ids(studio.folder, what)) - {process})
        studio.says(r"  t1 +FAULT")
        studio.is_ended(signal.SIGINT)
    assert verify(studio.folder / "t1" / "t1.journal").finding is None


@pytest.mark.proof
def test_a_killed_demo_takes_all_its_programs_with_it(tmp_path):
    with show(tmp_path, "--tables", "2") as studio:
        studio.stands()
        assert len(process_ids(studio.folder)) == 4  # the bus, two tables, the floor
        studio.process.kill()
        eventually(lambda: process_ids(studio.folder) == [])


@pytest.mark.proof
def test_a_program_that_fails_ends_the_demo_with_its_error(tmp_path):
    (tmp_path / "studio" / "t1" / "t1.journal").mkdir(parents=True)
    with show(tmp_path, "--tables", "1") as studio:
        assert studio.process.wait(PATIENCE) == 2
        assert re.fullmatch(r"tablectl: t1 does not stand: .+t1.journal.+\n", studio.errors())
        assert process_ids(studio.folder) == []
