"""Low vision: pages work at 200 % (WCAG 1.4.4, 1.4.10) and without colours (1.4.1, 1.4.3)."""

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import expect_life, expect_signed_in, open_manager_page, preview_ruling, sign_in
from tests.browser.table_process import OVERDRAWN

pytestmark = pytest.mark.proof

ZOOMED = {"width": 640, "height": 512}  # 1280 × 1024 at 200 %
# Texts that cannot be scrolled into view downwards.
LOST = """() => {
  const still = getComputedStyle(document.body).overflowY === "hidden";
  const lost = [...document.querySelectorAll("body *")].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest("svg") || one.offsetWidth < 3) return false;
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) return false;
    const { left, right } = one.getBoundingClientRect();
    if (!still) one.scrollIntoView({ block: "nearest" });
    const { top, bottom } = one.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1 || top < -1 || (bottom > innerHeight + 1 && top > 1);
  });
  const sideways = document.documentElement.scrollWidth > innerWidth;
  return [...lost.map((one) => `${one.className} ${one.textContent}`), ...(sideways ? ["the page"] : [])];
}"""
SEEN = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
# Contrast between the lightest and the darkest hundredth of a picture's pixels.
CONTRAST = """async (picture) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const light = (part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const all = [];
  for (let at = 0; at < data.length; at += 4) {
    all.push(0.2126 * light(data[at]) + 0.7152 * light(data[at + 1]) + 0.0722 * light(data[at + 2]));
  }
  all.sort((a, b) => a - b);
  return (all.at(-all.length * 0.01 | 0) + 0.05) / (all[all.length * 0.01 | 0] + 0.05);
}"""


# The sign of each state beside colour, on the dealer's, the shift manager's page and the overlay.
CUES = {
    "betting": (".next h1", ".calm .next h2", ".timer span"),
    "complete": (".key[data-key=finish] .lamp", ".calm .next h2", "[data-place=player] .name"),
    "paused": (".stop .what svg", ".fault h2", ".status .icon"),
}


@pytest.fixture
def round_(hall):
    """Table and the steps of a round with a card too many; each step yields the round's life."""
    table = hall(cards=OVERDRAWN)

    def steps():
        table.say("open")
        table.say("bet", player="p1", market="player", stake=1000)
        yield "betting"
        table.say("close")
        table.draw(*OVERDRAWN[:4])
        yield "complete"
        table.draw(OVERDRAWN[4])
        yield "paused"

    return table, steps()


def test_pages_at_200_percent_lose_nothing_and_label_every_state(round_, visit):
    table, steps = round_
    dealer, manager, overlay = (visit(table.page(name), ZOOMED).page for name in ("dealer", "manager", "overlay"))
    expect(manager.locator(".gate")).to_be_visible()
    assert manager.evaluate(LOST) == []
    sign_in(manager, "anna")
    expect_signed_in(manager)
    for life in steps:
        for page in (dealer, manager, overlay):
            expect_life(page, life)
            assert (page.url, page.evaluate(LOST)) == (page.url, [])
        for page, cue in zip((dealer, manager, overlay), CUES[life], strict=True):
            expect(page.locator(cue)).to_be_visible()
    preview_ruling(manager, "Burn")
    assert manager.evaluate(LOST) == []
    manager.goto(table.page("report"))
    assert manager.evaluate(LOST) == []


def contrast(page: Page, selector: str, reader: Page) -> float:
    """Return the contrast of a text on the page as drawn. `reader`: a page that computes it."""
    picture = page.locator(selector).first.screenshot(animations="disabled")
    return reader.evaluate(CONTRAST, base64.b64encode(picture).decode())


READ = {
    "betting": {"dealer": (".next h1", ".timer span", ".key[data-key=close]"), "overlay": (".says", ".timer span")},
    "complete": {
        "dealer": (".key[data-key=finish]", "[data-place=player] .total"),
        "overlay": ("[data-place=player] .head", "[data-place=banker] .head"),
    },
    "paused": {"dealer": (".stop h1", ".stop .hands"), "manager": (".fault h2", ".life"), "overlay": (".says",)},
}


def test_texts_keep_their_contrast_for_colour_blind_people(round_, visit):
    table, steps = round_
    pages = {name: visit(table.page(name)).page for name in ("dealer", "overlay")}
    pages["manager"], reader = open_manager_page(visit, table).page, visit("about:blank").page
    sessions = {name: page.context.new_cdp_session(page) for name, page in pages.items()}
    weak = {}
    for life in steps:
        for name, texts in READ[life].items():
            expect_life(pages[name], life)
            for kind in SEEN:
                sessions[name].send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
                found = {text: contrast(pages[name], text, reader) for text in texts}
                weak |= {(name, life, text, kind): value for text, value in found.items() if value < 4.5}
    assert weak == {}
