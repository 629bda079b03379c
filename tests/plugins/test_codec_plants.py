"""Faults planted in a codec, each found by `check_codec` and told in a sentence; and our own codecs, without any."""

import pytest

from controller.testing import Broken, check_codec
from drivers.shoes.angel_eye import ANGEL_EYE
from drivers.shoes.barcode import BARCODE
from drivers.shoes.bee_tek import BEE_TEK

from .codec_plants import PLANTS
from .numbered_codec import CAPTURE, Right
from .site import ROOT


@pytest.fixture
def capture(tmp_path):
    path = tmp_path / "round.hex"
    path.write_text(CAPTURE)
    return path


@pytest.mark.parametrize("name", PLANTS)
def test_a_fault_planted_in_a_codec_is_told(name, capture):
    plant = PLANTS[name]
    with pytest.raises(Broken) as broken:
        check_codec(plant.makes, [capture], numbered=True)
    said = str(broken.value)
    assert said.startswith(plant.expected)
    assert f"\nto change: {plant.change}" in said


def test_the_codec_without_a_planted_fault_passes(capture):
    check_codec(Right, [capture], numbered=True)


def test_a_codec_that_reads_without_a_check_says_so(capture):
    check_codec(PLANTS["the check is not compared"].makes, [capture], check_sum=False)


@pytest.mark.parametrize(
    ("model", "capture", "sees"),
    [
        (ANGEL_EYE, "angel_eye_round", {"numbered": True}),
        (ANGEL_EYE, "angel_eye_reports", {}),  # each by itself, with a number of its own
        (BEE_TEK, "bee_tek_round", {"check_sum": False}),
        (BEE_TEK, "bee_tek_lines", {"check_sum": False}),
        (BARCODE, "barcode_round", {"check_sum": False}),
    ],
)
def test_our_own_codecs_pass(model, capture, sees):
    check_codec(model.codec, [ROOT / f"tests/captures/{capture}.hex"], **sees)
