"""Port in two tables' configs: `table new`, `check`, `doctor` and `run` report it."""

import json
from pathlib import Path

import pytest

from controller.cli import doctor as doctor_command
from controller.cli import table as table_command
from controller.config.paths import CONFIGS, STATES, pc_folder
from controller.config.shared_ports import shared_ports
from controller.config.table_file import load
from tests.end_to_end.rig import start_table
from tests.end_to_end.rig import tablectl as finished
from tests.patience import eventually
from tests.ports import free


@pytest.fixture
def configs(own_pc, monkeypatch) -> Path:
    """Folder of configs of a PC on which the service is installed and was never started."""
    monkeypatch.setattr(table_command, "usable_devices", list)
    monkeypatch.setattr(doctor_command, "_become_service", lambda config: config)  # the test keeps its own user
    pc_folder(STATES).mkdir(parents=True)
    pc_folder(CONFIGS).mkdir(parents=True)
    return pc_folder(CONFIGS)


def table(configs: Path, name: str, port: str = "/dev/s", listen: str = "127.0.0.1:0", more: str = "") -> Path:
    """Write a table's config with this shoe port and this address of its pages; return its path."""
    config = configs / f"{name}.toml"
    text = f'[table]\nname = "{name}"\n[game]\nname = "baccarat"\n[shoe]\nport = "{port}"\n[web]\nlisten = "{listen}"\n'
    config.write_text(f'{text}[journal]\npath = "{name}.journal"\n{more}', encoding="utf-8")
    return config


def shared(config: Path) -> list[str]:
    return [f"{one.port.key} {one.other.stem} {one.their_key}" for one in shared_ports(config, load(config))]


PAGES, ALL = "127.0.0.1:8032", "0.0.0.0:8032"
BADGES = '[badge_reader]\nmodel = "serial"\nport = "/dev/r"\n[people]\nbadge = "alone"\n'


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"listen": PAGES}, {"listen": PAGES, "port": "/dev/s2"}, ["web.listen t2 web.listen"]),
        ({"listen": PAGES}, {"listen": "127.0.0.1:8033", "port": "/dev/s2"}, []),
        ({"listen": "127.0.0.1:8032"}, {"listen": "127.0.0.2:8032", "port": "/dev/s2"}, []),
        ({"listen": PAGES}, {"listen": f'{ALL}"\nplain = true # "', "port": "/dev/s2"}, ["web.listen t2 web.listen"]),
        ({}, {}, ["shoe.port t2 shoe.port"]),
        ({"listen": "off"}, {"listen": "off", "port": "socket://10.0.0.7:4001"}, []),
        ({"port": "/dev/r"}, {"more": BADGES}, ["shoe.port t2 badge_reader.port"]),
    ],
)
def test_a_port_is_shared_where_both_cannot_have_it(configs, one, other, found):
    config = table(configs, "t1", **one)
    table(configs, "t2", **other)
    assert shared(config) == found


def test_two_names_of_one_device_are_one_port(configs, tmp_path):
    (tmp_path / "by-id").symlink_to("/dev/null")
    config = table(configs, "t1", port=str(tmp_path / "by-id"))
    table(configs, "t2", port="/dev/null")
    assert shared(config) == ["shoe.port t2 shoe.port"]


def test_a_floors_pages_count_and_unusable_files_do_not(configs):
    config = table(configs, "t1", listen="127.0.0.1:8040")
    floor = '[floor]\n[bus]\nservers = ["tls://10.0.0.5:4222"]\ncredentials = "main.nk"\n'
    floor += 'admin = "UADMINSPUBLICKEYASTABLECTLBUSINITPRINTSITAAAAAAAAAAAAAAA"\n'
    (configs / "main.toml").write_text(floor, encoding="utf-8")
    (configs / "t2.toml").write_text("[table", encoding="utf-8")
    (configs / "people.toml").touch()
    assert shared(config) == ["web.listen main web.listen"]


def test_table_new_names_a_shoe_port_of_another_table(tablectl, configs):
    new = ("--game", "baccarat", "--port", "/dev/s")
    assert "shared" not in tablectl("table", "new", "t1", *new).stdout
    output = tablectl("table", "new", "t2", *new).stdout
    assert f"shared: shoe.port: /dev/s is in {configs}/t1.toml too: the first to start gets it; give each" in output


def test_check_and_doctor_name_the_table_with_the_same_port(tablectl, configs):
    config = table(configs, "t1")
    table(configs, "t2")
    line = f"shoe.port: /dev/s is in {configs}/t2.toml too: the first to start gets it; give each its own"
    assert tablectl("check", config, exit_code=1).stdout.splitlines()[-1] == f"shared: {line}"
    assert f"PROBLEM  ports: {line}" in tablectl("doctor", config, exit_code=1).stdout.splitlines()
    table(configs, "t2", port="/dev/s2")
    assert "shared" not in tablectl("check", config).stdout
    assert "ok       ports: this table's alone" in tablectl("doctor", config, exit_code=1).stdout.splitlines()


def test_run_names_the_other_table_in_its_log_or_refusal(configs):
    listen = f"127.0.0.1:{free()}"
    one, other = (table(configs, name, port=f"/dev/{name}", listen=listen) for name in ("t1", "t2"))
    for name in ("t1", "t2"):
        (pc_folder(STATES) / name).mkdir()
    for config in (one, other):
        state = pc_folder(STATES) / config.stem
        config.write_text(config.read_text().replace(f'"{config.stem}.journal"', f'"{state}/{config.stem}.journal"'))
    with start_table(one) as first:
        eventually(lambda: "started" in first.events())
        (event,) = (json.loads(line) for line in first.errors().splitlines() if '"port_shared"' in line)
        refused = finished("run", other)
    assert event["reason"].startswith(f"web.listen: {listen} is in {other} too: ")
    assert refused.returncode == 2
    assert "address already in use; name another one under [web]" in refused.stderr
    assert f"; web.listen: {listen} is in {one} too: the first to start gets it" in refused.stderr
