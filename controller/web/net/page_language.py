"""In which language whoever asks is told why something is not done.

The one rule: a refusal is English where it is made, for programs, scripts and the log; it is said in the language of a
page here alone, where the answer to that page is written.
"""

from starlette.requests import Request

from ...text.faults import LANGUAGES, Words


def language(request: Request) -> str:
    """That of the page; English where it says none, or one that there is not."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def told_to(request: Request, text: str) -> str:
    """What a page is told."""
    return Words(language(request)).tell(text)
