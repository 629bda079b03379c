"""What a question says beside its body: who asks, as whom, in which language, about which number.

What is asked wrongly is answered with what was expected, in one line.
"""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...core.bounds import MOST_NUMBER
from ...core.state import State
from ...core.witness import last_of
from ...text import caller_texts as t
from ...text.errors import shown
from ...text.faults import LANGUAGES, Words
from ...text.sentence import Sentence
from ..screens.manager_words import ManagerWords
from .commands import ROLES, Caller, Forbidden, Role

SignOn = Callable[[Request], Awaitable[Caller]]  # raises HTTPException for who is not let in


async def manager_of(request: Request, sign_on: SignOn) -> Caller:
    """The shift manager who asks. Raises Forbidden for anybody else."""
    caller = await sign_on(request)
    if caller.role != "manager":
        raise Forbidden(Sentence(t.FOR_MANAGERS, role=Sentence(t.ROLES[caller.role])))
    return caller


def role_of(request: Request) -> Role | None:
    """As whom they ask; null where they do not say. Raises HTTPException for a role that there is not."""
    said = request.query_params.get("role")
    role = next((role for role in ROLES if role == said), None)
    if role is None and said is not None:
        raise HTTPException(400, f"role: expected one of {', '.join(ROLES)}, got {shown(said)}")
    return role


def language_of(request: Request, otherwise: str = "en") -> str:
    """The language asked for. Raises HTTPException for one that there is not."""
    language = request.query_params.get("lang", otherwise)
    if language not in LANGUAGES:
        raise HTTPException(400, f"lang: expected one of {', '.join(LANGUAGES)}, got {shown(language)}")
    return language


def words_of(request: Request) -> ManagerWords:
    """The shift manager's words, in the language asked for."""
    return ManagerWords(Words(language_of(request)))


def number_of(text: str | None, name: str) -> int | None:
    """Raises HTTPException for what is no number from 1 on."""
    if text is None:
        return None
    if not (is_number(text) and int(text)):
        raise HTTPException(400, f"{name}: expected a number from 1 on, got {shown(text)}")
    return int(text)


def fit_epoch(request: Request, state: State, after: int) -> None:
    """See whether what they have is of this record, where they say of which epoch it is. Raises HTTPException."""
    epoch = request.query_params.get("epoch")
    last = None if epoch is None else last_of(state, epoch)
    if epoch is not None and last is None:
        raise HTTPException(409, f"epoch: this record is of {state.identity.epoch}, got {shown(epoch)}")
    if last is not None and after > last:
        raise HTTPException(
            409, f"after: of that epoch records up to {last} count, the later ones are lost, got {after}"
        )


def is_number(text: str) -> bool:
    """Whether it is one that a record may have."""
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_NUMBER))
    return digits and int(text) <= MOST_NUMBER
