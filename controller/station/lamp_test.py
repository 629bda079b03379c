"""Test of a panel's keys: everything that each key can show, and a light on the key that is held."""

from collections.abc import Iterator
from typing import Protocol

from drivers.panels import Colour, Light, PanelCodec, Pictured, screens_of

from ..outputs.keys import Lamps


class Trial(Protocol):
    """Lamp test for the keys of one model."""

    def turns(self) -> Iterator[list[bytes]]:
        """Yield the reports of each step of the test; after the last one all lights are off."""

    def key_reports(self, key: int, *, down: bool) -> list[bytes]:
        """Reports that light a key while it is held down."""


def lamps_of(codec: PanelCodec) -> Trial:
    """Return the lamp test that fits the panel: lamps or pictures. Raises DriverFailed."""
    screens = screens_of(codec)
    return LampTrial(codec) if screens is None else ScreenTrial(screens)


class LampTrial:
    """Lamp test of keys with lamps: each colour on, flashing, then off."""

    def __init__(self, codec: PanelCodec) -> None:
        self._lamps, self._keys = Lamps(codec), codec.keys

    def turns(self) -> Iterator[list[bytes]]:
        """Yield the reports of each step of the test; after the last one all lights are off."""
        for colour in Colour:
            for light in (Light.ON, Light.FLASH, Light.OFF):
                yield [report for key in self._keys for report in self._lamps.reports((key, colour), light)]

    def key_reports(self, key: int, *, down: bool) -> list[bytes]:
        """Reports that light a key while it is held down."""
        return self._lamps.reports((key, Colour.BLUE), Light.ON if down else Light.OFF)


class ScreenTrial:
    """Lamp test of keys with pictures: each key white in turn."""

    def __init__(self, codec: Pictured) -> None:
        from ..outputs.faces import (  # and Pillow with it, which no other panel needs
            BLACK,
            WHITE,
            encode_picture,
            plain_picture,
        )

        self._codec = codec
        self._dark, self._bright = (
            encode_picture(plain_picture(codec.form.pixels, colour), codec.form) for colour in (BLACK, WHITE)
        )

    def turns(self) -> Iterator[list[bytes]]:
        """Yield the reports of each step of the test; after the last one all lights are off."""
        last: list[bytes] = [report for key in self._codec.keys for report in self.key_reports(key, down=False)]
        for key in self._codec.keys:
            yield last + self.key_reports(key, down=True)
            last = self.key_reports(key, down=False)
        yield last

    def key_reports(self, key: int, *, down: bool) -> list[bytes]:
        """Reports that light a key while it is held down."""
        return self._codec.picture(key, self._bright if down else self._dark)
