"""The badge reader in a table's config: `[badge_reader]`, and what can be wrong with it."""

from typing import Annotated, Literal

from msgspec import Meta

from drivers.badge_readers import SerialBadges, TypedBadges
from drivers.keyboards.layouts import LayoutName
from drivers.serial_port import UnusablePort, usable

from .badges import BadgeUse
from .mistakes import BadConfig
from .sections import Section, Text

NODE = "a keyboard's node such as /dev/input/by-id/usb-...-event-kbd"


class BadgeReaderSection(Section, frozen=True):
    """The reader at the table: a badge that is held to it signs its dealer on."""

    model: Literal["keyboard", "serial"] | None = None  # what it is for the PC: it types, or it has a serial line
    port: Text | None = None  # /dev/input/by-id/..., or as that of a shoe
    serial: Text | None = None  # of the USB device, where several are plugged in; "none": it has none
    at: Text | None = None  # the socket that it is plugged into, as `tablectl devices` tells it
    baud: Annotated[int, Meta(ge=300, le=921600)] = 9600  # of a serial one
    layout: LayoutName = "us"  # of one that types: the country it is set to

    @property
    def is_keyboard(self) -> bool:
        """Whether it types."""
        return self.model == "keyboard"

    @property
    def line_baud(self) -> int:
        """Bits per second on its line."""
        return self.baud

    def codec(self) -> TypedBadges | SerialBadges | None:
        """A fresh codec, where there is to be a reader."""
        if self.model is None:
            return None
        return TypedBadges(self.layout) if self.is_keyboard else SerialBadges()

    def check(self, badge: BadgeUse) -> None:
        """Raises BadConfig. `badge`: what one is enough for at the table."""
        if self.model is None:
            if self.port is not None:
                raise BadConfig('badge_reader.model: expected "keyboard" or "serial" beside a port, got none')
            return
        if self.port is None:
            raise BadConfig("badge_reader.port: no port given; write the one that `tablectl devices` prints")
        check_port("badge_reader", self.port, keyboard=self.is_keyboard)
        if badge != "alone":
            raise BadConfig(
                'people.badge: expected "alone" with a [badge_reader], which asks for no PIN, got "with_pin"; with a '
                "PIN badges are read at the pages"
            )


def check_port(section: str, port: str, *, keyboard: bool) -> None:
    """Whether a port goes with what is to be at it. Raises BadConfig."""
    try:
        usable(port)
    except UnusablePort as error:
        raise BadConfig(f"{section}.port: {error}") from None
    if keyboard and (port.startswith("/dev/tty") or "://" in port):
        raise BadConfig(f"{section}.port: expected {NODE}, got {port!r}")
    if not keyboard and port.startswith("/dev/input/"):
        raise BadConfig(f"{section}.port: expected a serial port, got {port!r}, at which a keyboard types: see `model`")
