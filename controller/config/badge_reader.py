"""The badge reader in a table's config: `[badge_reader]`, and what can be wrong with it."""

from typing import Annotated

from msgspec import Meta

from drivers.badge_readers import BadgeCodec, badge_reader_model
from drivers.keyboards.layouts import LayoutName
from drivers.models import DriverFailed, UnknownModel
from drivers.serial_port import UnusablePort, usable_port

from .badges import BadgeUse
from .mistakes import BadConfig
from .sections import Section, Text

NODE = "a keyboard's node such as /dev/input/by-id/usb-...-event-kbd"


class BadgeReaderSection(Section, frozen=True):
    """The reader at the table: a badge that is held to it signs its dealer on."""

    model: Text | None = None  # "keyboard": a reader that types; "serial": on a serial line; or the model of a package
    port: Text | None = None  # /dev/input/by-id/..., or a serial port, as for the shoe
    serial: Text | None = None  # serial number, if several are plugged in; "none": it has none
    at: Text | None = None  # its USB socket, as `tablectl devices` prints it
    baud: Annotated[int, Meta(ge=300, le=921600)] = 9600  # speed of a serial reader
    layout: LayoutName = "us"  # keyboard layout of a reader that types

    @property
    def is_keyboard(self) -> bool:
        """True if the reader types like a keyboard. Raises UnknownModel, DriverFailed."""
        return self.model is not None and badge_reader_model(self.model).keyboard

    @property
    def line_baud(self) -> int:
        """Bits per second on its line."""
        return self.baud

    def codec(self) -> BadgeCodec | None:
        """Make a codec of the reader; None if the config has no reader. Raises UnknownModel, DriverFailed."""
        return None if self.model is None else badge_reader_model(self.model).codec(self.layout)

    def check(self, badge: BadgeUse) -> None:
        """Check the section of the badge reader. Raises BadConfig.

        `badge`: whether a badge alone signs a person in, or only with the PIN.
        """
        check_model(self.model, "badge_reader", '"keyboard" or "serial"', is_set=self.port is not None)
        if self.model is None:
            return
        if self.port is None:
            raise BadConfig("badge_reader.port: no port given; write the one that `tablectl devices` prints")
        self._check_model(self.port)
        if badge != "alone":
            raise BadConfig(
                'people.badge: expected "alone" with a [badge_reader], which asks for no PIN, got "with_pin"; with a '
                "PIN badges are read at the pages"
            )

    def _check_model(self, port: str) -> None:
        try:
            check_port("badge_reader", port, keyboard=self.is_keyboard)
        except DriverFailed:
            return
        except UnknownModel as error:
            raise BadConfig(f"badge_reader.model: {error}") from None


def check_model(model: str | None, section: str, expected: str, *, is_set: bool) -> None:
    """Check that a section names a model if something else is set in it. Raises BadConfig."""
    if model is None and is_set:
        raise BadConfig(f"{section}.model: expected {expected} beside other settings of [{section}], got none")


def check_port(section: str, port: str, *, keyboard: bool) -> None:
    """Check that a port suits the device that is to be at it. Raises BadConfig."""
    try:
        usable_port(port)
    except UnusablePort as error:
        raise BadConfig(f"{section}.port: {error}") from None
    if keyboard and (port.startswith("/dev/tty") or "://" in port):
        raise BadConfig(f"{section}.port: expected {NODE}, got {port!r}")
    if not keyboard and port.startswith("/dev/input/"):
        raise BadConfig(f"{section}.port: expected a serial port, got {port!r}, the node of a keyboard: see `model`")
