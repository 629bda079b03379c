"""Contrast of a theme's colours with white, by WCAG 2.2."""

import pytest

from controller.config.mistakes import BadConfig
from controller.config.theme import _check_colour, _luminance

KNOWN = {  # by the formula of WCAG 2.2
    "#000000": 0.0, "#ffffff": 1.0, "#ff0000": 0.2126, "#00FF00": 0.7152, "#0000ff": 0.0722, "#808080": 0.215861,
    "#0a0a0a": 0.003035, "#0b0b0b": 0.003347, "#767676": 0.181164,
}  # fmt: skip


@pytest.mark.parametrize("colour", KNOWN)
def test_the_luminance_of_a_colour_is_that_of_wcag(colour):
    assert _luminance(colour) == pytest.approx(KNOWN[colour], abs=1e-6)


def test_white_must_be_readable_on_each_colour_but_the_accent():
    _check_colour("ground", "#767676")  # 4.54
    with pytest.raises(BadConfig, match=r"^colours\.ground: .* \(contrast 4\.5\), got #777777 with 4\.5$"):
        _check_colour("ground", "#777777")  # 4.48
    _check_colour("accent", "#ffffff")
