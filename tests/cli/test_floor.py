"""`tablectl floor` runs until SIGTERM, and shows and verifies its own record."""

import json
import os
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.bus.rig import BusServer
from tests.floor.service import staff
from tests.patience import PATIENCE
from tests.ports import free
from tests.processes import TABLECTL, ForkableProgram
from tests.station.test_service import Systemd


@pytest.fixture
def bus(tmp_path) -> Iterator[BusServer]:
    with BusServer(tmp_path / "bus") as one:
        yield one


def config_of(folder: Path, server: BusServer, port: int) -> Path:
    staff(folder)
    config = folder / "floor.toml"
    config.write_text(
        f'[floor]\nname = "main"\n\n[bus]\nservers = ["{server.url}"]\ncredentials = "{server.seed("floors", "main")}"'
        f'\nadmin = "{server.studio.admin_key}"\n\n[web]\nlisten = "127.0.0.1:{port}"\n'
    )
    return config


def log_of(config: Path) -> Path:
    """Path of the file with the log of a floor that `running` started."""
    return config.with_suffix(".log")


@contextmanager
def running(config: Path, port: int, *, well: bool = True, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `tablectl floor` as a process; yield it once its health check returns `well`."""
    program = [TABLECTL, "floor", config]
    with (
        log_of(config).open("wb") as log,
        ForkableProgram(program, stderr=log, env={**os.environ, **environment}) as process,
    ):
        try:
            until = time.monotonic() + PATIENCE
            while is_well(port) is not well:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def is_well(port: int) -> bool | None:
    """Return whether the floor's health check is good; None if it does not answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as page:
            return page.status == 200
    except urllib.error.HTTPError as answer:
        answer.close()
        return False
    except OSError:
        return None


def test_a_floor_runs_until_sigterm_and_its_record_tells_so(bus, tablectl, tmp_path):
    port, systemd = free(), Systemd(str(tmp_path / "notify"))
    config = config_of(tmp_path, bus, port)
    with closing(systemd), running(config, port, NOTIFY_SOCKET=systemd.name, WATCHDOG_USEC="300000") as process:
        ready, *_ = report = systemd.hears()
        assert (ready, report[1][: len("STATUS=0 of 0 tables heard")]) == ("READY=1", "STATUS=0 of 0 tables heard")
        while systemd.hears() != ["WATCHDOG=1"]:
            pass
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert ["STOPPING=1"] in systemd.has_heard()
    logged = [json.loads(line) for line in log_of(config).read_text().splitlines()]
    assert [one["event"] for one in logged if one.get("floor") == "main"] == ["started", "stopped"]
    shown = [json.loads(line) for line in tablectl("floor", "record", config).output.splitlines()]
    assert [(one["entry"], one["kind"]) for one in shown] == [(1, "started"), (2, "stopped")]
    (later,) = tablectl("floor", "record", config, "--after", 1).output.splitlines()
    assert json.loads(later)["kind"] == "stopped"
    assert "2 entries valid" in tablectl("floor", "verify", config).output
    db = sqlite3.connect(tmp_path / "main.floor.record")
    db.execute("UPDATE records SET record = replace(record, 'started', 'stopped') WHERE seq = 1")
    db.commit()
    db.close()
    assert "changed: the hash of entry 1" in tablectl("floor", "verify", config, exit_code=1).output
    report = json.loads(tablectl("floor", "verify", config, "--json", exit_code=1).output)
    assert report == {
        "records": 0,
        "hash": report["hash"],
        "wrong": "changed: the hash of entry 1 does not fit it and those before",
    }


@pytest.mark.proof
def test_a_floor_without_a_bus_ends_on_sigterm(bus, tmp_path):
    port = free()
    config = config_of(tmp_path, bus, port)
    bus.end()
    with running(config, port, well=False) as process:
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_floor_that_has_not_run_has_no_record(tablectl, tmp_path):
    config = tmp_path / "floor.toml"
    config.write_text(f'[bus]\nservers = ["nats://127.0.0.1:1"]\ncredentials = "x.nk"\nadmin = "U{"A" * 55}"\n')
    result = tablectl("floor", "verify", config, exit_code=2)
    assert "main.floor.record: no such file" in result.output


@pytest.mark.parametrize("missing", ["people.toml", "main.nk"])
def test_a_floor_without_its_registry_or_key_is_refused(bus, tablectl, tmp_path, missing):
    config = config_of(tmp_path, bus, 0)
    (tmp_path / missing if missing == "people.toml" else bus.seed("floors", "main")).unlink()
    result = tablectl("floor", "run", config, exit_code=2)
    assert result.output.count("\n") == 1
    assert f"{missing}: no such file" in result.output
