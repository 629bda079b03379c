"""X-keys models other than the XK-24: their keys, lamps and reports (see the captures), also emulated."""

import asyncio
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import Found, Pressed, Released
from drivers.panels import PANELS, Colour, Light, panel_codec
from drivers.panels.xkeys_models import MODELS, XK_16, XK_24, XK_60, XK_80, Model
from drivers.panels.xkeys_reports import KeyReport, NoSuchKey
from drivers.usb_link import UsbLink
from tests.drivers.host import FAST
from tests.drivers.test_xkeys import capture, events_text
from tests.patience import PATIENCE

RULES = Path(__file__).parents[2] / "systemd" / "70-tablectl.rules"
OTHERS = ("xk16", "xk60", "xk80")
EACH = pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])


@pytest.mark.parametrize("name", OTHERS)
def test_a_session_reads_as_it_is_described(name):
    codec = panel_codec(name)
    codec.connected()
    for report, meaning in capture(f"{name}_keys.hex"):
        assert events_text(codec.feed(report)) == meaning.split(":")[0]


@pytest.mark.parametrize("name", OTHERS)
def test_lamps_go_by_the_numbers_of_the_model(name):
    codec = panel_codec(name)
    for report, meaning in capture(f"{name}_output.hex"):
        _, key, light, colour = meaning.split()
        assert codec.backlight(int(key), Light[light.upper()], Colour(colour)) == report
        assert codec.checked(report) == report


@pytest.mark.parametrize("report", [b"", bytes(31), bytes(33), bytes([0, 4]).ljust(32, b"\0"), b"\xff" * 32])
@pytest.mark.parametrize("name", OTHERS)
def test_what_cannot_be_read_is_garbage_and_moves_no_key(name, report):
    codec = panel_codec(name)
    codec.connected()
    codec.feed(KeyReport(frozenset({0}), 0, answer=True).build(codec.model))
    assert events_text(codec.feed(report)) == "garbage"
    assert codec.feed(KeyReport(frozenset({0}), 1).build(codec.model)) == []


@EACH
@given(data=st.data())
def test_a_key_report_is_parsed_as_it_was_built(model: Model, data):
    keys, yes = data.draw(st.frozensets(st.sampled_from(model.keys))), st.booleans()
    report = KeyReport(keys, data.draw(st.integers(0, 2**32 - 1)), 7, data.draw(yes), data.draw(yes))
    for variant in model.variants:
        assert KeyReport.parse(report.build(model, variant.report_bytes), model) == report


@pytest.mark.parametrize(
    ("model", "columns", "keys"),
    [
        (XK_80, "01 00 00 00 00 00 00 00 00 80", {0, 79}),
        (XK_60, "00 02 00 00 00 00 00 00 00 00", {9}),
        (XK_24, "20 00 00 01", {5, 24}),
        (XK_16, "09 00 02 00", {0, 12, 6}),
    ],
)
def test_an_android_report_reads_as_the_vendor_has_it(model, columns, keys):
    head = bytes.fromhex(f"05 02 {columns} 17")  # unit id, an answer, columns, locks with restart and program switch
    report = head.ljust(31, b"\0") + bytes.fromhex("00 01 E2 40 03")  # the clock, the number of restarts
    assert KeyReport.parse(report, model) == KeyReport(frozenset(keys), 123456, 5, program_switch=True, answer=True)


def test_an_android_descriptor_is_read():
    report = bytes.fromhex("05 D6 03 40 82 0B 80 0A 08 40 01 C4 04").ljust(36, b"\0")
    codec = panel_codec("xk80")
    assert codec.feed(report) == []
    assert (codec.descriptor.product, codec.descriptor.columns, codec.descriptor.rows) == (0x04C4, 10, 8)


@pytest.mark.parametrize(
    ("product", "what"),
    [
        (0x0441, "an XK-80"),
        (0x04E2, "an XK-80"),
        (0x04D3, "an X-keys device of another kind"),
        (0x0405, None),
        (0x049C, None),
        (0x0081, None),
    ],
)
def test_the_vendors_other_panels_are_named(product, what):
    assert panel_codec("xk24").relative(0x05F3, product) == what
    assert panel_codec("xk24").relative(0x05F4, product) is None


def test_each_model_has_its_keys():
    assert {model.name: len(model.keys) for model in MODELS} == {"XK-24": 24, "XK-80": 80, "XK-60": 60, "XK-16": 16}
    assert XK_16.keys == tuple(range(16))
    assert set(range(80)) - set(XK_60.keys) == {*range(2, 80, 8), *range(19, 24), *range(59, 64)}


@EACH
def test_every_key_and_colour_has_its_own_lamp(model: Model):
    lamps = {model.lamp(key, colour) for key in model.keys for colour in Colour}
    assert len(lamps) == len(model.keys) * (2 if model.red_bank else 1)
    assert max(lamps) <= 0xFF


def test_no_two_models_go_by_one_product_id():
    ids = [product for model in MODELS for product in model.products + model.hardware_mode]
    assert len(ids) == len(set(ids))
    for name in (*OTHERS, "xk24"):
        codec = PANELS[name]()
        assert [product for product in ids if codec.matches(0x05F3, product)] == [
            *codec.model.products,
            *codec.model.hardware_mode,
        ]


@pytest.mark.parametrize("name", ["xk24", *OTHERS])
def test_the_services_group_gets_every_product_id_of_a_model(name):
    (line,) = (line for line in RULES.read_text().splitlines() if f'SYMLINK+="table/{name}"' in line)
    (patterns,) = re.findall(r'ATTR\{idProduct\}=="([^"]+)"', line)
    model = PANELS[name].model
    ids = {f"{number:04x}" for number in range(2**16) if _fits(f"{number:04x}", patterns)}
    assert ids == {f"{product:04x}" for product in model.products + model.hardware_mode}


def _fits(number: str, patterns: str) -> bool:
    return any(fnmatchcase(number, pattern) for pattern in patterns.split("|"))


@pytest.mark.parametrize(("name", "product"), [("xk16", 0x041A), ("xk60", 0x04E6), ("xk80", 0x0442), ("xk80", 0x04C2)])
def test_a_panel_in_hardware_mode_is_refused_with_advice(name, product):
    codec = panel_codec(name)
    reporting = codec.model.variant(product).products[0]
    assert codec.refusal(reporting) is None
    reason = codec.refusal(product)
    assert reason.startswith(f"panel in hardware mode: an {codec.name} with USB id 05F3:{product:04X} ")
    assert f"expected 05F3:{reporting:04X}; set the product id back" in reason


def test_a_key_that_is_not_there_has_no_light():
    with pytest.raises(NoSuchKey, match=r"expected a key of an XK-60 \(0, 1, 3, .*\), got 2: correct"):
        panel_codec("xk60").backlight(2, Light.ON, Colour.BLUE)


@pytest.mark.parametrize("name", OTHERS)
def test_the_link_hears_the_last_key_and_lights_it(name):
    async def play():
        bus, news = EmulatedUsbBus(), asyncio.Queue()
        codec = panel_codec(name)
        panel = EmulatedXK24(bus, model=codec.model)
        last = codec.keys[-1]
        link = UsbLink(codec, news.put_nowait, backend=bus, timing=FAST)
        link.start()
        panel.plug()
        try:
            assert await asyncio.wait_for(news.get(), PATIENCE) == Found("usb at 1-1")
            panel.tap(last)
            moved = [await asyncio.wait_for(news.get(), PATIENCE) for _ in range(2)]
            assert [(type(one), one.key) for one in moved] == [(Pressed, last), (Released, last)]
            link.send(codec.backlight(last, Light.FLASH, Colour.RED))
        finally:
            await link.stop()
        shown = Colour.RED if codec.model.red_bank else Colour.BLUE
        assert panel.lights == {(last, shown): Light.FLASH}
        assert panel.strange == []

    asyncio.run(play())
