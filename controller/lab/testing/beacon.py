"""`check_beacon`: rules of our own beacons, tried on another author's codec.

A beacon keeps its last signal. So each report must contain the whole signal, and people must be able to tell the
signals of a call apart from all others.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from drivers.beacons import DARK, BeaconCodec, Light, Recurring, Signal, Sound
from drivers.events import DeviceEvent, Garbage, Touched

from ...outputs.beacon import CALLING, ESCALATED, HALTED, SEEN
from .broken import Broken
from .feeds import Kinds, bytes_of_capture, capture_texts, decode_all, decode_each
from .reports import Usb, check_alone, check_device, check_prompt, check_sent, connected_codec, damaged_reports, noise

KINDS: Kinds = (Touched, Garbage)
QUIET = {
    "no light": DARK,
    "white (no round)": Signal(white=Light.ON),
    "green (bets are open)": Signal(green=Light.ON),
    "yellow (cards are dealt)": Signal(yellow=Light.ON),
}
CALLS = {"red, flashing": SEEN, "red, flashing, calling": CALLING, "red, fast, urgent": ESCALATED, "halted": HALTED}
SILENT = [bytes(length) for length in range(4)]  # input reports for a beacon that is not expected to send any
EVERY = (0.05, 60.0)  # allowed seconds between two recurring reports: least and most
Makes = Callable[[], BeaconCodec]


def check_beacon(makes: Makes, usb: Usb, captures: Sequence[Path | str] = (), report_id: int | None = None) -> None:
    """Check a beacon's codec. Raises Broken: what was expected, the reports that show it, what to change.

    `makes`: returns a fresh codec at each call. `usb`: the beacon's vendor and product id. `captures`: reports of a
    beacon with a sensor, from its start on. `report_id`: the first byte of each of these reports, if that is its id.
    """
    check_device(makes, "beacon", usb)
    reports = {signal: _signal_report(makes(), signal) for signal in _signals()}
    check_sent(makes(), [*reports.values(), *_recurring_reports(makes())])
    _check_distinct(reports)
    _check_independence(makes, reports)
    _hears(makes, SILENT)
    for path in captures:
        input_reports = bytes_of_capture(path)
        _hears(makes, input_reports)
        _touches(makes, input_reports, str(path).rpartition("/")[2])
        _check_damaged(makes, input_reports, report_id)


def _signals() -> Iterator[Signal]:
    for (red, yellow, green, blue, white), sound in product(product(Light, repeat=5), Sound):
        yield Signal(red, yellow, green, blue, white, sound)


def _signal_report(codec: BeaconCodec, signal: Signal) -> bytes:
    try:
        report = codec.show(signal)
    except Exception as error:  # noqa: BLE001 - anybody's codec
        raise Broken(
            f"expected show to return a report for every signal, it failed ({type(error).__name__}: {error})",
            [_words(signal)],
            "return the report of the nearest signal that the beacon can show",
        ) from None
    if not isinstance(report, bytes) or not report:
        raise Broken(
            f"expected show to return a report, got {report!r:.40}",
            [_words(signal)],
            "return bytes with all lights and the sound",
        )
    return report


def _recurring_reports(codec: BeaconCodec) -> list[bytes]:
    if not isinstance(codec, Recurring):
        return []
    least, most = EVERY
    if not isinstance(codec.every_s, int | float) or not least <= codec.every_s <= most:
        raise Broken(
            f"expected every_s to be seconds from {least:g} to {most:g}, got {codec.every_s!r}",
            change="correct `every_s`",
        )
    return [codec.recurring()]


def _check_distinct(reports: dict[Signal, bytes]) -> None:
    calls = [(f'"{call}" and "{quiet}"', CALLS[call], QUIET[quiet]) for call, quiet in product(CALLS, QUIET)]
    lit = [(f'"{one}" and "no light"', QUIET[one], DARK) for one in QUIET if one != "no light"]
    urgent = [('"red, flashing, calling" and "red, fast, urgent"', CALLING, ESCALATED)]
    for names, one, other in (*calls, *lit, *urgent):
        if reports[one] == reports[other]:
            raise Broken(
                f"expected another report for each of {names}, it is the same",
                capture_texts(reports[one]),
                "red means that a person has to come: give it a report of its own, and FAST another than FLASH",
            )


def _check_independence(makes: Makes, reports: dict[Signal, bytes]) -> None:
    """Check that the report of a signal does not depend on earlier signals. Raises Broken."""
    codec, dice = makes(), random.Random(0)
    several = dice.choices([*reports], k=400)
    for signal in (*several, several[-1], DARK, DARK):
        if (report := _signal_report(codec, signal)) != reports[signal]:
            raise Broken(
                "expected the report of a signal to be the same whatever was shown before, it is not",
                [_words(signal), *capture_texts(reports[signal], report)],
                "store nothing in show: a report may be lost, and another program may have changed the beacon",
            )


def _hears(makes: Makes, reports: Sequence[bytes]) -> None:
    check_prompt(makes, reports, KINDS)
    check_alone(makes, reports, KINDS)
    codec = connected_codec(makes)
    for report in noise(codec, reports):
        decode_all(codec, report, KINDS)


def _check_damaged(makes: Makes, reports: Sequence[bytes], report_id: int | None) -> None:
    """Check that a damaged report is read as a touch only if the undamaged one is a touch. Raises Broken."""
    usual = decode_each(connected_codec(makes), reports, KINDS)
    for number, report in enumerate(reports):
        for how, other in damaged_reports(report, report_id):
            codec = connected_codec(makes)
            decode_each(codec, reports[:number], KINDS)
            if _is_touch(decode_all(codec, other, KINDS)) and how and not _is_touch(usual[number]):
                raise Broken(
                    f"expected a report that is {how} to be no touch, feed returned Touched",
                    capture_texts(other),
                    "return Garbage(report, reason) for it",
                )


def _touches(makes: Makes, reports: Sequence[bytes], name: str) -> None:
    usual = decode_each(connected_codec(makes), reports, KINDS)
    touches = [number for number, events in enumerate(usual) if _is_touch(events)]
    if not touches:
        raise Broken(
            f"expected a touch in {name}, feed returned no Touched",
            capture_texts(*reports[:3]),
            "record a touch: the sensor free, touched, free",
        )
    for number in touches:
        codec = connected_codec(makes)
        decode_each(codec, reports[: number + 1], KINDS)
        if _is_touch(decode_all(codec, reports[number], KINDS)):
            raise Broken(
                "expected one Touched while the finger stays, feed returned it again for the same report",
                capture_texts(reports[number]),
                "compare with the report before: return Touched only if the sensor was free there",
            )
        codec.connected()
        if _is_touch(decode_all(codec, reports[number], KINDS)):
            raise Broken(
                "expected a finger that is there while the beacon is found to be no touch, feed returned Touched",
                ["connected, then", *capture_texts(reports[number])],
                "clear the state of the sensor in connected(); the first report after it is never a touch",
            )


def _is_touch(events: Iterable[DeviceEvent]) -> bool:
    return any(isinstance(event, Touched) for event in events)


def _words(signal: Signal) -> str:
    tiers = {name: getattr(signal, name).value for name in signal.__slots__}
    return ", ".join(f"{name} {value}" for name, value in tiers.items() if value != "off") or "no light, no sound"
