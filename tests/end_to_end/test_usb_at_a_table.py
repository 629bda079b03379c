"""`tablectl run` with a panel or beacon on the real libusb (umockdev testbed) and a shoe on a pty."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from drivers.beacons import Light, Signal, blink1, ne_usb
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.drivers.test_usb_real_stack import ROOT, UMOCK
from tests.end_to_end.rig import Folder, RunningProgram
from tests.needs import DEBIAN_PYTHON, umockdev
from tests.patience import eventually
from tests.processes import TABLECTL

YELLOW = Signal(yellow=Light.FLASH)  # a device is missing


class Socket:
    """USB socket with one emulated device, controlled line by line (see `usb_server`)."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.folder = process.stdout.readline().strip()

    def ask(self, command: str) -> str:
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


@contextmanager
def plugged_usb(device: str) -> Iterator[Socket]:
    command = [DEBIAN_PYTHON, UMOCK / "usb_server.py", device]
    strict = {**os.environ, **umockdev(), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=strict, text=True) as process:
        yield Socket(process)
        process.stdin.close()


@contextmanager
def table(folder: Folder, usb: Socket, panel: str | None = None, beacon: str = "") -> Iterator[RunningProgram]:
    """Plug in the device, and run a table with it."""
    config = folder.write_config(panel=panel)
    with config.open("a", encoding="utf-8") as more:
        more.write(f"[beacon]\n{beacon}\n" if beacon else "")
    usb.ask("plug")
    preload = [f"{name}={value}" for name, value in umockdev().items()]
    command = ["env", *preload, f"UMOCKDEV_DIR={usb.folder}", TABLECTL, "run", config]
    with RunningProgram(command, config.with_suffix(".log"), forked=False) as running:
        yield running
        running.process.terminate()
        assert running.ends() == 0


@pytest.fixture
def shoe(folder) -> Iterator[EmulatedAngelEye]:
    emulated = EmulatedAngelEye(PtyPort(folder.port))
    emulated.plug()
    yield emulated
    emulated.unplug()


def is_at_work(folder: Folder) -> None:
    eventually(lambda: {"shoe", "panel"} <= {one.what.device for one in folder.records() if one.kind == "device_found"})


@pytest.mark.usefixtures("shoe")
def test_a_key_pressed_after_a_broken_transfer_opens_bets(folder):
    with plugged_usb("xk24") as usb, table(folder, usb, "xk24"):
        is_at_work(folder)
        usb.ask("fail")
        usb.ask("press 0")
        eventually(lambda: folder.count("opened"))
        assert folder.count("device_lost", device="panel") == 0


@pytest.mark.usefixtures("shoe")
def test_an_android_panel_opens_and_closes_bets(folder):
    with plugged_usb("xk80_android") as usb, table(folder, usb, "xk80"):
        is_at_work(folder)
        for key, kind in ((0, "opened"), (1, "ignored"), (1, "closed")):  # the first press of CLOSE is ignored
            usb.ask(f"press {key}")
            eventually(lambda kind=kind: folder.count(kind))
            usb.ask(f"release {key}")


def test_another_panel_of_the_vendor_is_named_by_the_table(folder):
    with plugged_usb("xk80_kvm") as usb, table(folder, usb, "xk80"):
        eventually(lambda: folder.count("device_lost", device="panel"))
        (lost,) = [one.what for one in folder.records() if one.kind == "device_lost" and one.what.device == "panel"]
        assert "an X-keys device of another kind (05f3:04d5) at usb " in lost.reason


def listed(usb: Socket) -> str:
    """Plug in the device; return the output of `tablectl devices`."""
    usb.ask("plug")
    own = {**os.environ, **umockdev(), "UMOCKDEV_DIR": usb.folder}
    return subprocess.run([TABLECTL, "devices"], env=own, capture_output=True, text=True, check=True).stdout


def test_devices_names_a_panel_that_no_driver_serves():
    with plugged_usb("xk80_kvm") as usb:
        head, problem = listed(usb).splitlines()
    assert head.startswith("panel 05f3:04d5, serial number T1, at pci-0000:00:14.0-usb-0:1, now /dev/bus/usb/001/002 ")
    assert problem.startswith("    problem: an X-keys device of another kind that no driver of tablectl serves: ")


def test_devices_says_which_model_was_never_tried_for_real():
    with plugged_usb("xk80_android") as usb:
        head, config, tried = listed(usb).splitlines()
    assert head.startswith("panel xk80, serial number T1, ")
    assert (config, tried) == ('    [panel] model = "xk80"', "    never tried on a real one: xk80")


@pytest.mark.parametrize("touch", [True, False])
def test_an_ne_usb_is_asked_only_where_a_touch_counts(folder, touch):
    with plugged_usb("ne_usb") as usb, table(folder, usb, beacon=f'model = "ne_usb"\ntouch = {str(touch).lower()}'):
        eventually(lambda: ne_usb.show(YELLOW).hex() in usb.ask("lights"))  # the shoe is missing
        eventually(lambda: int(usb.ask("asked")) > 2 or not touch)
        assert bool(int(usb.ask("asked"))) == touch


@pytest.mark.proof  # the lamp notices after five seconds that the table is silent
def test_a_lamp_shows_its_signal_again_after_a_stopped_process(folder):
    with plugged_usb("blink1") as usb, table(folder, usb, beacon='model = "blink1"') as running:
        shown = blink1.show(YELLOW).hex()
        eventually(lambda: usb.ask("lights").endswith(shown) and usb.ask("silent") == "no")
        before = usb.ask("lights").count(shown)
        running.process.send_signal(signal.SIGSTOP)
        eventually(lambda: usb.ask("silent") == "yes")
        assert usb.ask("lights").count(shown) == before
        running.process.send_signal(signal.SIGCONT)
        eventually(lambda: usb.ask("lights").count(shown) > before)
        eventually(lambda: usb.ask("silent") == "no")
