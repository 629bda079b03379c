"""USB link over the real libusb and pyusb: the device is a umockdev testbed in its own process.

Needs the Debian packages umockdev, gir1.2-umockdev-1.0, python3-gi and libusb-1.0-0.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.beacons import Light, Signal
from drivers.beacons.blink1 import Blink1
from drivers.panels import panel_codec
from tests.needs import DEBIAN_PYTHON, umockdev
from tests.patience import PATIENCE

UMOCK = Path(__file__).parent / "umock"
ROOT = Path(__file__).parent.parent.parent


class CommandedProcess:
    """Child process that takes commands and writes answers, one line each."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> str:
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)
        if not line:
            pytest.fail("the test's own program ended")
        return line.decode().strip()

    async def ask(self, command: str) -> str:
        self.tell(command)
        return await self.line()

    def tell(self, command: str) -> None:
        self._process.stdin.write(f"{command}\n".encode())

    async def end(self) -> None:
        """Close the process's input, which ends it; unread output is dropped."""
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), PATIENCE)
        except TimeoutError:
            self._process.kill()
            raise


@asynccontextmanager
async def running(*command: str, **environment: str) -> AsyncIterator[CommandedProcess]:
    pipe = asyncio.subprocess.PIPE
    own = {**os.environ, **umockdev(), "PYTHONPATH": str(ROOT), **environment}
    program = CommandedProcess(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=own))
    try:
        yield program
    finally:
        await program.end()


@asynccontextmanager
async def server(device: str = "xk24") -> AsyncIterator[tuple[CommandedProcess, str]]:
    async with running(DEBIAN_PYTHON, str(UMOCK / "usb_server.py"), device) as panel:
        yield panel, await panel.line()


def link(folder: str, model: str = "xk24"):
    return running(sys.executable, str(UMOCK / "link_program.py"), model, UMOCKDEV_DIR=folder)


async def eventually(panel: CommandedProcess, command: str, text: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while text not in await panel.ask(command):
            await asyncio.sleep(0.01)


def test_a_panel_works_again_after_replugging():
    async def play():
        async with server() as (panel, folder), link(folder) as table:
            await panel.ask("plug")
            assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
            await panel.ask("press 8")
            assert await table.line() == "Pressed(key=8, at_ms=1000)"
            await panel.ask("unplug")
            assert await table.line() == "Lost(reason='unplugged')"
            await panel.ask("plug")
            assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
            await panel.ask("release 8")
            assert await table.line() == "Released(key=8, at_ms=1000)"

    asyncio.run(play())


def test_a_press_after_a_broken_transfer_is_heard():
    async def play():
        async with server() as (panel, folder), link(folder) as table:
            await panel.ask("plug")
            await table.line()
            for key in (8, 9):
                await panel.ask("fail")
                await panel.ask(f"press {key}")
                assert await table.line() == f"Pressed(key={key}, at_ms=1000)"
            assert await panel.ask("holder") == "usbfs"

    asyncio.run(play())


@pytest.mark.parametrize("model", ["xk16", "xk24", "xk60", "xk80"])
def test_the_keys_of_an_android_variant_are_heard(model):
    last = panel_codec(model).keys[-1]

    async def play():
        async with server(f"{model}_android") as (panel, folder), link(folder, model) as table:
            await panel.ask("plug")
            assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
            await panel.ask(f"press {last}")
            assert await table.line() == f"Pressed(key={last}, at_ms=1000)"
            await panel.ask(f"release {last}")
            assert await table.line() == f"Released(key={last}, at_ms=1000)"

    asyncio.run(play())


def test_a_panel_of_an_unknown_kind_is_named():
    async def play():
        async with server("xk80_kvm") as (panel, folder), link(folder, "xk80") as table:
            await panel.ask("plug")
            assert await table.line() == (
                "DeviceUnusable(reason='no XK-80 is plugged in, but an X-keys device of another kind (05f3:04d5) at "
                "usb pci-0000:00:14.0-usb-0:1: plug in an XK-80, or correct [panel] model')"
            )

    asyncio.run(play())


def test_a_light_reaches_the_panel():
    async def play():
        async with server() as (panel, folder):
            await panel.ask("plug")
            async with link(folder) as table:
                await table.line()
                table.tell("light 8")
                # back-light, 8 of the red bank (+ 32), on: as in xk24_output.hex
                await eventually(panel, "lights", bytes([0xB5, 40, 1]).ljust(35, b"\0").hex())

    asyncio.run(play())


def test_keys_tapped_during_lamp_writes_are_heard_without_cancelled_transfers():
    async def play():
        async with server() as (panel, folder), link(folder) as table:
            await panel.ask("plug")
            await table.line()
            await panel.ask("press 8")
            assert await table.line() == "Pressed(key=8, at_ms=1000)"
            await panel.ask("slow 100")
            for key in range(16, 19):
                table.tell(f"light {key}")
                await eventually(panel, "lights", bytes([0xB5, key + 32, 1]).hex())
                await panel.ask(f"press {key}")
                await panel.ask(f"release {key}")
                assert await table.line() == f"Pressed(key={key}, at_ms=1000)"
                assert await table.line() == f"Released(key={key}, at_ms=1000)"
            assert await panel.ask("given_up") == "0"

    asyncio.run(play())


def test_a_panel_that_usbhid_holds_is_taken_and_given_back():
    async def play():
        async with server() as (panel, folder):
            await panel.ask("plug")
            assert await panel.ask("holder") == "usbhid"
            async with link(folder) as table:
                await table.line()
                assert await panel.ask("holder") == "usbfs"
            assert await panel.ask("holder") == "usbhid"

    asyncio.run(play())


def test_a_blink1_gets_feature_reports_again_after_replugging():
    async def play():
        async with server("blink1") as (lamp, folder), link(folder, "blink1") as table:
            for plug in (1, 2):
                await lamp.ask("plug")
                assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
                table.tell("light red")
                reports = [*Blink1().connected(), Blink1().show(Signal(red=Light.ON))] * plug
                await eventually(lamp, "lights", " ".join(report.hex() for report in reports))
                await lamp.ask("unplug")
                assert await table.line() == "Lost(reason='unplugged')"

    asyncio.run(play())


@pytest.mark.parametrize("model", ["stream_deck", pytest.param("stream_deck_mini", marks=pytest.mark.proof)])
def test_a_stream_deck_works_again_after_replugging(model):
    codec = panel_codec(model)

    async def play():
        async with server(model) as (deck, folder), link(folder, model) as table:
            for plug in (1, 2):
                await deck.ask("plug")
                assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
                await deck.ask("press 5")
                assert await table.line() == "Pressed(key=5, at_ms=None)"
                table.tell("light 3")
                reports = [*codec.connected(), *codec.picture(3, b"a picture" * 200)] * plug
                await eventually(deck, "lights", " ".join(report.hex() for report in reports))
                await deck.ask("release 5")
                assert await table.line() == "Released(key=5, at_ms=None)"
                assert await deck.ask("holder") == "usbfs"
                await deck.ask("unplug")
                assert await table.line() == "Lost(reason='unplugged')"

    asyncio.run(play())


@pytest.mark.proof
def test_an_lr6_usb_gets_reports_again_after_replugging():
    async def play():
        async with server("lr6_usb") as (tower, folder), link(folder, "lr6_usb") as table:
            for plug in (1, 2):
                await tower.ask("plug")
                assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
                table.tell("light red")
                await eventually(tower, "lights", " ".join(["0000000010000000"] * plug))
                await tower.ask("unplug")
                assert await table.line() == "Lost(reason='unplugged')"

    asyncio.run(play())


def test_an_ne_usb_is_asked_and_its_touch_is_heard():
    async def play():
        async with server("ne_usb") as (beacon, folder), link(folder, "ne_usb") as table:
            await beacon.ask("plug")
            assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
            table.tell("light red")
            await eventually(beacon, "lights", "0000000a11000000")
            await beacon.ask("press 1")
            table.tell("recur")
            assert await table.line() == "Touched()"

    asyncio.run(play())


def test_a_hid_pos_scanner_works_again_after_replugging():
    async def play():
        async with server("hid_pos") as (scanner, folder), link(folder, "hid_pos") as table:
            for card in ("AS", "10H"):
                await scanner.ask("plug")
                assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='S2047A')"
                await scanner.ask(f"scan {card}")
                assert (await table.line()).startswith(f"CardRead(card='{card.replace('10', 'T')}'")
                await scanner.ask(f"scan {'x' * 60}{card}")  # a code over two reports that is no card
                assert (await table.line()).startswith("Garbage(")
                assert (await table.line()).startswith("CardUnreadable(")
                assert await scanner.ask("holder") == "usbfs"
                await scanner.ask("unplug")
                assert await table.line() == "Lost(reason='unplugged')"

    asyncio.run(play())


@pytest.mark.proof
def test_the_last_key_and_the_last_lamp_of_an_xk80():
    async def play():
        async with server("xk80") as (panel, folder), link(folder, "xk80") as table:
            await panel.ask("plug")
            assert await table.line() == "Found(address='usb at pci-0000:00:14.0-usb-0:1', serial='T1')"
            await panel.ask("press 79")
            assert await table.line() == "Pressed(key=79, at_ms=1000)"
            table.tell("light 79")
            await eventually(panel, "lights", bytes([0xB5, 159, 1]).ljust(35, b"\0").hex())

    asyncio.run(play())
