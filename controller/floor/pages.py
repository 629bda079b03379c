"""What is otherwise about a floor's pages than about a table's: one page, which holds the tables' own consoles."""

import re

from ..web.site import ALONE, HEADERS, POLICY, Manner

PAGE = "/floor"
PAGES = ("floor",)
GLANCE = re.compile("/api/floor/(stream|now)|(/tables/[^/]+)?/session|/tables/[^/]+/api/(screen|preview)")
_HELD = re.compile("/tables/[^/]+/manager")


def policy(path: str) -> str:
    """The floor's page holds consoles, and these are held by nobody else."""
    if _HELD.fullmatch(path):
        return HEADERS[POLICY].replace(ALONE, "frame-ancestors 'self'")
    return f"{HEADERS[POLICY]}; frame-src 'self'" if path == PAGE else HEADERS[POLICY]


MANNER = Manner(at_a_glance=GLANCE, policy=policy, index=PAGE, roles=True)
