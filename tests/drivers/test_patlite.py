"""LR6-USB codec against the layout that the vendor published (see the captures)."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.beacons import BEACONS, DARK, Light, Signal, Sound, beacon_codec, patlite
from drivers.beacons.patlite import LR6USB, Command
from drivers.events import Garbage
from drivers.models import UnknownModel

CAPTURES = Path(__file__).parent.parent / "captures"
SIGNALS = st.builds(Signal, *[st.sampled_from(Light)] * 5, st.sampled_from(Sound))


def capture(name: str) -> list[tuple[bytes, str]]:
    lines = (CAPTURES / f"lr6_usb_{name}.hex").read_text().splitlines()
    assert lines[0].startswith("# computed from ")
    split = (line.split("  # ") for line in lines if not line.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning in split]


def signal(meaning: str) -> Signal:
    """Return the signal that a text such as `red flash, sound call` describes."""
    shown = DARK
    for part in meaning.split(", ") if meaning != "dark" else ():
        name, word = part.split()
        shown = replace(shown, **{name: (Sound if name == "sound" else Light)(word)})
    return shown


@pytest.mark.parametrize(("report", "meaning"), capture("commands"))
def test_commands_are_those_of_the_vendor(report, meaning):
    assert LR6USB().show(signal(meaning)) == report
    assert LR6USB().checked(report) == report


@pytest.mark.parametrize(("report", "meaning"), capture("partial"))
def test_a_partial_command_is_never_sent(report, meaning):
    assert Command.parse(report).build() == report
    with pytest.raises(patlite.UnsafeCommand, match="expected a command that sets the whole tower"):
        LR6USB().checked(report)


@pytest.mark.parametrize(("report", "meaning"), capture("refused"))
def test_what_is_no_command_is_never_sent(report, meaning):
    with pytest.raises(patlite.UnsafeCommand, match="expected a command "):
        LR6USB().checked(report)


@given(SIGNALS)
def test_every_signal_has_its_own_allowed_command(shown):
    report = LR6USB().show(shown)
    assert LR6USB().checked(report) == report
    assert Command.parse(report).build() == report


def test_no_two_signals_share_a_command():
    singles = [replace(DARK, **{tier: light}) for tier in DARK.__slots__ if tier != "sound" for light in Light]
    sounds = [replace(DARK, sound=sound) for sound in Sound]
    shown = {*singles, *sounds}
    assert len({LR6USB().show(one) for one in shown}) == len(shown) == 5 * 3 + 2 + 1


def test_an_lr6_is_recognised_by_its_usb_ids():
    assert LR6USB().matches(0x191A, 0x8003)
    assert not LR6USB().matches(0x191A, 0x6001)
    assert not LR6USB().matches(0x05F3, 0x8003)
    assert LR6USB().refusal(0x8003) is None


def test_any_report_from_an_lr6_is_garbage():
    assert LR6USB().connected() == []
    assert LR6USB().feed(b"\x01\x02") == [
        Garbage(b"\x01\x02", "expected no report, an LR6-USB is not known to send any")
    ]


def test_an_unknown_model_names_the_known_ones():
    with pytest.raises(
        UnknownModel, match=r"unknown beacon model 'lr5': expected one of blink1, lr6_usb, ne_usb; correct \[beacon\]"
    ):
        beacon_codec("lr5")


def test_a_package_adds_a_model_through_its_entry_point(tmp_path, monkeypatch):
    info = tmp_path / "pole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablectl.beacons]\npole3 = pole:Pole3\n")
    (tmp_path / "pole.py").write_text(
        "from drivers.beacons.patlite import LR6USB\nclass Pole3(LR6USB): name = 'Pole 3'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert beacon_codec("pole3").name == "Pole 3"
    with pytest.raises(UnknownModel, match="blink1, lr6_usb, ne_usb, pole3"):
        beacon_codec("pole4")


def test_each_beacon_has_its_own_codec():
    assert all(factory() is not factory() for factory in BEACONS.values())
