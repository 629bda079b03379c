"""The overlay on air: its texts and their duration, the motion of cards, and a studio's layout."""

import re

import pytest
from playwright.sync_api import Page, expect

from controller.config.theme import load_theme
from tests.browser.overlay_page import table_after
from tests.browser.scenes import BETS, cards, scenes
from tests.config.test_theme import WHOLE, written
from tests.repeats import first_of

BLUE = "#1d5fd1"  # colour of the Player
MOVED = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries()) {
    for (const { node } of sources) {
      const element = node?.nodeType === 3 ? node.parentElement : node;
      if (element) window.moved.push(`${element.tagName}.${element.className}`);
    }
  }
}).observe({ type: "layout-shift" });
"""
WRITTEN = """
window.written = [];
new MutationObserver((all) => {
  for (const { target, attributeName: name, oldValue: before } of all) {
    if (target.getAttribute(name) === before) window.written.push(`${target.tagName}.${target.className} ${name}`);
  }
}).observe(document, { subtree: true, attributes: true, attributeOldValue: true });
"""
LIE = """[...document.querySelectorAll(".felt .place:not([data-place=seat1])")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.dataset.place, x, y, width, height];
})"""  # every place but seat1's
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


# ── texts stay long enough, and no longer ────────────────────────────────────────────────────────────────────────


def over(game: str) -> str:
    return scenes(game)["result"].script


def course(page: Page):
    return page.locator(".says")


def test_a_result_has_its_time_also_when_no_round_follows(stage):
    on = stage()
    for then in ("shoe change", "table close", "dealer -"):
        table = table_after("baccarat", f"{over('baccarat')}; {then}")
        on.show(table_after("baccarat", over("baccarat")), after=1)
        on.show(table, after=2)
        expect(course(on.page)).to_have_text("PLAYER wins 6 : 3")
        expect(on.page.locator(".card").first).to_be_visible()
        on.wait(table, after=7)
        expect(on.page.locator("body")).not_to_contain_text("wins 6 : 3")
        expect(on.page.locator(".card").first).to_be_hidden()
        expect(on.page.locator(".icon")).to_be_visible()


def test_roads_stay_during_a_shoe_change_and_restart_is_announced(stage):
    on, before = stage(), f"{over('baccarat')}; shoe change"
    on.show(table_after("baccarat", before), after=9)
    expect(on.page.locator(".note")).to_have_text("Shoe change: the roads begin anew")
    assert on.page.locator(".bead .disc").count() == 27
    on.show(table_after("baccarat", f"{before}; shoe ready"), after=9)
    expect(on.page.locator(".note")).to_have_text("New shoe: no results yet")
    expect(on.page.locator(".board")).to_be_visible()
    expect(on.page.locator("main .card")).to_have_count(0)  # the old shoe's round is no longer shown
    on.show(table_after("baccarat", f"{before}; shoe ready; open; close; {cards('9C 2D KD 3H')}; press finish"))
    expect(on.page.locator(".note")).to_be_hidden()


def test_no_more_bets_is_shown_for_three_seconds_despite_cards(stage):
    on, betting = stage(), scenes("baccarat")["betting"].script
    table = table_after("baccarat", f"{betting}; close; wait 1s; card 6H; card 5S")
    on.show(table, after=0)
    expect(course(on.page)).to_have_text("No more bets")
    on.wait(table, after=1.8)
    expect(course(on.page)).to_have_text("No more bets")
    on.wait(table, after=2.2)
    expect(course(on.page)).to_have_text("The cards are dealt")


@pytest.mark.parametrize("game", first_of(1, ["thirty_two", "baccarat"]))
def test_result_stays_shown_when_the_next_round_opens_at_once(stage, game):
    on, again = stage(), "" if game == "baccarat" else "shuffled; "
    lie = on.page.locator("main .card")
    on.show(table_after(game, over(game)))
    count = lie.count()
    table = table_after(game, f"{over(game)}; {again}open")
    on.show(table, after=1)
    expect(lie).to_have_count(count)
    expect(on.page.locator(".hand[data-won]")).to_have_count(1)
    expect(on.page.locator(".ribbon")).to_contain_text("wins")
    expect(course(on.page)).to_have_text("Place your bets")  # while the betting time runs
    on.wait(table, after=6.5)
    expect(lie).to_have_count(0)
    expect(on.page.locator(".ribbon")).to_be_hidden()


def test_last_result_disappears_at_the_next_rounds_first_card(stage):
    on, script = stage(), f"{over('thirty_two')}; shuffled; open"
    on.show(table_after("thirty_two", over("thirty_two")))
    on.show(table_after("thirty_two", f"{script}; close; card 9C"))
    expect(on.page.locator("main .card")).to_have_count(1)
    expect(on.page.locator(".hand[data-won]")).to_have_count(0)


# ── the time ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_betting_timer_is_large_and_turns_green_amber_then_red(stage):
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


# ── the round ────────────────────────────────────────────────────────────────────────────────────────────────────


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


def test_winner_is_filled_with_its_colour_and_loser_is_dimmed(stage):
    on = stage()
    on.show(table_after("baccarat", over("baccarat")))
    player, banker = (on.page.locator(f"[data-place={side}]") for side in ("player", "banker"))
    expect(player).to_contain_text("WINS")
    colour = "one => getComputedStyle(one).getPropertyValue('--win').trim()"
    assert on.page.locator(".status").evaluate(colour) == BLUE
    dim = "one => getComputedStyle(one).filter"
    assert "brightness" in banker.locator(".card").first.evaluate(dim)
    assert player.locator(".card").first.evaluate(dim) == "none"


def test_the_sides_of_a_road_are_told_apart_without_colour(stage):
    on, drawn = stage(), "([one]) => [getComputedStyle(one).fill, parseFloat(getComputedStyle(one).strokeWidth)]"
    on.show(table_after("baccarat", over("baccarat")))
    rings = (".big .player .ring", ".eye .blue .ring", ".small .blue .disc")
    discs = (".big .banker .ring", ".eye .red .ring", ".small .red .disc")
    assert {on.page.locator(one).evaluate_all(drawn)[0] for one in rings} == {"none"}
    assert "none" not in {on.page.locator(one).evaluate_all(drawn)[0] for one in discs}
    thin, thick = (on.page.locator(f".pig .{side} .slash").evaluate_all(drawn)[1] for side in ("blue", "red"))
    assert thick > 2 * thin


def test_the_winning_five_and_a_spread_are_lifted(stage):
    on = stage()
    on.show(table_after("casino_holdem", scenes("casino_holdem")["deciding"].script))
    expect(on.page.locator("[data-lifted]")).to_have_count(0)
    on.show(table_after("casino_holdem", over("casino_holdem")))
    expect(on.page.locator("[data-lifted]")).to_have_count(5)
    expect(on.page.locator("[data-place=player] .total")).to_have_text("aces and sevens")
    expect(on.page.locator("[data-place=dealer] .total")).to_have_text("pair of kings")
    on.show(table_after("rhum32", over("rhum32")))
    expect(on.page.locator("[data-place=seat1] [data-lifted]")).to_have_count(3)
    expect(on.page.locator(".detail")).to_have_text("a spread counts nothing: the lower total wins")


def test_face_down_card_is_absent_from_the_page_until_turned(stage):
    on = stage(motion="no-preference")
    on.show(table_after("casino_holdem", scenes("casino_holdem")["deciding"].script))
    dealer = on.page.locator("[data-place=dealer]")
    expect(dealer.locator(".card.back")).to_have_count(2)
    assert not re.search("king of spades|queen of spades|KS|QS", on.page.content())
    on.show(table_after("casino_holdem", over("casino_holdem")))
    expect(dealer.get_by_role("img", name="king of spades")).to_have_count(1)
    expect(dealer.locator("[data-moves=turns]")).to_have_count(2)


def test_cards_fly_from_the_shoe_unless_reduced_motion_is_requested(stage):
    for motion, moves in (("no-preference", "comes"), ("reduce", "none")):
        on, betting = stage(motion=motion), f"{scenes('baccarat')['betting'].script}; close"
        on.show(table_after("baccarat", betting))
        on.show(table_after("baccarat", f"{betting}; card 6H"))
        slot = on.page.locator("[data-place=player] .slot").first
        assert slot.evaluate("one => getComputedStyle(one).animationName") == moves
        x, y = (slot.evaluate(f"one => parseFloat(one.style.getPropertyValue('--from-{way}'))") for way in "xy")
        assert (x > 1500, y < -900) == (True, True)


def course_of(game: str) -> list[str]:
    """Return the scripts of a round from closed bets to its result, one for each visible step."""
    steps = scenes(game)["result"].script.split("; ")
    first = len(scenes(game)["no-more-bets"].script.split("; "))
    lengths = range(first, len(steps) + 1) if game in ("baccarat", "thirty_two") else (first, *turns(steps, first))
    return ["; ".join(steps[:length]) for length in lengths]


def turns(steps: list[str], first: int) -> list[int]:
    """Return the positions in a script where the kind of step changes, and its length."""
    kinds = [one.partition(" ")[0] for one in steps]
    return [at for at in range(first + 1, len(steps)) if kinds[at] != kinds[at - 1]] + [len(steps)]


@pytest.mark.proof
def test_nothing_moves_its_place_while_a_round_is_dealt(stage):
    on, moved = stage(motion="no-preference"), {}
    on.page.evaluate(MOVED)
    for game in BETS:
        first, *others = course_of(game)
        on.show(table_after(game, first), after=9)
        on.page.evaluate(DRAWN)
        on.page.evaluate("window.moved = []")
        for script in others:
            on.show(table_after(game, script))
            on.page.evaluate(DRAWN)
        moved[game] = on.page.evaluate("window.moved")
    assert {game: what for game, what in moved.items() if what} == {}


@pytest.mark.parametrize("query", first_of(1, ["", "?layout=left", "?layout=compact"]))
def test_a_split_moves_no_other_hand(stage, query):
    on, steps = stage(query=query), scenes("blackjack")["deciding"].script.split("; ")
    split = steps.index("decide seat1 split")
    lie = []
    for count in range(split, len(steps) + 1):
        on.show(table_after("blackjack", "; ".join(steps[:count])), after=9)
        lie.append(on.page.evaluate(LIE))
    assert len(lie[0]) == 7
    assert all(each == lie[0] for each in lie)
    assert on.page.locator("[data-place=seat1] .hand").count() == 2


def test_unchanged_attributes_are_not_written_again(stage):
    """Writing an unchanged attribute can still restyle the whole page."""
    on = stage()
    first, *others = course_of("baccarat")
    on.show(table_after("baccarat", first))
    on.page.evaluate(WRITTEN)
    for script in others:
        on.show(table_after("baccarat", script))
        on.page.evaluate(DRAWN)
    assert on.page.evaluate("window.written") == []


# ── a studio's settings ──────────────────────────────────────────────────────────────────────────────────────────


def test_theme_sets_logo_colours_shoe_corner_and_free_area(stage, tmp_path):
    on = stage(theme=load_theme(written(tmp_path, WHOLE)), motion="no-preference")
    on.show(table_after("blackjack", scenes("blackjack")["no-more-bets"].script), after=9)
    expect(on.page.locator(".logo")).to_be_visible()
    box = on.page.locator("main").bounding_box()
    assert round(box["y"] + box["height"]) == round(1080 * 0.88)
    assert on.page.evaluate("getComputedStyle(document.body).getPropertyValue('--player').trim()") == "#003a8c"
    on.show(table_after("baccarat", scenes("baccarat")["no-more-bets"].script), after=9)
    on.show(table_after("baccarat", f"{scenes('baccarat')['no-more-bets'].script}; card 8C"), after=9)
    slot = on.page.locator("[data-place=player] .slot").first
    assert slot.evaluate("one => parseFloat(one.style.getPropertyValue('--from-x'))") < 0


@pytest.mark.proof
@pytest.mark.parametrize(("layout", "edge"), [("left", "left"), ("right", "right")])
def test_side_layout_leaves_two_thirds_of_the_picture_free(stage, layout, edge):
    on = stage(query=f"?layout={layout}")
    on.show(table_after("baccarat", over("baccarat")))
    boxes = [on.page.locator(part).bounding_box() for part in ("header", ".board", "main")]
    if edge == "left":
        assert all(box["x"] + box["width"] < 0.36 * 1920 for box in boxes)
    else:
        assert all(box["x"] > 0.64 * 1920 for box in boxes)


@pytest.mark.proof
def test_compact_layout_stays_within_its_height_limit(stage):
    on = stage(query="?layout=compact")
    for game, most in (("baccarat", 0.12), ("thirty_two", 0.12), ("casino_holdem", 0.24), ("blackjack", 0.24)):
        for state in ("betting", "dealing", "result"):
            scene = scenes(game)[state]
            on.show(table_after(game, scene.script), after=scene.after)
            assert on.page.locator("main").bounding_box()["height"] <= most * 1080, (game, state)


@pytest.mark.parametrize("layout", first_of(1, ["", "compact", "left"]))
def test_holdem_player_is_left_of_the_dealer_in_every_layout(stage, layout):
    on = stage(query=f"?layout={layout}")
    on.show(table_after("casino_holdem", over("casino_holdem")))
    player, dealer = (on.page.locator(f"[data-place={side}]").bounding_box() for side in ("player", "dealer"))
    assert player["x"] < dealer["x"]
