"""Settings of a floor's pages that differ from a table's: one page, with the consoles in frames."""

import re

from starlette.requests import Request
from starlette.responses import Response

from ...text.coded import message_of
from ...web.net.replies import problem_for
from ...web.site import ALONE, HEADERS, POLICY, SiteSettings
from ..storage.failures import FloorFailed

PAGE = "/floor"
PAGES = ("floor",)
GLANCE = re.compile("/api/floor/(stream|now)|(/tables/[^/]+)?/session|/tables/[^/]+/api/(screen|preview)")
_CONSOLE = re.compile("/tables/[^/]+/manager")


def policy(path: str) -> str:
    """Content-Security-Policy of a page: only the floor's page may frame consoles."""
    if _CONSOLE.fullmatch(path):
        return HEADERS[POLICY].replace(ALONE, "frame-ancestors 'self'")
    return f"{HEADERS[POLICY]}; frame-src 'self'" if path == PAGE else HEADERS[POLICY]


async def _answer_unusable(request: Request, error: Exception) -> Response:
    """Answer 503: the floor cannot use one of its own files."""
    return problem_for(request, 503, "refused", message_of(error))


SITE_SETTINGS = SiteSettings(
    at_a_glance=GLANCE, policy=policy, index=PAGE, roles=True, problems={FloorFailed: _answer_unusable}
)
