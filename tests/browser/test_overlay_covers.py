"""While cards lie on the felt, the overlay leaves 78 % of the video and its middle third free."""

import tomllib
from collections.abc import Iterable

import pytest

from controller.config.overlay import COLUMNS, HIGH, ROWS, WIDE, OverlaySection
from controller.config.table_file import check
from controller.games import GAMES
from tests.browser.conftest import FULL_HD
from tests.browser.covered_shares import LAID, MOST, CoveredShares, covered_pixels
from tests.browser.layout_checks import EACH
from tests.browser.overlay_page import OverlayPage, table_after
from tests.browser.scenes import BETS, scenes

pytestmark = pytest.mark.proof

SMALL_HD = {"width": 1280, "height": 720}  # other usual size of a browser source
SIZES = {"full-hd": FULL_HD, "720p": SMALL_HD}
AGAIN = 6  # rounds played before, which fill the list of last results


def after_others(game: str, name: str) -> str:
    """Return the script of a state in a round that follows other rounds."""
    script, over = scenes(game)[name].script, scenes(game)["result"].script
    return script if game == "baccarat" else "; ".join([*[over] * AGAIN, script])


SEATED = [name for name, game in GAMES.items() if game.seats]


def placed(*centres: tuple[float, float]) -> OverlaySection:
    """Return the overlay's config with the badges of seven seats and the dealer at these centres."""
    section = OverlaySection(dict(zip([*(f"seat{number}" for number in range(1, 8)), "dealer"], centres, strict=True)))
    section.check(GAMES["blackjack"])
    return section


(TOP, ABOVE), (BELOW, BAR) = ROWS
SPREAD = [COLUMNS[0] + number * (COLUMNS[1] - COLUMNS[0]) / 7 for number in range(8)]
PLACED = {  # as near to the middle third as a config allows, and as far from it
    "near": placed(*((x, (ABOVE, BELOW)[number % 2]) for number, x in enumerate(SPREAD))),
    "far": placed(*((x, (TOP, BAR)[number % 2]) for number, x in enumerate(SPREAD))),
    "below": placed(*((x, BELOW) for x in SPREAD)),
}


def measured(on: OverlayPage, language: str, games: Iterable[str] = BETS) -> dict[tuple[str, str], CoveredShares]:
    """Return the covered shares by boxes, for each state of these games."""
    where = [(game, name) for game in games for name in scenes(game)]
    tables = {(game, name): table_after(game, after_others(game, name)) for game, name in where}
    pictures = [on.picture(tables[game, name], language, scenes(game)[name].after) for game, name in where]
    found = on.page.evaluate(EACH.replace("LOOK", LAID), [pictures])
    return {at: CoveredShares(*shares) for at, shares in zip(where, found, strict=True)}


def too_much(found: dict[tuple[str, str], CoveredShares]) -> dict[tuple[str, str], CoveredShares]:
    """Return the states that cover more than allowed: any of the middle, or too much while cards lie."""
    return {at: one for at, one in found.items() if one.middle > 0 or (one.lying and one.whole > MOST)}


@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
def test_lying_cards_keep_78_percent_and_the_middle_third_free(stage, size, language):
    found = measured(stage(SIZES[size]), language)
    assert sum(one.lying for one in found.values()) > len(found) / 2
    assert too_much(found) == {}


@pytest.mark.parametrize("where", PLACED)
def test_badges_placed_by_a_config_keep_the_middle_free(stage, where):
    assert too_much(measured(stage(overlay=PLACED[where]), "ro", SEATED)) == {}


def test_dragged_badges_make_a_config_the_table_takes(stage):
    on = stage(query="?arrange")
    on.show(table_after("blackjack", ""))
    box = on.page.locator("[data-place=seat3]").bounding_box()
    on.page.mouse.move(box["x"] + 9, box["y"] + 9)
    on.page.mouse.down()
    on.page.mouse.move(0.4 * 1920, 0.5 * 1080, steps=3)  # into the middle third, where no badge is allowed
    on.page.mouse.up()
    on.page.locator("[data-place=dealer]").press("ArrowLeft")
    config = check(tomllib.loads("game.name = 'blackjack'\n" + on.page.locator(".arrange textarea").input_value()))
    assert config.overlay.seats["seat3"] in ((40, ABOVE), (40, BELOW))
    assert len(config.overlay.seats) == 8
    again = stage(overlay=config.overlay)
    again.show(table_after("blackjack", scenes("blackjack")["deciding"].script), after=9)
    lies = again.page.locator("[data-place=seat3]").bounding_box()
    assert lies["x"] + lies["width"] / 2 == pytest.approx(0.4 * 1920, abs=1)
    assert (lies["width"] / 19.2, lies["height"] / 10.8) == pytest.approx((WIDE, HIGH), abs=0.1)


def test_pixels_confirm_the_shares_measured_by_boxes(stage, browser):
    on, beside = stage(), browser.new_page()
    for game in BETS:
        for name in ("result", "result-dwells"):  # `result-dwells` keeps the cards of `result`
            on.show(table_after(game, after_others(game, name)), after=2)
        shares, (whole, middle, lying) = covered_pixels(on.page, beside), on.page.evaluate(LAID)
        assert (shares.middle, middle, shares.lying, lying) == (0, 0, True, True)
        assert shares.whole == pytest.approx(whole, abs=0.01)
        assert shares.whole <= MOST
    beside.close()
