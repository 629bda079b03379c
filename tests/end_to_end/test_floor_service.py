"""A floor as `make service` installs it, with its unit and confinement, beside a real bus."""

import json
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bus.rig import BusServer
from tests.machine import Machine
from tests.patience import PATIENCE, eventually
from tests.ports import free
from tests.web.staff import registry_content

pytestmark = [pytest.mark.proof, pytest.mark.timeout(600)]

UNIT = "tablectl-floor@floor.service"
CONFIG = """
[floor]
name = "main"
[bus]
servers = ["{url}"]
credentials = "/etc/tablectl/main.nk"
admin = "{admin}"
[web]
listen = "127.0.0.1:{port}"
"""


class Service:
    """The floor's unit on a machine that shares this PC's network."""

    def __init__(self, machine: Machine, bus: BusServer, folder: Path) -> None:
        self.machine, self.port = machine, free()
        files = {
            "floor.toml": CONFIG.format(url=bus.url, port=self.port, admin=bus.studio.admin_key),
            "people.toml": registry_content().decode(),
            "main.nk": bus.seed("floors", "main").read_text(),
        }
        self.files = tuple(files)
        for name, text in files.items():
            machine.write(f"/etc/tablectl/{name}", text)
            machine.run("chown", "root:tablectl", f"/etc/tablectl/{name}")
            machine.run("chmod", "640", f"/etc/tablectl/{name}")

    def systemctl(self, *words: str) -> None:
        self.machine.run("systemctl", *words, UNIT)

    def says(self, name: str) -> str:
        return self.machine.run("systemctl", "show", "--value", "-p", name, UNIT).stdout.strip()

    def stands(self, restarts: int) -> None:
        """Wait until the unit runs and its status says that it hears the bus, with no table on it yet.

        `restarts`: the number expected so far. Raises AssertionError with the unit's log.
        """
        values = ["active", "running", "0 of 0 tables heard", str(restarts)]
        names = ("ActiveState", "SubState", "StatusText", "NRestarts")
        try:
            eventually(lambda: [self.says(name) for name in names] == values)
        except AssertionError:
            log = self.machine.run("journalctl", "--no-pager", "-o", "cat", "-u", UNIT).stdout
            raise AssertionError(f"{[self.says(name) for name in names]}, expected {values}\n{log}") from None

    def health(self) -> dict[str, object]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=PATIENCE) as answer:
            return json.load(answer)


@pytest.fixture
def service(machine, tmp_path) -> Iterator[Service]:
    with BusServer(tmp_path / "bus") as bus:
        one = Service(machine, bus, tmp_path)
        try:
            yield one
        finally:
            machine.run("systemctl", "stop", UNIT, check=False)
            machine.run("systemctl", "reset-failed", UNIT, check=False)
            machine.run("rm", "-f", *(f"/etc/tablectl/{name}" for name in one.files))  # tables would read people.toml


def test_a_floor_that_hangs_or_falls_is_started_again(service):
    service.systemctl("start")
    assert service.says("User") == "tablectl"
    service.stands(restarts=0)
    assert service.health() | {"behind": 0} == {
        "ok": True, "floor": "main", "tables": 0, "heard": 0, "calls": 0, "behind": 0, "troubles": [], "defects": [],
    }  # fmt: skip
    for number, how in enumerate(("KILL", "STOP"), start=1):
        service.systemctl("kill", "--kill-who=main", "-s", how)
        service.stands(restarts=number)
    assert service.health()["ok"]
    service.systemctl("stop")
    assert (service.says("ActiveState"), service.says("Result")) == ("inactive", "success")
    output = service.machine.run("stat", "-c", "%U %a %n", "/var/lib/tablectl/floor/main.floor.record").stdout
    assert output.split()[:2] == ["tablectl", "600"]
    result = service.machine.run("tablectl", "floor", "verify", "/etc/tablectl/floor.toml")
    assert result.returncode == os.EX_OK
