"""The program on a PC: another version beside a live round, and gone again."""

import pytest

from tests.vm.tables import FirstTable

pytestmark = [pytest.mark.vm, pytest.mark.timeout(1800)]

SOURCE = "/usr/src/tablectl"


def test_an_upgrade_leaves_a_live_round_its_version_and_says_so(pc):
    table = FirstTable(pc).begins()
    before = table.says("MainPID")
    pc.run("sed", "-i", 's/^__version__ = .*/__version__ = "99.0"/', f"{SOURCE}/controller/__init__.py")
    said = pc.run("make", "-s", "-C", SOURCE, "service", limit=900)
    assert f"{table.unit} goes on with /opt/tablectl/0" in said
    assert "99.0" in pc.run("tablectl", "--version")
    assert (table.says("MainPID"), table.state()["life"]) == (before, "dealing")
    table.ends()
    pc.run("systemctl", "restart", table.unit)
    table.has("shoe", "panel")
    assert "/opt/tablectl/99.0/" in pc.sh(f"tr '\\0' ' ' </proc/{table.says('MainPID')}/cmdline")
    assert "99.0" in table.records("configured")[-1]


def test_what_is_taken_off_a_pc_leaves_configs_and_records(pc):
    table = FirstTable(pc).plugs()
    refused = pc.run("make", "-s", "-C", SOURCE, "uninstall", check=False)
    assert f"still running; first: systemctl disable --now {table.unit}" in refused
    pc.run("systemctl", "disable", "--now", "tablectl@t1", "tablectl@t2", "tablectl@t3")
    said = pc.run("make", "-s", "-C", SOURCE, "uninstall")
    assert "/etc/tablectl, /var/lib/tablectl and their user and group tablectl stay" in said
    assert pc.sh("ls /opt; ls /etc/systemd/system/*.wants").count("tablectl") == 0
    assert pc.run("ls", "/etc/tablectl/t1.toml", table.journal)
    table.shoe.unplug()
    table.shoe.plug()  # udev knows it no more
    assert "/dev/table" not in pc.sh("sleep 3; find /dev -path '/dev/table/*'")
