"""A keyboard-wedge scanner on a real kernel's input device (uinput): only the table can read it."""

import pytest

from tests.vm.tables import CARDS, VmTable, lying

pytestmark = [pytest.mark.vm, pytest.mark.timeout(1800)]

LINK, TYPED = "/run/wedge", "/run/typed"
RULE = 'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="tablectl emulated wedge", GROUP="tablectl", MODE="0660"\n'
GRAB = f"""
import fcntl, os
node = os.open(os.path.realpath("{LINK}"), os.O_RDONLY)
fcntl.ioctl(node, 0x40044590, 1)  # EVIOCGRAB
"""


def test_a_keyboard_wedge_is_grabbed_and_survives_unplugging(pc):
    pc.write("/etc/udev/rules.d/71-wedge.rules", RULE)
    pc.sh(f"udevadm control --reload; modprobe uinput; mkfifo {TYPED}; echo {' '.join(CARDS)} >/run/cards")
    emulator = f"exec tablectl emulate wedge --link {LINK} --cards /run/cards <>{TYPED}"
    pc.run("systemd-run", "--unit", "wedge", "sh", "-c", emulator)
    table = another_table(VmTable(pc, "t4"))
    table.has("shoe")
    assert "Device or resource busy" in pc.run("python3", "-c", GRAB, check=False)
    table.opens()
    draw_until(table, 2)
    say(table, "unplug")
    table.paused("device_lost")
    say(table, "plug")
    table.has("shoe")
    table.resume()
    draw_until(table, len(CARDS))
    table.settles()


def another_table(table: VmTable) -> VmTable:
    """Create and start one more table on the PC, with the scanner as its shoe."""
    table.pc.run("tablectl", "table", "new", table.name, "--game", "baccarat")
    table.pc.write(f"/etc/tablectl/{table.name}.toml", table.config(f'model = "wedge"\nport = "{LINK}"\n'))
    table.pc.run("systemctl", "start", table.unit)
    return table


def say(table: VmTable, line: str) -> None:
    """Send a line to the emulated scanner's standard input."""
    table.pc.sh(f"echo '{line}' >{TYPED}")


def draw_until(table: VmTable, cards: int) -> None:
    while (lie := lying(table.state())) < cards:
        say(table, "")
        table.until(lambda state, lie=lie: lying(state) > lie)
