"""Sentences of coded messages, in English or the reader's language, and the errors that carry such a message."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce

from msgspec import UNSET, Struct, UnsetType

from .. import Unusable
from ..core.coded_message import CodedMessage, coded
from .bus_messages import BUS
from .caller_texts import CALLERS
from .floor_messages import FLOOR
from .journal_messages import JOURNAL
from .pc_texts import PC
from .refusals import REFUSALS
from .request_messages import REQUESTS
from .station_messages import STATION

OF_ENGINEERS: Mapping[str, str] = {
    **BUS,
    **FLOOR,
    **JOURNAL,
    **REQUESTS,
    **STATION,
}  # in English only, because they are for the command line and the log
MESSAGES: Mapping[str, str] = {**PC, **CALLERS, **REFUSALS, **OF_ENGINEERS}  # English texts of all coded messages


def render(message: CodedMessage | str, say: Callable[[str], str] = str, says: str = "") -> str:
    """Sentence of a message, in English or by `say` in another language; a text without a code is returned unchanged.

    `says`: sentence for a code or parts that only another version knows; without it, the code itself.
    """
    if isinstance(message, str):
        return message
    try:
        return say(MESSAGES[message.code]).format(**{name: _part(part, say) for name, part in message.parts.items()})
    except KeyError:
        return says or message.code


def _part(part: object, say: Callable[[str], str]) -> object:
    return render(part, say) if isinstance(part, CodedMessage) else part


def sentence_and_code(message: CodedMessage | str) -> tuple[str, CodedMessage | UnsetType]:
    """Return what records and messages on the bus carry: the English sentence, and the code beside it if it has one."""
    return render(message), UNSET if isinstance(message, str) else message


class Defect(Struct, frozen=True, omit_defaults=True):
    """Defect as HTTP and the bus carry it: the English sentence, and beside it the code if it has one."""

    says: str
    message: CodedMessage | UnsetType = UNSET

    def text_in(self, say: Callable[[str], str]) -> str:
        """Sentence in the reader's language; a code of another version is told in English."""
        return self.says if self.message is UNSET else render(self.message, say, self.says)


def defects_of(messages: Iterable[CodedMessage | str]) -> tuple[Defect, ...]:
    """Defects as HTTP and the bus carry them."""
    return tuple(Defect(*sentence_and_code(message)) for message in messages)


def join_with_or(messages: Sequence[CodedMessage]) -> CodedMessage:
    """Join messages with "or"; at least one is needed."""
    return reduce(lambda one, other: coded("or", one=one, other=other), messages)


class WithMessage(Exception):
    """Error with a coded message, which pages show in their own language; `str` is its English sentence.

    `message`: the coded message, or English text that has no code.
    """

    def __init__(self, message: CodedMessage | str) -> None:
        super().__init__(render(message))
        self.message = message


def message_of(error: BaseException) -> CodedMessage | str:
    """Message of an error; its English text if it has no code."""
    return error.message if isinstance(error, WithMessage) else str(error)


class CodedError(WithMessage, Unusable):
    """Error of a named file, address or socket; logs and the command line have its message in English."""
