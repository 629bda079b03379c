"""Parameters of API requests: role, language, record number and epoch.

A wrong parameter is answered with status 400 and one line: what was expected, and what came.
"""

from typing import Literal

from msgspec import UNSET, UnsetType
from starlette.requests import Request

from ...core.bounds import MOST_NUMBER
from ...core.coded_message import CodedMessage, coded
from ...core.state import State
from ...core.witness import last_of
from ...text.coded import WithMessage
from ...text.errors import quote
from ...text.faults import LANGUAGES, Words
from ..net.replies import RequestRefused
from ..screens.manager_words import ManagerWords
from .commands import ROLES, Role

ForeignRecordsReason = Literal["epoch_lost", "epoch_unknown", "beyond_the_end"]


def role_of(request: Request) -> Role | None:
    """Return the `role` parameter; None if there is none. Raises HTTPException (400) for an unknown role."""
    text = request.query_params.get("role")
    role = next((role for role in ROLES if role == text), None)
    if role is None and text is not None:
        raise RequestRefused(400, coded("expected_role", names=", ".join(ROLES), said=quote(text)))
    return role


def language_of(request: Request, otherwise: str = "en") -> str:
    """Return the `lang` parameter, by default `otherwise`.

    Raises HTTPException (400) for an unknown language.
    """
    language = request.query_params.get("lang", otherwise)
    if language not in LANGUAGES:
        raise RequestRefused(400, coded("expected_language", names=", ".join(LANGUAGES), said=quote(language)))
    return language


def words_of(request: Request) -> ManagerWords:
    """The shift manager's words, in the language asked for."""
    return ManagerWords(Words(language_of(request)))


def number_of(text: str | None, name: str) -> int | None:
    """Parse a positive number; None if there is no text. Raises HTTPException as `positive_number` does."""
    return None if text is None else positive_number(text, name)


def positive_number(text: str, name: str) -> int:
    """Parse a positive number. Raises HTTPException (400) naming the parameter `name`."""
    if not (is_number(text) and int(text)):
        raise RequestRefused(400, coded("expected_number", name=name, said=quote(text)))
    return int(text)


class ForeignRecords(WithMessage):
    """Error: the caller has records that are not in this journal, or are no longer valid.

    `epoch`: the present one; `last`: the last valid record of the epoch asked for, if known.
    """

    def __init__(
        self, reason: ForeignRecordsReason, message: CodedMessage, epoch: str, last: int | UnsetType = UNSET
    ) -> None:
        super().__init__(message)
        self.reason, self.epoch, self.last = reason, epoch, last


def check_epoch(request: Request, state: State, after: int) -> None:
    """Check that record `after` of the `epoch` parameter is valid in this journal. Raises ForeignRecords."""
    now = state.identity.epoch
    epoch = request.query_params.get("epoch", now)
    last = last_of(state, epoch)
    if last is None:
        raise ForeignRecords("epoch_unknown", coded("epoch_unknown", epoch=now, said=quote(epoch)), now)
    if after <= last:
        return
    if epoch == now:
        raise ForeignRecords("beyond_the_end", coded("beyond_the_end", last=last, after=after), now, last)
    raise ForeignRecords("epoch_lost", coded("epoch_lost", last=last, after=after), now, last)


def is_number(text: str) -> bool:
    """True if the text is a decimal number within the bounds of a record (`MOST_NUMBER`)."""
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_NUMBER))
    return digits and int(text) <= MOST_NUMBER
