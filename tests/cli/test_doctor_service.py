"""`sudo tablectl doctor` for a service: with its rights, from any folder, before its first start."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.cli import doctor as doctor_command
from controller.cli import floor_checks
from controller.cli.floor_checks import check_floor as looked_at
from controller.config.paths import CONFIGS, ROOT, SOCKETS, STATES, pc_folder
from controller.journal import Journal
from tests.repeats import first_of

TARGET = '[alerts.office]\nurl = "json://127.0.0.1/alert"\n'
FLOOR = """[floor]
[bus]
servers = ["nats://127.0.0.1:1"]
credentials = "main.nk"
admin = "UADMINSPUBLICKEYASTABLECTLBUSINITPRINTSITAAAAAAAAAAAAAAA"
"""
# Runs doctor; prints the modules imported after root (or a user in its place) has become the service's user.
PROGRAM = """
import os, sys
from controller.cli import doctor, main
doctor.SERVICE, became = "nobody", os.setuid
def become(number):
    if os.getuid() == 0:
        became(number)
    then.update(sys.modules)
then = set()
os.setuid = become
if os.getuid() != 0:
    os.geteuid, os.initgroups, os.setgid = lambda: 0, lambda *_: None, lambda _: None
try:
    main(["doctor", sys.argv[1]])
finally:
    print("imported later:", *sorted(set(sys.modules) - then))
"""


@pytest.fixture
def configs(own_pc, monkeypatch) -> Path:
    """Folder of configs of a PC on which the service is installed and was never started."""
    monkeypatch.setattr(doctor_command, "_become_service", lambda config: config)  # the test keeps its own user
    pc_folder(STATES).mkdir(parents=True)
    pc_folder(CONFIGS).mkdir(parents=True)
    return pc_folder(CONFIGS)


def table(configs: Path, more: str = TARGET, shoe: str = "/dev/null", people: str = "") -> Path:
    config = configs / "t1.toml"
    text = f'[table]\nname = "t1"\n{people}[game]\nname = "baccarat"\n[shoe]\nport = "{shoe}"\n'
    text += '[web]\nlisten = "127.0.0.1:0"\n[journal]\npath = "t1.journal"\n'
    config.write_text(text + more, encoding="utf-8")
    return config


def line(tablectl, config: Path, part: str) -> str:
    """Return doctor's line about one part, with its ok or PROBLEM."""
    lines = tablectl("doctor", config, exit_code=1).stdout.splitlines()
    return next(line for line in lines if line[9:].startswith(f"{part}: "))


@pytest.fixture
def open_pc() -> Iterator[Path]:
    """Folder in place of /, open to every user, with the service's folders.

    It is not below pytest's own folder, which other users cannot enter.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for place in (CONFIGS, STATES):
            pc_folder(place, {ROOT: folder}).mkdir(parents=True)
        yield root


def of_the_service(config: Path, root: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run doctor from this folder as the service: a user who can read no file but the config."""
    closed = 0o600 if os.geteuid() == 0 else 0o000
    for one in (root, *root.rglob("*")):
        one.chmod(0o755 if one.is_dir() else 0o644 if one == config else closed)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), ROOT: str(root)}
    command = [sys.executable, "-c", PROGRAM, str(config)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


BUS = '[bus]\nservers = ["nats://127.0.0.1:1"]\nstudio = "main"\ncredentials = "t1.nk"\n'


@pytest.mark.parametrize("kind", first_of(1, ["table on a bus", "table", "floor"]))
def test_doctor_looks_from_a_home_closed_to_the_service(open_pc, tmp_path, kind):
    """Root's Python may lie in such a home, so nothing is imported after root's rights are given up."""
    more = f'{TARGET}[panel]\nmodel = "xk24"\n{BUS if kind == "table on a bus" else ""}'
    config = table(pc_folder(CONFIGS, {ROOT: str(open_pc)}), more, "socket://localhost:1")
    if kind == "floor":
        config.write_text(FLOOR + TARGET, encoding="utf-8")
    tmp_path.chmod(0o700)
    ended = of_the_service(config, open_pc, tmp_path)
    *findings, later = ended.stdout.splitlines()
    assert (ended.stderr, later) == ("", "imported later:")
    assert findings[0].startswith(f"ok       config: {config} is sound")
    assert findings[-1].startswith("ok       alerts: office")
    assert ended.returncode == 1  # no shoe, no bus


def test_a_record_closed_to_the_service_is_a_problem(open_pc, tmp_path):
    config = table(pc_folder(CONFIGS, {ROOT: str(open_pc)}))
    journal = pc_folder(STATES, {ROOT: str(open_pc)}) / "t1" / "t1.journal"
    journal.parent.mkdir()
    Journal(journal).close()
    lines = of_the_service(config, open_pc, tmp_path).stdout.splitlines()
    assert any(line.startswith("PROBLEM  record: t1.journal: permission denied: ") for line in lines)


def test_a_relative_config_path_finds_the_registry_beside_it(tablectl, configs, monkeypatch):
    tablectl("people", "add", configs / "people.toml", "1042", "Anna Pop", "--role", "manager", stdin="2580\n")
    table(configs)
    monkeypatch.chdir(configs)
    assert line(tablectl, Path("t1.toml"), "people") == f"ok       people: 1 in {configs}/people.toml"


def test_a_missing_socket_folder_is_fine_before_first_start(tablectl, configs):
    config = table(configs, f'[api]\nsocket = "{pc_folder(SOCKETS)}/t1.sock"\n')
    assert line(tablectl, config, "socket") == "ok       socket: free"
    assert "it could run here" in tablectl("check", config).stdout
    config = table(configs, '[api]\nsocket = "/no/such/folder/t1.sock"\n')
    assert line(tablectl, config, "socket").startswith("PROBLEM  socket: /no/such/folder/t1.sock: no such file")


def test_an_unstarted_floor_is_examined_in_its_future_folder(configs, monkeypatch):
    monkeypatch.setattr(floor_checks, "check_disk", lambda folder, _: f"{folder} is fast")
    (configs / "main.toml").write_text(FLOOR, encoding="utf-8")
    findings = {finding.part: finding.said for finding in looked_at(configs / "main.toml")}
    assert findings["disk"] == f"{pc_folder(STATES)} is fast"
    assert findings["record"] == f"{pc_folder(STATES)}/main/main.floor.record, which begins with the first start"


def test_a_variable_of_the_service_alone_is_no_problem(tablectl, configs, tmp_path, monkeypatch):
    monkeypatch.delenv("HOOK", raising=False)
    env = '[alerts.office]\nenv = "HOOK"\n'
    finding = "alerts: office (its address is in HOOK, which the service alone is given)"
    assert line(tablectl, table(configs, env), "alerts").startswith(f"ok       {finding}")
    assert "PROBLEM  alerts: alerts.office: its address cannot be read" in line(
        tablectl, table(tmp_path, env), "alerts"
    )


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ((1,), "ok       alerts: t1; no target for level 2 to 9, called in turn while nobody acknowledges a fault"),
        ((1, 3), "ok       alerts: t1, t3; no target for level 2, 4 to 9, called in turn while"),
        ((2,), "PROBLEM  alerts: no target has level 1, which is called first: give one under [alerts.NAME] level"),
        (range(1, 10), "ok       alerts: t1, t2, t3, t4, t5, t6, t7, t8, t9"),
    ],
)
def test_levels_of_alerts_that_nobody_has_are_named(tablectl, configs, levels, said):
    targets = (f'[alerts.t{level}]\nurl = "json://127.0.0.1/alert"\nlevel = {level}\n' for level in levels)
    found = line(tablectl, table(configs, "".join(targets)), "alerts")
    assert found.startswith(said)
    assert ("no target" in found) == (len(levels) < 9)
