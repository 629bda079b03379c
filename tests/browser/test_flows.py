"""Dealer, shift manager and players at one table, each with their own browser."""

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from tests.browser.conftest import FITS, FULL_HD, OLD_PANEL
from tests.browser.held_requests import HeldRequests
from tests.browser.people import (
    confirm_ruling,
    expect_life,
    expect_signed_in,
    open_manager_page,
    preview_ruling,
    ruling_button,
    sign_in,
)
from tests.browser.table_process import DEALT, OVERDRAWN


def overdrawn(hall, **how):
    """Start a table, and draw one card too many before the result is confirmed."""
    table = hall(cards=(*OVERDRAWN, "4C", "4D", "4H", "4S"), **how)
    table.say("open")
    table.say("bet", player="p1", market="player", stake=1000)
    table.say("close")
    table.draw(*OVERDRAWN)
    return table


def test_extra_card_is_ruled_on_and_every_page_shows_settlement(hall, visit):
    table = overdrawn(hall)
    dealer = visit(table.page("dealer")).page
    players = visit(f"{table.url}/overlay").page
    manager = visit(f"{table.url}/manager").page
    expect_life(dealer, "paused")
    expect(dealer.locator(".stop h1")).to_contain_text("One card too many")
    expect(players.locator("body")).to_contain_text("Your bets are safe")
    expect(players.locator("body")).not_to_contain_text("extra_card")
    sign_in(manager, "anna")
    expect_signed_in(manager)
    expect(manager.locator(".fault")).to_contain_text("5♠")
    expect(manager.locator(".lie").get_by_role("img", name="five of spades")).to_be_visible()
    expect(preview_ruling(manager, "Burn")).to_contain_text("9 : 5")
    confirm_ruling(manager)
    for page in (dealer, manager, players):
        expect_life(page, "settled")
        won = page.locator("[data-place=player], [data-place=banker]").filter(
            has_text=re.compile("wins", re.IGNORECASE)
        )
        expect(won).to_have_count(1)
        expect(won).to_contain_text("9")
    ruled = table.comes("ruled").what
    assert (ruled.ruling, ruled.by, ruled.because) == ("burn", "anna", "One card too many was drawn")
    assert table.comes("settled").what.outcome["winner"] == "player"


def test_a_cancelled_round_of_blackjack_gives_every_stake_back(hall, visit):
    table = hall("blackjack", cards=("9C", "5D", "6H", "KD", "2S"))
    players, dealer = (visit(table.page(page)).page for page in ("overlay", "dealer"))
    manager = open_manager_page(visit, table).page
    table.say("shuffled", role="dealer")
    table.say("open")
    table.say("bet", player="p1", market="seat1 main", stake=1000)
    table.say("bet", player="p2", market="seat3 main", stake=2500)
    table.say("close")
    table.draw("9C")
    table.comes("dealt")
    table.say("press", role="dealer", key="manager")
    expect(preview_ruling(manager, "Cancel")).to_contain_text("35.00")
    confirm_ruling(manager)
    for page in (players, manager, dealer):
        expect_life(page, "cancelled")
    expect(players.locator("body")).to_contain_text("All bets of this round have been returned")
    for page in (players, dealer):
        expect(page.locator("[data-place=seat1] .total")).to_have_text("")
        expect(page.locator("[data-place=seat1]")).to_contain_text("VOID")
    head, text = dealer.locator(".next h1"), dealer.locator(".next .text")
    expect(head).to_have_text("CLEAR THE CARDS")
    expect(text).to_have_text("then press SHUFFLED")
    dealer.get_by_role("button", name="Done").tap()
    expect(head).to_have_text("SHUFFLE")
    dealer.reload()
    expect(head).to_have_text("CLEAR THE CARDS")  # the touch of Done is not recorded
    table.comes("refunded", 2)
    assert {record.what.player: record.what.stake for record in table.records("refunded")} == {"p1": 1000, "p2": 2500}


def test_second_of_two_simultaneous_rulings_is_refused_and_explained(hall, visit):
    table = overdrawn(hall)
    anna, bea = (open_manager_page(visit, table, name) for name in ("anna", "bea"))
    bea.may_fail = True
    preview_ruling(anna.page, "Burn")
    preview_ruling(bea.page, "Cancel")
    commands = HeldRequests(bea.page, "**/api/commands*", times=1)
    confirm_ruling(bea.page)
    command = commands.comes()  # her command is not answered yet
    expect(bea.page.locator(".rule .confirm")).to_be_disabled()
    confirm_ruling(anna.page)
    table.comes("ruled")
    command.continue_()
    expect(bea.page.locator(".note")).to_contain_text(re.compile("nothing is paused|another fault", re.IGNORECASE))
    expect_life(bea.page, "settled")
    assert [record.what.by for record in table.records("ruled")] == ["anna"]
    assert [record.what.reason for record in table.records("ruling_refused")] == ["not_paused"]
    assert table.records("cancelled") == []


def test_pending_ruling_closes_with_a_note_after_anothers_ruling(hall, visit):
    table = overdrawn(hall)
    anna, bea = (open_manager_page(visit, table, name).page for name in ("anna", "bea"))
    preview_ruling(bea, "Cancel")
    preview_ruling(anna, "Burn")
    confirm_ruling(anna)
    expect(bea.locator(".rule")).to_be_hidden()
    expect(bea.locator(".note")).to_be_visible()


def test_wrong_pins_delay_the_next_try_and_show_the_wait(hall, visit):
    table = overdrawn(hall)
    look = visit(f"{table.url}/manager")
    look.may_fail = True
    error = look.page.locator(".gate .error")
    sign_in(look.page, "anna", "1357")
    expect(error).to_have_text("wrong name or PIN")
    for _ in range(3):
        sign_in(look.page, "anna", "1357")
    expect(error).to_contain_text(re.compile(r"the next try from here is in \d+ s|too soon after wrong PINs"))
    sign_in(look.page, "anna")
    expect(error).to_contain_text(re.compile(r"too soon after wrong PINs: try again in 0 min \d+ s"))
    expect(look.page.locator(".gate")).to_be_visible()


def test_sign_in_keys_keep_their_place_when_messages_appear(hall, visit):
    table = hall()
    look = visit(f"{table.url}/manager")
    look.may_fail = True
    key = look.page.locator(".gate .pad").get_by_role("button", name="5", exact=True)
    expect(key).to_be_visible()
    before = key.bounding_box()
    table.say("press", "dealer", key="manager")
    expect(look.page.locator(".gate .paused")).to_be_visible()
    assert key.bounding_box() == before
    sign_in(look.page, "anna", "1357")
    expect(look.page.locator(".gate .error")).to_have_text("wrong name or PIN")
    assert key.bounding_box() == before


def test_the_dealer_of_a_round_may_not_rule_on_it(hall, visit):
    table = overdrawn(hall)
    look = open_manager_page(visit, table, "d1")
    expect(look.page.locator(".rulings .own")).to_have_text(
        "the dealer of a round can never rule on it: call another shift manager"
    )
    expect(look.page.locator(".here")).to_be_hidden()
    ruling_button(look.page, "Burn").tap()
    expect(look.page.locator(".rule .leads")).to_contain_text("the dealer of a round can never rule on it")
    expect(look.page.locator(".rule .confirm")).to_be_disabled()
    assert table.life == "paused"


def test_signed_out_manager_page_shows_only_that_play_is_paused(hall, visit):
    table = overdrawn(hall)
    page = visit(f"{table.url}/manager").page
    expect(page.locator(".gate .paused")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("five of spades")
    expect(page.locator(".fault")).to_be_hidden()


def test_second_reading_appears_among_the_frames_already_open(hall, visit):
    table = hall(cards=("9C", "2D"))
    page = open_manager_page(visit, table).page
    table.say("open")
    table.say("close")
    table.shoe.draw(unreadable=True)
    page.locator(".lie .frames summary").tap()
    frames = page.locator(".lie .frames li")
    expect(frames.first).to_be_visible()
    expect(frames.filter(has_text="card read")).to_have_count(0)
    assert table.shoe.redraw() == "9C"
    expect(frames.filter(has_text="card read")).to_have_count(1)


def test_who_signs_out_leaves_nothing_of_the_table_behind(hall, visit):
    table = overdrawn(hall)
    page = open_manager_page(visit, table).page
    expect(page.locator(".loose").get_by_role("img")).to_have_count(1)
    expect(page.locator(".lie .frames li")).to_have_count(4)
    page.locator(".out").tap()
    expect(page.locator(".gate")).to_be_visible()
    expect(page.locator(".loose").get_by_role("img", include_hidden=True)).to_have_count(0)
    expect(page.locator(".lie .frames li")).to_have_count(0)
    for part in (".fault", ".rulings", ".calm"):
        expect(page.locator(part)).to_be_hidden()


def test_unread_card_is_entered_by_hand_and_overlay_says_so(hall, visit):
    table = hall(cards=("9C", "2D", "KD", "3H"))
    manager, players = open_manager_page(visit, table).page, visit(table.page("overlay")).page
    table.say("open")
    table.say("close")
    table.draw("9C", "2D", "KD")
    table.shoe.draw(unreadable=True)
    expect_life(manager, "paused")
    ruling_button(manager, "Enter").tap()
    rule = manager.locator(".rule")
    rule.get_by_role("button", name="3", exact=True).tap()
    rule.get_by_role("button", name=re.compile("hearts", re.IGNORECASE)).tap()
    confirm_ruling(manager)
    expect_life(players, "settled")
    expect(players.locator("body")).to_contain_text(re.compile("by hand", re.IGNORECASE))
    assert table.comes("settled").what.manual


def test_ruling_preview_is_refreshed_when_a_card_arrives(hall, visit):
    table = hall(cards=("9C", "2D", "KD", "3H"))
    page = open_manager_page(visit, table).page
    table.say("open")
    table.say("close")
    table.draw("9C", "2D", "KD")
    table.shoe.draw(unreadable=True)
    ruling_button(page, "Burn").tap()
    expect(page.locator(".rule .leads")).to_contain_text("waiting for a card to")
    table.shoe.redraw()  # slid again
    expect(page.locator(".rule .leads")).to_contain_text("draw 5 goes to")
    confirm_ruling(page)
    assert table.comes("ruled").what.ruling == "burn"


def test_unavailable_ruling_shows_its_reason_until_it_becomes_available(hall, visit):
    table = hall(cards=("9C", "2D", "KD", "3H"))
    page = open_manager_page(visit, table).page
    table.say("open")
    table.say("close")
    table.draw("9C", "2D", "KD")
    table.shoe.draw(unreadable=True)
    waits = page.locator(".ruling:disabled")
    expect(waits).to_contain_text("Take the second reading")
    expect(waits).to_contain_text("once the dealer has slid the card again")
    page.keyboard.press("1")
    expect(page.locator(".rule")).to_be_hidden()
    table.say("press", "dealer", key="manager")
    expect(page.locator(".waits li")).to_have_text("CALL MANAGER")
    table.shoe.redraw()  # slid again
    expect(page.locator(".rulings h2")).to_have_text("Was it the same card that was slid again?")
    expect(page.locator(".not-now li")).to_have_count(0)
    expect(waits).to_have_count(0)
    ruling_button(page, "Take").tap()
    expect(page.locator(".rule .leads")).to_contain_text("second reading counts")
    confirm_ruling(page)
    assert table.comes("ruled").what.ruling == "rescan"
    expect(page.locator(".fault h2")).to_have_text("The dealer calls you")


def test_a_table_that_cannot_record_calls_the_shift_manager(hall, visit):
    table = hall()
    page = visit(f"{table.url}/manager").page
    sign_in(page, "anna")
    expect_signed_in(page)
    sound = page.locator(".sound")
    sound.tap()
    expect(sound).to_have_attribute("aria-pressed", "false")  # no call is open
    acts = page.locator(".act")
    expect(acts.first).to_be_enabled()
    with closing(sqlite3.connect(table.files.journal, isolation_level=None)) as disk:
        disk.execute("BEGIN IMMEDIATE")
        table.shoe.draw()
        expect_life(page, "halted")
        expect(page.locator(".next h2")).to_have_text("Nothing can be recorded: call the engineer")
        assert all(acts.evaluate_all("all => all.map(one => one.disabled)"))
        sound.tap()
        expect(sound).to_have_attribute("aria-pressed", "true")
        disk.execute("ROLLBACK")
    expect_life(page, "paused")
    expect(sound).to_have_attribute("aria-pressed", "false")  # the fault is a new call


def test_reloaded_page_reports_no_sound_until_it_is_touched(hall, visit):
    table = hall()
    page = visit(f"{table.url}/manager").page
    sign_in(page, "anna")
    expect_signed_in(page)
    sound = page.locator(".sound")
    expect(sound).to_have_attribute("aria-label", "Sound is on")
    page.reload()
    expect(sound).to_have_attribute("aria-label", "No sound until this page is touched")
    expect(sound.locator(".cross")).to_be_visible()
    table.say("press", role="dealer", key="manager")
    expect_life(page, "paused")
    sound.tap()
    expect(sound).to_have_attribute("aria-label", "Sound is on")  # the same touch does not mute it
    sound.tap()
    expect(sound).to_have_attribute("aria-label", "Sound is off until the next fault")


def test_the_list_of_rounds_follows_the_table(hall, visit):
    table = hall()
    page = open_manager_page(visit, table).page
    past = page.get_by_role("navigation").get_by_role("button", name="Rounds")
    past.tap()
    rows = page.locator(".rounds li")
    expect(page.locator(".view-rounds .empty")).to_have_text("No round yet")
    for number in (1, 2):
        table.say("open")
        expect(rows).to_have_count(number)
        expect(rows.first).to_contain_text("in progress")
        table.shoe.draw()
        expect_life(page, "paused")  # the fault opens the table's view
        past.dispatch_event("click")  # a touch could miss the moving button
        rows.first.get_by_role("button").focus()
        table.say(
            "rule",
            role="manager",
            by="anna",
            fault=table.comes("faulted", number).seq,
            ruling="cancel",
            because="shoe touched",
        )
        expect(rows.first).to_contain_text("cancelled")


def test_lost_shoe_facts_are_listed_once_after_redrawing(hall, visit):
    table = hall(cards=DEALT)
    page = open_manager_page(visit, table).page
    table.say("open")
    table.say("close")
    table.draw(*DEALT[:2])
    table.comes("dealt", 2)
    table.shoe.unplug()
    expect(page.locator(".fault")).to_be_visible()
    page.locator(".here").tap()
    expect(page.locator(".fault .seen")).to_contain_text("anna has seen it")
    facts = page.locator(".facts [data-fact]").evaluate_all("all => all.map(one => one.dataset.fact)")
    assert len(facts) == len(set(facts))
    expect(page.locator(".facts div", has_text="cards left")).to_have_count(1)


def test_a_fault_is_ruled_on_without_scrolling(hall, visit):
    page = open_manager_page(visit, overdrawn(hall)).page
    for size in (OLD_PANEL, FULL_HD):
        page.set_viewport_size(size)
        expect(ruling_button(page, "Burn")).to_be_in_viewport(ratio=1)
        preview_ruling(page, "Burn")
        expect(page.locator(".rule .confirm")).to_be_in_viewport(ratio=1)
        assert page.evaluate(FITS)
        page.locator(".rule .leave").tap()
