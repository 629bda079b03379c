"""A table with its journal in a running table's folder cannot run; check and doctor say so."""

from contextlib import closing

import pytest

from controller.journal import Journal

TABLE = """
[game]
name = "baccarat"
[table]
name = "{name}"
[shoe]
port = "/dev/none"
[journal]
path = "{folder}/{name}.journal"
[api]
socket = "{folder}/{name}.sock"
[web]
listen = "127.0.0.1:0"
"""


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """Config of a stopped table in the folder of a running one."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for name in ("t1", "t2"):
        (tmp_path / f"{name}.toml").write_text(TABLE.format(name=name, folder=tmp_path), encoding="utf-8")
    with closing(Journal(tmp_path / "t1.journal")):
        yield tmp_path / "t2.toml"


@pytest.mark.parametrize("has_record", [False, True])
def test_check_refuses_a_record_beside_a_running_tables(tablectl, beside, has_record):
    record = beside.with_suffix(".journal")
    if has_record:
        record.write_bytes(b"")
    checked, run = (tablectl(command, beside, exit_code=2).stderr for command in ("check", "run"))
    assert checked == run
    assert f"{record}: another process writes this journal, or one beside it" in checked
    assert "it runs at this moment" in tablectl("check", beside.with_name("t1.toml")).stdout


def test_doctor_calls_a_record_beside_another_a_problem(tablectl, beside):
    lines = tablectl("doctor", beside, exit_code=1).stdout.splitlines()
    config, record = (next(line for line in lines if f" {part}: " in line) for part in ("config", "record"))
    assert config.endswith(" is sound; it does not run")
    assert record.startswith(f"PROBLEM  record: {beside.with_suffix('.journal')}: another process writes")


def test_a_link_to_the_running_record_is_the_same_record(tablectl, beside):
    beside.with_suffix(".journal").symlink_to(beside.with_name("t1.journal"))
    assert "it runs at this moment" in tablectl("check", beside).stdout
