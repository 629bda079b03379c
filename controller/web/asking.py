"""What the shift manager's questions have in common: who may ask, in which language, about which round.

The one rule: what is asked wrongly is answered with what was expected, in one line.
"""

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..words import Words
from .api import SignOn
from .commands import Caller, Forbidden
from .screens.manager_words import ManagerWords


async def manager_of(request: Request, sign_on: SignOn) -> Caller:
    """The shift manager who asks. Raises Forbidden for anybody else."""
    caller = await sign_on(request)
    if caller.role != "manager":
        raise Forbidden(f"this is for the manager, not for the {caller.role}")
    return caller


def words_of(request: Request, otherwise: str = "en") -> ManagerWords:
    """In the language asked for. Raises HTTPException for one that there is not."""
    try:
        return ManagerWords(Words(request.query_params.get("lang", otherwise)))
    except LookupError as error:
        raise HTTPException(400, f"lang: {error}") from None


def number_of(text: str | None, name: str) -> int | None:
    """Raises HTTPException for what is no number from 1 on."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(2**53)) and int(text)):
        raise HTTPException(400, f"{name}: expected a number from 1 on, got {text[:40]!r}")
    return int(text)
