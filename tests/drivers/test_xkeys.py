"""The XK-24 codec against the vendor's published data report (see the captures)."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import Garbage, PanelEvent, Pressed, Released
from drivers.models import UnknownModel
from drivers.panels import PANELS, Colour, Light, panel_codec, xkeys_reports
from drivers.panels.xkeys import XK24
from drivers.panels.xkeys_models import XK_24
from drivers.panels.xkeys_reports import Descriptor, KeyReport

CAPTURES = Path(__file__).parent.parent / "captures"
KEYS = XK_24.keys
KEY_SETS = st.frozensets(st.sampled_from(KEYS))


def capture(name: str) -> list[tuple[bytes, str]]:
    lines = (CAPTURES / name).read_text().splitlines()
    assert lines[0].startswith("# ")
    split = (line.split("  # ") for line in lines if not line.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning in split]


def events_text(events: list[PanelEvent]) -> str:
    words = [
        "garbage" if isinstance(event, Garbage) else f"{type(event).__name__.lower()} {event.key} at {event.at_ms}"
        for event in events
    ]
    return ", ".join(words) or "nothing"


def listening(*held: int) -> XK24:
    codec = XK24()
    codec.connected()
    codec.feed(KeyReport(frozenset(held), 0, answer=True).build())
    return codec


def test_a_session_reads_as_the_vendor_describes_it():
    codec = XK24()
    codec.connected()
    for report, meaning in capture("xk24_keys.hex"):
        assert events_text(codec.feed(report)) == meaning.split(":")[0]


@pytest.mark.parametrize(("report", "meaning"), capture("xk24_other_reports.hex"))
def test_other_kinds_of_report_are_no_keys(report, meaning):
    codec = listening()
    assert codec.feed(report) == []
    assert codec.feed(KeyReport(frozenset(), 1).build()) == [], meaning


@pytest.mark.parametrize(("report", "meaning"), capture("xk24_garbage.hex"))
def test_what_cannot_be_read_is_garbage_and_moves_no_key(report, meaning):
    codec = listening(5)
    (event,) = codec.feed(report)
    assert isinstance(event, Garbage), meaning
    assert event.raw == report
    assert codec.feed(KeyReport(frozenset({5}), 1).build()) == []


def encoded(meaning: str) -> bytes:
    match meaning.split():
        case ["backlight", key, light, colour]:
            return xkeys_reports.backlight(int(key), Light[light.upper()], Colour(colour))
        case [name]:
            return getattr(xkeys_reports, name)()


@pytest.mark.parametrize(("report", "meaning"), capture("xk24_output.hex"))
def test_output_reports_are_those_of_the_vendor(report, meaning):
    assert encoded(meaning) == report


def test_a_key_held_while_plugging_in_is_no_press():
    codec = XK24()
    codec.connected()
    assert codec.feed(KeyReport(frozenset({9}), 20, answer=True).build()) == []
    assert codec.feed(KeyReport(frozenset({9, 10}), 30).build()) == [Pressed(10, 30)]
    assert codec.feed(KeyReport(frozenset({10}), 40).build()) == [Released(9, 40)]
    assert codec.feed(KeyReport(frozenset({9, 10}), 50).build()) == [Pressed(9, 50)]


def test_the_first_report_after_connecting_is_never_a_press():
    codec = XK24()
    codec.connected()
    assert codec.feed(KeyReport(frozenset({9}), 20).build()) == []


def test_a_reconnect_forgets_the_keys():
    codec = listening()
    codec.feed(KeyReport(frozenset({9}), 20).build())
    codec.connected()
    assert codec.feed(KeyReport(frozenset({9}), 5, answer=True).build()) == []


def test_an_answer_releases_but_never_presses():
    codec = listening(9)
    assert codec.feed(KeyReport(frozenset({10}), 20, answer=True).build()) == [Released(9, 20)]


def test_after_a_connect_the_state_is_asked_for():
    assert XK24().connected() == [xkeys_reports.generate_data()]


@given(st.binary(max_size=70))
def test_random_bytes_are_never_a_press(report):
    codec = XK24()
    for event in codec.feed(report) + codec.feed(report):
        assert not isinstance(event, Pressed)


@given(st.lists(KEY_SETS, max_size=20))
def test_presses_and_releases_track_the_keys_held_down(states):
    codec, down = listening(), set()
    for at_ms, state in enumerate(states):
        for event in codec.feed(KeyReport(state, at_ms).build()):
            (down.add if isinstance(event, Pressed) else down.remove)(event.key)
        assert down == state


@given(KEY_SETS, st.integers(0, 2**32 - 1), st.integers(0, 255), st.booleans(), st.booleans())
def test_a_key_report_is_parsed_as_it_was_built(keys, at_ms, unit, switch, answer):
    report = KeyReport(keys, at_ms, unit, switch, answer)
    assert KeyReport.parse(report.build()) == report


def test_the_descriptor_is_kept():
    codec = listening()
    codec.feed(capture("xk24_other_reports.hex")[0][0])
    assert codec.descriptor == Descriptor(product=0x0405, version=12, mode=0)


def test_an_xk24_has_4_columns_of_6_keys():
    assert KEYS == (0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29)


@pytest.mark.parametrize("key", [-1, 6, 7, 14, 30, 32])
def test_a_key_that_is_not_there_has_no_light(key):
    with pytest.raises(xkeys_reports.NoSuchKey, match=f"got {key}"):
        xkeys_reports.backlight(key, Light.ON, Colour.BLUE)


@pytest.mark.parametrize("command", [0xBD, 0xC7, 0xCC, 0xC3, 0xC0])
def test_commands_that_write_the_memory_are_refused(command):
    with pytest.raises(xkeys_reports.ReportRefused, match="memory"):
        XK24.checked(bytes([command]).ljust(35, b"\0"))


def test_only_known_commands_are_sent():
    allowed = set()
    for command in range(256):
        with suppress(xkeys_reports.ReportRefused):
            allowed.add(XK24.checked(bytes([command]).ljust(35, b"\0"))[0])
    assert allowed == {0xB1, 0xB5, 0xD6}


def test_an_output_report_has_35_bytes():
    with pytest.raises(xkeys_reports.ReportRefused, match="expected an output report of 35 bytes, got 1"):
        XK24.checked(b"\xb1")


@pytest.mark.parametrize("product", [0x0405, 0x0403])
def test_a_panel_that_reports_keys_serves(product):
    assert XK24().matches(0x05F3, product)
    assert XK24().refusal(product) is None


@pytest.mark.parametrize("product", [0x0404, 0x04E1])
def test_a_panel_in_hardware_mode_is_refused_with_advice(product):
    assert XK24().matches(0x05F3, product)
    reason = XK24().refusal(product)
    assert reason.startswith("panel in hardware mode")
    assert f"05F3:{product:04X}" in reason
    assert "set the product id back" in reason


@pytest.mark.parametrize(("vendor", "product"), [(0x05F3, 0x0441), (0x0FD9, 0x0405)])
def test_other_usb_ids_do_not_match(vendor, product):
    assert not XK24().matches(vendor, product)


def test_an_unknown_model_names_the_known_ones():
    with pytest.raises(UnknownModel, match=r"unknown panel model 'xk25': expected one of stream_deck, .*, xk80;"):
        panel_codec("xk25")


def test_a_package_adds_a_model_through_its_entry_point(tmp_path, monkeypatch):
    info = tmp_path / "felt-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: felt\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablectl.panels]\nfelt9 = felt:Felt9\n")
    (tmp_path / "felt.py").write_text("from drivers.panels.xkeys import XK24\nclass Felt9(XK24): name = 'Felt 9'\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert panel_codec("felt9").name == "Felt 9"
    with pytest.raises(UnknownModel, match=r"felt9, stream_deck, .*, xk80"):
        panel_codec("felt10")


def test_each_panel_has_its_own_codec():
    assert panel_codec("xk24") is not panel_codec("xk24")
    assert all(factory().keys for factory in PANELS.values())
