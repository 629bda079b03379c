"""Markers of begun journals: no new journal replaces a lost one under the same name.

An empty journal would number its rounds from one again, unnoticed. To begin anew, somebody removes the files that
record the old journal; the refusal names them.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from .archive import archives
from .file import JournalFailed, broken, sync
from .modes import make, narrow


class JournalTraces:
    """Marker files of a begun journal, by the name of the journal.

    One is a hidden file beside the journal. The other is in `elsewhere`, a folder that stays when the folder of the
    journal is moved.
    """

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
        """Refuse to begin a journal of which there are traces already. Raises JournalFailed.

        The message names the traces.
        """
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
    """Return the path for the copy of a journal that was removed from a running table."""
    return path.with_name(path.name + ".rescued")


def unnamed(path: Path) -> Path:
    """The whole record that a takeover has made, which only has not its name yet."""
    return path.with_name(f"{path.name}.taken")
