"""Vocabulary for a key's light; a codec shows the nearest that its panel can show."""

from enum import Enum, IntEnum


class Light(IntEnum):
    """State of one lamp; the numbers are those of the X-keys reports."""

    OFF = 0
    ON = 1
    FLASH = 2


class Colour(Enum):
    """The lamps under one key, named after the two banks of an X-keys panel."""

    BLUE = "blue"
    RED = "red"
