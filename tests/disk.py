"""Content of a disk after a power cut, worked out from a trace of all writes of a program.

Synced data is on the disk. Each other write may be there or not, in any order. Names that were made, changed or removed
keep their order, as on a file system with a journal. `strace` makes the trace.
"""

import ast
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.folders import in_memory

CALLS = "openat,close,pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,renameat,link,linkat"
TRACE = ("-f", "--seccomp-bpf", "-qq", "-s", "1000000", "-e", f"trace={CALLS}", "-o")

_LINE = re.compile(r"^(\d+) +(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$")
_PARTS = re.compile(r'"((?:[^"\\]|\\.)*)"|([^,()\s]+)')

Keeps = Callable[[], bool]  # asked for each write that was not synced
Call = tuple[str, list[bytes], int]  # name, arguments, result


@dataclass(eq=False)
class Inode:
    """Content of a file: its synced bytes, and the later writes that a power cut can lose."""

    synced: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)  # offset, data (None: truncated)

    def sync(self) -> None:
        self.synced, self.since = self.left(lambda: True), []

    def left(self, keeps: Keeps) -> bytes:
        content = bytearray(self.synced)
        for at, data in self.since:
            if keeps():
                content[len(content) :] = bytes(max(0, at - len(content)))
                content[at : None if data is None else at + len(data)] = data or b""
        return bytes(content)


class TracedDisk:
    """Folder of a disk, with the names of its files."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.names = {file.name: Inode(file.read_bytes()) for file in folder.iterdir() if file.is_file()}
        self._certain = dict(self.names)  # the synced names; all changes since:
        self._steps: list[dict[str, Inode]] = []
        self._open: dict[int, Inode | None] = {}  # None: the folder itself

    def left(self, keeps: Keeps) -> dict[str, bytes]:
        """Return the files that a power cut now leaves, by name, without SQLite's shared memory (`-shm`)."""
        names = self._certain
        for step in self._steps:
            if not keeps():
                break
            names = step
        return {name: inode.left(keeps) for name, inode in names.items() if not name.endswith("-shm")}

    def do(self, call: Call) -> None:
        """Apply one more successful system call."""
        name, arguments, result = call
        if name == "openat":
            self._opened(self._at(arguments[0], arguments[1]), arguments[2], result)
        elif name == "close":
            self._open.pop(int(arguments[0]), None)
        elif name == "renameat":
            self._to_names(name, [self._at(*arguments[:2]), self._at(*arguments[2:])])
        elif name in ("fsync", "fdatasync", "pwrite64", "write", "ftruncate"):
            self._to_file(name, arguments)
        else:
            self._to_names(name, [_text(one) for one in arguments])

    def _at(self, folder: bytes, path: bytes) -> str:
        """Return the full path if it is relative to a descriptor of this folder, else the path itself."""
        ours = folder.isdigit() and int(folder) in self._open and self._open[int(folder)] is None
        return f"{self._folder}/{_text(path)}" if ours else _text(path)

    def _opened(self, path: str, how: bytes, descriptor: int) -> None:
        if path == self._folder:
            self._open[descriptor] = None
        elif (name := self._name(path)) and (b"O_CREAT" in how or name in self.names):
            if name not in self.names:
                self._rename({**self.names, name: Inode()})
            self._open[descriptor] = self.names[name]
            if b"O_TRUNC" in how:
                self.names[name].since.append((0, None))

    def _to_file(self, name: str, arguments: list[bytes]) -> None:
        if (descriptor := int(arguments[0])) not in self._open:
            return
        inode = self._open[descriptor]
        if inode is None:
            self._certain, self._steps = self.names, []
        elif name == "pwrite64":
            inode.since.append((int(arguments[3]), arguments[1]))
        elif name == "write":  # plain `write` is only used to append
            inode.since.append((len(inode.left(lambda: True)), arguments[1]))
        elif name == "ftruncate":
            inode.since.append((int(arguments[1]), None))
        else:
            inode.sync()

    def _to_names(self, name: str, arguments: list[str]) -> None:
        old, *new = [found for one in arguments if (found := self._name(one))] or [None]
        if old not in self.names:
            return
        names = dict(self.names)
        if new:
            names[new[0]] = names[old]
        if not name.startswith("link"):
            del names[old]
        self._rename(names)

    def _rename(self, names: dict[str, Inode]) -> None:
        self.names = names
        self._steps.append(names)

    def _name(self, path: str) -> str | None:
        folder, _, name = path.rpartition("/")
        return name if folder == self._folder else None


def calls(trace: Path) -> Iterator[Call]:
    """Yield the successful calls of a trace in the order in which they ended."""
    begun: dict[str, str] = {}
    for line in trace.read_text(encoding="utf-8").splitlines():
        if not (found := _LINE.match(line)):
            continue
        process, name, rest, _, end = found.groups()
        if name and rest.endswith("<unfinished ...>"):
            begun[process] = f"{name}({rest.removesuffix('<unfinished ...>')}"
            continue
        text = f"{name}({rest}" if name else begun.pop(process) + end
        name, _, text = text.partition("(")
        text, _, result = text.rpartition(" = ")
        if result[:1].isdigit():
            yield name, [_value(*one) for one in _PARTS.findall(text)], int(result.split()[0])


def _value(quoted: str, bare: str) -> bytes:
    return bare.encode() if bare else ast.literal_eval(f'b"{quoted}"')


def _text(argument: bytes) -> str:
    return os.fsdecode(argument)


@pytest.fixture
def image() -> Iterator[Path]:
    """Yield a folder, in memory if possible: power cuts are only computed, so nothing needs a sync."""
    with in_memory() as folder:
        yield Path(folder)


def lay_out(folder: Path, files: dict[str, bytes]) -> None:
    """Make the folder contain exactly these files."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
