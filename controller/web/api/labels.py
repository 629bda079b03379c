"""What the shift manager's page has to say by itself: to sign in, and around what it is sent.

    GET /api/words?lang=      {"lang", "words": {name: text}}

There is nothing of the table in it, so that it is anybody's.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...text.faults import Words
from ..net.replies import as_json
from ..screens.manager_texts import WORDS
from .request_parameters import language_of


class Labels:
    """The words of the page. `language`: of a page that asks for no other."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.routes = [Route("/api/words", self.words, methods=["GET"])]

    async def words(self, request: Request) -> Response:
        """All of them in one language."""
        language = language_of(request, self._language)
        words = Words(language)
        return as_json({"lang": language, "words": {name: words.say(text) for name, text in WORDS.items()}})
