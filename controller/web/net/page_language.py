"""Choose the language in which a caller reads why a request is refused.

Invariant: a refusal is a coded message where it is made. It becomes a sentence only here, where the answer is written.
"""

from starlette.requests import Request

from ...core.coded_message import CodedMessage
from ...text.faults import LANGUAGES, Words


def language(request: Request) -> str:
    """Language of the page (`lang`); English if it names none or an unknown one."""
    code = request.query_params.get("lang", "")
    return code if code in LANGUAGES else LANGUAGES[0]


def refusal_text(request: Request, message: CodedMessage | str) -> str:
    """Sentence of a refusal in the language of the page."""
    return Words(language(request)).tell(message)
