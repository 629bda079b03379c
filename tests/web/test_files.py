"""Static pages: caching, size and words, and that they load nothing from another server."""

import asyncio
import re
import subprocess
import sys
import zipfile
from functools import cache
from typing import NamedTuple, get_args

import pytest
from starlette.applications import Starlette

from controller.config.people import PersonRole
from controller.config.theme import Asset, Theme, ThemeFile
from controller.core.events import Choice
from controller.floor.live.page_messages import BAYS
from controller.floor.site.page_texts import WORDS as FLOOR_WORDS
from controller.web.api.problems import PROBLEMS
from controller.web.net.files import FOLDER, PAGES, PARTS, Pages
from controller.web.screens.manager_texts import FRAMES, WORDS

OURS = sorted(path for path in (*FOLDER.iterdir(), *PARTS.iterdir()) if path.suffix in {".html", ".css", ".js"})
LARGEST = 150_000  # bytes of a page and all files that it loads


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def get(path: str, theme: Theme | None = None, **headers: str) -> Reply:
    """Return the answer to one GET request, without a network."""
    sent: list[dict] = []
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": lines}

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    asyncio.run(Starlette(routes=Pages(theme).routes, exception_handlers=PROBLEMS)(scope, receive, send))
    start = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], start, b"".join(message.get("body", b"") for message in sent[1:]))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_served_as_html(page):
    reply = get(f"/{page}")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert reply.body.startswith(b"<!doctype html>\n<html lang=")
    assert reply.body.count(b"<title>") == 1


def test_an_unchanged_file_is_answered_304():
    first = get("/static/base.css")
    assert first.headers["cache-control"] == "no-cache"
    again = get("/static/base.css", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert get("/static/base.css", if_none_match='"another"').status == 200


def test_the_files_of_a_theme_are_sent_with_their_types():
    theme = Theme(ThemeFile(), Asset(".svg", b"<svg/>"), None)
    logo = get("/static/theme-logo.svg", theme)
    assert (logo.status, logo.headers["content-type"], logo.body) == (200, "image/svg+xml", b"<svg/>")
    assert b'url("theme-logo.svg")' in get("/static/theme.css", theme).body
    assert get("/static/theme-logo.svg").status == 404


@pytest.mark.parametrize(
    "path", ["/static/README.md", "/static/../files.py", "/static/gate.html", "/static/x", "/static/"]
)
def test_files_outside_the_pages_are_not_sent(path):
    assert get(path).status == 404


@pytest.mark.parametrize("path", OURS, ids=[path.name for path in OURS])
def test_pages_load_nothing_external_and_have_no_inline_code(path):
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?:|//[a-z]", text.replace("// ", "")) == []
    if path.suffix == ".html":
        assert re.findall(r"<script(?! type=\"module\" src=\"/static/)|<style|style=|\son\w+=", text) == []


@pytest.mark.parametrize("page", [*PAGES, "floor"])
def test_no_page_is_larger_than_it_may_be(page):
    assert sum(len(sent(name)) for name in loaded(f"{page}.html")) < LARGEST


@cache
def sent(name: str) -> bytes:
    return get(f"/static/{name}").body


def loaded(name: str, files: frozenset[str] = frozenset(), *, later: bool = False) -> frozenset[str]:
    """Return the names of the files that this file loads, directly or not. `later`: also on demand."""
    text = sent(name).decode(errors="replace")
    ways = r"(?:/static/|from \"\./|url\(\"|import\(\"\./)" if later else r"(?:/static/|from \"\./|url\(\")"
    names = set(re.findall(rf"{ways}([\w.-]+)", text)) - files
    files |= {name}
    for other in names:
        files |= loaded(other, files, later=later)
    return files


VIEWS, ENDS = {"table", "rounds", "devices"}, {"live", "settled", "cancelled"}
BY_NAME = VIEWS | ENDS | set(FRAMES) | {f"choice_{one}" for one in get_args(Choice)}


def test_the_managers_page_uses_exactly_its_words():
    names = loaded("manager.html", later=True)
    scripts = [path.read_text(encoding="utf-8") for path in OURS if path.name in names]
    assert {word for text in scripts for word in re.findall(r"\bwords\.(\w+)", text)} | BY_NAME == set(WORDS)


def test_the_floors_page_uses_exactly_its_words():
    scripts = [path.read_text(encoding="utf-8") for path in OURS if path.name in loaded("floor.html")]
    words = {word for text in scripts for word in re.findall(r"\bwords\.(\w+)", text)} - {"paused"}
    by_name = {*BAYS, *(f"role_{role}" for role in get_args(PersonRole) if role != "dealer")}
    by_name |= {"rounds", "numbers", "people", "hand_over"}
    assert words | by_name == set(FLOOR_WORDS)


@pytest.mark.proof
def test_the_pages_come_with_the_package(tmp_path):
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), "."], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = {name.rpartition("/")[2] for name in zipfile.ZipFile(wheel).namelist() if "/web/pages/" in name}
    assert names == {path.name for path in FOLDER.rglob("*") if path.is_file()}
