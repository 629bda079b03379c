"""Lines of the report of `tablectl doctor`, of a table or a floor: one for each part that is checked."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from drivers.models import DriverFailed, UnknownModel
from drivers.patience import DeviceCannotServe

from .. import Unusable
from ..core.coded_message import CodedMessage
from ..station.pc_checks import UnmetRequirement
from ..text.coded import message_of
from ..text.errors import system_message

C = TypeVar("C")


class CheckLine(Struct, frozen=True):
    """One line of the report. `message`: what is wrong, as a code with parts; UNSET if it has no code."""

    part: str
    said: str
    wrong: bool = False
    message: CodedMessage | UnsetType = UNSET

    @classmethod
    def of(cls, part: str, error: Exception) -> "CheckLine":
        """Line of a failed check, with the text and code of its error."""
        message = message_of(error)
        return cls(part, words(error), wrong=True, message=UNSET if isinstance(message, str) else message)


def run_check(part: str, look: Callable[[C], str], case: C) -> CheckLine:
    """Make one check and return its line, with the error's text if it fails."""
    try:
        return CheckLine(part, look(case))
    except (Unusable, DeviceCannotServe, UnmetRequirement, DriverFailed, UnknownModel, OSError) as error:
        return CheckLine.of(part, error)


def words(error: Exception) -> str:
    """Text of an error in one line, with the file it concerns."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {system_message(error)}: run this as its owner, or as a member of its group"
    return str(error)
