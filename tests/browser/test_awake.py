"""Screens of dealers and signed-in shift managers hold a wake lock, so that they do not go dark."""

from playwright.sync_api import expect

from tests.browser.people import expect_signed_in, sign_in
from tests.patience import eventually

LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = new EventTarget();
  window.locks += 1;
  window.lock = lock;
  lock.release = () => { window.locks -= 1; lock.dispatchEvent(new Event("release")); };
  return lock;
} } });
"""


SLOW_LOCKS = LOCKS.replace("const lock", "await new Promise((done) => { window.answer = done; });\n  const lock")


def test_a_lock_that_comes_late_is_given_up_at_once(hall, visit):
    page = visit(hall().page("manager")).page
    page.evaluate(SLOW_LOCKS)
    sign_in(page, "anna")
    expect_signed_in(page)
    page.locator(".out").tap()
    expect(page.locator(".gate")).to_be_visible()
    page.evaluate("window.answer()")
    eventually(lambda: page.evaluate("window.locks") == 0)


def test_the_screen_stays_lit_while_somebody_is_signed_in(hall, visit):
    page = visit(hall().page("manager")).page
    page.evaluate(LOCKS)
    sign_in(page, "anna")
    expect_signed_in(page)
    eventually(lambda: page.evaluate("window.locks") == 1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.locks") == 1
    page.locator(".out").tap()
    eventually(lambda: page.evaluate("window.locks") == 0)


def test_a_lock_taken_back_by_the_pc_is_asked_again(hall, visit):
    table = hall()
    page = visit(table.page("dealer")).page
    page.evaluate(LOCKS)
    for command in ("open", "close"):
        table.say(command)  # the page receives a new screen
        eventually(lambda: page.evaluate("window.locks") == 1)
        page.evaluate("window.lock.release()")
