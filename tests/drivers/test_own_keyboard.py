"""Keyboard recognition: a table opens only the keyboard in its config, no twin and no other one."""

import pytest

from controller.config.badge_reader import BadgeReaderSection
from controller.config.devices import ShoeSection
from controller.station import plugged_devices as plugged_module
from controller.station.attendance import find_reader, find_shoe
from controller.station.own_devices import OwnDevices
from controller.station.pc_checks import UnmetRequirement
from controller.station.plugged_devices import usable_devices
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.identity import ConfiguredIdentity, Identity, NotOurs, Recognition
from drivers.own_keyboard import OwnKeyboard
from drivers.sysfs import keyboards
from tests.drivers.emulated_pc import PLACE, EmulatedAdapter, EmulatedPc

ALL_KEYS = "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe"  # of a real keyboard
DIGITS = "10000ffc"  # of a reader with digits and Enter alone
MOUSE = "1f0000 0 0 0 0"
SCANNER = ("05f9", "2206")


@pytest.fixture
def pc(tmp_path, monkeypatch):
    monkeypatch.setattr("drivers.keyboards.node.grab", lambda _: None)  # a pty cannot be grabbed
    monkeypatch.setattr("drivers.keyboards.node.QUICK", 0.01)
    with EmulatedPc(tmp_path) as one:
        yield one


def scanner(serial: str | None = "S1234567", keys: str = ALL_KEYS) -> EmulatedAdapter:
    return EmulatedAdapter(serial, SCANNER, keys)


def opened(pc: EmulatedPc, name, identity: ConfiguredIdentity | None = None) -> OwnKeyboard:
    own = OwnKeyboard(str(name), None, Recognition(identity or ConfiguredIdentity("shoe")), pc.sys)
    own.open().close()
    return own


def test_only_devices_with_digits_and_enter_are_keyboards(pc):
    pc.plug("1", scanner())
    pc.plug("2", scanner("R1", DIGITS))
    pc.plug("3", EmulatedAdapter("M1", ("046d", "c077"), MOUSE))
    pc.plug("4", EmulatedAdapter("A1234567"))
    assert [one.identity for one in keyboards(pc.sys)] == [
        Identity("05f9:2206", "S1234567", PLACE.format("1")),
        Identity("05f9:2206", "R1", PLACE.format("2")),
    ]


def test_a_keyboards_address_names_its_socket_and_serial(pc):
    own = opened(pc, pc.by_serial(pc.plug("1", scanner())))
    assert (own.address, own.serial, own.may_be_any) == (f"{own.name} at {PLACE.format('1')}", "S1234567", False)


def test_a_twin_keyboard_is_refused_until_the_config_decides(pc):
    for place in "12":
        pc.plug(place, scanner("0001"))
    name = pc.by_serial(pc.sockets["2"])
    with pytest.raises(NotOurs, match=r"which is the shoe\? 2 devices could be"):
        opened(pc, name)
    assert opened(pc, name, ConfiguredIdentity("shoe", at=PLACE.format("2"))).serial == "0001"
    assert opened(pc, pc.by_place("1")).serial == "0001"


def test_another_keyboard_in_its_socket_is_not_taken(pc):
    pc.plug("1", scanner())
    own = opened(pc, pc.by_place("1"))
    pc.unplug("1")
    pc.plug("1", EmulatedAdapter("K1", ("046d", "c31c"), ALL_KEYS))
    with pytest.raises(NotOurs, match=r"another one \(046d:c31c, K1\) that may be another table's"):
        own.open()


def test_an_ambiguous_keyboard_name_is_refused_without_a_configured_socket(pc):
    pc.plug("1", scanner("0001"))
    moving = ShoeSection(model="wedge", port=str(pc.by_serial(pc.sockets["1"])))
    with pytest.raises(UnmetRequirement, match=r"may lead to another adapter after a restart"):
        find_shoe(moving, OwnDevices(None), runs=False, sys=pc.sys)
    reader = BadgeReaderSection(model="keyboard", port=str(pc.by_place("1")))
    for runs in (False, True):
        assert find_reader(reader, OwnDevices(None), runs=runs, sys=pc.sys).endswith(f" at {PLACE.format('1')}")
    assert find_reader(BadgeReaderSection(), OwnDevices(None), runs=False) == "none"


def test_devices_lists_keyboards_with_config_line_and_missing_permission(pc, monkeypatch):
    ours = pc.plug("1", scanner())
    pc.plug("2", scanner("0001"))
    one, two = usable_devices(pc.sys, pc.dev.parent, EmulatedUsbBus())
    assert (one.kind, one.model, one.serial, one.trouble) == ("keyboard", "05f9:2206", "S1234567", "")
    assert [each.node for each in (one, two)] == [str(pc.dev.parent / "input" / name) for name in ("event0", "event1")]
    assert (one.config, two.config) == (f'port = "{pc.by_serial(ours)}"', f'port = "{pc.by_place("2")}"')
    monkeypatch.setattr(plugged_module.os, "access", lambda *_: False)
    monkeypatch.setattr(plugged_module, "_name", lambda look_up, _: "input" if "gr" in look_up.__name__ else "anna")
    one, _ = usable_devices(pc.sys, pc.dev.parent, EmulatedUsbBus())
    assert f'ENV{{ID_PATH}}=="{PLACE.format("1")}", ENV{{ID_VENDOR_ID}}=="05f9"' in one.trouble
    assert "usermod" not in one.trouble  # nobody is told to join the group that reads all keyboards
    monkeypatch.setattr(plugged_module, "_name", lambda look_up, _: "tablectl" if "gr" in look_up.__name__ else "anna")
    one, _ = usable_devices(pc.sys, pc.dev.parent, EmulatedUsbBus())
    assert "sudo usermod -aG tablectl anna" in one.trouble
