"""The program on a PC: upgraded during a round, purged, and taken over by a second PC."""

import shutil

import pytest

from tests.patience import eventually
from tests.vm.pc import LOOKS, SNAPSHOT, SoftwarePc
from tests.vm.tables import CARDS, FirstTable, lying

pytestmark = [pytest.mark.vm, pytest.mark.timeout(1800)]

SHIPPED, PARTS = "/var/lib/tablectl-ship/t1", "/var/lib/tablectl/parts"


def test_an_upgrade_leaves_a_live_round_on_its_version(pc):
    table = FirstTable(pc).begins()
    before = table.says("MainPID")
    output = pc.sh("dpkg -i /srv/later/tablectl_99.0_*.deb", limit=1200.0)
    assert f"{table.unit} goes on with /opt/tablectl/0" in output
    assert "99.0" in pc.run("tablectl", "--version")
    assert (table.says("MainPID"), table.state()["life"]) == (before, "dealing")
    table.ends()
    pc.run("systemctl", "restart", table.unit)
    table.has("shoe", "panel")
    assert "/opt/tablectl/99.0/" in pc.sh(f"tr '\\0' ' ' </proc/{table.says('MainPID')}/cmdline")
    assert '"program":"99.0"' in table.records("configured")[-1]


def test_a_purge_needs_stopped_tables_and_keeps_their_records(pc):
    table = FirstTable(pc)
    refused = pc.run("dpkg", "--purge", "tablectl", check=False)
    assert "still running; first: systemctl disable --now" in refused
    assert table.state()["life"] == "idle"
    pc.run("systemctl", "disable", "--now", *(f"tablectl@{name}" for name in ("t1", "t2", "t3")))
    output = pc.run("dpkg", "--purge", "tablectl")
    assert "/etc/tablectl, /var/lib/tablectl*, and their user and group tablectl stay" in output
    assert "tablectl" not in pc.sh("ls /opt /usr/bin /etc/systemd/system/*.wants /usr/lib/systemd/system")
    assert pc.run("ls", "/etc/tablectl/t1.toml", table.journal)


def test_a_second_pc_takes_over_a_table_with_its_round(image, disk, tmp_path):
    second = tmp_path / "second.qcow2"
    shutil.copyfile(disk, second)
    with SoftwarePc(image, disk, SNAPSHOT) as dead:
        table = FirstTable(dead).begins()
        dead.run("systemctl", "start", "tablectl-ship@t1")
        head = table.state()["seq"]
        eventually(lambda: f"\n{head}:" in dead.run("cat", f"{SHIPPED}/tail.part", check=False), LOOKS)
        parts = dead.sh(f"tar -C {SHIPPED} -c . | base64")
    with SoftwarePc(image, second, SNAPSHOT) as pc:
        pc.sh(
            "systemctl stop tablectl@t1; rm -r /var/lib/tablectl/t1; find /var/lib/tablectl/.begun -name '*t1*' -delete"
        )
        pc.sh(f"install -d -o tablectl {PARTS}; base64 -d | tar -C {PARTS} -x; chown -R tablectl {PARTS}", input=parts)
        takeover = ["runuser", "-u", "tablectl", "--", "tablectl", "takeover", "/etc/tablectl/t1.toml", "--from", PARTS]
        decided = ["--by", "eva", "--because", "it does not start"]
        assert "--old-pc-is-off" in pc.run(*takeover, *decided, check=False)
        assert "it comes back paused" in pc.run(*takeover, *decided, "--old-pc-is-off")
        pc.run("systemctl", "start", "tablectl@t1")
        table = FirstTable(pc)
        assert lying(table.paused("restarted")) == 2
        table.shoe.change_shoe(CARDS[2:])
        table.plugs()
        table.resume()
        table.ends()
