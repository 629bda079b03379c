"""The words for what a beacon shows. What a beacon cannot show, its codec rounds to the nearest it can.

A tier that was not stacked on a beacon stays dark unnoticed: what matters is said in red, yellow and green.
"""

from dataclasses import dataclass
from enum import Enum


class Light(Enum):
    """What one tier does."""

    OFF = "off"
    ON = "on"
    FLASH = "flash"
    FAST = "fast"  # flashes so that it cannot be taken for FLASH


class Sound(Enum):
    """What the buzzer does until it is told otherwise."""

    OFF = "off"
    CALL = "call"  # on and off
    URGENT = "urgent"  # without a pause


@dataclass(frozen=True, slots=True)
class Signal:
    """All of a beacon at one moment."""

    red: Light = Light.OFF
    yellow: Light = Light.OFF
    green: Light = Light.OFF
    blue: Light = Light.OFF
    white: Light = Light.OFF
    sound: Sound = Sound.OFF


DARK = Signal()
