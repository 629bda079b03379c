"""Tests that docs/devices.md and the protocol pages say whether a model was tried on a real device."""

import re
import sys
from pathlib import Path

import pytest

from drivers.beacons import BEACONS
from drivers.panels import PANELS
from drivers.shoes import SHOES, shoe_model
from drivers.tried_models import TRIED

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.endswith(("| never |", "| yes |"))]
MAKERS = {**PANELS, **BEACONS, **{name: shoe_model(name).makes for name in SHOES}}


@pytest.mark.parametrize("model", [*MAKERS, "keyboard", "serial"])  # the last two: badge readers
def test_the_devices_page_says_whether_a_model_was_tried(model):
    (row,) = (row for row in ROWS if f"`{model}`" in row.split("|")[3])
    assert row.endswith("| yes |" if model in TRIED else "| never |")


@pytest.mark.parametrize("model", sorted(set(MAKERS) - TRIED))
def test_the_protocol_page_of_an_untried_model_says_so(model):
    page = " ".join(sys.modules[MAKERS[model].__module__].__doc__.split())
    assert re.search("ever tried on a real ", page)
