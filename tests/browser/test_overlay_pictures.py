"""The overlay in every game and every state, on every picture it is laid over, in both languages."""

import re
from functools import cache
from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.scenes import BETS, scenes
from tests.browser.stage import table_after
from tests.browser.states import worst

STOOD = cache(table_after)  # the same in every picture and language
PHONE = {"width": 390, "height": 844}
LYING = {"width": 844, "height": 390}
SAME = {
    "table",
    "Baccarat",
    "Casino Hold'em",
    "Blackjack",
    "Rhum 32",
    "32 Card",
    "DEALER",
    "P",
    "B",
    "T",
    "–",
    "BLACKJACK",
}
TECHNICAL = re.compile(r"device|technical|shoe error|reader|_|rules|[0-9a-f]{8}", re.IGNORECASE)
SEEN = """
() => {
  const all = [...document.querySelectorAll("body *")];
  const shown = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("svg"));
  const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const [boxes, wrong, texts] = [[], [], []];
  const say = (what, one) => wrong.push(`${what}: ${one.tagName}.${one.className} ${one.textContent.trim()}`);
  const isOut = ({ left, top, right, bottom }) =>
    left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  for (const one of shown) {
    const rect = one.getBoundingClientRect();
    if (rect.width === 0) continue;
    if (isOut(rect)) say("outside", one);
    const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
    if (one.matches(".panel, .hand, .place, .course, p, li, .head, .foot") && wide > 1) say("too wide", one);
    if (one.matches(".panel, .hand") && high > 3) say("too high", one);
    for (const node of own(one)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) boxes.push([one, box]);
      texts.push(node.data);
    }
    if (own(one).length > 0 && parseFloat(getComputedStyle(one).fontSize) < 9) say("too small", one);
    const cards = one.matches(".head") ? one.parentElement.parts.cards.getBoundingClientRect() : rect;
    if (rect.top > cards.bottom) say("under its cards", one);
    if (one.matches(".card")) boxes.push([one, rect]);
  }
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  boxes.forEach(([one, box], index) => {
    for (const [other, its] of boxes.slice(index + 1)) {
      const cards = one.matches(".card") && other.matches(".card"); // a fan
      if (one !== other && !cards && across(box, its) > 2 && down(box, its) > 4) say(`covers ${other.className}`, one);
    }
  });
  if (document.body.matches("[data-between]") && shown.some((one) => one.matches("main .card"))) wrong.push("cards");
  return { wrong, texts };
}
"""


def seen(page: Page) -> tuple[list[str], list[str]]:
    """What is wrong in the picture, and the texts in it."""
    found = page.evaluate(SEEN)
    return found["wrong"], found["texts"]


def words_of(texts: list[str]) -> set[str]:
    """Those of them that another language has another word for."""
    return {text for text in texts if any(map(str.isalpha, text))} - SAME


PICTURES = {
    "full-hd": (FULL_HD, ""),
    "old-panel": (OLD_PANEL, ""),
    "phone": (PHONE, ""),
    "lying": (LYING, ""),
    "left": (FULL_HD, "?layout=left"),
    "compact": (FULL_HD, "?layout=compact"),
}
SMALL = ("old-panel", "phone")


def wrong_in(stage, picture, names) -> dict[tuple[str, ...], list[str]]:
    """What is wrong in these states of every game, in both languages. `names`: of them, by game."""
    on, wrong = stage(*PICTURES[picture]), {}
    for game in BETS:
        texts = {}
        for language, name in product(("en", "ro"), names(game)):
            scene = scenes(game)[name]
            on.show(STOOD(game, scene.script), language, scene.after)
            found, texts[language, name] = seen(on.page)
            same = set(texts[language, name]) & words_of(texts["en", name]) if language == "ro" else ()
            raw = [text for text in texts[language, name] if TECHNICAL.search(text) or text in same]
            if found or raw:
                wrong[game, name, language] = [*found, *raw]
    return wrong


@pytest.mark.parametrize(
    "picture", ["full-hd", *(pytest.param(name, marks=pytest.mark.proof) for name in PICTURES if name != "full-hd")]
)
def test_in_every_state_nothing_is_clipped_covered_untranslated_or_technical(stage, picture):
    assert wrong_in(stage, picture, scenes) == {}


@pytest.mark.parametrize("picture", SMALL)
def test_on_small_pictures_the_fullest_states_are_whole(stage, picture):
    assert wrong_in(stage, picture, lambda game: [name for name in worst(game) if name in scenes(game)]) == {}
