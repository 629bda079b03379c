"""Two people correct a finished round on the shift manager's page, after its effect was shown."""

import pytest
from playwright.sync_api import expect

from controller.cli.client import ask
from tests.browser.conftest import OLD_PANEL
from tests.browser.held_requests import HeldRequests
from tests.browser.layout_checks import layout_faults
from tests.browser.people import expect_signed_in, open_manager_page, sign_in
from tests.browser.pictures import PHONE, play
from tests.browser.table_process import ON_A_SIX, PINS
from tests.browser.test_accessible import accessibility_faults
from tests.web.staff import PINS as STAFF
from tests.web.staff import registry_content

NATURAL = ("9C", "2D", "KC", "3D")  # Player 9, Banker 5: nobody draws
TIE = "PLAYER wins 9 : 5 → TIE 9 : 9"


def played(hall, rounds=1, **how):
    """Start a table, play this many rounds, and open a case about the last one."""
    table = hall(cards=NATURAL * (rounds + 2), **how)
    for number in range(1, rounds + 1):
        play(table, NATURAL, number)
    table.say("press", role="dealer", key="dropped")
    return table


def opens(page, number):
    """Open the correction form of a round, from the list of rounds."""
    page.locator(".tabs button").nth(1).tap()
    page.locator(".rounds .round").filter(has=page.get_by_text(str(number), exact=True)).first.tap()
    page.locator(".put-right").tap()
    expect(page.locator(".amend .lying").first).to_be_visible()


def corrects(page, draw, rank, suit):
    """Touch a card in the form, and choose its right rank and suit."""
    page.locator(".amend .lying").filter(has_text=f"#{draw}").tap()
    page.get_by_role("button", name="It is another card").tap()
    page.locator(".amend .ranks").get_by_role("button", name=rank, exact=True).tap()
    page.locator(".amend .suits").get_by_role("button", name=suit).tap()


def ties(page):
    """Correct the second card to a six, so that the round is a tie; wait until the effect is shown."""
    corrects(page, 2, "6", "diamonds")
    expect(page.locator(".amend .leads .says")).to_have_text(TIE)


def says_why(page):
    page.locator(".amend .why .choice").first.tap()


def shows_second(page, name="bea", pin=None):
    page.locator(".amend .shown input").first.fill(name)
    page.locator(".amend .shown input[type=password]").fill(pin or PINS[name])


def confirms(page):
    page.locator(".amend .confirm").tap()


def by_socket(table, *amendments, number=1):
    """Settle a round anew over the socket, as two shift managers."""
    ruling = {"command": "resettle", "id": f"s{number}", "round": number, "amendments": amendments, "because": "shoe"}
    two = {"ruling": {**ruling, "by": "anna"}, "second": {"name": "bea", "pin": PINS["bea"]}}
    answer = ask(table.files.socket, "POST", "/api/rulings?role=manager", two)
    assert answer.body["verdicts"][0]["verdict"] == "done", answer


def test_two_managers_put_a_round_right_by_touching_its_card(hall, visit):
    table = played(hall)
    page = open_manager_page(visit, table).page
    expect(page.locator(".tabs button").nth(1)).to_have_text("Rounds (1)")
    opens(page, 1)
    ties(page)
    expect(page.locator(".amend .moved tbody tr")).to_have_text(
        ["p2 BANKER · 100.000.00100.00+100.00", "p3 tie · 5.000.0045.00+45.00", "p1 PLAYER · 25.0050.0025.00-25.00"]
    )
    expect(page.locator(".amend .why [aria-pressed=true]")).to_have_count(0)
    expect(page.locator(".amend .confirm")).to_be_disabled()
    expect(page.locator(".amend .shown")).to_be_hidden()
    says_why(page)
    expect(page.locator(".amend .confirm")).to_be_disabled()
    shows_second(page)
    confirms(page)
    expect(page.locator(".story .note")).to_have_text("Done: the round is settled anew")
    expect(page.locator(".revision .turn")).to_have_text(TIE)
    expect(page.locator(".revision")).to_contain_text("anna, bea: Misread: as seen on camera")
    page.locator(".revision summary").tap()
    expect(page.locator(".revision tbody tr")).to_have_count(3)
    expect(page.locator(".cases")).to_be_hidden()  # this closes the case
    expect(page.locator(".rounds .round")).to_contain_text("settled anew")
    (record,) = table.records("resettled")
    revision = record.what
    assert (revision.by, revision.second, revision.because) == ("anna", "bea", "Misread: as seen on camera")
    assert {one.player: one.difference for one in revision.movements} == {"p1": -2500, "p2": 10000, "p3": 4500}


def test_several_corrections_are_joined_and_each_taken_back(hall, visit):
    page = open_manager_page(visit, played(hall)).page
    opens(page, 1)
    says = page.locator(".amend .leads .says")
    corrects(page, 1, "2", "clubs")
    expect(says).to_contain_text("Expected: a card to PLAYER")
    corrects(page, 3, "7", "clubs")
    expect(says).to_have_text("PLAYER wins 9 : 5 → PLAYER wins 9 : 5")
    expect(page.locator(".amend .differences")).to_contain_text("Bets that stay as they are: 3")
    for _ in range(2):
        page.locator(".amend .corrections .remove").first.tap()
    expect(page.locator(".amend .leads")).to_be_hidden()
    page.get_by_role("button", name="Make the round void").tap()
    expect(says).to_have_text("PLAYER wins 9 : 5 → Void: every stake goes back")
    corrects(page, 2, "6", "diamonds")  # replaces the void, which excludes corrections
    expect(says).to_have_text(TIE)
    expect(page.locator(".amend .corrections li")).to_have_count(1)


def test_a_case_is_dismissed_only_for_a_chosen_reason(hall, visit):
    table = played(hall)
    page = open_manager_page(visit, table).page
    page.locator(".tabs button").nth(1).tap()
    expect(page.locator(".case")).to_contain_text("Round 1")
    expect(page.locator(".case")).to_contain_text("CARD DROPPED")
    page.locator(".dismiss").tap()
    confirm = page.locator(".cases .confirm")
    expect(page.locator(".cases [aria-pressed=true]")).to_have_count(0)
    expect(confirm).to_be_disabled()
    page.locator(".cases .other").fill("  ")
    expect(confirm).to_be_disabled()
    page.get_by_role("button", name="Key pressed by mistake").tap()
    confirm.tap()
    expect(page.locator(".cases")).to_be_hidden()
    expect(page.locator(".tabs button").nth(1)).to_have_text("Rounds")
    assert table.comes("case_dismissed").what.because == "Key pressed by mistake"


def test_of_two_managers_the_slower_is_told_to_look_again(hall, visit):
    table = played(hall)
    page = open_manager_page(visit, table).page
    opens(page, 1)
    ties(page)
    says_why(page)
    shows_second(page)
    by_socket(table, {"ruling": "cancel"})
    confirms(page)
    expect(page.locator(".story .note")).to_have_text("Somebody else was first: look again")
    expect(page.locator(".revision .turn")).to_have_text("PLAYER wins 9 : 5 → Void: every stake goes back")
    page.locator(".put-right").tap()
    page.get_by_role("button", name="Settle it by its cards").tap()  # starts from the new settlement
    expect(page.locator(".amend .leads .says")).to_have_text("Void: every stake goes back → PLAYER wins 9 : 5")
    assert len(table.records("resettled")) == 1


@pytest.mark.parametrize(
    ("name", "pin", "says"),
    [("bea", "0000", "PIN"), ("anna", None, "the same person twice"), ("d1", None, "the dealer of a round")],
)
def test_a_refused_second_person_leaves_the_corrections_in_place(hall, visit, name, pin, says):
    table = played(hall)
    look = open_manager_page(visit, table)
    look.may_fail, page = True, look.page
    opens(page, 1)
    ties(page)
    says_why(page)
    shows_second(page, name, pin)
    confirms(page)
    expect(page.locator(".amend .shown .error")).to_contain_text(says)
    expect(page.locator(".amend .corrections li")).to_have_count(1)
    expect(page.locator(".amend .shown input[type=password]")).to_have_value("")
    assert table.records("resettled") == []
    shows_second(page)
    confirms(page)
    expect(page.locator(".revision")).to_have_count(1)


def test_a_fault_of_the_live_round_keeps_the_correction_form(hall, visit):
    table = played(hall)
    page = open_manager_page(visit, table).page
    opens(page, 1)
    ties(page)
    table.say("open")
    table.say("press", role="dealer", key="manager")
    expect(page.locator(".fault h2")).to_be_visible()
    page.locator(".tabs button").nth(1).tap()
    expect(page.locator(".amend .leads .says")).to_have_text(TIE)
    says_why(page)
    shows_second(page)
    confirms(page)
    expect(page.locator(".revision")).to_have_count(1)
    assert table.life == "paused"


@pytest.mark.proof
def test_corrections_are_kept_while_nobody_is_signed_in(hall, visit):
    table = played(hall)
    look = open_manager_page(visit, table)
    look.may_fail, page = True, look.page
    opens(page, 1)
    ties(page)
    says_why(page)
    shows_second(page)
    look.context.clear_cookies()
    confirms(page)
    expect(page.locator(".gate .why")).to_contain_text("kept")
    expect(page.locator(".amend")).to_have_count(0)  # nothing of the form is hidden behind the gate
    sign_in(page, "anna")
    page.locator(".tabs button").nth(1).tap()
    page.locator(".case").tap()
    expect(page.locator(".amend .leads .says")).to_have_text(TIE)
    expect(page.locator(".amend .shown input[type=password]")).to_have_value("")
    shows_second(page)
    confirms(page)
    expect(page.locator(".revision")).to_have_count(1)
    page.locator(".me .out").tap()  # signing out drops corrections that are not confirmed
    sign_in(page, "bea")
    page.locator(".tabs button").nth(1).tap()
    page.locator(".rounds .round").first.tap()
    expect(page.locator(".put-right")).to_be_visible()


@pytest.mark.proof
def test_nothing_is_confirmed_before_its_effect_is_seen(hall, visit):
    page = open_manager_page(visit, played(hall)).page
    opens(page, 1)
    previews = HeldRequests(page, "**/api/preview*")
    corrects(page, 2, "6", "diamonds")
    preview = previews.comes()
    expect(page.locator(".amend .leads .says")).to_have_text("Looking ahead …")
    expect(page.locator(".amend .confirm")).to_be_disabled()
    preview.continue_()
    expect(page.locator(".amend .leads .says")).to_have_text(TIE)


@pytest.mark.proof
def test_after_a_restart_an_earlier_round_is_put_right(hall, visit):
    table = played(hall, 2)
    by_socket(table, {"ruling": "cancel"})
    table.restart()
    page = open_manager_page(visit, table).page
    expect(page.locator(".tabs button").nth(1)).to_have_text("Rounds (1)")
    opens(page, 1)
    page.get_by_role("button", name="Settle it by its cards").tap()
    says_why(page)
    shows_second(page)
    confirms(page)
    expect(page.locator(".revision h3")).to_contain_text(["Correction 2", "Correction 1"])


@pytest.mark.proof
def test_only_shift_managers_are_shown_keys_for_past_rounds(hall, visit, tmp_path):
    (tmp_path / "people.toml").write_bytes(registry_content())
    table = hall(cards=NATURAL, web="[people]\n")
    table.say("dealer", role="manager", name="106", by="103")
    play(table, NATURAL, 1)
    table.say("press", role="dealer", key="dropped")
    here = "Here a shift manager rules"
    for number, says in (("103", ""), ("102", here), ("105", "A shift manager rules"), ("106", "")):
        page = visit(table.page("manager")).page
        page.get_by_label("Badge number or name").fill(number)
        page.get_by_label("PIN").fill(STAFF[number])
        page.keyboard.press("Enter")
        expect_signed_in(page)
        page.locator(".tabs button").nth(1).tap()
        page.locator(".case").tap()
        expect(page.locator(".story .lines")).to_be_visible()
        keys = number in ("103", "106")
        expect(page.locator(".put-right")).to_have_count(int(keys))
        expect(page.locator(".dismiss:visible")).to_have_count(int(keys))
        if number == "106":  # a shift manager who dealt this round
            page.locator(".put-right").tap()
            expect(page.locator(".bar")).to_contain_text("the dealer of a round can never rule on it")
        elif says:
            expect(page.locator(".story .who")).to_contain_text(says)
        page.goto("about:blank")


@pytest.mark.proof
@pytest.mark.parametrize("size", [OLD_PANEL, PHONE], ids=["old panel", "phone"])
def test_every_step_fits_a_small_screen_and_is_accessible(hall, visit, size):
    page = open_manager_page(visit, played(hall), size=size).page

    def looks_right():
        wrong, _ = layout_faults(page, 11)
        assert wrong == []
        assert accessibility_faults(page) == []

    page.locator(".tabs button").nth(1).tap()
    page.locator(".dismiss").tap()
    looks_right()
    page.locator(".cases .leave").tap()
    opens(page, 1)
    looks_right()
    page.locator(".amend .lying").first.tap()
    looks_right()
    page.locator(".amend .lying").first.tap()
    ties(page)
    says_why(page)
    looks_right()
    shows_second(page)
    confirms(page)
    expect(page.locator(".revision")).to_be_visible()
    looks_right()


@pytest.mark.proof
def test_a_cancelled_rounds_hand_is_made_void_by_seat(hall, visit):
    table = hall("blackjack", ON_A_SIX)
    table.decides_on_a_six()
    fault = table.comes("faulted").seq
    table.say("rule", role="manager", fault=fault, ruling="cancel", because="x", by="anna")
    page = open_manager_page(visit, table, size=OLD_PANEL).page
    opens(page, 1)
    assert layout_faults(page, 11).wrong == []
    page.get_by_role("button", name="Settle it by its cards").tap()
    says = page.locator(".amend .leads .says")
    expect(says).to_contain_text("would need a decision it does not have")
    page.get_by_role("button", name="Void a hand").tap()
    page.locator(".amend .lays .choice").filter(has_text="3").tap()
    expect(says).to_contain_text("depends on a card that lies face down")  # it decides whether the dealer draws
    expect(page.locator(".amend .corrections li")).to_have_count(1)
