"""Container with a systemd of its own, for tests of services; changes to its files are thrown away.

Its root directory is an overlay in memory, started by systemd-nspawn (Debian: systemd-container). Its processes,
devices and files are its own; the network is shared. Needs root, and a kernel that allows mounts.
"""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any
from uuid import uuid4

from controller.config.paths import ROOT as PC
from tests.end_to_end.rig import ROOT
from tests.mounts import into, shell
from tests.patience import eventually

# "$0" is the folder. Each machine has its own cgroup: otherwise two would take each other's processes for theirs.
START = """
mount -t tmpfs -o mode=755 own "$0"
mkdir "$0/upper" "$0/work" "$0/root"
[ -z CHANGED ] || cp -a CHANGED/. "$0/upper"
mount -t overlay -o "lowerdir=FILES,upperdir=$0/upper,workdir=$0/work" own "$0/root"
rm -f "$0/root/etc/fstab"
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 own /sys/fs/cgroup || true
while IFS=: read -r number names path; do
  case $number:$names in
    0:) top=/sys/fs/cgroup/unified; [ -d $top ] || top=/sys/fs/cgroup ;;
    *:name=systemd) top=/sys/fs/cgroup/systemd ;;
    *) continue ;;
  esac
  if mkdir "$top$path/own-$$" 2>/dev/null && echo $$ >"$top$path/own-$$/cgroup.procs"; then
    echo "$top$path" >>"$0/groups"
  fi
done </proc/self/cgroup
set +e
"$@" </dev/null
code=$?
while read -r group; do
  echo $$ >"$group/cgroup.procs"
  find "$group/own-$$" -depth -type d -exec rmdir {} +
done 2>/dev/null <"$0/groups"
exit $code
"""


PATIENCE = 900.0  # seconds for a command: some install a program


class NoMachine(Exception):
    """No machine can be started: kernel or container forbid systemd-nspawn; the text says why."""


class Machine:
    """Booted machine with an overlay over these files, by default over this PC's files.

    A context manager that switches the machine off at the end.

    `changed`: folder with changed files that `keep` copied from another machine.
    """

    def __init__(self, files: str | Path = "/", *options: str, changed: Path | None = None) -> None:
        start = START.replace("FILES", str(files))
        self._start = start.replace("CHANGED", f"'{changed or ''}'")
        self._options = options
        if os.geteuid() != 0:
            raise NoMachine("systemd-nspawn is for root only: sudo make proof")
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-machine-"))
        self._log = self._folder.with_suffix(".log")
        try:
            failed = self._nspawn("/bin/true").wait()
        except RuntimeError as reason:
            raise NoMachine(str(reason)) from None
        if failed:
            raise NoMachine(f"systemd-nspawn cannot start anything here: {' '.join(self.console().split())}")
        self._process = self._nspawn("--boot", "systemd.unit=basic.target")
        self._leader = eventually(self._systemd)
        eventually(lambda: self.run("systemctl", "is-active", "basic.target", check=False).stdout == "active\n")

    def _nspawn(self, *what: str) -> "subprocess.Popen[bytes]":
        command = ["systemd-nspawn", "-q", "--register=no", "--keep-unit", "--console=pipe", f"--bind-ro={ROOT}"]
        place = [f"--machine={uuid4().hex}", f"--directory={self._folder}/root"]
        ran = shell(self._start, self._folder, [*command, *place, *self._options, *what])
        with self._log.open("wb") as log:
            return subprocess.Popen(ran, stdout=log, stderr=log)

    def _systemd(self) -> int | None:
        """Return the process id of the machine's systemd, a grandchild of the shell; None before it runs."""
        with suppress(OSError):
            for nspawn in _children(self._process.pid):
                for first in _children(nspawn):
                    if Path(f"/proc/{first}/comm").read_text() == "systemd\n":
                        return first
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._leader, SIGKILL)
        self._process.wait()
        self._folder.rmdir()
        self._log.unlink()

    def console(self) -> str:
        """Return the output of systemd-nspawn and of the machine's console."""
        return self._log.read_text(errors="replace")

    def command(self, *command: object) -> list[str]:
        """Return the command line that runs a command in the machine, as root and with its own folders."""
        return ["nsenter", "-t", str(self._leader), "-a", "-r", "-w", "env", "-u", PC, *map(str, command)]

    def run(self, *command: object, check: bool = True, **options: Any) -> "subprocess.CompletedProcess[str]":
        """Run a command in the machine and wait for its end."""
        ended = subprocess.run(
            self.command(*command), capture_output=True, text=True, check=False, timeout=PATIENCE, **options
        )
        assert ended.returncode == 0 or not check, f"{command}: {ended.stdout}{ended.stderr}"
        return ended

    def keep(self, folder: Path) -> None:
        """Copy the changed files to a folder, for use by another machine."""
        self.run("sync")
        copied = into(self._process.pid, ["cp", "-a", f"{self._folder}/upper/.", folder])
        subprocess.run([*map(str, copied)], check=True)

    def write(self, path: str, text: str) -> None:
        """Write a file in the machine."""
        self.run("sh", "-c", 'mkdir -p "$(dirname "$0")" && cat >"$0"', path, input=text)


def _children(process: int) -> Sequence[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
