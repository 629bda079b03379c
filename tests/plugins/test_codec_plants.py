"""Tests that `check_codec` reports each fault planted in a codec, and passes our own codecs."""

import re

import pytest

from controller.testing import check_codec
from drivers.shoes.angel_eye import ANGEL_EYE
from drivers.shoes.barcode import BARCODE
from drivers.shoes.bee_tek import BEE_TEK

from .codec_plants import PLANTS
from .numbered_codec import CAPTURE, ROUND, Right
from .plants import assert_reported, report_of
from .site import ROOT


@pytest.fixture
def capture(tmp_path):
    path = tmp_path / "round.hex"
    path.write_text(CAPTURE)
    return path


@pytest.mark.parametrize("name", PLANTS)
def test_a_fault_planted_in_a_codec_is_reported(name, capture):
    plant = PLANTS[name]
    assert_reported(report_of(check_codec, plant.makes, [capture], numbered=True), plant.expected, plant.change)


def test_a_damaged_telegram_is_shown_in_upper_case_hex(capture):
    report = report_of(check_codec, PLANTS["the check is not compared"].makes, [capture], numbered=True)
    lines = re.findall(r"^ +((?:[0-9A-F]{2} )*[0-9A-F]{2})(?:  # .*)?$", report, re.M)
    whole, damaged = map(bytes.fromhex, lines)
    assert sum((one ^ other).bit_count() for one, other in zip(whole, damaged, strict=True)) == 1


def test_the_codec_without_a_planted_fault_passes(capture):
    check_codec(Right, [capture], numbered=True)


def test_a_card_reported_as_another_is_found_by_its_name(capture):
    cards = [card for card in ROUND if card != "??"]
    check_codec(Right, [capture], numbered=True, cards=cards)
    report = report_of(check_codec, Right, [capture], numbered=True, cards=["2C", *cards[1:]])
    assert_reported(
        report,
        f"expected the cards 2C {' '.join(cards[1:])} in the captures, feed read 4S TH",
        "return CardRead only for a whole code",
    )


def test_a_codec_that_reads_without_a_check_says_so(capture):
    check_codec(PLANTS["the check is not compared"].makes, [capture], check_sum=False)


@pytest.mark.parametrize(
    ("model", "capture", "sees"),
    [
        (ANGEL_EYE, "angel_eye_round", {"numbered": True}),
        pytest.param(ANGEL_EYE, "angel_eye_reports", {}, marks=pytest.mark.proof),  # each report has its own number
        (BEE_TEK, "bee_tek_round", {"check_sum": False}),
        pytest.param(BEE_TEK, "bee_tek_lines", {"check_sum": False}, marks=pytest.mark.proof),
        (BARCODE, "barcode_round", {"check_sum": False}),
    ],
)
def test_our_own_codecs_pass(model, capture, sees):
    check_codec(model.codec, [ROOT / f"tests/captures/{capture}.hex"], **sees)
