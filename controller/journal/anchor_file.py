"""File of an anchor: its content, and reading and writing it on its own disk alone.

    {"epoch": "9f0c…", "seq": 57, "hash": "0c0e3ad7…", "table": "t1", "id": "41d7…", "place": "58b32fe1:1311"}

`id` is random, made when the anchor is begun; the record stores it too. `place` is the file system and inode of the
file: a copy has another. A FAT stick keeps no inodes; there it is the serial number of the volume alone. The folder is
held open between reading and writing: if the disk is unmounted meanwhile, nothing is written into the empty mount
point.
"""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from ..core.coded_message import coded
from ..core.mark import Mark
from ..text.errors import system_message
from .file import JournalError
from .modes import MOST

KEEPS_INODES = frozenset({"ext2", "ext3", "ext4", "btrfs", "xfs", "f2fs", "tmpfs", "nfs", "nfs4"})  # at a remount
HAS_A_NAME = frozenset({"ext2", "ext3", "ext4", "btrfs", "tmpfs"})  # f_fsid names the file system, not its device
STICKS = frozenset({"vfat", "exfat"})  # inode and f_fsid change: udev has the volume's serial number
BY_UUID = Path("/dev/disk/by-uuid")
KNOCK = ".knock"  # suffix of the file by which a program asks whether a table runs at an anchor


class BadAnchor(JournalError):
    """Anchor file cannot be read, or is not an anchor."""


class AnchorFile(Mark, frozen=True):
    """Contents of an anchor file: remembered head, id of the anchor, place of the file."""

    id: str = ""  # empty: written before anchors had an id
    place: str = ""  # place of this file; empty: its file system keeps none


class FoundAnchor(NamedTuple):
    """Anchor file as it was read, with facts about its file system."""

    mark: Mark
    id: str
    copied: bool  # True if the file is not in the place that it names
    device: int  # present device number of its file system
    placed: bool  # True if it names a place; else a copy cannot be recognised


class AnchorFolder:
    """Open folder of an anchor, as a context manager. Raises OSError."""

    def __init__(self, anchor: Path) -> None:
        self._path = anchor
        self._folder = os.open(anchor.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> "AnchorFolder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._folder)

    @property
    def device(self) -> int:
        """Device number of the folder's file system."""
        return os.fstat(self._folder).st_dev

    def read(self) -> FoundAnchor | None:
        """Read the anchor; None if there is no such file. Raises BadAnchor."""
        try:
            opened = os.open(self._path.name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder)
            with os.fdopen(opened, "rb") as file:
                here, device = _place(file.fileno()), os.fstat(file.fileno()).st_dev
                anchor = msgspec.json.decode(file.read(), type=AnchorFile)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadAnchor(f"{self._path}: {system_message(error)}") from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadAnchor(coded("anchor_unreadable", path=str(self._path), error=str(error))) from None
        mark = Mark(anchor.epoch, anchor.seq, anchor.hash, anchor.table, anchor.past)
        return FoundAnchor(mark, anchor.id, not _same_place(anchor.place, here), device, bool(anchor.place))

    def write(self, mark: Mark, id_: str) -> None:
        """Write the anchor; durable when this returns.

        Raises OSError; then the anchor is unchanged, with no file beside it.
        """
        name, new = self._path.name, f"{self._path.name}.new"
        try:
            self._write(new, mark, id_)
            os.replace(new, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError:
            with suppress(OSError):
                os.unlink(new, dir_fd=self._folder)
            raise
        os.fsync(self._folder)

    def _write(self, new: str, mark: Mark, id_: str) -> None:
        how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(new, how, MOST, dir_fd=self._folder), "wb") as file:
            place = _place(file.fileno())
            holds = AnchorFile(mark.epoch, mark.seq, mark.hash, mark.table, mark.past, id_, place)
            file.write(msgspec.json.encode(holds) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def answer(self) -> bool:
        """Answer a knock: remove the file beside the anchor, which needs no space. Returns False without one."""
        try:
            os.unlink(f"{self._path.name}{KNOCK}", dir_fd=self._folder)
        except FileNotFoundError:
            return False
        except OSError:  # still a knock; the caller may see the anchor written again
            return True
        return True


def _place(file: int) -> str:
    """Identify an open file by file system and inode, as far as both stay the same after a remount."""
    kind, about = _kind(file), os.fstat(file)
    if kind in STICKS:
        return _volume(about.st_dev)
    if kind not in KEEPS_INODES:
        return ""
    disk = f"{os.fstatvfs(file).f_fsid:x}" if kind in HAS_A_NAME else ""
    return f"{disk}:{about.st_ino}"


def _volume(device: int) -> str:
    """Return the UUID of the file system on a block device; empty if udev knows none.

    FAT: its serial number.
    """
    with suppress(OSError):
        for link in BY_UUID.iterdir():
            with suppress(OSError):
                if link.stat().st_rdev == device:
                    return link.name
    return ""


def _same_place(place: str, here: str) -> bool:
    """Compare two places; parts that one of them lacks count as equal.

    Two PCs may mount one disk in different ways.
    """
    return all(a == b for a, b in zip(place.split(":"), here.split(":"), strict=False) if a and b)


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
