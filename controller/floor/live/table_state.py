"""State of one table at a floor: its last status, when it was heard, and its alarms."""

from collections.abc import Mapping

from msgspec.structs import replace

from ...bus.status import Status
from ...core.clock import SECOND, Time, from_text, to_text
from ...core.coded_message import CodedMessage
from ...text.coded import defects_of
from ..history.misreads import Reads
from ..shared_state.alarms import DELAYS, causes, is_held, is_shelved, kind_of
from ..shared_state.documents import Alarms, CallClaim, HeldAlarm
from .strips import Alarmed

SILENT = 3 * SECOND  # without a beat for this long a table counts as silent


class KnownTable:
    """Known state of one table.

    `seq`: sequence number of its status in the bucket; `version`: that of `LiveTables` at its last change.
    """

    def __init__(self, status: Status, seq: int, reads: Reads, now: Time) -> None:
        self.status, self.seq, self.version = status, seq, 0
        self.claim: CallClaim | None = None
        self.held: Alarms = {}
        self.reads = reads
        self.silent: Time | None = None  # time of the last beat, if the table is silent
        self.doubts: tuple[CodedMessage, ...] = ()  # defects that this floor sees in the table's messages
        self.cause_texts: dict[str, str] = {}  # by alarm key: text of each present cause that lasts long enough
        self.messages: dict[str, CodedMessage] = {}  # by alarm key: coded message of its cause, if there is one
        self.unsure: frozenset[str] = frozenset()  # keys of alarms that are not judged yet
        self._listening = now  # time of the last beat, or since the floor can hear
        self._heard_at: Time | None = None
        self._since: dict[str, Time] = {}  # by alarm key: time since which its cause exists

    @property
    def is_heard(self) -> bool:
        """True once a beat has come, and while the table is not silent."""
        return self._heard_at is not None and self.silent is None

    def note_beat(self, now: Time) -> None:
        """Note that the table was heard now."""
        self._listening = self._heard_at = now
        self.silent = None

    def listen(self, now: Time) -> None:
        """Start counting silence and delays of alarms now: before this the floor could not hear any table."""
        self._listening = now
        self._since = {key: since for key, since in self._since.items() if key in self.cause_texts}

    def look(self, now: Time, *, deaf: bool) -> object:
        """Judge silence and alarms; return a value that changes when the display must.

        `deaf`: the floor cannot hear any table.
        """
        if self.silent is None and not deaf and now - self._listening > SILENT:
            self.silent = from_text(self.status.at) if self._heard_at is None else self._heard_at
        status = self.status
        if self.doubts:
            status = replace(status, defects=(*status.all_defects, *defects_of(self.doubts)))
        alarms = {one.key: one for one in causes(status, heard=self.silent is None, misreads=self.reads.misread_count)}
        self._since = {key: self._since.get(key, now) for key in alarms}
        early = {key for key, since in self._since.items() if self._may_pass(key, since, now, deaf=deaf)}
        self.cause_texts = {key: one.text for key, one in alarms.items() if key not in early}
        self.messages = {key: one.message for key, one in alarms.items() if key in self.cause_texts and one.message}
        key = f"{self.status.table}:misreads"
        self.unsure = frozenset(early if self.reads.is_full or key in alarms else {*early, key})
        return self.silent, self.cause_texts, tuple(key for key, one in self.held.items() if is_shelved(one, now))

    def _may_pass(self, key: str, since: Time, now: Time, *, deaf: bool) -> bool:
        """True if it is too early for an alarm: the cause may end by itself, which a deaf floor would not notice."""
        delay = DELAYS.get(kind_of(key), 0)
        return now - since < delay or (deaf and delay > 0 and key not in self.cause_texts)

    def alarms(self) -> tuple[Alarmed, ...]:
        """Alarms to display: those that floors share, and new ones seen by this floor only.

        A shared alarm keeps the text with which it was raised; while its cause exists, the present text is shown.
        """
        alarms: Mapping[str, HeldAlarm] = {key: one for key, one in self.held.items() if is_held(one)}
        present = {
            key: replace(
                alarms.get(key) or HeldAlarm(to_text(self._since[key])), text=text, message=self.messages.get(key)
            )
            for key, text in self.cause_texts.items()
        }
        return tuple(Alarmed(key, one, key in self.cause_texts) for key, one in sorted({**alarms, **present}.items()))
