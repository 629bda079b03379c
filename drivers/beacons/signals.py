"""Vocabulary for what a beacon shows.

A codec shows the nearest that its beacon can show. Nobody notices that a tier is missing on a beacon: so everything
important uses red, yellow and green.
"""

from dataclasses import dataclass
from enum import Enum


class Light(Enum):
    """State of the light of one tier."""

    OFF = "off"
    ON = "on"
    FLASH = "flash"
    FAST = "fast"  # flashes so that it cannot be taken for FLASH


class Sound(Enum):
    """State of the buzzer, until the next signal."""

    OFF = "off"
    CALL = "call"  # on and off
    URGENT = "urgent"  # without a pause


@dataclass(frozen=True, slots=True)
class Signal:
    """Complete state of a beacon: light of each tier, and sound."""

    red: Light = Light.OFF
    yellow: Light = Light.OFF
    green: Light = Light.OFF
    blue: Light = Light.OFF
    white: Light = Light.OFF
    sound: Sound = Sound.OFF


DARK = Signal()
