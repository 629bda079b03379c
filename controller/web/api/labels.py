"""Fixed texts of the shift manager's page: sign-in, headings and labels.

    GET /api/words?lang=      {"lang", "words": {name: text}}
    GET /glossary?lang=       glossary of screens, reports and alerts, as a page

No sign-in is needed, because the texts contain nothing about the table.
"""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ...text.faults import Words
from ..net.replies import as_json
from ..screens.glossary_page import page
from ..screens.manager_texts import WORDS
from .request_parameters import language_of


class Labels:
    """Routes of the page's texts. `language`: the default if a page asks for none."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.routes = [
            Route("/api/words", self.words),
            Route("/glossary", self.glossary),
        ]

    async def words(self, request: Request) -> Response:
        """GET /api/words: all texts of the page in one language."""
        language = language_of(request, self._language)
        words = Words(language)
        return as_json({"lang": language, "words": {name: words.say(text) for name, text in WORDS.items()}})

    async def glossary(self, request: Request) -> Response:
        """GET /glossary: the glossary as a page."""
        return HTMLResponse(page(language_of(request, self._language)))
