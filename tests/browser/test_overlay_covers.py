"""What the overlay leaves of the video: where cards lie on the felt, they can be seen."""

import pytest

from tests.browser.conftest import FULL_HD
from tests.browser.covered import LAID, MOST, Covered, drawn
from tests.browser.looking import EACH
from tests.browser.scenes import BETS, scenes
from tests.browser.stage import Stage, table_after

SMALL_HD = {"width": 1280, "height": 720}  # the other usual size of a browser source
SIZES = {"full-hd": FULL_HD, "720p": SMALL_HD}
AGAIN = 6  # rounds before, so that the list of last results is full


def after_others(game: str, name: str) -> str:
    """Script of a state, in a round that follows others."""
    script, over = scenes(game)[name].script, scenes(game)["result"].script
    return script if game == "baccarat" else "; ".join([*[over] * AGAIN, script])


def measured(on: Stage, language: str) -> dict[tuple[str, str], Covered]:
    """Boxes of every game in every state."""
    where = [(game, name) for game in BETS for name in scenes(game)]
    tables = {(game, name): table_after(game, after_others(game, name)) for game, name in where}
    pictures = [on.picture(tables[game, name], language, scenes(game)[name].after) for game, name in where]
    found = on.page.evaluate(EACH.replace("LOOK", LAID), [pictures])
    return {at: Covered(*shares) for at, shares in zip(where, found, strict=True)}


@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
def test_lying_cards_keep_78_percent_and_the_middle_third_free(stage, size, language):
    found = measured(stage(SIZES[size]), language)
    assert sum(one.lying for one in found.values()) > len(found) / 2
    assert {at: one for at, one in found.items() if one.middle > 0 or (one.lying and one.whole > MOST)} == {}


def test_pixels_confirm_what_boxes_say(stage, browser):
    on, beside = stage(), browser.new_page()
    for game in BETS:
        for name in ("result", "result-dwells"):  # which keeps the cards that it has shown
            on.show(table_after(game, after_others(game, name)), after=2)
        seen, (whole, middle, lying) = drawn(on.page, beside), on.page.evaluate(LAID)
        assert (seen.middle, middle, seen.lying, lying) == (0, 0, True, True)
        assert seen.whole == pytest.approx(whole, abs=0.01)
        assert seen.whole <= MOST
    beside.close()
