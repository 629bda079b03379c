"""Alarms by ISA-18.2: raised once, held until acknowledged and over, shelved for a time.

Each alarm asks for an act of a person; shelving needs a reason.

A key is TABLE:KIND or TABLE:KIND:DETAIL. Every floor judges the causes by itself. The alarms are one shared document,
which `update_alarms` updates to the causes that a floor sees. A second floor that sees the same causes changes nothing.
"""

import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec import UNSET
from msgspec.json import encode
from msgspec.structs import replace

from ...bus.status import Status
from ...core.clock import SECOND, Time, from_text, to_text
from ...core.coded_message import CodedMessage
from ...text.coded import Defect
from .documents import Alarms, HeldAlarm

QUIET = 10 * SECOND  # after the end of an alarm: no floor raises it again by the same status, and none drops it
LASTS = 300 * SECOND  # longer than any floor lags: after this, a floor with an older status may change an alarm
MOST = 24  # alarms of one kind at a table; nobody reads more, and all floors share one document
OF_TABLE = 32  # alarms of one table, so that a faulty table cannot fill the shared document
LONGEST = 200  # characters of an alarm's subject
MISREADS = 3  # misreads among the last 100 cards that raise an alarm
DELAYS: Mapping[str, Time] = {"no_dealer": 60 * SECOND, "trouble": 5 * SECOND}  # causes that often end by themselves
_NO_DIGITS = str.maketrans("", "", "0123456789")


class Cause(NamedTuple):
    """Cause of an alarm that somebody must act on. `text`: its subject, in English; `message`: the same as a code."""

    key: str
    text: str = ""
    message: CodedMessage | None = None

    @property
    def kind(self) -> str:
        """Kind of the alarm, such as `unheard`: the second part of its key."""
        return kind_of(self.key)


def kind_of(key: str) -> str:
    """Kind of alarm in an alarm key, such as `unheard`."""
    return key.split(":", 2)[1]


def table_of(key: str) -> str:
    """Return the name of the table in an alarm key."""
    return key.partition(":")[0]


def causes(status: Status, *, heard: bool, misreads: int | None) -> Iterator[Cause]:
    """Yield the present causes of alarms at a table. Open faults are calls and not among them."""
    table, works = status.table, status.open and not status.training
    if status.is_playing and not heard:
        yield Cause(f"{table}:unheard")
    for device in status.lost[:MOST]:
        yield Cause(f"{table}:lost:{device[:LONGEST]}", device[:LONGEST])
    for defect in status.all_defects[:MOST]:
        message = None if defect.message is UNSET or len(encode(defect.message)) > 4 * LONGEST else defect.message
        yield Cause(f"{table}:trouble:{_detail(defect)}", defect.says[:LONGEST], message)
    yield from _reports(status)
    for reason in status.bars[:MOST] if works else ():
        yield Cause(f"{table}:{reason}")
    if status.ends and works:
        yield Cause(f"{table}:shoe_ends")
    if misreads is not None and misreads >= MISREADS:
        yield Cause(f"{table}:misreads", str(misreads))


def _reports(status: Status) -> Iterator[Cause]:
    """Reports that wait for a ruling, and open cases about rounds that are over."""
    if status.waiting and status.fault is not None:
        yield Cause(f"{status.table}:waiting", str(status.waiting))
    for number in status.cases[:MOST]:
        yield Cause(f"{status.table}:case:{number}", str(number))


def _detail(defect: Defect) -> str:
    """Return a hash of a defect's code, or of its text if it has none; numbers in it do not matter."""
    text = "".join(_stable_parts(defect.says if defect.message is UNSET else defect.message))
    return f"{zlib.crc32(text.encode()):08x}"


def _stable_parts(message: CodedMessage | str) -> Iterator[str]:
    """Yield code and parts of a message, without its numbers and the digits in its texts."""
    if isinstance(message, str):
        yield message.translate(_NO_DIGITS)
        return
    yield message.code
    for _, part in sorted(message.parts.items()):
        if isinstance(part, CodedMessage | str):
            yield from _stable_parts(part)


class View(NamedTuple):
    """Present causes of alarms and sequence numbers of statuses, as one floor sees them.

    `cause_texts`: English texts of the causes, by alarm key; `messages`: coded messages of those that have one;
    `unsure`: keys of alarms for which the floor does not know yet whether there is a cause; `seqs`: for each known
    table, the sequence number in the bucket of the status last seen; `complete`: True: no other tables exist.
    """

    cause_texts: Mapping[str, str]
    unsure: Collection[str]
    seqs: Mapping[str, int]
    complete: bool
    now: Time
    messages: Mapping[str, CodedMessage] = {}


class UpdatedAlarms(NamedTuple):
    """Alarms to hold from now on, and the keys newly raised or cleared."""

    alarms: Alarms
    raised: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()


def update_alarms(held: Alarms, view: View) -> UpdatedAlarms:
    """Return the shared alarms updated to the present causes; the same document if nothing has changed."""
    new = {key: one for key in view.cause_texts if (one := _raised_entry(held.get(key), key, view)) is not None}
    over = {key: one for key, entry in held.items() if (one := _cleared_entry(entry, key, view)) is not None}
    past = {
        key
        for key, entry in held.items()
        if key not in new and (_can_be_dropped(entry, view.now) or _has_left(entry, key, view))
    }
    if not (new or over or past):
        return UpdatedAlarms(held)
    alarms = _drop_excess({key: entry for key, entry in {**held, **new, **over}.items() if key not in past})
    if alarms == held:
        return UpdatedAlarms(held)
    raised = tuple(key for key, one in new.items() if key in alarms and _is_new(held.get(key), one))
    return UpdatedAlarms(alarms, raised, tuple(key for key in over if key in alarms))


def _drop_excess(alarms: Alarms) -> Alarms:
    """Drop alarms above OF_TABLE of a table: first those that ended earliest, then the open ones raised last."""
    left = set[str]()
    for table, count in Counter(map(table_of, alarms)).items():
        if count > OF_TABLE:
            own = [key for key in alarms if table_of(key) == table]
            over = sorted((key for key in own if alarms[key].over), key=lambda key: (alarms[key].over or "", key))
            last = sorted(set(own) - set(over), key=lambda key: (alarms[key].since, key), reverse=True)
            left |= set([*over, *last][: count - OF_TABLE])
    return {key: one for key, one in alarms.items() if key not in left}


def _is_new(before: HeldAlarm | None, now: HeldAlarm) -> bool:
    return before is None or before.since != now.since


def _raised_entry(before: HeldAlarm | None, key: str, view: View) -> HeldAlarm | None:
    """Return the new entry of an alarm whose cause is present; None if the entry does not change."""
    seq, at = view.seqs.get(table_of(key), 0), to_text(view.now)
    if before is None:
        return HeldAlarm(at, seq, view.cause_texts[key], message=view.messages.get(key))
    if before.over is None or not _may_judge(before, seq, view.now):
        return None
    if before.acknowledged is None:
        return replace(before, seq=seq, over=None)
    return HeldAlarm(at, seq, view.cause_texts[key], shelved=before.shelved, message=view.messages.get(key))


def _may_judge(before: HeldAlarm, seq: int, now: Time) -> bool:
    """True if a floor whose known status is number `seq` may change an entry last judged by number `before.seq`.

    With a later status: yes. With the same one: while the alarm is open, or after QUIET. With an earlier one: after
    LASTS, because the bucket may have been recreated.
    """
    age = now - from_text(before.over or before.since)
    if seq == before.seq:
        return before.over is None or age >= QUIET
    return seq > before.seq or age >= LASTS


def _cleared_entry(before: HeldAlarm, key: str, view: View) -> HeldAlarm | None:
    """Return the entry of an alarm whose cause is gone, marked as over; None if the entry does not change."""
    if before.over is not None or key in view.cause_texts or key in view.unsure:
        return None
    seq = view.seqs.get(table_of(key))
    if seq is None:
        return replace(before, over=to_text(view.now)) if view.complete else None
    return replace(before, seq=seq, over=to_text(view.now)) if _may_judge(before, seq, view.now) else None


def _can_be_dropped(entry: HeldAlarm, now: Time) -> bool:
    """True if an alarm is over, acknowledged, and quiet for long enough to be dropped."""
    if entry.over is None or entry.acknowledged is None or is_shelved(entry, now):
        return False
    return now - max(from_text(entry.over), from_text(entry.acknowledged.at)) >= QUIET


def _has_left(entry: HeldAlarm, key: str, view: View) -> bool:
    """True if the alarm's table has been missing on the bus for long enough to drop the alarm."""
    away = view.complete and table_of(key) not in view.seqs
    return away and entry.over is not None and view.now - from_text(entry.over) >= LASTS


def is_shelved(entry: HeldAlarm, now: Time) -> bool:
    """True if the alarm is hidden at this time because somebody has shelved it."""
    return entry.shelved is not None and from_text(entry.shelved.until) > now


def is_held(entry: HeldAlarm) -> bool:
    """True if an alarm is still to be shown: present, or not yet acknowledged."""
    return entry.over is None or entry.acknowledged is None
