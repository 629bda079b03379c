"""udev gives a table's devices their names and permissions, by the rules that `make service` installs.

umockdev emulates the devices; the udev is the machine's own.
"""

import re

import pytest

from controller.station.plugged_devices import RULE
from drivers.emulators.usb_identity import UsbIdentity
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


INTERFACE = """
P: {path}/1-2:1.0
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface
E: INTERFACE=3/1/1
A: bInterfaceNumber=00\\n
A: bInterfaceClass=03\\n
A: bInterfaceSubClass=01\\n
A: bInterfaceProtocol=01\\n
"""
EVENT = """
P: {path}/1-2:1.0/0003:{ids}.0001/input/input7
E: SUBSYSTEM=input
E: PRODUCT=3/{ids}/1
A: capabilities/ev=120013\\n
A: capabilities/abs=0\\n
A: capabilities/rel=0\\n
A: capabilities/key={keys}\\n
A: properties=0\\n

P: {path}/1-2:1.0/0003:{ids}.0001/input/input7/event7
N: input/event7
E: SUBSYSTEM=input
E: MAJOR=13
E: MINOR=71
E: DEVNAME=/dev/input/event7
"""
ALL_KEYS = "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe"
DIGITS = "10000ffc"


def udev_output(machine: Machine, description: str) -> str:
    """Return what `udevadm test` prints for plugging in the last device of the description."""
    machine.write("/run/devices.umockdev", description)
    path = f"/sys{re.findall('^P: (.*)$', description, re.MULTILINE)[-1]}"
    result = machine.run("umockdev-run", "-d", "/run/devices.umockdev", "--", "udevadm", "test", "-a", "add", path)
    return result.stdout + result.stderr


def names(output: str) -> set[str]:
    """Return the names in /dev/table that udev's output gives the device."""
    links = " ".join(re.findall("^DEVLINKS=(.*)$", output, re.MULTILINE))
    return {name.removeprefix("/dev/table/") for name in links.split() if name.startswith("/dev/table/")}


def rights(output: str) -> list[str]:
    """Return the group and the mode that the table's rules set in udev's output."""
    return re.findall(r"70-tablectl\.rules:\d+ ((?:GROUP|MODE) \d+)", output)


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
        ("05f3", "049f", "xk24"),
        ("05f3", "041b", "xk16"),
        ("0fd9", "00ba", "deck"),
        ("0fd9", "0084", "deck"),
        ("191a", "8003", "lr6"),
        ("191a", "6001", "ne"),
        ("27b8", "01ed", "blink1"),
    ],
)
def test_panels_and_beacons_get_a_name_and_the_tables_group(machine, vendor, product, name):
    output = udev_output(machine, usb(vendor, product))
    group = machine.run("id", "-g", "tablectl").stdout.strip()
    assert (names(output), rights(output)) == ({name}, [f"GROUP {group}", "MODE 0660"])


def test_another_device_on_usb_gets_nothing(machine):
    output = udev_output(machine, usb("046d", "c31c"))
    assert (names(output), rights(output)) == (set(), [])


def typing(vendor: str, product: str, keys: str) -> str:
    path, ids = f"{HOST}/1-2", f"{vendor}:{product}".upper()
    return usb(vendor, product) + INTERFACE.format(path=path) + EVENT.format(path=path, ids=ids, keys=keys)


@pytest.mark.parametrize(
    ("vendor", "product", "keys"),
    [("05f9", "2206", ALL_KEYS), ("1eab", "0c03", ALL_KEYS), ("0c27", "3bfa", DIGITS)],
    ids=["Datalogic", "Newland", "RFIDeas"],
)
def test_a_typing_scanner_is_read_only_by_the_group(machine, vendor, product, keys):
    output = udev_output(machine, typing(vendor, product, keys))
    group = machine.run("id", "-g", "tablectl").stdout.strip()
    assert rights(output) == [f"GROUP {group}", "MODE 0640"]


def test_a_keyboard_is_read_only_by_the_rule_naming_it(machine):
    keyboard = typing("046d", "c31c", ALL_KEYS)
    assert rights(udev_output(machine, keyboard)) == []
    rule = RULE.format(place="pci-0000:00:14.0-usb-0:2:1.0", vendor="046d", product="c31c")
    machine.write("/etc/udev/rules.d/71-table.rules", f"{rule}\n")
    group = machine.run("id", "-g", "tablectl").stdout.strip()
    assert f"71-table.rules:1 GROUP {group}\n" in udev_output(machine, keyboard)
    assert "71-table.rules:1" not in udev_output(machine, keyboard.replace("1-2", "1-3"))
    machine.run("rm", "/etc/udev/rules.d/71-table.rules")


def scanner(*interface: int) -> str:
    """Describe a USB scanner with its descriptors. `interface`: class, subclass and protocol."""
    of = UsbIdentity(0x0C2E, 0x0B6A)
    configuration = of.configuration().replace(bytes((3, 0, 0)), bytes(interface))
    return f"{usb('0c2e', '0b6a')}H: descriptors={(of.device() + configuration).hex().upper()}\n"


@pytest.mark.parametrize(
    ("interface", "granted"),
    [((3, 0, 0), True), ((3, 1, 1), False), ((2, 2, 1), False)],
    ids=["HID-POS", "keyboard", "serial"],
)
def test_only_a_scanner_in_hid_pos_mode_gets_the_group(machine, interface, granted):
    output = udev_output(machine, scanner(*interface))
    assert "ID_USB_INTERFACES=:{:02x}{:02x}{:02x}:".format(*interface) in output
    group = machine.run("id", "-g", "tablectl").stdout.strip()
    assert rights(output) == ([f"GROUP {group}", "MODE 0660"] if granted else [])


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
def test_a_shoes_adapter_is_named_by_socket_and_number(machine, vendor, product, serial, wanted):
    output = udev_output(machine, adapter(vendor, product, serial))
    assert names(output) == wanted | {"shoe-at-pci-0000:00:14.0-usb-0:2:1.0"}


def test_each_port_of_an_adapter_has_a_name(machine):
    first = adapter("0403", "6011", "A1234567")
    output = udev_output(
        machine, first.replace("1-2:1.0", "1-2:1.1").replace("bInterfaceNumber=00", "bInterfaceNumber=01")
    )
    assert names(output) == {"shoe-A1234567-if01", "shoe-at-pci-0000:00:14.0-usb-0:2:1.1"}
    output = udev_output(
        machine, first.replace("E: SUBSYSTEM=usb-serial\n", "E: SUBSYSTEM=usb-serial\nA: port_number=1\\n\n")
    )
    assert names(output) == {"shoe-A1234567-port1", "shoe-at-pci-0000:00:14.0-usb-0:2:1.0-port1"}


def test_a_shoes_adapter_stays_with_dialout_and_is_no_modem(machine):
    output = udev_output(machine, adapter("0403", "6001", "A1234567"))
    group = machine.run("getent", "group", "dialout").stdout.split(":")[2]
    assert f"GROUP {group}\n" in output
    assert rights(output) == []
    assert "ID_MM_DEVICE_IGNORE=1" in output
    assert "tablectl" in machine.run("getent", "group", "dialout").stdout
