"""Names of faults, rulings and devices in the floor's history; unknown codes are shown unchanged."""

import re

from ..core.fault_catalogue import CATALOGUE
from ..text import terms
from ..text.faults import Words

_DEVICE = re.compile(r"(?P<device>\w+) of (?P<table>\S+)(?: at | with serial number )?(?P<which>.*)")


def fault_name(code: str, words: Words) -> str:
    """Return the name of a fault; an unknown code is returned unchanged."""
    return words.called_for(code) if code in CATALOGUE else code


def ruling_name(ruling: str, words: Words) -> str:
    """Return the name of a ruling; an unknown one is returned unchanged."""
    return words.say(terms.LABELS[ruling]) if ruling in terms.LABELS else ruling


def device_name(name: str, words: Words) -> str:
    """Translate a device name of the figures, such as `shoe of table1 at /dev/ttyUSB0`.

    A name of another form is returned unchanged.
    """
    said = _DEVICE.fullmatch(name)
    if said is None:
        return name
    device = words.say(terms.DEVICES.get(said["device"], said["device"]))
    return " · ".join(filter(None, (said["table"], device, said["which"])))
