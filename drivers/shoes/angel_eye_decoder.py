"""Decoder of an Angel Eye's frames to telegrams.

Invariant: no telegram is decoded in part. A card telegram with the right check that names no card is an unreadable
card; any other impossible telegram is garbage. Both count in the sequence.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from drivers.shoes.angel_eye_cards import DrawReport, OutsideReport, UnnamedCardReport
from drivers.shoes.angel_eye_frames import BadFrame, check
from drivers.shoes.angel_eye_reports import (
    CutReport,
    ErrorCancelledReport,
    ErrorReport,
    LockReport,
    PresetReport,
    ResultReport,
    StandByReport,
    StartReport,
    UnknownReport,
)

Report = (
    StartReport | StandByReport | CutReport | DrawReport | OutsideReport | UnnamedCardReport | ResultReport
    | ErrorReport | ErrorCancelledReport | LockReport | PresetReport | UnknownReport
)  # fmt: skip

CARDS = b"DRd"  # the codes of card telegrams
_DECODERS: Mapping[bytes, Callable[[str, bytes], Report]] = MappingProxyType({
    b"S": StartReport.decode,
    b"P": StandByReport.decode,
    b"C": CutReport.decode,
    b"D": DrawReport.decode,
    b"R": DrawReport.decode_resent,
    b"d": OutsideReport.decode,
    b"G": ResultReport.decode,
    b"E": ErrorReport.decode,
    b"e": ErrorCancelledReport.decode,
    b"L": LockReport.decode,
    b"M": PresetReport.decode,
})  # fmt: skip


def decode_report(raw: bytes) -> Report:
    """Decode a whole frame (05 ... check). Raises BadFrame for a wrong check or form."""
    covered, got = raw[1:-2], raw[-2:]
    if got != check(covered):
        raise BadFrame(f"check characters are {got!r}, {check(covered)!r} was expected")
    seq, code, data = covered[:1], covered[1:2], covered[2:-1]
    if not 1 <= len(code + data) <= 7 or not b"!" <= seq <= b"~" or len(covered) < 3:
        raise BadFrame("expected a sequence character and one to seven bytes of data")
    return _decode_report(seq.decode("ascii"), code, data)


def _decode_report(seq: str, code: bytes, data: bytes) -> Report:
    decoder = _DECODERS.get(code)
    if decoder is None:
        return UnknownReport(seq, code + data)
    try:
        return decoder(seq, data)
    except BadFrame as wrong:
        return UnnamedCardReport(seq, code + data) if code in CARDS else UnknownReport(seq, code + data, str(wrong))
