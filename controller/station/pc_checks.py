"""Check a table's PC apart from devices: a disk that keeps written data, and a synchronised clock."""

import os
import tempfile
import time
from pathlib import Path
from statistics import median

from ..core.coded_message import coded
from ..table.ntp import ntp
from ..text.coded import WithMessage, render

TRIES = 9  # writes of which the median time counts
SLOW_MS = 50.0  # longest time that a card may wait for its record, in milliseconds
LEAST_MB = 1000  # least free space, in MB
FORGETS = frozenset({"tmpfs", "ramfs"})  # file systems in memory, which a restart empties
AFAR = frozenset({"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"})  # network file systems, with unreliable locks
MOUNTS = Path("/proc/self/mounts")


class UnmetRequirement(WithMessage):
    """Requirement that the PC does not meet; the message says what it is and what to do."""


def check_disk(folder: Path, part_mb: int, mounts: Path = MOUNTS) -> str:
    """Check the disk of a folder and describe its speed and free space. Raises UnmetRequirement, OSError.

    `part_mb`: size of one part of the record, in MB.
    """
    system = file_system(folder, mounts)
    if system in FORGETS:
        raise UnmetRequirement(coded("folder_in_memory", path=str(folder), kind=system))
    if system in AFAR:
        raise UnmetRequirement(coded("folder_afar", path=str(folder), kind=system))
    free, needed = _free_mb(folder), max(LEAST_MB, 2 * part_mb)
    if free < needed:
        raise UnmetRequirement(coded("disk_full", free=free, path=str(folder), needed=needed))
    slow = synced_ms(folder)
    if slow > SLOW_MS:
        raise UnmetRequirement(coded("disk_slow", milliseconds=slow, path=str(folder), limit=SLOW_MS))
    return render(coded("disk_fit", path=str(folder), kind=system, milliseconds=slow, free=free / 1000))


def file_system(folder: Path, mounts: Path = MOUNTS) -> str:
    """Type of the file system that a folder is on."""
    whole = folder.resolve()
    kinds = {}
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        _, at, kind, *_ = line.split()
        kinds[Path(at.replace("\\040", " "))] = kind
    return next((kinds[above] for above in (whole, *whole.parents) if above in kinds), "unknown")


def synced_ms(folder: Path) -> float:
    """Median time until an appended page is on the disk, in milliseconds."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(TRIES):
            os.write(file.fileno(), bytes(4096))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return median(times)


def check_clock() -> str:
    """Check and describe the synchronisation of the clock. Raises UnmetRequirement."""
    clock = ntp()
    if clock.synchronised is False:
        raise UnmetRequirement(coded("no_ntp"))
    return render(coded("clock_unknown") if clock.synchronised is None else coded("clock_kept"))


def _free_mb(folder: Path) -> float:
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize / 10**6
