"""A round survives failures of its PC: stopped program, power cut, full disk, set clock, late address."""

import json
import urllib.request

import pytest

from tests.patience import PATIENCE, eventually
from tests.ports import free
from tests.vm.pc import LOOKS, SNAPSHOT, SoftwarePc
from tests.vm.tables import ADDRESS, CARDS, OPEN, FirstTable, lying

pytestmark = [pytest.mark.vm, pytest.mark.timeout(1800)]


def test_the_watchdog_restarts_a_stopped_table_with_its_round(pc):
    table = FirstTable(pc).begins()
    pc.run("systemctl", "kill", "--kill-who=main", "-s", "STOP", table.unit)
    eventually(lambda: table.says("NRestarts") == "1", LOOKS)
    assert lying(table.paused("restarted")) == 2
    assert "Failed with result 'watchdog'" in table.log()
    table.has("shoe", "panel")
    table.resume()
    table.ends()


def test_a_power_cut_in_a_round_loses_nothing_acknowledged(image, disk):
    with SoftwarePc(image, disk, SNAPSHOT) as pc:
        table = FirstTable(pc).begins(cards=3)
        before = table.state()
        table.shoe.draw()
    with SoftwarePc(image, disk) as pc:  # it boots
        assert pc.sh("dmesg | grep -i 'EXT4.*recovery'")
        table = FirstTable(pc)
        after = table.paused("restarted")
        assert after["seq"] > before["seq"]
        for place, cards in before["places"].items():
            assert after["places"][place][: len(cards)] == cards
        assert after["round_id"] == before["round_id"]
        table.shoe.change_shoe(CARDS[lying(after) :])
        table.plugs()
        table.resume()
        table.ends()


def test_a_reboot_in_a_round_keeps_the_round(pc):
    table = FirstTable(pc).begins()
    pc.run("systemd-run", "--no-block", "--on-active=1", "systemctl", "reboot")
    pc.booted()
    assert lying(table.paused("restarted")) == 2
    assert table.says("NRestarts") == "0"
    table.has("shoe", "panel")
    table.resume()
    table.ends()


def test_a_full_disk_halts_the_round_until_space_is_free(pc):
    table = FirstTable(pc)
    pc.run("systemctl", "restart", table.unit)  # new write-ahead log: the old one has room left on a full disk
    table.begins()
    pc.sh("fallocate -l $(df --output=avail -B 1 / | tail -n 1) /var/tmp/full")
    table.shoe.draw()
    table.until(lambda state: state["halted"])
    table.panel.tap(OPEN)
    pc.run("rm", "/var/tmp/full")
    state = table.paused("journal_failed")
    assert (state["halted"], lying(state)) == (None, 2)
    table.shoe.put_on_top(CARDS[2])
    table.resume()
    table.ends()


def test_a_clock_set_in_a_round_counts_after_it(pc):
    table = FirstTable(pc).begins()
    before = table.records("settled", "clock_set")  # restoring the snapshot may have set the clock too
    pc.run("date", "-s", "+3 hours")
    table.ends()
    table.shoe.change_shoe(CARDS)
    table.panel.tap(OPEN)
    table.stands("betting")
    after = table.records("settled", "clock_set")[len(before) :]
    assert [json.loads(record)["kind"] for record in after] == ["settled", "clock_set"]


def test_a_table_deals_before_its_address_and_pages_exist(pc):
    table = FirstTable(pc).begins()
    missing = f"no pages: this PC has no address {ADDRESS} now; they are there as soon as it has"
    assert missing in table.troubles()
    port = free()
    pc.sh(f"ip link set eth0 up; ip address add {ADDRESS}/24 dev eth0")
    table.until(lambda _: missing not in table.troubles())
    pc.monitor("human-monitor-command", **{"command-line": f"hostfwd_add net tcp:127.0.0.1:{port}-{ADDRESS}:8032"})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
        assert json.loads(answer.read())["ok"]
    table.ends()
