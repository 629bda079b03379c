"""The pages look as in the accepted pictures; the comparison notices a part that has moved."""

from contextlib import closing

import pytest

from tests.browser import gallery
from tests.browser.consoles import ConsolePage
from tests.browser.gallery import GALLERY, drawn, write
from tests.browser.grey_pictures import GreyPicture, as_png, difference, of_png, shrink
from tests.browser.layout import Box
from tests.browser.reference import KEPT, DrawnLooks, accepted_looks, differences
from tests.browser.states import SIZES, page_state

pytestmark = pytest.mark.proof


def test_kept_pictures_match_the_gallery_and_are_small():
    assert len(set(GALLERY)) == 72
    assert set(accepted_looks().looks) == {str(spec) for spec in GALLERY}
    assert sum(path.stat().st_size for path in KEPT.iterdir()) <= 500_000


def test_the_pictures_look_as_they_did_when_last_accepted(browser):
    with closing(browser.new_page()) as page:
        assert differences(accepted_looks(), drawn(browser, page)[1]) == {}


def test_pictures_are_written_with_their_contact_sheets(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "GALLERY", GALLERY[:3])
    monkeypatch.setattr(gallery, "SHEET", 2)
    write(browser, tmp_path / "pictures")
    written = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert written == {*(f"{spec}.png" for spec in GALLERY[:3]), "sheet-1.png", "sheet-2.png"}


CHANGES = {
    "moved": ".keys { translate: 0 -30px }",
    "gone": ".keys { visibility: hidden }",
    "come": "header::after { content: 'TRAINING'; font-size: 40px }",
    "larger": ".next h1 { font-size: 60px !important }",
    "another colour": ".key { background: #2f423b !important }",
}
UNCHANGED = {"softer": "* { -webkit-font-smoothing: auto; text-rendering: geometricPrecision }"}


def test_a_moved_part_is_noticed_and_smoother_letters_are_not(browser, tmp_path):
    with closing(browser.new_context(viewport=SIZES["full-hd"], reduced_motion="reduce")) as context:
        on, drawing = ConsolePage(context.new_page(), "dealer", "en", tmp_path), context.new_page()
        on.show(page_state("baccarat", "dealing"))
        before = of_png(as_png(shrink(drawing, on.page.screenshot())))
        for change, style in {**CHANGES, **UNCHANGED}.items():
            changed = on.page.add_style_tag(content=style)
            now = shrink(drawing, on.page.screenshot())
            assert bool(difference(before, now)) == (change in CHANGES), change
            changed.evaluate("one => one.remove()")


def test_with_other_fonts_only_the_layout_is_compared():
    before = accepted_looks()
    black = {
        name: look._replace(grey=GreyPicture(look.grey.wide, bytes(len(look.grey.pixels))))
        for name, look in before.looks.items()
    }
    other = {**before.by, "report": "Liberation Sans"}
    assert len(differences(before, before._replace(looks=black))) == 72
    assert differences(before, DrawnLooks(other, black)) == {}
    name, look = next(iter(black.items()))
    part, edges = look.boxes[0]
    for boxes in (look.boxes[1:], [Box(part, tuple(edge + 30 for edge in edges)), *look.boxes[1:]]):
        assert [*differences(before, DrawnLooks(other, {**black, name: look._replace(boxes=boxes)}))] == [name]
