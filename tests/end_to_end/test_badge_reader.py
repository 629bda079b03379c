"""A badge reader on a real port signs people on and learns badges; badge codes are written nowhere."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from controller.cli.badge_read import read_from_reader
from controller.config.people import PeopleFile
from controller.config.people_change import change_registry
from controller.station.device_observer import DeviceObserver
from drivers.badge_readers import SerialBadges
from drivers.emulators.pty_port import PtyPort
from drivers.own_port import OwnPort
from tests.end_to_end.rig import start_table
from tests.patience import PATIENCE, eventually

CODE, NOBODYS = "04A2B9C1", "9999999999"  # of the least length: half a code is no badge


@pytest.fixture
def reader(folder) -> Iterator[PtyPort]:
    port = PtyPort(folder.port.with_name("reader"))
    port.plug()
    yield port
    port.unplug()


@pytest.fixture
def config(folder, reader):
    config = folder.write_config(panel=None)
    text = config.read_text(encoding="utf-8").replace('dealer = "d1"\n', "")
    more = f'[badge_reader]\nmodel = "serial"\nport = "{reader.link}"\n[people]\nbadge = "alone"\n'
    config.write_text(text + more, encoding="utf-8")
    return config


def written(folder) -> bytes:
    """Bytes of all files in the table's folder, with registry and logs."""
    return b"".join(file.read_bytes() for file in folder.config.parent.rglob("*") if file.is_file())


def test_a_badge_signs_on_and_is_written_nowhere(folder, config, reader):
    with change_registry(PeopleFile(config.with_name("people.toml"))) as change:
        change.add("101", "Dora", ["dealer"], None)
        change.set_badge("101", CODE)
    with start_table(config) as table:
        eventually(lambda: folder.count("device_found", device="badge_reader"))
        reader.write(f"{NOBODYS}\r\n".encode())
        eventually(lambda: folder.count("sign_ins_refused"))
        reader.write(f"{CODE}\r\n".encode())
        eventually(lambda: folder.count("signed_in", by="Dora", source="badge_reader"))
        eventually(lambda: folder.count("dealer_changed", to_id="101"))
        reader.unplug()
        eventually(lambda: folder.count("device_lost", device="badge_reader"))
        reader.plug()
        eventually(lambda: folder.count("device_found", device="badge_reader") == 2)
        assert folder.codes() == []  # a lost badge reader is no fault
        table.process.terminate()
        assert table.ends() == 0
    assert {CODE.encode() in written(folder), NOBODYS.encode() in written(folder)} == {False}


def test_a_badge_is_learnt_at_the_reader_of_the_config(config, reader, capfd):
    read: list[str] = []
    learner = threading.Thread(target=lambda: read.append(read_from_reader(config)))
    learner.start()
    while learner.is_alive():  # the port may not be open yet: send the badge until it is read
        reader.write(f"{CODE}\r\n".encode())
        learner.join(0.01)
    assert read == [CODE]
    assert tuple(capfd.readouterr()) == ("", "hold the badge to the reader\n")  # the code is not printed


def test_monitor_says_that_a_badge_was_read_and_never_which(reader):
    async def steps() -> list[str]:
        lines: asyncio.Queue[str] = asyncio.Queue()
        observer = DeviceObserver(lines.put_nowait)
        observer.add_badge_reader(OwnPort(str(reader.link)), SerialBadges())
        try:
            line = await asyncio.wait_for(lines.get(), PATIENCE)
            reader.write(f"{CODE}\r\n123\r\n".encode())
            return [line, *[await asyncio.wait_for(lines.get(), PATIENCE) for _ in range(2)]]
        finally:
            await observer.stop()

    presence, reading, other = asyncio.run(steps())
    assert "badge_reader Found" in presence
    assert reading.endswith("badge_reader BadgeRead, 8 characters\n")
    assert "got 3 characters: no badge" in other
    assert CODE not in presence + reading + other
