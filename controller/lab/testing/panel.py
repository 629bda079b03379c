"""`check_panel`: rules of our own button panels, tried on another author's by captures.

After each report exactly the keys in this report are down, whatever earlier reports were lost, repeated or damaged. The
captures say which keys these are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from drivers.events import DeviceEvent, Garbage, Pressed, Released
from drivers.panels import PanelCodec

from .broken import Broken
from .feeds import Kinds, bytes_of_capture, capture_texts, decode_all, decode_each
from .lights import check_keys, lights
from .reports import (
    OTHER_ID,
    Usb,
    check_alone,
    check_device,
    check_prompt,
    check_sent,
    connected_codec,
    damaged_reports,
    noise,
)

KINDS: Kinds = (Pressed, Released, Garbage)
Makes = Callable[[], PanelCodec]


def check_panel(
    makes: Makes,
    captures: Sequence[Path | str],
    usb: Usb,
    report_id: int | None = None,
    pressed: Sequence[int] | None = None,
) -> None:
    """Check a panel's codec. Raises Broken: what was expected, the reports that show it, what to change.

    `makes`: returns a fresh codec at each call. `captures`: reports of keys from the panel's start on; at some time two
    keys must be down together. `usb`: the panel's vendor and product id. `report_id`: the first byte of each report, if
    that is its id. `pressed`: the keys that people pressed in all captures, in order.
    """
    check_device(makes, "panel", usb)
    check_keys(makes())
    check_sent(makes(), lights(makes()))
    for path in captures:
        reports = bytes_of_capture(path)
        check_prompt(makes, reports, KINDS)
        _Session(makes, reports, report_id).check(str(path).rpartition("/")[2])
    keys = [event.key for path in captures for event in _pressed_events(makes, bytes_of_capture(path))]
    if pressed is not None and keys != list(pressed):
        raise Broken(
            f"expected keys {_list(pressed)} to be pressed in the captures, feed returned {_list(keys) or 'none'}",
            change="number the keys from 0 at the top left, row by row or column by column, and say so in the module",
        )


def _pressed_events(makes: Makes, reports: Sequence[bytes]) -> list[Pressed]:
    events = (event for batch in decode_each(connected_codec(makes), reports, KINDS) for event in batch)
    return [event for event in events if isinstance(event, Pressed)]


class _Session:
    """Reports of one capture, and the keys that are down after each of them."""

    def __init__(self, makes: Makes, reports: Sequence[bytes], report_id: int | None) -> None:
        self._makes, self._reports, self._id = makes, reports, report_id
        self._keys = tuple(makes().keys)
        self._usual = decode_each(connected_codec(makes), reports, KINDS)
        self._states = [*_states(self._usual)]

    def check(self, name: str) -> None:
        """Check the codec against this capture. Raises Broken."""
        self._check_presses(name)
        check_alone(self._makes, self._reports, KINDS)
        self._check_repeats()
        self._check_lost_report()
        self._check_discovery()
        self._check_damaged()
        self._noise()

    def _check_presses(self, name: str) -> None:
        events = [event for each in self._usual for event in each]
        self._check_keys(events, self._reports)
        if not {Pressed, Released} <= {type(event) for event in events}:
            raise Broken(
                f"expected keys in {name} to be pressed and released, feed returned {_words(_moves(events)) or 'none'}",
                capture_texts(*self._reports[:3]),
                "see that the capture is of this panel, and that feed compares each report with the one before",
            )
        if max(map(len, self._states)) < 2:
            raise Broken(
                f"expected two keys in {name} to be down together, feed returned one at a time",
                capture_texts(*self._reports[:4]),
                "record two keys pressed together, and have feed look at all keys of a report",
            )

    def _check_repeats(self) -> None:
        """Check that a repeated report gives no events."""
        codec = connected_codec(self._makes)
        for report in self._reports:
            decode_all(codec, report, KINDS)
            if again := _moves(decode_all(codec, report, KINDS)):
                raise Broken(
                    f"expected no press or release from a report that comes again, feed returned {_words(again)}",
                    capture_texts(report),
                    "compare the keys of a report with those of the one before, and return what has changed",
                )

    def _check_lost_report(self) -> None:
        """Check that after a lost report the next one gives all changes since the report before the lost one."""
        for gone in range(1, len(self._reports) - 1):
            codec, down = connected_codec(self._makes), set(self._states[0])
            for number, report in enumerate(self._reports):
                if number == gone:
                    continue
                _apply(down, decode_all(codec, report, KINDS), report)
                right = self._states[number + 1]
                if _moves(self._usual[number]) and down != right:
                    raise Broken(
                        f"expected {_words_for(right)} after a report was lost, feed's events give {_words_for(down)}",
                        [*capture_texts(self._reports[gone]), "which is lost, and then", *capture_texts(report)],
                        "return all presses and releases since the last report that came",
                    )

    def _check_discovery(self) -> None:
        """Check that keys held while the panel is found press nothing, and that earlier reports are forgotten."""
        for (before, _), (report, down) in product(self._known_reports(), self._known_reports()):
            if len(down) == 1:
                continue  # a panel whose keys cannot be read at its start may report a single held key as a press
            codec = connected_codec(self._makes)
            decode_all(codec, before, KINDS)
            codec.connected()
            if moved := _moves(decode_all(codec, report, KINDS)):
                raise Broken(
                    f"expected no press or release from the first report after connected(), "
                    f"feed returned {_words(moved)}",
                    [*capture_texts(before), "then connected, then", *capture_texts(report)],
                    "clear in connected() which keys are down; the first report after it is never a press or release",
                )

    def _known_reports(self) -> Iterator[tuple[bytes, frozenset[int]]]:
        """Yield the first report of each set of keys that are down together, with this set."""
        key_sets = set()
        for report, down, events in zip(self._reports, self._states[1:], self._usual, strict=True):
            if down not in key_sets and not _is_garbage(events) and _moves(events):
                key_sets.add(down)
                yield report, down

    def _check_damaged(self) -> None:
        """Check that a damaged report gives the undamaged one's events or none, and does not affect later reports."""
        for number, report in enumerate(self._reports):
            if _is_garbage(self._usual[number]):
                continue
            for how, other in damaged_reports(report, self._id):
                codec = self._codec_before(number)
                events = decode_all(codec, other, KINDS)
                self._check_keys(events, (other,))
                whole = self._usual[number]
                if how and _moves(events) and (how == OTHER_ID or _moves(events) != _moves(whole)):
                    raise Broken(
                        f"expected no press or release from a report that is {how}, "
                        f"feed returned {_words(_moves(events))}",
                        capture_texts(other),
                        "return Garbage(report, reason) for it",
                    )
                if _is_garbage(events) and decode_all(codec, report, KINDS) != whole:
                    raise Broken(
                        "expected a report that is garbage to change nothing, the report after it gives other events",
                        [*capture_texts(other), "and then", *capture_texts(report)],
                        "check the whole report before you store any of it",
                    )

    def _noise(self) -> None:
        codec = connected_codec(self._makes)
        for report in noise(codec, self._reports):
            self._check_keys(decode_all(codec, report, KINDS), (report,))

    def _codec_before(self, number: int) -> PanelCodec:
        """Create a codec and feed it the reports before this number."""
        codec = connected_codec(self._makes)
        decode_each(codec, self._reports[:number], KINDS)
        return codec

    def _check_keys(self, events: Iterable[DeviceEvent], reports: Sequence[bytes]) -> None:
        for event in _moves(events):
            if event.key not in self._keys:
                raise Broken(
                    f"expected keys of the panel ({self._keys[0]} to {self._keys[-1]}), feed returned {event.key!r}",
                    capture_texts(*reports[:2]),
                    "return Garbage for a report with a key that the panel does not have",
                )


def _states(usual: Sequence[Sequence[DeviceEvent]]) -> Iterator[frozenset[int]]:
    """Yield the keys that are down at the start and after each report.

    A key that is released before it is pressed was down at the start.
    """
    pressed, first = set[int](), set[int]()
    for event in (event for events in usual for event in _moves(events)):
        if isinstance(event, Released) and event.key not in pressed:
            first.add(event.key)
        pressed.add(event.key)
    yield frozenset(first)
    down = set(first)
    for events in usual:
        _apply(down, events)
        yield frozenset(down)


def _apply(down: set[int], events: Iterable[DeviceEvent], report: bytes = b"") -> None:
    """Update the set of keys that are down by these events. Raises Broken if a key is pressed twice."""
    for event in _moves(events):
        if isinstance(event, Pressed) and event.key in down:
            raise Broken(
                f"expected a key to be released before it is pressed again, key {event.key} was pressed twice",
                capture_texts(report),
                "compare the keys of a report with those of the one before, and return what has changed",
            )
        (down.add if isinstance(event, Pressed) else down.discard)(event.key)


def _moves(events: Iterable[DeviceEvent]) -> list[Pressed | Released]:
    return [event for event in events if isinstance(event, Pressed | Released)]


def _is_garbage(events: Iterable[DeviceEvent]) -> bool:
    return any(isinstance(event, Garbage) for event in events)


def _words(events: Iterable[Pressed | Released]) -> str:
    return ", ".join(f"{type(event).__name__.lower()} {event.key}" for event in events)


def _words_for(keys: Iterable[int]) -> str:
    return f"keys {_list(sorted(keys))} down" if keys else "no key down"


def _list(keys: Iterable[int]) -> str:
    return ", ".join(map(str, keys))
