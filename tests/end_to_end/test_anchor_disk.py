"""The disk of the anchor, really mounted and unmounted: what the running program says of it, and what it refuses."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.cli.client import ask
from controller.journal import recall
from controller.web.net.sockets import answers
from tests.end_to_end.rig import Folder, Running
from tests.mounts import into, shell, tablectl_in
from tests.patience import eventually
from tests.processes import finish

STICKS = """
for stick in one two; do mount -t tmpfs -o size=64k "$stick" "$0/$stick"; done
mount --bind "$0/one" "$0/usb"
touch "$0/usb/there"\
"""


class Pc:
    """A PC with two sticks, of which the first one is mounted where the anchor is to be. A context manager."""

    def __init__(self, path: Path) -> None:
        for name in ("pc", "one", "two", "usb"):
            (path / name).mkdir()
        self._path, self.folder = path, Folder(path / "pc")
        self._shell = subprocess.Popen([*map(str, shell(STICKS, path, ["sleep", "infinity"]))])
        self.usb, self.one, self.two = (self.seen(path / name) for name in ("usb", "one", "two"))
        self.anchor = path / "usb" / "t1.anchor"
        self.config = self.folder.write_config(panel=None, journal=f'anchor = "{self.anchor}"\nanchor_required = true')
        eventually((self.usb / "there").exists)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self._shell.kill()
        self._shell.wait()

    def seen(self, path: Path) -> Path:
        """Return the path outside for a path as the programs of this PC see it."""
        return Path(f"/proc/{self._shell.pid}/root{path}")

    def unmount(self) -> None:
        """The stick is pulled. The table looks at it each second: for that moment it is busy."""
        eventually(lambda: self.does("umount", self._path / "usb"))

    def mount(self, stick: str) -> None:
        """A stick is put in."""
        assert self.does("mount", "--bind", self._path / stick, self._path / "usb")

    def does(self, *command: object) -> bool:
        """Whether a command succeeds there."""
        ran = [*map(str, into(self._shell.pid, command))]
        return subprocess.run(ran, capture_output=True, check=False).returncode == 0

    def tablectl(self, *words: object) -> str:
        """Run a command of tablectl on it to its end; returns what it wrote to standard error."""
        return finish(tablectl_in(self._shell.pid, *words)).stderr

    def run(self) -> Running:
        """`tablectl run CONFIG` on it."""
        return Running(tablectl_in(self._shell.pid, "run", self.config), self.config.with_suffix(".log"))

    def live(self) -> None:
        """One life of the table."""
        with self.run() as table:
            self.anchored()
            table.process.terminate()
            assert table.ends() == 0

    def refused(self) -> str:
        """Why the table does not start."""
        with self.run() as table:
            assert table.ends() == 2
            return table.errors().splitlines()[-1]

    def troubles(self) -> str:
        """Return the troubles that the running table's health check names, as one text."""
        return " ".join(ask(self.folder.socket, "GET", "/healthz").body["troubles"])

    def anchored(self) -> None:
        """Wait until the running table has nothing to say against its anchor."""
        eventually(lambda: answers(self.folder.socket) and "device_lost" in self.folder.kinds())
        eventually(lambda: (self.usb / "t1.anchor").exists() and "not anchored" not in self.troubles())

    def opening(self) -> str:
        """Why no round opens. There is no shoe: one that may open for all that is wrong here is refused for that."""
        words = {"command": "open", "id": os.urandom(8).hex()}
        (verdict,) = ask(self.folder.socket, "POST", "/api/commands", words).body["verdicts"]
        return str(verdict["reason"])

    def lost(self, says: str) -> None:
        """Wait for this trouble; no round opens meanwhile."""
        eventually(lambda: says in self.troubles())
        eventually(lambda: self.opening() == "anchor_lost")

    def back(self) -> None:
        """Wait until the anchor is back, and rounds may open."""
        eventually(lambda: "not anchored" not in self.troubles())
        eventually(lambda: self.opening() == "shoe_missing")


@pytest.fixture
def pc(tmp_path) -> Iterator[Pc]:
    with Pc(tmp_path) as one:
        yield one


def test_an_unmounted_anchor_is_trouble_and_never_begun_anew(pc):
    with pc.run():
        pc.anchored()
        assert pc.opening() == "shoe_missing"
        for times in (1, 2):
            pc.unmount()
            pc.lost(f"{pc.anchor}: the anchor is not there: mount its disk")
            assert list(pc.usb.iterdir()) == []
            pc.mount("one")
            pc.back()
            kinds = pc.folder.kinds()
            assert (kinds.count("anchor_lost"), kinds.count("anchor_back")) == (times, times)
    assert pc.folder.count("anchor_begun") == 1


def test_an_older_record_does_not_start_without_its_stick(pc):
    pc.live()
    copy = shutil.copytree(pc.folder.journal.parent, pc.folder.journal.parent.with_name("copy"))
    with pc.run() as table:
        pc.anchored()
        pc.unmount()
        pc.lost("the anchor is not there")
        table.process.terminate()
        assert table.ends() == 0
    assert "there is no such file" in pc.refused()
    shutil.rmtree(pc.folder.journal.parent)
    shutil.copytree(copy, pc.folder.journal.parent)
    assert f"{pc.anchor}: expected the anchor of {pc.folder.journal}, there is no such file" in pc.refused()
    assert list(pc.usb.iterdir()) == []
    pc.mount("one")
    assert "which the anchor" in pc.refused()


def test_another_stick_is_not_taken_for_the_first(pc):
    pc.live()
    pc.unmount()
    pc.mount("two")
    assert "there is no such file" in pc.refused()
    assert pc.tablectl("journal", "anchor", pc.folder.journal, pc.anchor, "--by", "eva", "--because", "lost") == ""
    pc.live()
    with pc.run():
        pc.anchored()
        pc.unmount()
        pc.mount("one")
        pc.lost("this is not the anchor that was begun for this record")
        pc.unmount()
        pc.mount("two")
        pc.back()


def test_a_copy_in_the_mount_point_is_no_anchor(pc):
    pc.live()
    with pc.run() as table:
        pc.anchored()
        pc.unmount()
        shutil.copy(pc.one / "t1.anchor", pc.usb)
        copy = (pc.usb / "t1.anchor").read_bytes()
        pc.lost("the record is not anchored since")  # it is a copy, or on the record's disk, as far as that is seen
        assert (pc.usb / "t1.anchor").read_bytes() == copy
        table.process.terminate()
        assert table.ends() == 0
    assert "begin another: `tablectl journal anchor" in pc.refused()
    (pc.usb / "t1.anchor").unlink()
    pc.mount("one")
    pc.live()


def test_a_full_stick_is_trouble_until_there_is_room(pc):
    with pc.run():
        pc.anchored()
        ballast, knock = pc.usb / "ballast", pc.usb / "t1.anchor.knock"
        knock.touch()  # as a takeover does: the table writes its anchor
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        pc.lost(f"{pc.anchor}: no space left on device")
        assert recall(pc.usb / "t1.anchor").table == "t1"
        ballast.unlink()
        pc.back()
