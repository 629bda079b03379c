"""People sign on at the dealer's and the shift manager's page by PIN, or by a badge reader that types."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Page, expect

from controller.config.people import PeopleFile
from controller.config.people_change import change_registry
from tests.browser.conftest import FITS, OLD_PANEL
from tests.browser.people import confirm_ruling, expect_life, expect_signed_in, ruling_button, type_pin

BADGE, PIN = "0004711815", "7531"
# Types like a badge reader: 5 ms a key, wherever the focus is. A key that no handler takes goes into the focused field.
READS = """code => { const began = performance.now(); for (const [number, key] of [...code, "Enter"].entries()) {
  const to = document.activeElement ?? document.body;
  const down = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  Object.defineProperty(down, "timeStamp", { value: began + number * 5 });
  const free = to.dispatchEvent(down);
  if (free && key.length === 1 && to.matches("input") && !to.readOnly) {
    to.value += key;
    to.dispatchEvent(new Event("input", { bubbles: true }));
  }
} }"""


@cache
def registry() -> bytes:
    """Return the bytes of a people file, made once: hashing PINs and badges is slow."""
    with TemporaryDirectory() as folder:
        file = PeopleFile(Path(folder) / "people.toml")
        with change_registry(file) as change:
            change.add("101", "Dora", ["dealer"], PIN)
            change.add("106", "Livia", ["dealer", "manager"], "2586")
            change.add("107", "Mihai", ["manager"], "8642")
            change.set_badge("101", BADGE)
            change.set_badge("106", "04A2B9C1F0")
            change.set_badge("107", "0815081508")
        return file.path.read_bytes()


@pytest.fixture
def staffed(hall, tmp_path):
    """Start tables with a people file and no dealer yet."""

    def at(badge="with_pin", **how):
        (tmp_path / "people.toml").touch(0o600)
        (tmp_path / "people.toml").write_bytes(registry())
        people = f'[people]\nbadge = "{badge}"\n'
        return hall(web=how.pop("web", "") + people, **how)

    return at


def types(page: Page, digits: str) -> None:
    for digit in digits:
        page.locator(".pad").get_by_role("button", name=digit, exact=True).tap()


def deals(page: Page, name: str) -> None:
    expect(page.locator(".who")).to_have_text(f"Dealer {name}")
    expect(page.locator(".sign-on")).to_be_hidden()


def test_dealer_signs_on_with_id_and_pin(staffed, visit):
    table = staffed()
    look = visit(table.page("dealer"), OLD_PANEL)
    look.may_fail, page = True, look.page
    expect(page.locator(".next h1")).to_have_text("SIGN ON")
    expect(page.locator(".sign-on")).to_be_visible()
    assert page.evaluate(FITS)
    types(page, "101")
    page.get_by_role("button", name="Sign on").tap()  # goes on to the PIN
    types(page, "9753")
    page.get_by_role("button", name="Sign on").tap()
    expect(page.locator(".sign-on .error")).to_have_text("wrong name or PIN")
    expect(page.get_by_label("PIN")).to_have_value("")  # id and PIN must be typed again
    page.keyboard.type("101")
    page.keyboard.press("Enter")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    deals(page, "Dora")
    assert table.records("signed_in")[-1].what.proof == "pin"


@pytest.mark.proof
def test_a_person_without_the_dealer_role_is_refused_once(staffed, visit):
    table = staffed()
    look = visit(table.page("dealer"))
    look.may_fail, page = True, look.page
    posted = []
    page.on("request", lambda one: posted.append(one.url) if one.method == "POST" else None)
    expect(page.get_by_label("Badge", exact=True)).to_be_focused()
    page.keyboard.type("107")
    page.keyboard.press("Enter")
    page.keyboard.type("8642")
    page.keyboard.press("Enter")
    expect(page.locator(".sign-on .error")).to_have_text("expected a dealer, Mihai is none")
    assert len(posted) == 1


@pytest.mark.proof
def test_a_badge_replaces_the_id_wherever_the_focus_is(staffed, visit):
    table = staffed()
    page = visit(table.page("dealer")).page
    expect(page.locator(".sign-on")).to_be_visible()
    page.evaluate(READS, BADGE)
    expect(page.locator(".sign-on")).to_have_attribute("data-badge", "")
    expect(page.get_by_label("PIN")).to_be_focused()
    types(page, "75")
    page.evaluate(READS, BADGE)  # again, amid the PIN: no key of the badge goes into the PIN
    expect(page.get_by_label("PIN")).to_have_value("")
    types(page, PIN)
    page.get_by_role("button", name="Sign on").tap()
    deals(page, "Dora")
    assert table.records("signed_in")[-1].what.proof == "badge_pin"


@pytest.mark.proof
def test_a_badge_without_a_pin_is_forgotten_after_30_seconds(staffed, visit):
    table = staffed()
    page = visit("about:blank").page
    page.clock.install()
    page.goto(table.page("dealer"))
    expect(page.locator(".sign-on")).to_be_visible()
    page.evaluate("document.activeElement.blur()")  # a touch beside the fields
    page.evaluate(READS, BADGE)
    expect(page.locator(".sign-on")).to_have_attribute("data-badge", "")
    page.clock.fast_forward(31_000)
    expect(page.locator(".sign-on")).not_to_have_attribute("data-badge", "")
    expect(page.get_by_label("Badge", exact=True)).to_be_editable()


@pytest.mark.proof
def test_slow_typing_is_not_taken_for_a_badge(staffed, visit):
    page = visit(staffed().page("dealer")).page
    expect(page.locator(".sign-on")).to_be_visible()
    page.keyboard.type(BADGE, delay=120)
    page.keyboard.press("Enter", delay=120)
    expect(page.get_by_label("Badge", exact=True)).to_have_value(BADGE)
    expect(page.locator(".sign-on")).not_to_have_attribute("data-badge", "")


def test_next_dealer_signs_on_by_badge_alone_after_the_round(staffed, visit):
    table = staffed("alone", cards=("9C", "2D", "KD", "3H"))
    page = visit(table.page("dealer")).page
    expect(page.locator(".sign-on")).to_be_visible()
    page.evaluate(READS, BADGE)
    deals(page, "Dora")
    table.say("open")
    expect_life(page, "betting")
    page.get_by_role("button", name="Next dealer").tap()
    expect(page.locator(".flags")).to_contain_text("DEALER CHANGE AFTER THIS ROUND")
    expect(page.get_by_role("button", name="Next dealer")).to_be_hidden()
    page.evaluate(READS, "04A2B9C1F0")  # ignored: the round is not over
    table.say("close")
    table.draw("9C", "2D", "KD", "3H")
    page.get_by_role("button", name="FINISH").tap()
    expect(page.locator(".next h1")).to_have_text("SIGN ON")
    expect(page.locator(".next .result")).to_contain_text("PLAYER wins")
    page.evaluate(READS, "04A2B9C1F0")
    deals(page, "Livia")
    changes = [(one.what.before, one.what.to) for one in table.records("dealer_changed")]
    assert changes[-3:] == [(None, "Dora"), ("Dora", None), (None, "Livia")]


@pytest.mark.proof
def test_dealer_change_between_rounds_appears_on_every_dealer_page(staffed, visit):
    table = staffed("alone")
    page, other = visit(table.page("dealer")).page, visit(table.page("dealer")).page
    expect(page.locator(".sign-on")).to_be_visible()
    page.evaluate(READS, BADGE)
    for one in (page, other):
        deals(one, "Dora")
    page.get_by_role("button", name="Next dealer").tap()
    for one in (page, other):
        expect(one.locator(".sign-on")).to_be_visible()
    other.evaluate(READS, BADGE)
    deals(page, "Dora")


@pytest.mark.proof
def test_dealer_page_offers_no_sign_on_without_a_staff_registry(hall, visit):
    table = hall()
    page = visit(table.page("dealer")).page
    expect(page.locator(".next h1")).to_have_text("OPEN BETS")
    table.say("dealer", role="manager", name=None)
    expect(page.locator(".next h1")).to_have_text("NO DEALER")
    expect(page.locator(".sign-on")).to_be_hidden()
    expect(page.get_by_role("button", name="Next dealer")).to_be_hidden()


def test_manager_signs_in_by_badge_but_badge_makes_no_ruling(staffed, visit):
    table = staffed()
    page = visit(table.page("manager")).page
    expect(page.locator(".gate")).to_be_visible()
    page.evaluate(READS, "04A2B9C1F0")
    expect(page.get_by_label("PIN")).to_be_focused()
    page.keyboard.type("2586")
    page.keyboard.press("Enter")
    expect_signed_in(page)
    expect(page.locator(".me .name")).to_have_text("Livia")
    assert table.records("signed_in")[-1].what.proof == "badge_pin"
    table.say("dealer", role="manager", name="101", by="106")
    table.say("open")
    table.say("press", role="dealer", key="manager")
    expect(page.locator(".rulings")).to_be_visible()
    page.evaluate(READS, "1111111111")
    page.evaluate("new Promise((done) => setTimeout(done, 80))")  # as long as a key may belong to a badge reader
    expect(page.locator(".rulings")).to_be_visible()  # the badge has opened no ruling
    page.keyboard.press("1")
    expect(page.locator(".rule h2")).to_have_text("Resume")
    assert table.records("ruled") == []


def lapsed_at_a_call(staffed, visit, badge):
    """Sign in as Livia, let the sign-in lapse, and have the dealer call; return table and page."""
    table = staffed(badge, web="idle = 4\n")
    page = visit(table.page("manager")).page
    expect(page.locator(".gate")).to_be_visible()
    page.evaluate(READS, "04A2B9C1F0")
    if badge == "with_pin":
        types(page, "2586")
        page.locator(".gate .go").tap()
    expect_signed_in(page)
    table.say("dealer", role="manager", name="101", by="106")
    expect(page.locator("body")).to_have_attribute("data-lapsed", "")
    table.say("open")
    table.say("press", role="dealer", key="manager")
    return table, page


@pytest.mark.proof
@pytest.mark.parametrize("badge", ["alone", "with_pin"])
def test_badge_confirms_a_ruling_after_the_sign_in_has_lapsed(staffed, visit, badge):
    table, page = lapsed_at_a_call(staffed, visit, badge)
    ruling_button(page, "Resume").tap()
    expect(page.locator(".rule .confirm")).to_be_disabled()
    page.evaluate(READS, "04A2B9C1F0")
    if badge == "with_pin":
        expect(page.locator(".rule .confirm")).to_be_disabled()
        type_pin(page, ".rule", "2586")
    confirm_ruling(page)
    ruled = table.comes("ruled").what
    assert (ruled.ruling, ruled.by) == ("resume", "Livia")
    proof = "badge" if badge == "alone" else "badge_pin"
    assert [one.what.proof for one in table.records("signed_in")] == [proof, proof]


@pytest.mark.proof
def test_badge_renews_a_lapsed_sign_in_for_an_acknowledgement(staffed, visit):
    table, page = lapsed_at_a_call(staffed, visit, "alone")
    page.locator(".here").tap()
    page.evaluate(READS, "04A2B9C1F0")
    assert table.comes("acknowledged").what.by == "Livia"


@pytest.mark.proof
def test_ruling_begun_by_one_manager_is_dropped_for_anothers_badge(staffed, visit):
    table, page = lapsed_at_a_call(staffed, visit, "alone")
    ruling_button(page, "Resume").tap()
    page.evaluate(READS, "0815081508")
    confirm_ruling(page)
    expect(page.locator(".me .name")).to_have_text("Mihai")
    expect(page.locator(".rule")).to_be_hidden()
    assert table.records("ruled") == []
