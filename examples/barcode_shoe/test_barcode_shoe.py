"""The reader, from what it was heard to say."""

from pathlib import Path

from barcode_shoe import MODEL

from controller.testing import check_codec

ROUND = Path(__file__).with_name("round.hex")


def test_the_reader_keeps_the_rules_of_a_driver():
    check_codec(MODEL.codec, [ROUND])
