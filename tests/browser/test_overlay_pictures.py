"""The overlay in every game and state, in every screen size and layout, in both languages."""

import re
from functools import cache

import pytest

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.layout_checks import EACH
from tests.browser.overlay_page import table_after
from tests.browser.scenes import BETS, scenes
from tests.browser.states import fullest_states

pytestmark = pytest.mark.proof

STOOD = cache(table_after)  # the same table for every picture and language
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
    if (rect.top > cards.bottom && cards.height > 0) say("under its cards", one);
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


def words_of(texts: list[str]) -> set[str]:
    """Return the texts that must differ in another language."""
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


def wrong_in(stage, picture, names) -> dict[tuple[str, str, str], list[str]]:
    """Return the faults in states of every game, in both languages. `names(game)`: the states to show."""
    on = stage(*PICTURES[picture])
    shown = [(game, name, language) for game in BETS for language in ("en", "ro") for name in names(game)]
    pictures = [
        on.picture(STOOD(game, scenes(game)[name].script), language, scenes(game)[name].after)
        for game, name, language in shown
    ]
    found = dict(zip(shown, on.page.evaluate(EACH.replace("LOOK", SEEN), [pictures]), strict=True))
    faults = {where: [*one["wrong"], *raw(where, found)] for where, one in found.items()}
    return {where: what for where, what in faults.items() if what}


def raw(where: tuple[str, str, str], found) -> list[str]:
    """Return the texts that are technical, or the same in Romanian as in English."""
    game, name, language = where
    english = words_of(found[game, name, "en"]["texts"]) if language == "ro" else set()
    return [text for text in found[where]["texts"] if TECHNICAL.search(text) or text in english]


@pytest.mark.parametrize(
    "picture", ["full-hd", *(pytest.param(name, marks=pytest.mark.proof) for name in PICTURES if name != "full-hd")]
)
def test_in_every_state_nothing_is_clipped_covered_untranslated_or_technical(stage, picture):
    assert wrong_in(stage, picture, scenes) == {}


@pytest.mark.parametrize("picture", SMALL)
def test_on_small_pictures_the_fullest_states_are_whole(stage, picture):
    assert wrong_in(stage, picture, lambda game: [name for name in fullest_states(game) if name in scenes(game)]) == {}
