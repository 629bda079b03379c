"""The file of an anchor: what it holds, and how it is read and written on its own disk and nowhere else.

    {"epoch": "9f0c…", "seq": 57, "hash": "0c0e3ad7…", "table": "t1", "id": "41d7…", "place": "58b32fe1:1311"}

`id` is made by chance when the anchor is begun, and the record holds it too. `place` is the file's own file system and
inode: a copy has another. A FAT stick keeps no inodes; there it is the serial number of the volume alone. Its folder is
held open from the look to the write: where the disk is unmounted in between, nothing is written into the empty mount
point.
"""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from ..core.mark import Mark
from ..text import pc_texts as t
from ..text.errors import system_says
from .file import JournalError
from .modes import MOST

KEEPS_INODES = frozenset({"ext2", "ext3", "ext4", "btrfs", "xfs", "f2fs", "tmpfs", "nfs", "nfs4"})  # when mounted again
HAS_A_NAME = frozenset({"ext2", "ext3", "ext4", "btrfs", "tmpfs"})  # f_fsid is its own, not that of the device or mount
STICKS = frozenset({"vfat", "exfat"})  # neither: udev tells the serial number of the volume
BY_UUID = Path("/dev/disk/by-uuid")
KNOCK = ".knock"  # at the end of the name of the file that asks whether a table runs at an anchor


class BadAnchor(JournalError):
    """A file that cannot be read, or is no anchor."""


class AnchorFile(Mark, frozen=True):
    """Contents of an anchor file: remembered head, id of the anchor, place of the file."""

    id: str = ""  # empty: of a program from before there was one
    place: str = ""  # of this very file; empty: its file system tells none that stays


class FoundAnchor(NamedTuple):
    """An anchor as it was found."""

    mark: Mark
    id: str
    copied: bool  # what it says of its own place is not so
    device: int  # its file system, as the kernel numbers it now
    placed: bool  # it says its own place: else a copy of it cannot be told by that


class AnchorFolder:
    """The folder of an anchor, held open. A context manager. Raises OSError."""

    def __init__(self, anchor: Path) -> None:
        self._path = anchor
        self._folder = os.open(anchor.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> "AnchorFolder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._folder)

    @property
    def device(self) -> int:
        """The file system of the folder."""
        return os.fstat(self._folder).st_dev

    def read(self) -> FoundAnchor | None:
        """The anchor; None where there is no such file. Raises BadAnchor."""
        try:
            opened = os.open(self._path.name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder)
            with os.fdopen(opened, "rb") as file:
                here, device = _place(file.fileno()), os.fstat(file.fileno()).st_dev
                told = msgspec.json.decode(file.read(), type=AnchorFile)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadAnchor(f"{self._path}: {system_says(error)}") from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadAnchor(t.NO_ANCHOR.format(path=self._path, error=error)) from None
        mark = Mark(told.epoch, told.seq, told.hash, told.table, told.past)
        return FoundAnchor(mark, told.id, not _same_place(told.place, here), device, bool(told.place))

    def write(self, mark: Mark, id_: str) -> None:
        """Durable when this returns. Raises OSError, with the anchor as it was and nothing beside it."""
        name, new = self._path.name, f"{self._path.name}.new"
        try:
            self._put(new, mark, id_)
            os.replace(new, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError:
            with suppress(OSError):
                os.unlink(new, dir_fd=self._folder)
            raise
        os.fsync(self._folder)

    def _put(self, new: str, mark: Mark, id_: str) -> None:
        how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(new, how, MOST, dir_fd=self._folder), "wb") as file:
            place = _place(file.fileno())
            holds = AnchorFile(mark.epoch, mark.seq, mark.hash, mark.table, mark.past, id_, place)
            file.write(msgspec.json.encode(holds) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def answer(self) -> bool:
        """Remove the file of a program that asks whether a table runs here: that needs no space. False: nobody asks."""
        try:
            os.unlink(f"{self._path.name}{KNOCK}", dir_fd=self._folder)
        except FileNotFoundError:
            return False
        except OSError:  # it is asked all the same, and may see that the anchor is written anew
            return True
        return True


def _place(file: int) -> str:
    """File system and inode of an open file, as far as they stay when its disk is mounted again."""
    kind, about = _kind(file), os.fstat(file)
    if kind in STICKS:
        return _volume(about.st_dev)
    if kind not in KEEPS_INODES:
        return ""
    disk = f"{os.fstatvfs(file).f_fsid:x}" if kind in HAS_A_NAME else ""
    return f"{disk}:{about.st_ino}"


def _volume(device: int) -> str:
    """Return the UUID of the file system on a block device (FAT: its serial number); empty if udev tells none."""
    with suppress(OSError):
        for link in BY_UUID.iterdir():
            with suppress(OSError):
                if link.stat().st_rdev == device:
                    return link.name
    return ""


def _same_place(told: str, here: str) -> bool:
    """A part that one of the two does not tell is not compared: two PCs may mount one disk in different ways."""
    return all(a == b for a, b in zip(told.split(":"), here.split(":"), strict=False) if a and b)


def _kind(file: int) -> str:
    """Return the file system type of an open file, such as `ext4`; empty if unknown."""
    try:
        about = Path(f"/proc/self/fdinfo/{file}").read_text(encoding="ascii").split()
        mount = about[about.index("mnt_id:") + 1]
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(f"{mount} "):
                return line.rpartition(" - ")[2].split()[0]
    except (OSError, ValueError):
        pass
    return ""
