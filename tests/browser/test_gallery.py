"""The sixty pictures: they look as they did when somebody last looked at them, and a part that moved is noticed."""

import pytest

from tests.browser.consoles import Console
from tests.browser.gallery import GALLERY, write
from tests.browser.grey import Grey, as_png, of_png, smaller, unlike
from tests.browser.layout import Box
from tests.browser.reference import KEPT, Drawn, differences, kept
from tests.browser.states import SIZES, seen


def test_what_is_kept_is_of_these_sixty_and_small():
    assert len(set(GALLERY)) == 60
    assert set(kept().looks) == {str(wanted) for wanted in GALLERY}
    assert sum(path.stat().st_size for path in KEPT.iterdir()) <= 500_000


@pytest.mark.proof
def test_the_pictures_look_as_they_did_when_somebody_last_looked_at_them(browser, tmp_path):
    assert differences(kept(), write(browser, tmp_path / "pictures")) == {}
    assert len(list(tmp_path.glob("pictures/sheet-*.png"))) == 5


CHANGES = {
    "moved": ".keys { translate: 0 -30px }",
    "gone": ".keys { visibility: hidden }",
    "come": "header::after { content: 'TRAINING'; font-size: 40px }",
    "larger": ".next h1 { font-size: 60px !important }",
    "another colour": ".key { background: #2f423b !important }",
}
UNCHANGED = {"softer": "* { -webkit-font-smoothing: auto; text-rendering: geometricPrecision }"}


@pytest.mark.proof
@pytest.mark.parametrize("change", [*CHANGES, *UNCHANGED])
def test_a_part_that_moved_or_is_gone_is_noticed_and_how_letters_are_smoothed_is_not(browser, tmp_path, change):
    context = browser.new_context(viewport=SIZES["full-hd"], reduced_motion="reduce")
    on = Console(context.new_page(), "dealer", "en", tmp_path)
    on.show(seen("baccarat", "dealing"))
    drawing = context.new_page()
    before = smaller(drawing, on.page.screenshot())
    on.page.add_style_tag(content={**CHANGES, **UNCHANGED}[change])
    now = smaller(drawing, on.page.screenshot())
    context.close()
    assert bool(unlike(of_png(as_png(before)), now)) == (change in CHANGES)


def test_with_other_fonts_it_is_compared_where_the_parts_of_a_page_lie_and_nothing_else():
    before = kept()
    black = {
        name: look._replace(grey=Grey(look.grey.wide, bytes(len(look.grey.pixels))))
        for name, look in before.looks.items()
    }
    other = {**before.by, "report": "Liberation Sans"}
    assert len(differences(before, before._replace(looks=black))) == 60
    assert differences(before, Drawn(other, black)) == {}
    name, look = next(iter(black.items()))
    part, edges = look.boxes[0]
    for boxes in (look.boxes[1:], [Box(part, tuple(edge + 30 for edge in edges)), *look.boxes[1:]]):
        assert [*differences(before, Drawn(other, {**black, name: look._replace(boxes=boxes)}))] == [name]
