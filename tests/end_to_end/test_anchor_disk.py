"""A table without its anchor's disk reports trouble and opens no round, until the right disk is back."""

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
from tests.end_to_end.rig import Folder, RunningProgram
from tests.mounts import into, shell, tablectl_in
from tests.patience import eventually
from tests.processes import finish

STICKS = """
for stick in one two; do mount -t tmpfs -o size=64k "$stick" "$0/$stick"; done
mount --bind "$0/one" "$0/usb"
touch "$0/usb/there"\
"""


class StickPc:
    """PC with two memory sticks; the first one is mounted where the anchor belongs. A context manager."""

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
        """Unmount the stick; tries again while it is busy, since the table reads it each second."""
        eventually(lambda: self.does("umount", self._path / "usb"))

    def mount(self, stick: str) -> None:
        """Mount this stick where the anchor belongs."""
        assert self.does("mount", "--bind", self._path / stick, self._path / "usb")

    def does(self, *command: object) -> bool:
        """Run a command on the PC; return True if it succeeds."""
        ran = [*map(str, into(self._shell.pid, command))]
        return subprocess.run(ran, capture_output=True, check=False).returncode == 0

    def tablectl(self, *words: object) -> str:
        """Run a command of tablectl on it to its end; returns what it wrote to standard error."""
        return finish(tablectl_in(self._shell.pid, *words)).stderr

    def run(self) -> RunningProgram:
        """Start `tablectl run CONFIG` on the PC."""
        return RunningProgram(tablectl_in(self._shell.pid, "run", self.config), self.config.with_suffix(".log"))

    def live(self) -> None:
        """Run the table until its record is anchored, and stop it."""
        with self.run() as table:
            self.anchored()
            table.process.terminate()
            assert table.ends() == 0

    def refused(self) -> str:
        """Check that the table does not start; return the last line of its errors."""
        with self.run() as table:
            assert table.ends() == 2
            return table.errors().splitlines()[-1]

    def troubles(self) -> str:
        """Return the troubles that the running table's health check names, as one text."""
        return " ".join(ask(self.folder.socket, "GET", "/healthz").body["troubles"])

    def anchored(self) -> None:
        """Wait until the running table has an anchor and reports no trouble with it."""
        eventually(lambda: answers(self.folder.socket) and "device_lost" in self.folder.kinds())
        eventually(lambda: (self.usb / "t1.anchor").exists() and "not anchored" not in self.troubles())

    def opening(self) -> str:
        """Try to open a round; return the reason of the refusal.

        There is no shoe: if the anchor is in order, the reason is the missing shoe.
        """
        words = {"command": "open", "id": os.urandom(8).hex()}
        (verdict,) = ask(self.folder.socket, "POST", "/api/commands", words).body["verdicts"]
        return str(verdict["reason"])

    def lost(self, says: str) -> None:
        """Wait until the table reports this trouble and opens no round because of its anchor."""
        eventually(lambda: says in self.troubles())
        eventually(lambda: self.opening() == "anchor_lost")

    def back(self) -> None:
        """Wait until the anchor is back, and rounds are refused only for the missing shoe."""
        eventually(lambda: "not anchored" not in self.troubles())
        eventually(lambda: self.opening() == "shoe_missing")


@pytest.fixture
def pc(tmp_path) -> Iterator[StickPc]:
    with StickPc(tmp_path) as one:
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
    assert (
        f"{pc.anchor}: expected the anchor of {pc.folder.journal} ([journal] anchor), there is no such file"
        in pc.refused()
    )
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
        pc.lost("the record is not anchored since")  # either reason may follow: a copy, or on the record's disk
        assert (pc.usb / "t1.anchor").read_bytes() == copy
        table.process.terminate()
        assert table.ends() == 0
    assert "begin a new one: `tablectl journal anchor" in pc.refused()
    (pc.usb / "t1.anchor").unlink()
    pc.mount("one")
    pc.live()


def test_a_full_stick_is_trouble_until_there_is_room(pc):
    with pc.run():
        pc.anchored()
        ballast, knock = pc.usb / "ballast", pc.usb / "t1.anchor.knock"
        knock.touch()  # as a takeover does, so that the table writes its anchor
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        pc.lost(f"{pc.anchor}: no space left on device")
        assert recall(pc.usb / "t1.anchor").table == "t1"
        ballast.unlink()
        pc.back()
