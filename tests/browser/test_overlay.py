"""The overlay as it goes on air: every game, in every state, on every picture, in both languages."""

import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from controller.config.theme import load_theme
from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.scenes import BETS, cards, scenes
from tests.browser.stage import Stage, table_after
from tests.test_theme import WHOLE, written

PHONE = {"width": 390, "height": 844}
BLUE = "#1d5fd1"  # of the Player
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

MOVED = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries()) {
    for (const { node } of sources) {
      const element = node?.nodeType === 3 ? node.parentElement : node;
      if (element && !element.closest(".course")) window.moved.push(`${element.tagName}.${element.className}`);
    }
  }
}).observe({ type: "layout-shift" });
"""  # the words of the course have a plate of their own to stand in
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
TECHNICAL = re.compile(r"device|technical|shoe error|reader|_|rules|[0-9a-f]{8}", re.IGNORECASE)


def seen(page: Page) -> tuple[list[str], list[str]]:
    """What is wrong in the picture, and the texts in it."""
    found = page.evaluate(SEEN)
    return found["wrong"], found["texts"]


def words_of(texts: list[str]) -> set[str]:
    """Those of them that another language has another word for."""
    return {text for text in texts if any(map(str.isalpha, text))} - SAME


@pytest.fixture
def stage(browser):
    """The overlay on a page of this size."""
    contexts = []

    def at(size=FULL_HD, query="", motion="reduce", theme=None) -> Stage:
        contexts.append(browser.new_context(viewport=size, reduced_motion=motion))
        return Stage(contexts[-1].new_page(), query, theme)

    yield at
    for context in contexts:
        context.close()


PICTURES = {
    "full-hd": (FULL_HD, ""),
    "old-panel": (OLD_PANEL, ""),
    "phone": (PHONE, ""),
    "lying": (LYING, ""),
    "left": (FULL_HD, "?layout=left"),
    "compact": (FULL_HD, "?layout=compact"),
}
ON_AIR = ("full-hd", "old-panel", "phone")


@pytest.mark.parametrize(
    "picture", [*ON_AIR, *(pytest.param(name, marks=pytest.mark.proof) for name in PICTURES if name not in ON_AIR)]
)
def test_in_every_game_and_state_nothing_is_clipped_covered_untranslated_or_technical(stage, picture):
    on, wrong = stage(*PICTURES[picture]), {}
    for game in BETS:
        texts = {}
        for language, (name, scene) in product(("en", "ro"), scenes(game).items()):
            on.show(table_after(game, scene.script), language, scene.after)
            found, texts[language, name] = seen(on.page)
            same = set(texts[language, name]) & words_of(texts["en", name]) if language == "ro" else ()
            raw = [text for text in texts[language, name] if TECHNICAL.search(text) or text in same]
            if found or raw:
                wrong[game, name, language] = [*found, *raw]
    assert wrong == {}


# ── what has been said stays long enough, and no longer ──────────────────────────────────────────────────────────


def over(game: str) -> str:
    return scenes(game)["result"].script


def course(page: Page):
    return page.locator(".says")


@pytest.mark.parametrize("then", ["shoe change", "table close", "dealer -"])
def test_a_result_has_its_time_and_is_gone_when_the_shoe_is_out_or_the_table_closed(stage, then):
    on, table = stage(), table_after("baccarat", f"{over('baccarat')}; {then}")
    on.show(table_after("baccarat", over("baccarat")), after=1)
    on.show(table, after=2)
    expect(course(on.page)).to_have_text("PLAYER wins 6 : 3")
    expect(on.page.locator(".card").first).to_be_visible()
    on.wait(table, after=7)
    expect(on.page.locator("body")).not_to_contain_text("wins 6 : 3")
    expect(on.page.locator(".card").first).to_be_hidden()
    expect(on.page.locator(".icon")).to_be_visible()


def test_roads_stay_while_the_shoe_is_changed_and_the_page_says_that_new_ones_begin(stage):
    on, before = stage(), f"{over('baccarat')}; shoe change"
    on.show(table_after("baccarat", before), after=9)
    expect(on.page.locator(".note")).to_have_text("Shoe change: the roads begin anew")
    assert on.page.locator(".bead .disc").count() == 27
    on.show(table_after("baccarat", f"{before}; shoe ready"), after=9)
    expect(on.page.locator(".note")).to_have_text("New shoe: no results yet")
    expect(on.page.locator(".board")).to_be_visible()
    expect(on.page.locator("main .card")).to_have_count(0)  # the round of the old shoe has left the picture
    on.show(table_after("baccarat", f"{before}; shoe ready; open; close; {cards('9C 2D KD 3H')}; press finish"))
    expect(on.page.locator(".note")).to_be_hidden()


def test_no_more_bets_is_said_for_three_seconds_also_over_the_first_cards_and_then_what_goes_on(stage):
    on, betting = stage(), scenes("baccarat")["betting"].script
    table = table_after("baccarat", f"{betting}; close; wait 1s; card 6H; card 5S")
    on.show(table, after=0)
    expect(course(on.page)).to_have_text("No more bets")
    on.wait(table, after=1.8)
    expect(course(on.page)).to_have_text("No more bets")
    on.wait(table, after=2.2)
    expect(course(on.page)).to_have_text("The cards are dealt")


@pytest.mark.parametrize("game", ["thirty_two", "baccarat"])
def test_a_result_stays_with_its_cards_when_the_next_round_is_opened_at_once(stage, game):
    on, again = stage(), "" if game == "baccarat" else "shuffled; "
    lie = on.page.locator("main .card")
    on.show(table_after(game, over(game)))
    came = lie.count()
    table = table_after(game, f"{over(game)}; {again}open")
    on.show(table, after=1)
    expect(lie).to_have_count(came)
    expect(on.page.locator(".hand[data-won]")).to_have_count(1)
    expect(on.page.locator(".ribbon")).to_contain_text("wins")
    expect(course(on.page)).to_have_text("Place your bets")  # and the time runs
    on.wait(table, after=6.5)
    expect(lie).to_have_count(0)
    expect(on.page.locator(".ribbon")).to_be_hidden()


def test_a_card_of_the_next_round_ends_the_time_of_the_last_result(stage):
    on, script = stage(), f"{over('thirty_two')}; shuffled; open"
    on.show(table_after("thirty_two", over("thirty_two")))
    on.show(table_after("thirty_two", f"{script}; close; card 9C"))
    expect(on.page.locator("main .card")).to_have_count(1)
    expect(on.page.locator(".hand[data-won]")).to_have_count(0)


# ── the time ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_time_for_bets_is_large_and_goes_from_green_over_amber_to_red_where_it_is_counted(stage):
    on, table = stage(), table_after("baccarat", scenes("baccarat")["betting"].script)
    ring, number = on.page.locator(".timer .run"), on.page.locator(".timer span")
    seen_colours = []
    for after, left in ((2, "13"), (8, "7"), (10.5, "5"), (14.5, "1")):
        on.show(table, after=after)
        expect(number).to_have_text(left)
        seen_colours.append(ring.evaluate("one => getComputedStyle(one).stroke"))
    green, amber, red, last = seen_colours
    assert (green, amber, red, last) == ("rgb(56, 209, 127)", "rgb(255, 181, 46)", "rgb(255, 75, 62)", red)
    assert on.page.locator(".timer").bounding_box()["width"] >= 130


# ── what goes on ─────────────────────────────────────────────────────────────────────────────────────────────────


NAMED = [
    ("baccarat", scenes("baccarat")["third-card"].script, "BANKER draws"),
    ("blackjack", f"{scenes('blackjack')['deciding'].script}; decide seat1.2 stand", "SEAT 2 decides"),
    ("casino_holdem", scenes("casino_holdem")["dealing"].script, "The flop"),
    ("thirty_two", scenes("thirty_two")["dealing"].script, "PLAYER 8 draws"),
]


def test_who_draws_and_who_decides_is_named(stage):
    on = stage()
    for game, script, says in NAMED:
        on.show(table_after(game, script), after=9)
        expect(course(on.page)).to_have_text(says)


def test_the_winners_side_is_filled_with_its_colour_and_the_loser_steps_back(stage):
    on = stage()
    on.show(table_after("baccarat", over("baccarat")))
    player, banker = (on.page.locator(f"[data-place={side}]") for side in ("player", "banker"))
    expect(player).to_contain_text("WINS")
    colour = "one => getComputedStyle(one).getPropertyValue('--win').trim()"
    assert on.page.locator(".status").evaluate(colour) == BLUE
    dim = "one => getComputedStyle(one).filter"
    assert "brightness" in banker.locator(".card").first.evaluate(dim)
    assert player.locator(".card").first.evaluate(dim) == "none"


def test_the_winning_five_and_a_spread_are_lifted(stage):
    on = stage()
    on.show(table_after("casino_holdem", scenes("casino_holdem")["deciding"].script))
    expect(on.page.locator("[data-lifted]")).to_have_count(0)
    on.show(table_after("casino_holdem", over("casino_holdem")))
    expect(on.page.locator("[data-lifted]")).to_have_count(5)
    expect(on.page.locator("[data-place=player] .total")).to_have_text("two pairs")
    expect(on.page.locator("[data-place=dealer] .total")).to_have_text("one pair")
    on.show(table_after("rhum32", over("rhum32")))
    expect(on.page.locator("[data-place=seat1] [data-lifted]")).to_have_count(3)
    expect(on.page.locator(".detail")).to_have_text("a spread counts nothing: the lower total wins")


def test_a_face_down_card_is_nowhere_in_the_page_before_it_is_turned(stage):
    on = stage(motion="no-preference")
    on.show(table_after("casino_holdem", scenes("casino_holdem")["deciding"].script))
    dealer = on.page.locator("[data-place=dealer]")
    expect(dealer.locator(".card.back")).to_have_count(2)
    assert not re.search("king of spades|queen of spades|KS|QS", on.page.content())
    on.show(table_after("casino_holdem", over("casino_holdem")))
    expect(dealer.get_by_role("img", name="king of spades")).to_have_count(1)
    expect(dealer.locator("[data-moves=turns]")).to_have_count(2)


def test_cards_come_from_the_shoes_corner_and_stand_still_for_who_asks_for_no_motion(stage):
    for motion, moves in (("no-preference", "comes"), ("reduce", "none")):
        on, betting = stage(motion=motion), f"{scenes('baccarat')['betting'].script}; close"
        on.show(table_after("baccarat", betting))
        on.show(table_after("baccarat", f"{betting}; card 6H"))
        slot = on.page.locator("[data-place=player] .slot").first
        assert slot.evaluate("one => getComputedStyle(one).animationName") == moves
        x, y = (slot.evaluate(f"one => parseFloat(one.style.getPropertyValue('--from-{way}'))") for way in "xy")
        assert (x > 1500, y < -900) == (True, True)


def test_nothing_moves_its_place_while_a_round_is_dealt(stage):
    on, moved = stage(motion="no-preference"), {}
    on.page.evaluate(MOVED)
    for game in BETS:
        states = scenes(game)
        on.show(table_after(game, states["no-more-bets"].script), after=9)
        on.page.evaluate(DRAWN)
        on.page.evaluate("window.moved = []")
        for name in ("dealing", "result"):
            on.show(table_after(game, states[name].script), after=9)
            on.page.evaluate(DRAWN)
        moved[game] = on.page.evaluate("window.moved")
    assert moved == {game: [] for game in BETS}


# ── as a studio wants it ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_theme_gives_logo_colours_the_corner_of_the_shoe_and_what_of_the_picture_is_left_free(stage, tmp_path):
    on = stage(theme=load_theme(written(tmp_path, WHOLE)), motion="no-preference")
    on.show(table_after("blackjack", scenes("blackjack")["no-more-bets"].script), after=9)
    on.show(table_after("blackjack", f"{scenes('blackjack')['no-more-bets'].script}; card 8C"), after=9)
    expect(on.page.locator(".logo")).to_be_visible()
    box = on.page.locator("main").bounding_box()
    assert round(box["y"] + box["height"]) == round(1080 * 0.88)
    assert on.page.evaluate("getComputedStyle(document.body).getPropertyValue('--player').trim()") == "#003a8c"
    slot = on.page.locator("[data-place=seat1] .slot").first
    assert slot.evaluate("one => parseFloat(one.style.getPropertyValue('--from-x'))") < 0


@pytest.mark.parametrize(("layout", "edge"), [("left", "left"), ("right", "right")])
def test_a_layout_leaves_the_other_two_thirds_of_the_picture_to_the_video(stage, layout, edge):
    on = stage(query=f"?layout={layout}")
    on.show(table_after("baccarat", over("baccarat")))
    boxes = [on.page.locator(part).bounding_box() for part in ("header", ".board", "main")]
    if edge == "left":
        assert all(box["x"] + box["width"] < 0.36 * 1920 for box in boxes)
    else:
        assert all(box["x"] > 0.64 * 1920 for box in boxes)
