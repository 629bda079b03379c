"""Markers of begun journals: no new journal replaces a lost one under the same name.

An empty journal would number its rounds from one again, unnoticed. To begin a new journal on purpose, a person removes
the markers of the old one; the refusal names them.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from ..core.coded_message import coded
from .archive import archives
from .file import JournalFailed, journal_error, sync
from .modes import make, narrow


class JournalTraces:
    """Marker files of a begun journal, by the name of the journal.

    One is a hidden file beside the journal. The other is in `elsewhere`, a folder that stays when the folder of the
    journal is moved.
    """

    def __init__(self, path: Path, elsewhere: Path | None) -> None:
        self._path = path
        self._markers = [path.with_name(f".{path.name}.begun")]  # beside the journal's name, which may be a link
        if elsewhere is not None:
            self._markers.append(elsewhere / quote(str(path.absolute()), safe=""))

    def create_markers(self) -> bool:
        """Create the marker files. Returns False if that failed."""
        try:
            for marker in self._markers:
                if not marker.exists():
                    make(marker)
                    sync(marker.parent)
        except OSError:
            return False
        return True

    def require_no_traces(self) -> None:
        """Raise JournalFailed if traces show that this journal was begun before.

        The message names the traces.
        """
        traces, copy = ", ".join(self._traces()), rescue_path(self._path)
        if traces:
            back = coded("put_back_from", name=str(copy)) if copy.exists() else coded("put_back")
            raise JournalFailed(coded("record_gone", path=str(self._path), then=back, traces=traces))

    def _require_no_takeover(self) -> None:
        if takeover_path(self._path).exists():
            raise JournalFailed(coded("takeover_begun", path=str(self._path)))

    def _traces(self) -> Iterator[str]:
        yield from (str(one) for one in (*self._markers, rescue_path(self._path)) if one.exists())
        old = archives(self._path)
        if old:
            yield f"{old[0]}" + (f" and {len(old) - 1} later archives" if len(old) > 1 else "")

    def ensure_file(self, real: Path) -> None:
        """Create the journal's file if it is missing, without access for others. Raises JournalFailed.

        `real`: path of the file itself if the journal's name is a link.
        """
        try:
            size = _size(real)
            if not size:
                self._require_no_takeover()
                self.require_no_traces()  # before SQLite opens it and deletes the files beside it
            if size is None:
                make(real)
        except OSError as error:
            raise journal_error(self._path, error) from None
        narrow([real, *(real.with_name(real.name + end) for end in ("-wal", "-shm")), *archives(real)])


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def rescue_path(path: Path) -> Path:
    """Return the path for the copy of a journal that was removed from a running table."""
    return path.with_name(path.name + ".rescued")


def takeover_path(path: Path) -> Path:
    """Return the path of the whole record that a takeover has built but not renamed yet."""
    return path.with_name(f"{path.name}.taken")
