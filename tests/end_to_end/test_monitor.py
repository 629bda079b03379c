"""`tablectl monitor` shows and captures the messages of devices, and takes none from a running table."""

import resource
import signal

import pytest
from click.testing import CliRunner

from controller.cli import main
from drivers.captures import read_capture
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import RunningProgram, start_table, tablectl
from tests.patience import eventually
from tests.processes import TABLECTL


@pytest.fixture
def shoe(folder):
    emulated = EmulatedAngelEye(PtyPort(folder.port), cards=["8S", "KH"], copies=1)
    emulated.plug()
    yield emulated
    emulated.unplug()


def test_messages_of_a_shoe_are_shown_and_captured(folder, shoe):
    capture = folder.config.with_name("capture")
    command = [TABLECTL, "monitor", folder.write_config(panel=None), "--capture", capture]
    with RunningProgram(command, folder.config.with_name("log")) as monitor:
        lines = iter(monitor.process.stdout.readline, "")
        assert "shoe Found address=" in next(lines)
        shoe.draw()
        shown = next(line for line in lines if "CardRead" in line)
        monitor.process.send_signal(signal.SIGINT)
        assert monitor.ends() == 0
        assert monitor.errors() == ""
    assert shown.endswith(" shoe < 05 31 44 81 B8 03 34 46  # CardRead card=8S place=player position=1 in_game=True\n")
    text = capture.read_text(encoding="utf-8")
    assert shown in text
    assert [one.data.hex() for one in read_capture(text)] == ["05314481b8033446"]
    assert capture.stat().st_mode & 0o777 == 0o600
    again = tablectl(*command[1:])
    assert (again.returncode, again.stderr) == (
        2, f"tablectl: {capture}: file exists; name a new file\n",
    )  # fmt: skip


def test_a_capture_that_cannot_be_written_ends_in_one_line(folder, shoe):
    capture = folder.config.with_name("capture")
    command = [TABLECTL, "monitor", folder.write_config(panel=None), "--capture", capture]
    with RunningProgram(command, folder.config.with_name("log")) as monitor:
        assert "shoe Found address=" in monitor.process.stdout.readline()
        most = capture.stat().st_size
        resource.prlimit(monitor.process.pid, resource.RLIMIT_FSIZE, (most, most))
        shoe.draw()
        assert monitor.ends() == 2
        assert monitor.errors() == f"tablectl: {capture}: file too large\n"


def test_monitor_ends_when_its_reader_closes_the_pipe(folder, shoe):
    command = [TABLECTL, "monitor", folder.write_config(panel=None)]
    with RunningProgram(command, folder.config.with_name("log")) as monitor:
        assert "shoe Found address=" in monitor.process.stdout.readline()
        monitor.process.stdout.close()
        shoe.draw()
        assert monitor.ends() == 0
        assert monitor.errors() == ""


def test_a_device_of_a_running_table_is_left_to_it(folder, shoe):
    config, log = folder.write_config(panel=None), folder.port.with_name("log")
    with start_table(config):
        eventually(lambda: folder.count("device_found", device="shoe"))
        refused = tablectl("monitor", config)
        assert refused.returncode == 2
        assert refused.stderr.startswith("tablectl: table t1 runs and uses these devices: see its page /manager")
        with RunningProgram([TABLECTL, "monitor", "--shoe", "angel_eye", "--port", folder.port], log) as other:
            assert "is in use: another program has locked it" in other.process.stdout.readline()
        shoe.draw()
        eventually(lambda: folder.codes() == ["extra_card"])
        assert "lost" not in " ".join(folder.kinds()[folder.kinds().index("device_found") :])


def test_without_a_config_the_device_has_to_be_named():
    refused = CliRunner().invoke(main, ["monitor", "--shoe", "angel_eye"])
    assert refused.exit_code == 2
    assert "expected a CONFIG, or --shoe MODEL with --port PORT, or --panel MODEL" in refused.output
