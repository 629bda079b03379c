"""The names and permissions that udev gives to a table's devices, by the rules that `make service` has installed.

The devices are umockdev's; the udev that is asked is the machine's own.
"""

import re

import pytest

from tests.machine import Machine

pytestmark = [pytest.mark.proof, pytest.mark.timeout(600)]

HOST = "/devices/pci0000:00/0000:00:14.0/usb1"
BUS = f"""P: /devices/pci0000:00/0000:00:14.0
E: SUBSYSTEM=pci

P: {HOST}
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
"""
USB = """
P: {path}
N: bus/usb/001/002
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
E: MAJOR=189
E: MINOR=1
E: DEVNAME=/dev/bus/usb/001/002
A: idVendor={vendor}\\n
A: idProduct={product}\\n
"""
SERIAL = """A: serial={serial}\\n
"""
TTY = """
P: {path}/1-2:1.0
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface
A: bInterfaceNumber=00\\n
A: bInterfaceClass=ff\\n
A: bInterfaceSubClass=00\\n
A: bInterfaceProtocol=00\\n

P: {path}/1-2:1.0/ttyUSB0
E: SUBSYSTEM=usb-serial

P: {path}/1-2:1.0/ttyUSB0/tty/ttyUSB0
N: ttyUSB0
E: SUBSYSTEM=tty
E: MAJOR=188
E: MINOR=0
E: DEVNAME=/dev/ttyUSB0
"""


def asked(machine: Machine, description: str) -> str:
    """What udev says when the last device described is plugged in."""
    machine.write("/run/devices.umockdev", description)
    path = f"/sys{re.findall('^P: (.*)$', description, re.MULTILINE)[-1]}"
    said = machine.run("umockdev-run", "-d", "/run/devices.umockdev", "--", "udevadm", "test", "-a", "add", path)
    return said.stdout + said.stderr


def names(told: str) -> set[str]:
    """The names in /dev/table."""
    links = " ".join(re.findall("^DEVLINKS=(.*)$", told, re.MULTILINE))
    return {name.removeprefix("/dev/table/") for name in links.split() if name.startswith("/dev/table/")}


def rights(told: str) -> list[str]:
    """What the table's rules make of group and mode."""
    return re.findall(r"70-tablectl\.rules:\d+ ((?:GROUP|MODE) \d+)", told)


def usb(vendor: str, product: str, serial: str = "") -> str:
    description = USB.format(path=f"{HOST}/1-2", vendor=vendor, product=product)
    return BUS + description + (SERIAL.format(serial=serial) if serial else "")


def adapter(vendor: str, product: str, serial: str = "") -> str:
    return usb(vendor, product, serial) + TTY.format(path=f"{HOST}/1-2")


@pytest.mark.parametrize(
    ("vendor", "product", "name"),
    [
        ("05f3", "0405", "xk24"),
        ("05f3", "0404", "xk24"),
        ("05f3", "0442", "xk80"),
        ("05f3", "04d2", "xk60"),
        ("05f3", "041b", "xk16"),
        ("0fd9", "00ba", "deck"),
        ("0fd9", "0084", "deck"),
        ("191a", "8003", "lr6"),
        ("191a", "6001", "ne"),
        ("27b8", "01ed", "blink1"),
    ],
)
def test_a_panel_and_a_beacon_get_a_name_and_the_tables_group(machine, vendor, product, name):
    told = asked(machine, usb(vendor, product))
    group = machine.run("id", "-g", "tablectl").stdout.strip()
    assert (names(told), rights(told)) == ({name}, [f"GROUP {group}", "MODE 0660"])


def test_another_device_on_usb_gets_nothing(machine):
    told = asked(machine, usb("046d", "c31c"))
    assert (names(told), rights(told)) == (set(), [])


@pytest.mark.parametrize(
    ("vendor", "product", "serial", "wanted"),
    [
        ("0403", "6001", "A1234567", {"shoe-A1234567"}),
        ("067b", "2303", "", {"bee_tek"}),
        ("067b", "23a3", "BT0001", {"bee_tek", "shoe-BT0001"}),
        ("12d1", "1001", "", set()),
    ],
    ids=["FTDI", "Prolific", "Prolific with a number", "a modem"],
)
def test_a_shoes_adapter_is_named_by_its_socket_and_by_its_number(machine, vendor, product, serial, wanted):
    told = asked(machine, adapter(vendor, product, serial))
    assert names(told) == wanted | {"shoe-at-pci-0000:00:14.0-usb-0:2:1.0"}


def test_each_port_of_an_adapter_with_several_has_a_name_of_its_own(machine):
    first = adapter("0403", "6011", "A1234567")
    told = asked(machine, first.replace("1-2:1.0", "1-2:1.1").replace("bInterfaceNumber=00", "bInterfaceNumber=01"))
    assert names(told) == {"shoe-A1234567-if01", "shoe-at-pci-0000:00:14.0-usb-0:2:1.1"}
    told = asked(machine, first.replace("E: SUBSYSTEM=usb-serial\n", "E: SUBSYSTEM=usb-serial\nA: port_number=1\\n\n"))
    assert names(told) == {"shoe-A1234567-port1", "shoe-at-pci-0000:00:14.0-usb-0:2:1.0-port1"}


def test_a_shoes_adapter_stays_with_the_group_of_serial_ports_and_is_no_modem(machine):
    told = asked(machine, adapter("0403", "6001", "A1234567"))
    group = machine.run("getent", "group", "dialout").stdout.split(":")[2]
    assert f"GROUP {group}\n" in told
    assert rights(told) == []
    assert "ID_MM_DEVICE_IGNORE=1" in told
    assert "tablectl" in machine.run("getent", "group", "dialout").stdout
