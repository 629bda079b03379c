"""Wrappers of codecs that show an observer all bytes and events; the link behaves as without them."""

from collections.abc import Callable, Sequence

from drivers.captures import Direction
from drivers.events import DeviceEvent, ShoeEvent
from drivers.shoes import ShoeCodec, SpeakingCodec
from drivers.unit_id import Numbered
from drivers.usb_codec import Described, Featured, Related, SizedByProduct, UsbCodec, Versioned

See = Callable[[Direction, bytes, Sequence[DeviceEvent]], None]  # called in the codec's thread


class TappedShoe:
    """Codec of a shoe on a serial line whose bytes and events are observed."""

    def __init__(self, codec: ShoeCodec, see: See) -> None:
        self._codec, self._see = codec, see

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Decode bytes with the codec and show both to the observer."""
        events = self._codec.feed(data)
        self._see("<", data, events)
        return events

    def reset(self) -> None:
        """Reset the codec after a reconnect."""
        self._codec.reset()

    def data_to_send(self) -> bytes:
        """Take the codec's own bytes to send, if it has any, and show them."""
        data = self._codec.data_to_send() if isinstance(self._codec, SpeakingCodec) else b""
        if data:
            self._see(">", data, ())
        return data


class TappedUsb:
    """Codec of a device on USB whose reports and events are observed."""

    def __init__(self, codec: UsbCodec, see: See) -> None:
        self._codec, self._see = codec, see
        self.kind, self.name = codec.kind, codec.name
        self.matches, self.refusal = codec.matches, codec.refusal
        if isinstance(codec, Numbered):
            self.unit_question, self.unit_of = codec.unit_question, codec.unit_of
        if isinstance(codec, Described):
            self.described = codec.described
        if isinstance(codec, Featured):
            self.is_feature = codec.is_feature
        if isinstance(codec, SizedByProduct):
            self.report_bytes_of = codec.report_bytes_of
        if isinstance(codec, Related):
            self.relative = codec.relative
        if isinstance(codec, Versioned):
            self.version_report, self.version = codec.version_report, codec.version

    @property
    def report_bytes(self) -> int:
        """Length of a report, as the codec has it now."""
        return self._codec.report_bytes

    def connected(self) -> list[bytes]:
        """Return the codec's first reports to send, and show them to the observer."""
        first = self._codec.connected()
        for report in first:
            self._see(">", report, ())
        return first

    def feed(self, report: bytes) -> Sequence[DeviceEvent]:
        """Decode a report with the codec and show both to the observer."""
        events = self._codec.feed(report)
        self._see("<", report, events)
        return events

    def checked(self, report: bytes) -> bytes:
        """Check a report with the codec, and show it if it may go out."""
        report = self._codec.checked(report)
        self._see(">", report, ())
        return report
