"""The table's service as `make service` installs it, on a machine with a real systemd and udev.

The shoe is emulated on a real pty; the panel is a umockdev testbed that the real libusb opens. The unit, the program
and its confinement are those that `make service` installs.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.rig import ROOT
from tests.machine import Machine
from tests.patience import eventually

pytestmark = [pytest.mark.proof, pytest.mark.timeout(600)]

UNIT, CALL, SHIP = "tablectl@t1.service", "tablectl-failed@t1.service", "tablectl-ship@t1.service"
FLOOR = "tablectl-floor@floor.service"
PROGRAM = "/opt/tablectl/current/bin/python"
DEBIAN_PYTHON = "/usr/bin/python3"  # python3-gi is built for it
OPEN, CLOSE = 0, 1  # keys of the panel

CONFIG = """
[table]
name = "t1"
dealer = "d1"
[game]
name = "baccarat"
[shoe]
port = "/run/shoe"
[panel]
model = "xk24"
[timers]
betting = 3600
[journal]
path = "t1.journal"
[api]
group = "games"
[web]
listen = "127.0.0.1:0"
"""
# A shorter watchdog time, and the settings that the emulated panel needs.
# SIGUSR1 blocks the program's loop; its other threads run on.
DROP_IN = """
[Service]
WatchdogSec=2
Environment=LD_PRELOAD=libumockdev-preload.so.0 UMOCKDEV_DIR={panel} PYTHONPATH=/run/hang
ReadWritePaths={panel}
"""
HANG = "import signal, time\nsignal.signal(signal.SIGUSR1, lambda *_: time.sleep(3600))\n"


class DeviceProcess:
    """Process in the machine that answers each input line with one line."""

    def __init__(self, machine: Machine, *command: object) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(machine.command(*command), stdin=pipe, stdout=pipe, text=True)
        self.first = self._process.stdout.readline().strip()

    def __call__(self, line: str = "") -> str:
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        self._process.communicate()


class ServiceTable:
    """Service of one table with its devices, used by dealer and shift manager."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.shoe = DeviceProcess(
            machine, PROGRAM, ROOT / "tests/end_to_end/shoe_process.py", "/run/shoe", "tablectl",
            "9C", "2D", "KD", "3H",
        )  # fmt: skip
        server = ROOT / "tests/drivers/umock/usb_server.py"
        preload = ["env", "LD_PRELOAD=libumockdev-preload.so.0", f"PYTHONPATH={ROOT}", "PYTHONDONTWRITEBYTECODE=1"]
        self.panel = DeviceProcess(machine, *preload, "TMPDIR=/run", DEBIAN_PYTHON, server, "xk24")
        self.panel("plug")
        machine.run("chown", "-R", "tablectl", self.panel.first)
        machine.run("rm", "-rf", "/var/lib/tablectl/t1", "/var/lib/tablectl/moved")
        machine.run("find", "/var/lib/tablectl/.begun", "-type", "f", "-delete")
        machine.write("/etc/tablectl/t1.toml", CONFIG)
        machine.write("/run/hang/sitecustomize.py", HANG)
        machine.run("usermod", "-aG", "games", "tablectl")
        self.drop_in()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.machine.run("systemctl", "stop", UNIT, CALL, check=False)
        self.machine.run("systemctl", "reset-failed", UNIT, check=False)
        self.panel.end()
        self.shoe.end()

    def drop_in(self, more: str = "") -> None:
        """Write the unit's drop-in file with these further lines, and reload systemd."""
        text = DROP_IN.format(panel=self.panel.first) + more
        self.machine.write(f"/run/systemd/system/{UNIT}.d/test.conf", text)
        self.machine.run("systemctl", "daemon-reload")

    def press(self, key: int) -> None:
        self.panel(f"press {key}")
        self.panel(f"release {key}")

    def systemctl(self, verb: str) -> None:
        self.machine.run("systemctl", verb, UNIT)

    def says(self, name: str) -> str:
        """Return a property of the unit, as systemd shows it."""
        return self.machine.run("systemctl", "show", "--value", "-p", name, UNIT).stdout.strip()

    def stands(self, status: str, restarts: int = 0) -> None:
        """Wait until systemd shows the unit running with this status text and number of restarts."""
        values = ["active", "running", status, str(restarts)]
        names = ("ActiveState", "SubState", "StatusText", "NRestarts")
        try:
            eventually(lambda: [self.says(name) for name in names] == values)
        except AssertionError:
            raise AssertionError(f"{[self.says(name) for name in names]}, expected {values}\n{self.log()}") from None

    def log(self, unit: str = UNIT) -> str:
        return self.machine.run("journalctl", "--no-pager", "-o", "cat", "-u", unit).stdout

    def kill(self, signal: str) -> None:
        """Send a signal to the unit's main process."""
        self.machine.run("systemctl", "kill", "--kill-who=main", "-s", signal, UNIT)

    def records(self, kind: str) -> list[str]:
        """Return the records of a kind, as the JSON lines of `journal export`."""
        shown = self.machine.run("tablectl", "journal", "export", "/var/lib/tablectl/t1/t1.journal").stdout
        return [line for line in shown.splitlines() if f'"kind":"{kind}"' in line]


@pytest.fixture
def table(machine) -> Iterator[ServiceTable]:
    with ServiceTable(machine) as here:
        yield here


def test_the_units_are_without_fault_and_expose_little(machine):
    verified = machine.run("systemd-analyze", "verify", UNIT, CALL, SHIP, FLOOR)
    assert verified.stdout + verified.stderr == ""
    for unit, threshold in ((UNIT, 20), (CALL, 13), (SHIP, 5), (FLOOR, 13)):  # in tenths
        machine.run("systemd-analyze", "security", "--no-pager", "--offline=true", f"--threshold={threshold}", unit)


@pytest.mark.parametrize("unit", ["tablectl", "tablectl-ship", "tablectl-floor"])
def test_starting_a_table_that_does_not_exist_fails(machine, unit):
    started = machine.run("systemctl", "start", f"{unit}@typo", check=False)
    machine.run("systemctl", "stop", f"{unit}@typo", check=False)
    assert started.returncode == 1
    assert f"{unit}@typo.service" in started.stderr


# ── the watchdog ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_hangs_is_restarted_with_its_round(table):
    table.systemctl("start")
    assert table.says("User") == "tablectl"
    table.stands("idle")
    table.press(OPEN)
    table.stands("round 1 betting")
    for _ in range(2):  # twice, since the betting time is not over
        table.press(CLOSE)
    table.stands("round 1 dealing")
    table.shoe()
    eventually(lambda: table.records("dealt"))
    paused = "round 1 paused: restarted, expected card to banker"

    table.kill("USR1")  # the loop hangs; the threads that read the panel and write the log live on
    table.stands(paused, restarts=1)
    assert "sitecustomize.py" in table.log()  # the log says where the program hung
    assert len(table.records("dealt")) == 1

    table.kill("STOP")
    table.stands(paused, restarts=2)
    assert [line.count('"restarted"') for line in table.records("faulted")] == [1]

    table.machine.run("tablectl", "rule", "resume", "--because", "nobody has touched a card")
    table.stands("round 1 dealing", restarts=2)
    assert '"by":"root"' in table.records("ruled")[0]

    table.systemctl("stop")
    assert (table.says("ActiveState"), table.says("Result")) == ("inactive", "success"), table.log()
    table.machine.run("tablectl", "journal", "verify", "/var/lib/tablectl/t1/t1.journal")


def test_the_socket_is_for_the_group_of_the_config(table):
    table.systemctl("start")
    output = table.machine.run("stat", "-c", "%U:%G %a", "/run/tablectl", "/run/tablectl/t1.sock").stdout
    assert output.split("\n")[:2] == ["tablectl:tablectl 755", "tablectl:games 660"]


def test_a_table_at_rest_is_left_alone_by_the_watchdog(table):
    table.systemctl("start")
    table.stands("idle")
    began, fed = "ExecMainStartTimestampMonotonic", "WatchdogTimestampMonotonic"
    eventually(lambda: int(table.says(fed)) - int(table.says(began)) > 3_000_000)
    table.stands("idle")


# ── the record ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_without_its_state_folder_is_not_begun_anew(table):
    journal, moved = "/var/lib/tablectl/t1/t1.journal", "/var/lib/tablectl/moved"
    table.systemctl("start")
    table.stands("idle")
    table.machine.run("mv", "/var/lib/tablectl/t1", moved)
    gone = f"{journal}: it was removed, or has another name now; stop the table, put the right file there, start it"
    table.stands(f"HALTED, the record cannot be written: {gone}; idle")
    table.machine.run("systemctl", "restart", UNIT, check=False)
    eventually(lambda: "move away what tells of it: /var/lib/tablectl/.begun/" in table.log())
    table.systemctl("stop")
    assert "t1.journal\n" not in table.machine.run("ls", "/var/lib/tablectl/t1").stdout

    table.machine.run("rm", "-r", "/var/lib/tablectl/t1")
    table.machine.run("mv", moved, "/var/lib/tablectl/t1")
    table.machine.run("systemctl", "reset-failed", UNIT, check=False)
    table.systemctl("start")
    eventually(lambda: table.says("StatusText") == "idle")
    assert table.machine.run("find", "/var/lib/tablectl/t1", "-type", "f", "-perm", "/137").stdout == ""


# ── undone ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_uninstall_waits_for_running_tables_and_leaves_their_records(another_machine):
    machine = another_machine
    with ServiceTable(machine) as here:
        machine.run("systemctl", "enable", "--now", UNIT)
        refused = machine.run("make", "-C", ROOT, "uninstall", check=False)
        assert f"systemctl disable --now {UNIT}" in refused.stderr
        here.stands("idle")
        machine.run("systemctl", "disable", "--now", UNIT)
        here.drop_in("Restart=no\n")
        machine.write("/etc/tablectl/t1.toml", CONFIG.replace("baccarat", "bacarat"))
        machine.run("systemctl", "start", UNIT, check=False)
        assert here.says("ActiveState") == "failed"
        output = machine.run("make", "-C", ROOT, "uninstall").stdout
        assert here.says("ActiveState") == "inactive"
    left = machine.run("find", "/etc", "/opt", "/usr/local/bin", "/var/lib", "-name", "*tablectl*").stdout.split()
    word = "/var/lib/tablectl/.begun/%2Fvar%2Flib%2Ftablectl%2Ft1%2Ft1.journal"
    assert sorted(left) == ["/etc/tablectl", "/var/lib/tablectl", word]
    assert machine.run("find", "/etc/tablectl", "/var/lib/tablectl", "-name", "t1.*l").stdout.split() == [
        "/etc/tablectl/t1.toml",
        "/var/lib/tablectl/t1/t1.journal",
    ]
    (by_hand,) = re.findall("to remove them too: (.*)", output)
    machine.run("sh", "-ec", by_hand)
    assert machine.run("sh", "-c", "getent passwd tablectl; getent group tablectl", check=False).stdout == ""


def programs(machine: Machine) -> tuple[list[str], str]:
    """Return the folders with an installed program, and the one that new tables start from."""
    listing = "ls -d /opt/tablectl/*/pyvenv.cfg | grep -v current; readlink /opt/tablectl/current"
    *folders, started = machine.run("sh", "-c", listing).stdout.replace("/pyvenv.cfg", "").split()
    return sorted(Path(folder).name for folder in folders), Path(started).name


@pytest.mark.timeout(600)
def test_an_upgrade_leaves_a_running_table_its_files(another_machine):
    machine = another_machine
    with ServiceTable(machine) as here:
        (first,), _ = programs(machine)
        here.systemctl("start")
        here.stands("idle")
        here.press(OPEN)
        here.stands("round 1 betting")
        output = machine.run("make", "-C", ROOT, "service").stdout
        assert f"{UNIT} goes on with /opt/tablectl/{first}; between two rounds: systemctl restart {UNIT}" in output
        assert programs(machine) == ([first, f"{first}-2"], f"{first}-2")
        here.stands("round 1 betting")
        here.systemctl("restart")
        eventually(lambda: here.records("restarted") or here.records("faulted"))
        output = machine.run("make", "-C", ROOT, "service").stdout
        assert programs(machine) == ([f"{first}-2", f"{first}-3"], f"{first}-3")
        assert f"{UNIT} goes on with /opt/tablectl/{first}-2" in output
