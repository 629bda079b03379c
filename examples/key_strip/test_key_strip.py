"""The strip, from what it was heard to say, and the tower."""

from pathlib import Path

from key_strip import STRIP, TOWER, KeyStrip, LightTower

from controller.testing import check_beacon, check_panel

KEYS = Path(__file__).with_name("keys.hex")


def test_the_strip_keeps_the_rules_of_a_panel():
    check_panel(KeyStrip, [KEYS], usb=STRIP, report_id=1, pressed=(0, 3, 7, 5))


def test_the_tower_keeps_the_rules_of_a_beacon():
    check_beacon(LightTower, usb=TOWER)
