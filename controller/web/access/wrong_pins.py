"""Wrong PINs of each person from unmarked sources for 30 days, in a file beside the users file.

The tenth closes the person: from then on no unmarked source may try a PIN for them, until `tablectl people lift` at
this PC. A floor's key is closed by its third wrong PIN, for whatever persons: a floor forwards only correct PINs.

The file holds only floor keys and people who may sign in, so it stays small; unknown names are counted in memory. It
is written before the answer is sent, so a restart forgets nothing.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from ...config.kept_file import KeptFile
from ...config.mistakes import BadUsers
from ...core.coded_message import CodedMessage, coded
from ...text.errors import system_message

SUFFIX = ".attempts"
MOST, MOST_OF_FLOOR = 10, 3  # wrong PINs that close a person, and a floor's key
DAYS = 30
UNKNOWN = 10_000  # unknown names that are counted at most
_DAY = 86_400


class WrongPinCount(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Wrong PINs of a person or floor key: their times and the time of closing, in Unix seconds."""

    wrong: tuple[int, ...] = ()
    closed: int | None = None

    def one_more(self, now: int, most: int) -> "WrongPinCount":
        """Copy with a further wrong PIN at `now`; if the clock was set back, at the time of the wrong PIN before.

        So all of them count as recent once the clock is right again.
        """
        recent = (*(at for at in self.wrong if now - at < DAYS * _DAY), max(now, *self.wrong, 0))[-most:]
        return WrongPinCount(recent, now if len(recent) >= most and self.closed is None else self.closed)

    def is_over(self, now: int) -> bool:
        """True if the entry can be removed: nobody is closed, and all wrong PINs are older than 30 days."""
        return self.closed is None and all(now - at >= DAYS * _DAY for at in self.wrong)


class _Counts(Struct, frozen=True, forbid_unknown_fields=True):
    counts: dict[str, WrongPinCount] = {}


_decode = msgspec.json.Decoder(_Counts).decode  # created once: creating it in two threads at a time crashes the process


class WrongPins:
    """Counts for all doors that share a users file. Thread-safe. `now`: seconds of Unix time."""

    def __init__(self, users: Path, now: Callable[[], float]) -> None:
        self.path = users.with_suffix(SUFFIX)
        self._now, self._file, self._lock = now, KeptFile(self.path), threading.Lock()
        self._counts: Mapping[str, WrongPinCount] = {}
        self._unknown = OrderedDict[str, WrongPinCount]()
        self._unread: CodedMessage | str | None = None  # why the file could not be read last, until it can be read
        self._unkept: CodedMessage | str | None = None  # why the last wrong PIN could not be written
        self._log = structlog.get_logger()

    @property
    def trouble(self) -> CodedMessage | None:
        """Message on closed persons, or why counts cannot be stored; None if all is well."""
        if (reason := self._unread or self._unkept) is not None:
            return coded("pins_not_kept", reason=reason)
        closed = [name for name, count in self._counts.items() if count.closed is not None]
        return coded("pins_closed", people=", ".join(sorted(closed))) if closed else None

    def look(self) -> None:
        """Read the file if it has changed, unless a wrong PIN is being written."""
        if self._lock.acquire(blocking=False):
            try:
                self._read()
            finally:
                self._lock.release()

    def is_closed(self, name: str) -> bool:
        """True if no unmarked source may try a PIN for this person, name or floor key."""
        self.look()
        count = self._counts.get(name) or self._unknown.get(name)
        return count is not None and count.closed is not None

    def add(self, name: str, most: int = MOST) -> bool:
        """Count a wrong PIN. Returns True if the person is closed now.

        The count is on disk when this returns; if it could not be written, `trouble` says why.
        """
        with self._lock:
            try:
                with self._file.lock():
                    self._read()
                    counts, failed = self._with_one_more(name, most), None
                    self._file.write(_encode(counts))
            except BadUsers as error:
                counts, failed = self._with_one_more(name, most), str(error)
                self._log.warning("wrong_pins_not_kept", reason=failed)
            self._counts, self._unread, self._unkept = counts, None, failed
            return counts[name].closed is not None

    def _with_one_more(self, name: str, most: int) -> Mapping[str, WrongPinCount]:
        now = int(self._now())
        others = {one: count for one, count in self._counts.items() if not count.is_over(now)}
        return {**others, name: self._counts.get(name, WrongPinCount()).one_more(now, most)}

    def add_unknown(self, name: str) -> None:
        """Count a wrong PIN of an unknown name, in memory; it is answered like a person's."""
        self._unknown[name] = self._unknown.pop(name, WrongPinCount()).one_more(int(self._now()), MOST)
        while len(self._unknown) > UNKNOWN:
            self._unknown.popitem(last=False)

    def lift(self, name: str) -> bool:
        """Forget the wrong PINs of a person. Returns False if there were none. Raises BadUsers."""
        with self._lock, self._file.lock():
            self._read()
            if name not in self._counts:
                return False
            self._counts = {one: count for one, count in self._counts.items() if one != name}
            self._file.write(_encode(self._counts))
            return True

    def _read(self) -> None:
        unread: CodedMessage | str | None = None
        try:
            if (content := self._file.read_if_changed()) is not None:
                self._counts = _decode(content).counts
        except FileNotFoundError:
            pass
        except OSError as error:
            unread = system_message(error)
        except (msgspec.MsgspecError, UnicodeDecodeError):  # the next wrong PIN replaces the unreadable file
            self._file.forget()
            unread = coded("no_pin_counts", path=str(self.path))
        self._unread = unread


def _encode(counts: Mapping[str, WrongPinCount]) -> bytes:
    return msgspec.json.encode(_Counts(dict(counts)), order="sorted") + b"\n"
