"""`tablectl doctor` beside a running table: its record, and its shoe behind a device server.

The device server serves one host at a time.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import doctor as doctor_command
from controller.cli.requirements import RUNS
from controller.config.paths import CONFIGS, STATES, pc_folder
from tests.end_to_end.rig import Folder, RunningProgram, start_table
from tests.end_to_end.rig import tablectl as command
from tests.mounts import into, shell
from tests.patience import eventually
from tests.ports import free
from tests.processes import TABLECTL


@pytest.fixture
def port() -> int:
    return free()


@pytest.fixture
def folder(tmp_path, port) -> Folder:
    """Folder of a table with its shoe behind a device server at this port."""
    folder = Folder(tmp_path)
    config = folder.write_config(panel=None)
    config.write_text(config.read_text().replace(str(folder.port), address(port)))
    return folder


@pytest.fixture
def server(tmp_path, port) -> Iterator[RunningProgram]:
    with RunningProgram(
        [TABLECTL, "emulate", "angel_eye", "--listen", f"127.0.0.1:{port}"], tmp_path / "shoe.log"
    ) as shoe:
        shoe.process.stdout.readline()  # the server listens
        yield shoe


def address(port: int) -> str:
    return f"socket://127.0.0.1:{port}"


def shoe(tablectl, config: Path) -> str:
    """Return doctor's line about the shoe."""
    return doctor_line(tablectl, config, "shoe")


def doctor_line(tablectl, config: Path, part: str) -> str:
    """Return doctor's line about a part; doctor always exits with 1, as no alert target is set."""
    return next(line for line in tablectl("doctor", config, exit_code=1).stdout.splitlines() if f" {part}: " in line)


def test_doctor_says_whether_the_table_runs(tablectl, folder):
    assert doctor_line(tablectl, folder.config, "config").endswith(" is sound; it does not run")
    assert doctor_line(tablectl, folder.config, "socket") == "ok       socket: free"
    with start_table(folder.config):
        eventually(lambda: folder.kinds())
        assert doctor_line(tablectl, folder.config, "config").endswith(f" is sound; {RUNS}")
        assert doctor_line(tablectl, folder.config, "socket") == "ok       socket: it answers"


def test_doctor_asks_a_running_table_about_its_shoe(tablectl, folder, server, port):
    with start_table(folder.config):
        eventually(lambda: "device_found" in folder.kinds())
        assert shoe(tablectl, folder.config) == f"ok       shoe: {address(port)}; the running table has it"
        assert "device_lost" not in folder.kinds()
        server.process.kill()
        eventually(lambda: "device_lost" in folder.kinds())
        found = shoe(tablectl, folder.config)
    assert found.startswith("PROBLEM  shoe: the running table has lost it: ")
    assert address(port) in found


def test_a_table_that_was_started_elsewhere_keeps_its_shoe(tablectl, folder, server, port, tmp_path):
    """A copied config names another record, which is not in use; the running table keeps its shoe."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy = elsewhere / "table.toml"
    copy.write_text(folder.config.read_text().replace(str(folder.journal), str(elsewhere / "table.journal")))
    with start_table(folder.config):
        eventually(lambda: "device_found" in folder.kinds())
        assert shoe(tablectl, copy) == f"ok       shoe: {address(port)}; the running table has it"


def test_a_shoe_of_another_running_table_is_left_to_it(tablectl, folder, server, port, own_pc, monkeypatch):
    monkeypatch.setattr(doctor_command, "_become_service", lambda config: config)  # the test keeps its own user
    for place in (CONFIGS, STATES):
        pc_folder(place).mkdir(parents=True)
    first, second = (pc_folder(CONFIGS) / f"{name}.toml" for name in ("t1", "t2"))
    text = folder.config.read_text()
    first.write_text(text)
    for mine, other in ((str(folder.socket), "t2.sock"), (str(folder.journal), "t2.journal"), ('"t1"', '"t2"')):
        text = text.replace(mine, other)
    second.write_text(text.replace('"t2.sock"', f'"{pc_folder(STATES)}/t2.sock"'))
    with start_table(first):
        eventually(lambda: "device_found" in folder.kinds())
        line = shoe(tablectl, second)
        assert line == f"PROBLEM  shoe: {address(port)}: the running table of {first} has it: give each table its own"
        assert "device_lost" not in folder.kinds()


def test_without_a_running_table_the_server_is_tried(tablectl, folder, port, tmp_path):
    assert shoe(tablectl, folder.config).startswith(f"PROBLEM  shoe: {address(port)} refuses the connection")
    with RunningProgram(
        [TABLECTL, "emulate", "angel_eye", "--listen", f"127.0.0.1:{port}"], tmp_path / "log"
    ) as server:
        server.process.stdout.readline()
        assert shoe(tablectl, folder.config) == f"ok       shoe: {address(port)}"


def test_a_halted_table_is_a_problem_of_its_record(tmp_path):
    folder = Folder(tmp_path)
    folder.journal = tmp_path / "disk" / "table.journal"
    folder.journal.parent.mkdir()
    folder.write_config(panel=None)
    small = shell('mount -t tmpfs -o size=1m small "$0"', folder.journal.parent, [TABLECTL, "run", folder.config])
    with RunningProgram([*map(str, small)], tmp_path / "log") as table:

        def there(*words: object) -> str:
            """Run a command that sees the table's disk; returns what it printed."""
            arguments = into(table.process.pid, words)
            return subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=False).stdout

        def record() -> str:
            return next(line for line in there(TABLECTL, "doctor", folder.config).splitlines() if " record: " in line)

        eventually(lambda: "table_opened" in there(TABLECTL, "journal", "show", "--json", folder.journal))
        assert record() == f"ok       record: {folder.journal}"
        there("sh", "-c", f"head -c 2m /dev/zero >{folder.journal.parent}/ballast")
        eventually(lambda: command("table", "close", "--socket", folder.socket).returncode != 0)
        assert record().startswith("PROBLEM  record: the running table is HALTED, its record cannot be written: ")
