"""`tablectl table new` sets up a table, and `tablectl status --all` lists all tables."""

import re
import tomllib
from pathlib import Path

import pytest

from controller.cli import table as table_command
from controller.config.paths import CONFIGS, SOCKETS, pc_folder
from controller.games import GAMES
from controller.station.plugged_devices import PluggedDevice
from tests.end_to_end.rig import Folder, start_table
from tests.patience import eventually

ADAPTER = PluggedDevice(
    "adapter", "0403:6001", "A1", "usb-0:1", "/dev/ttyUSB0", "ftdi_sio", 'port = "/dev/table/shoe-A1"'
)


@pytest.fixture(autouse=True)
def plugged(monkeypatch) -> list[PluggedDevice]:
    """List of plugged-in devices, in place of this PC's own."""
    devices: list[PluggedDevice] = []
    monkeypatch.setattr(table_command, "usable_devices", lambda: devices)
    return devices


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_new_table_has_one_name_and_its_own_port(tablectl, tmp_path, game):
    for number, name in enumerate(("t1", "t2")):
        output = tablectl("table", "new", name, "--game", game, "--folder", tmp_path, "--port", "/dev/s").stdout
        config = tmp_path / f"{name}.toml"
        wrote = tomllib.loads(config.read_text(encoding="utf-8"))
        assert (wrote["table"]["name"], wrote["journal"]["path"]) == (name, f"{name}.journal")
        assert (wrote["game"]["name"], wrote["shoe"]["port"]) == (game, "/dev/s")
        assert wrote["web"]["listen"] == f"127.0.0.1:{8032 + number}"
        assert config.stat().st_mode & 0o777 == 0o640
        text = config.read_text(encoding="utf-8")
        assert set(re.findall(r"([\w-]+)\.(?:sock|users|journal)\"", text)) == {name}  # in comments too
        assert f"next: tablectl doctor {config}; then: systemctl enable --now tablectl@{name}\n" in output


def test_only_a_single_adapter_becomes_the_shoe(tablectl, tmp_path, plugged):
    plugged.append(ADAPTER)
    tablectl("table", "new", "t1", "--game", "baccarat", "--folder", tmp_path)
    assert 'port = "/dev/table/shoe-A1"' in (tmp_path / "t1.toml").read_text(encoding="utf-8")
    plugged.append(ADAPTER)
    output = tablectl("table", "new", "t2", "--game", "baccarat", "--folder", tmp_path).stdout
    assert "write its shoe's port there first: `tablectl devices` prints the line" in output


NEW = ("--game", "baccarat", "--port", "/dev/s")
FLOOR = '[floor]\nname = "main"\n[bus]\nservers = ["tls://10.0.0.5:4222"]\ncredentials = "main.nk"\n'
FLOOR += 'admin = "UADMINSPUBLICKEYASTABLECTLBUSINITPRINTSITAAAAAAAAAAAAAAA"\n'
REFUSED = {
    "the registry's name": (("people", *NEW), "expected another name than people: people.toml is the registry of"),
    "a table that is there": (("t1", *NEW), "this file exists already: use another name, or move the file away"),
    "a name that systemd would write otherwise": (("table 2", *NEW), "expected a name of letters, digits and _ . -"),
    "a path for a name": (("../t2", *NEW), "expected a name of letters, digits and _ . -"),
    "an unknown game": (("t2", "--game", "bacarat"), "bacarat"),
    "no game": (("t2",), "Missing option '--game'"),
    "an unknown shoe": (("t2", *NEW, "--shoe", "angel"), "shoe.model: expected a shoe model out of"),
    "no such folder": (("t2", *NEW, "--folder", "/no/such"), "/no/such: no such folder"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_a_refused_new_table_is_one_line_and_writes_nothing(tablectl, tmp_path, words, said):
    (tmp_path / "t1.toml").touch()
    refused = tablectl("table", "new", "--folder", tmp_path, *words, exit_code=2)
    assert said in refused.output.splitlines()[-1].replace("missing option", "Missing option")
    assert [file.name for file in tmp_path.iterdir()] == ["t1.toml"]
    assert (tmp_path / "t1.toml").read_text(encoding="utf-8") == ""


def test_check_refuses_a_service_with_differing_file_and_table_names(tablectl, own_pc):
    configs = pc_folder(CONFIGS)
    configs.mkdir(parents=True)
    tablectl("table", "new", "t1", *NEW)
    (configs / "t1.toml").rename(configs / "t2.toml")
    refusal = tablectl("check", configs / "t2.toml", exit_code=2).stderr
    assert refusal == (
        f"tablectl: {configs}/t2.toml: table.name: expected 't2', the name of the file and of its service "
        "tablectl@t2, got 't1': the same in both, or `--table` means another than `systemctl`\n"
    )


def test_status_all_lists_running_and_stopped_tables(tablectl, tmp_path, monkeypatch, own_pc):
    configs, sockets = pc_folder(CONFIGS), tmp_path / "tablectl"
    for folder in (configs, sockets):
        folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert "no table runs here, and none is set up" in tablectl("status", "--all", exit_code=2).output
    folder = Folder(tmp_path)
    config = folder.write_config(panel=None)
    config.write_text(config.read_text().replace(f'socket = "{folder.socket}"', f'socket = "{sockets}/t1.sock"'))
    tablectl("table", "new", "t2", *NEW)
    with start_table(config) as table:
        eventually(lambda: "started" in table.events())
        first, second = tablectl("status", "--all", exit_code=1).stdout.splitlines()
    assert first.startswith("table t1: idle, no round yet, dealer d1")
    assert second.startswith("table t2: no table runs at ")


def test_a_mistyped_table_name_lists_the_running_tables(tablectl, tmp_path, own_pc):
    sockets = pc_folder(SOCKETS)
    sockets.mkdir(parents=True)
    folder = Folder(tmp_path)
    config = folder.write_config(panel=None)
    config.write_text(config.read_text().replace(f'socket = "{folder.socket}"', f'socket = "{sockets}/t1.sock"'))
    with start_table(config) as table:
        eventually(lambda: "started" in table.events())
        refusal = tablectl("status", "--table", "t11", exit_code=2).stderr
    start = "start it with `systemctl start tablectl@t11`"
    assert refusal.startswith(f"tablectl: no table runs at {sockets}/t11.sock (here: t1): {start}, or ")


def test_status_all_leaves_out_floor_theme_and_registries(tablectl, own_pc):
    configs = pc_folder(CONFIGS)
    configs.mkdir(parents=True)
    registry = '[people.1042]\nname = "Anna Pop"\nroles = ["dealer"]\n'
    theme = 'shoe = "left"\n[colours]\npanel = "#112233"\n'
    beside = {"main": FLOOR, "look": theme, "people": registry, "staff": registry}
    for name, text in beside.items():
        (configs / f"{name}.toml").write_text(text, encoding="utf-8")
    assert "none is set up" in tablectl("status", "--all", exit_code=2).output
    tablectl("table", "new", "t1", *NEW)
    (configs / "t2.toml").write_text("[table\n", encoding="utf-8")
    (configs / "t3.toml").touch()
    lines = tablectl("status", "--all", exit_code=1).stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["table t1", "table t2", "table t3"]
    assert "t2.toml: not TOML" in lines[1]


def unheard(config: Path) -> Path:
    """Switch a config's pages off, as another program may have their port; return the config's path."""
    text = config.read_text(encoding="utf-8")
    config.write_text(
        re.sub(r'^(# )?listen = "127.0.0.1:\d+".*$', 'listen = "off"', text, flags=re.M), encoding="utf-8"
    )
    return config


def test_a_new_table_beside_a_registry_names_no_dealer(tablectl, own_pc):
    configs = pc_folder(CONFIGS)
    configs.mkdir(parents=True)
    tablectl("people", "add", configs / "people.toml", "1042", "Anna Pop", "--role", "dealer", stdin="2580\n")
    output = tablectl("table", "new", "t1", *NEW).stdout
    assert f"dealers sign on by themselves: they are registered in {configs}/people.toml\n" in output
    assert "dealer" not in tomllib.loads((configs / "t1.toml").read_text(encoding="utf-8"))["table"]
    assert f"people: 1 in {configs}/people.toml\n" in tablectl("check", unheard(configs / "t1.toml")).stdout


def test_the_table_command_has_open_close_and_new(tablectl):
    output = tablectl("table", "--help").stdout
    assert [word in output for word in ("open", "close", "new")] == [True] * 3
    assert "no such command 'opne' (did you mean open?)" in tablectl("table", "opne", exit_code=2).output


def test_a_new_table_is_for_root_and_the_services_group(monkeypatch, own_pc):
    given, configs = [], pc_folder(CONFIGS)
    configs.mkdir(parents=True)
    monkeypatch.setattr(table_command.grp, "getgrnam", lambda _: type("Group", (), {"gr_gid": 42}))
    monkeypatch.setattr(table_command.os, "fchown", lambda _, *to: given.append(to))
    table_command._write_config(configs / "t1.toml", "")
    assert given == [(-1, 42)]
