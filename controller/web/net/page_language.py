"""Choose the language in which a caller reads why a request is refused.

Invariant: a refusal is in English where it is made, for programs, scripts and the log. It is translated only here,
where the answer to a page is written.
"""

from starlette.requests import Request

from ...text.faults import LANGUAGES, Words


def language(request: Request) -> str:
    """Language of the page (`lang`); English if it names none or an unknown one."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def told_to(request: Request, text: str) -> str:
    """Translate a refusal into the language of the page."""
    return Words(language(request)).tell(text)
