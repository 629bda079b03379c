"""Where a journal was once, no other is begun: an empty one would number its rounds from one again, unnoticed.

To begin anew somebody removes the files that tell of the old journal; the refusal names them.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from .archive import archives
from .file import JournalFailed, broken, sync
from .modes import make, narrow


class JournalTraces:
    """What tells that a journal was begun under a name: a hidden file beside it, and one in `elsewhere`, a folder that
    stays when that of the journal is moved."""

    def __init__(self, path: Path, elsewhere: Path | None) -> None:
        self._path = path
        self._words = [path.with_name(f".{path.name}.begun")]  # beside the name: a link can go as well
        if elsewhere is not None:
            self._words.append(elsewhere / quote(str(path.absolute()), safe=""))

    def leave_word(self) -> bool:
        """From now on it is known. False where that could not be made so."""
        try:
            for word in self._words:
                if not word.exists():
                    make(word)
                    sync(word.parent)
        except OSError:
            return False
        return True

    def refuse_again(self) -> None:
        """Raises JournalFailed where it was begun already."""
        traces, copy = ", ".join(self._traces()), rescued(self._path)
        if traces:
            back = f"put it back ({copy} has it)" if copy.exists() else "put it back"
            raise JournalFailed(
                f"{self._path}: expected the record that was begun here, there is none; {back}, or, to begin anew, "
                f"move away what tells of it: {traces}"
            )

    def _refuse_unended(self) -> None:
        if unnamed(self._path).exists():
            raise JournalFailed(f"{self._path}: a takeover has not ended here: give the same `tablectl takeover` again")

    def _traces(self) -> Iterator[str]:
        yield from (str(one) for one in (*self._words, rescued(self._path)) if one.exists())
        old = archives(self._path)
        if old:
            yield f"{old[0]}" + (f" and {len(old) - 1} later archives" if len(old) > 1 else "")

    def have_file(self, real: Path) -> None:
        """Have a file to open, where the name leads, that others may not read. Raises JournalFailed."""
        try:
            size = _size(real)
            if not size:
                self._refuse_unended()
                self.refuse_again()  # before SQLite sees it, and clears away what is left beside it
            if size is None:
                make(real)
        except OSError as error:
            raise broken(self._path, error) from None
        narrow([real, *(real.with_name(real.name + end) for end in ("-wal", "-shm")), *archives(real)])


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def rescued(path: Path) -> Path:
    """Where a copy is put of a journal that was taken away from a running table."""
    return path.with_name(path.name + ".rescued")


def unnamed(path: Path) -> Path:
    """The whole record that a takeover has made, which only has not its name yet."""
    return path.with_name(f"{path.name}.taken")
