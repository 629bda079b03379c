"""Pages and their static files, read once from the package.

    /dealer /manager /overlay      the pages of a table; of a floor /floor
    /ograf/NAME                    the overlay as an OGraf graphic: its manifest and its module
    /static/NAME                   style, scripts, font, icon, the studio's theme

A page has no inline scripts or styles, and its policy (`site`) lets it load only from this server. Browsers revalidate
their copies each time by ETag.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...config.overlay import IN_A_ROW, OverlaySection
from ...config.theme import Theme
from ...core.coded_message import coded
from .replies import RequestRefused
from .theme import theme_files

FOLDER = Path(__file__).parents[1] / "pages"
PAGES = ("dealer", "manager", "overlay")
GRAPHIC = FOLDER / "ograf"
PARTS = FOLDER / "parts"  # shared by several pages: `<!-- gate -->` is replaced by gate.html
PART = re.compile(rb"<!-- (\w+) -->\n")
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
KEPT = "no-cache"  # a browser keeps a copy, and revalidates it each time


class File(Struct, frozen=True):
    """Content of a file, its media type, and its ETag."""

    content: bytes
    kind: str
    mark: str


class Pages:
    """Files of the pages, and their routes."""

    def __init__(
        self, theme: Theme | None = None, pages: Sequence[str] = PAGES, overlay: OverlaySection = IN_A_ROW
    ) -> None:
        paths = [path for path in sorted(FOLDER.iterdir()) if path.suffix in TYPES]
        self._files = {path.name: _file(path) for path in paths}
        self._files |= {
            name: _make_file(content, TYPES[Path(name).suffix]) for name, content in theme_files(theme, overlay)
        }
        self._graphic = {path.name: _file(path) for path in sorted(GRAPHIC.iterdir())}
        marks = "".join(file.mark for file in self._files.values())
        self.version = sha256(marks.encode()).hexdigest()[:12]
        self.routes = [
            *(Route(f"/{page}", self.page) for page in pages),
            Route("/static/{name}", self.static),
            Route("/ograf/{name}", self.graphic),
        ]

    async def page(self, request: Request) -> Response:
        """GET a page by its name."""
        return _answer(request, self._files[f"{request.url.path.rpartition('/')[2]}.html"])

    async def static(self, request: Request) -> Response:
        """GET a file that pages use. Raises HTTPException."""
        return _serve_file(request, self._files)

    async def graphic(self, request: Request) -> Response:
        """GET a file of the OGraf graphic. Raises HTTPException."""
        return _serve_file(request, self._graphic)


def page_content(page: str) -> bytes:
    """Content of a page with its shared parts filled in."""
    content = (FOLDER / f"{page}.html").read_bytes()
    return PART.sub(lambda part: (PARTS / f"{part[1].decode()}.html").read_bytes(), content)


def _file(path: Path) -> File:
    return _make_file(page_content(path.stem) if path.suffix == ".html" else path.read_bytes(), TYPES[path.suffix])


def _make_file(content: bytes, kind: str) -> File:
    return File(content, kind, f'"{sha256(content).hexdigest()[:16]}"')


def _serve_file(request: Request, files: Mapping[str, File]) -> Response:
    file = files.get(request.path_params["name"])
    if file is None:
        raise RequestRefused(404, coded("nothing_there"))
    return _answer(request, file)


def _answer(request: Request, file: File) -> Response:
    headers = {"cache-control": KEPT, "etag": file.mark}
    if request.headers.get("if-none-match") == file.mark:
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers={**headers, "content-type": file.kind})
