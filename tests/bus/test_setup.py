"""`tablectl bus init`, `bus check` and `doctor`, the servers' configs, and errors of the bus section."""

import builtins
import re
import shutil
import stat
import subprocess

import pytest
import tomli_w

from controller.bus.bus_client import FAILED, failure_text
from controller.cli import main
from controller.config.mistakes import BadConfig
from controller.config.table_file import load
from controller.text.coded import render
from tests.bus.rig import CONFIGS, PROGRAM, BusServer, plain
from tests.bus.tables import run_table
from tests.patience import on_loop, until
from tests.ports import free

SMALL = ("--events-gb", "0.05")


def run(capsys, *words: str) -> tuple[int, str]:
    """Run the command; return its exit code and its standard output and error."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    output = capsys.readouterr()
    return int(ended.value.code or 0), output.out + output.err


@pytest.fixture
def bare(tmp_path):
    """Run a server that has no streams yet."""
    one = BusServer(tmp_path / "bus")
    try:
        one.start()
        yield one
    finally:
        one.kill()


def test_init_makes_keys_and_streams_once_and_check_finds_changes(bare, tmp_path, capsys):
    folder, config = bare.studio.folder, tmp_path / "t1.toml"
    bus = {"servers": [bare.url], "credentials": str(bare.seed("tables", "t1"))}
    config.write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus}))
    code, output = run(capsys, "bus", "check", str(config))
    assert (code, output.count("there is no stream")) == (1, 5)
    before = {path: path.read_bytes() for path in folder.rglob("*.nk")}
    code, output = run(capsys, "bus", "init", str(folder), "--table", "t3", "--server", bare.url, *SMALL)
    assert code == 0, output
    assert "streams created: EVENTS, HEADS, KV_tablectl_status, KV_tablectl_claims, KV_tablectl_keys" in output
    assert "\nroster signed: 3 tables, 3 floors\n" in output
    assert "new: " in output
    assert {path: path.read_bytes() for path in before} == before
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*.nk")} == {0o600}
    assert "streams created: none" in run(capsys, "bus", "init", str(folder), "--server", bare.url, *SMALL)[1]
    floor = tmp_path / "floor.toml"
    floors = {**bus, "credentials": str(bare.seed("floors", "main")), "admin": bare.studio.admin_key}
    floor.write_text(tomli_w.dumps({"floor": {}, "bus": floors}))
    for one in (config, floor):
        assert run(capsys, "bus", "check", str(one)) == (0, "the bus is set up correctly\n")

    async def change():
        async with bare.client("admin") as admin:
            stream_config = (await admin.jetstream().stream_info("HEADS")).config
            stream_config.max_msgs_per_subject = 1
            await admin.jetstream().update_stream(stream_config)

    on_loop(change)
    for one in (config, floor):
        code, output = run(capsys, "bus", "check", str(one))
        assert (code, output) == (1, "stream HEADS: expected max_msgs_per_subject 32, it is 1: `tablectl bus init`\n")


def test_doctor_says_of_the_bus_what_bus_check_says(bare, tmp_path, capsys):
    config = tmp_path / "t1.toml"
    bus = {"servers": [bare.url], "credentials": str(bare.seed("tables", "t1"))}
    parts = {
        "game": {"name": "baccarat"},
        "shoe": {"port": "/dev/null"},
        "journal": {"path": str(tmp_path / "journal")},
    }
    config.write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus, **parts}))

    def of_the_bus() -> str:
        lines = run(capsys, "doctor", str(config))[1].splitlines()
        return next(line for line in lines if line[9:].startswith("bus: "))

    missing = run(capsys, "bus", "check", str(config))[1].splitlines()
    assert of_the_bus() == f"PROBLEM  bus: {'; '.join(missing)}"
    run(capsys, "bus", "init", str(bare.studio.folder), "--server", bare.url, *SMALL)
    assert of_the_bus() == f"ok       bus: {bare.url}: set up correctly"
    bare.kill()
    assert of_the_bus().startswith("PROBLEM  bus: ")


def test_a_missing_stream_is_reported_with_the_command_to_run(bare):
    async def asked():
        async with bare.client("admin") as admin:
            with pytest.raises(FAILED) as missing:
                await admin.jetstream().stream_info("EVENTS")
            return failure_text(missing.value)

    assert on_loop(asked) == "a stream is not there: `tablectl bus check CONFIG` says which"


def test_check_reports_an_unreachable_or_refusing_bus_in_one_line(bare, tmp_path, capsys):
    strange = tmp_path / "strange"
    run(capsys, "bus", "init", str(strange), "--table", "t1")
    for server, seed, says in (
        (f"nats://127.0.0.1:{free()}", bare.seed("tables", "t1"), "connection refused"),
        (bare.url, strange / "tables" / "t1.nk", "refuse this key"),
        (bare.url, tmp_path / "none.nk", "no such file"),
        (bare.url, CONFIGS / "one.conf", "expected the seed of a user's nkey"),
    ):
        bus = {"servers": [server], "credentials": str(seed)}
        (tmp_path / "t.toml").write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus}))
        code, output = run(capsys, "bus", "check", str(tmp_path / "t.toml"))
        assert code != 0
        assert says in output.lower() or says in output
        assert output.count("\n") == 1


@pytest.mark.parametrize(
    ("wanted", "says"),
    [(("--events-gb", "900"), "lower --events-gb"), ((*SMALL, "--replicas", "3"), "1 for one server, 3 for a cluster")],
)
def test_init_says_what_to_change_when_the_server_refuses(bare, capsys, wanted, says):
    code, output = run(capsys, "bus", "init", str(bare.studio.folder), "--server", bare.url, *wanted)
    assert code != 0
    assert says in output
    assert "err_code" not in output


def test_a_folder_keeps_the_name_of_its_studio(tmp_path, capsys):
    folder = tmp_path / "siteb"
    assert 'studio = "siteb"' in run(capsys, "bus", "init", str(folder), "--studio", "siteb", "--table", "t1")[1]
    assert 'studio = "siteb"' in run(capsys, "bus", "init", str(folder), "--table", "t2")[1]
    conf = (folder / "studio.conf").read_text()
    assert "tablectl.siteb.t1.event.manager" in conf
    assert "tablectl.main." not in conf
    assert 'studio = "main"' in run(capsys, "bus", "init", str(tmp_path / "new"), "--table", "t1")[1]


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("t2", "junk", "tables/t2.pub: expected the public key of a user, U and 55 letters and digits"),
        ("t2", "U" + "A" * 55, "tables/t2.pub: expected the public key of a user, U and 55 letters and digits"),
        ("t2", None, "tables/t1.pub, {folder}/tables/t2.pub: one key under two names"),
        ("t1 (copy)", None, "expected a name of letters, digits, - and _ alone, for the bus, got 't1 (copy)'"),
    ],
)
def test_init_writes_no_config_that_servers_refuse(tmp_path, capsys, name, key, says):
    folder = tmp_path / "studio"
    run(capsys, "bus", "init", str(folder), "--table", "t1")
    before = (folder / "studio.conf").read_text()
    tables = folder / "tables"
    (tables / f"{name}.pub").write_text((tables / "t1.pub").read_text() if key is None else key)
    code, output = run(capsys, "bus", "init", str(folder))
    assert (code, output.count("\n")) == (2, 1)
    assert says.format(folder=folder) in output
    assert (folder / "studio.conf").read_text() == before


@pytest.mark.parametrize("name", ["admin", "tables/t1"])
def test_a_public_key_that_cannot_be_read_is_one_line(tmp_path, capsys, name):
    folder = tmp_path / "studio"
    run(capsys, "bus", "init", str(folder), "--table", "t1")
    path = folder / f"{name}.pub"
    path.unlink()
    path.mkdir()
    code, output = run(capsys, "bus", "mend", str(folder), "--server", "nats://127.0.0.1:1")
    assert (code, output) == (2, f"tablectl: {path}: is a directory\n")


@pytest.mark.parametrize("name", ["one", "three", "leaf"])
def test_a_server_understands_its_config(tmp_path, name):
    """`nats-server -t` accepts each config without certificates, which a studio makes itself."""
    server = BusServer(tmp_path)
    shutil.copy(server.studio.conf, tmp_path / "studio.conf")
    seed = server.seed("floors", "main").read_text().strip()
    text = plain((CONFIGS / f"{name}.conf").read_text()).replace("tls://", "nats://")
    (tmp_path / "t.conf").write_text(re.sub(r"tls \{ ca_file[^}]*\}", "", text))
    result = subprocess.run(
        [PROGRAM, "-t", "-c", tmp_path / "t.conf"],
        capture_output=True,
        text=True,
        env={"NATS_NAME": "a", "SITEB_SEED": seed},
    )
    assert result.returncode == 0, result.stderr
    assert "sync_interval: always" in text


@pytest.mark.parametrize(
    ("bus", "says"),
    [
        ({"servers": ["10.0.0.5"]}, "bus.servers: expected addresses such as tls://10.0.0.5:4222, got '10.0.0.5'"),
        ({"servers": ["tls://a:1"]}, "bus.credentials: expected a file with its nkey"),
        ({"servers": ["tls://a:1"], "credentials": "f", "studio": "a.b"}, "bus.studio: expected only letters, digits"),
        *(
            ({"servers": ["tls://a:1"], "credentials": "f", of: {"x": "SU"}}, f"bus.{of}.x: expected a public nkey")
            for of in ("floors", "platforms")
        ),
    ],
)
def test_a_mistake_in_the_bus_section_is_one_line(tmp_path, bus, says):
    (tmp_path / "t.toml").write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus}))
    with pytest.raises(BadConfig, match=re.escape(says)) as raised:
        load(tmp_path / "t.toml")
    assert "\n" not in str(raised.value)


def test_without_its_library_the_bus_says_how_to_have_it(tmp_path, capsys, monkeypatch):
    real = builtins.__import__

    def missing(name, globals_=None, locals_=None, fromlist=(), level=0):
        if name.startswith("bus.") or (globals_ or {}).get("__package__") == "controller.bus":
            raise ModuleNotFoundError("No module named 'nats'", name="nats")
        return real(name, globals_, locals_, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", missing)
    code, output = run(capsys, "bus", "init", str(tmp_path / "studio"))
    assert code == 2
    assert "pip install 'tablectl[bus]'" in output


def test_a_table_reports_a_missing_bus_and_plays_on(server, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            server.kill()
            await until(lambda: table.bus.trouble)
            assert "\n" not in render(table.bus.trouble)
            table.play()
            assert table.table.state.life == "settled"

    on_loop(steps)
