"""The overlay as an OGraf graphic: a graphics server loads, updates, plays and stops it.

The manifest must conform to EBU's schema of version 1, in the folder ograf beside this file; the module to EBU's
definitions (npm `ograf` 1.2.0).
"""

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree

import pytest
from jsonschema_rs import Draft202012Validator, Registry
from playwright.sync_api import Page, expect

from controller.web.net.files import GRAPHIC
from tests.browser.conditions import wait_until
from tests.browser.table_process import DEALT

MANIFEST = json.loads((GRAPHIC / "tablectl-overlay.ograf.json").read_text(encoding="utf-8"))
SCHEMAS = [json.loads(path.read_text(encoding="utf-8")) for path in Path(__file__).with_name("ograf").rglob("*.json")]
ACTIONS = (
    "load", "dispose", "updateAction", "playAction", "stopAction", "customAction", "goToTime", "setActionsSchedule",
)  # fmt: skip
RENDERER = """
<!doctype html><style>body { margin: 0 } ograf-one { position: absolute; inset: 0 }</style><script type="module">
import Graphic from "/tablectl-overlay.mjs";
customElements.define("ograf-one", Graphic);
window.graphic = document.body.appendChild(document.createElement("ograf-one"));
</script>
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Run a graphics server on this PC with the graphic's package and a page that shows it."""
    folder = copytree(GRAPHIC, tmp_path / "graphics")
    (folder / "index.html").write_text(RENDERER, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Handler of HTTP requests that writes no log lines to the test's output."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def log_message(self, *_: object) -> None:
        """Drop the log line."""


@pytest.fixture
def renderer(browser, server: str) -> Iterator[Page]:
    """Page of the graphics server that contains the graphic."""
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(server)
    wait_until(page, "window.graphic !== undefined")
    yield page
    page.close()


def call(page: Page, action: str, **params: object) -> dict[str, object]:
    return page.evaluate("([action, params]) => window.graphic[action](params)", [action, params])


def loaded(page: Page, address: str) -> dict[str, object]:
    return call(page, "load", renderType="realtime", renderCharacteristics={}, data={"address": address})


def wrong(manifest: dict[str, object]) -> list[str]:
    """Return the paths in a manifest that violate EBU's schema."""
    registry = Registry([(one["$id"], one) for one in SCHEMAS])
    schema = Draft202012Validator({"$ref": MANIFEST["$schema"]}, registry=registry)
    return [in_words(error.instance_path) for error in schema.iter_errors(manifest)]


def in_words(path: list[str | int]) -> str:
    """Return a path within a manifest as JSONPath."""
    return "$" + "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)


def test_the_manifest_conforms_to_ebus_published_schema():
    assert wrong(MANIFEST) == []
    assert (GRAPHIC / MANIFEST["main"]).is_file()
    assert (MANIFEST["supportsRealTime"], MANIFEST["supportsNonRealTime"]) == (True, False)


def test_ebus_schema_is_checked_down_to_each_field():
    layout = MANIFEST["schema"]["properties"]["layout"]
    fields = MANIFEST["schema"] | {"properties": {"layout": layout | {"enum": [1]}}}
    size = [{"resolution": {"width": {"min": "wide"}}}]
    for field, value, path in (
        ("id", 7, "$.id"),
        ("colour", "red", "$"),
        ("schema", fields, "$.schema.properties.layout.enum[0]"),
        ("renderRequirements", size, "$.renderRequirements[0].resolution.width.min"),
    ):
        assert wrong(MANIFEST | {field: value}) == [path]


def test_graphics_server_shows_updates_and_removes_the_overlay(hall, renderer, server):
    table = hall(cards=DEALT, web=f'graphics = ["{server}"]')
    assert renderer.evaluate("names => names.filter(name => !(name in window.graphic))", list(ACTIONS)) == []
    assert loaded(renderer, table.url)["statusCode"] == 200
    frame, overlay = renderer.locator("iframe"), renderer.frame_locator("iframe")
    expect(frame).to_have_css("opacity", "0")
    played = call(renderer, "playAction", skipAnimation=False)
    assert (played["statusCode"], played["currentStep"]) == (200, 0)
    expect(frame).to_have_css("opacity", "1")
    table.say("open")
    expect(overlay.locator(".says")).to_have_text("Place your bets")
    data = {"address": table.url, "layout": "left", "language": "ro"}
    assert call(renderer, "updateAction", data=data)["statusCode"] == 200
    expect(overlay.locator(".says")).to_have_text("Plasați pariurile")
    expect(overlay.locator("body")).to_have_attribute("data-side", "left")
    assert call(renderer, "stopAction", skipAnimation=True)["statusCode"] == 200
    expect(frame).to_have_css("opacity", "0")
    assert call(renderer, "dispose")["statusCode"] == 200
    expect(frame).to_have_count(0)


def test_the_graphic_answers_unsupported_actions_with_an_error_code(renderer):
    assert call(renderer, "load", renderType="non-realtime")["statusCode"] == 400
    assert loaded(renderer, "no address")["statusCode"] == 400
    assert call(renderer, "customAction", id="none", payload=None)["statusCode"] == 404
    assert call(renderer, "goToTime", timestamp=0)["statusCode"] == 501


def test_graphics_server_not_in_the_config_cannot_frame_the_overlay(hall, renderer):
    table = hall(web='graphics = ["http://10.0.0.9:5656"]')
    loaded(renderer, table.url)
    expect(renderer.frame_locator("iframe").locator("main")).to_have_count(0)
    answers = {name: renderer.request.get(f"{table.url}/{name}").headers for name in ("overlay", "dealer", "manager")}
    framed = {
        name: re.findall("frame-ancestors ([^;]+)", head["content-security-policy"]) for name, head in answers.items()
    }
    assert framed == {"overlay": ["http://10.0.0.9:5656"], "dealer": ["'none'"], "manager": ["'none'"]}
