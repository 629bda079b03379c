"""Faces of a Stream Deck's keys: text and symbol for keys that may be pressed now, the others dark."""

from io import BytesIO
from typing import get_args

import pytest
from msgspec.structs import replace
from PIL import Image, ImageColor

from controller.config.panel_keys import USUAL
from controller.core.events import Key
from controller.core.life import STATES
from controller.outputs import faces
from controller.outputs.faces import (
    ASIDE,
    BLACK,
    CALL,
    CALLED,
    STEP,
    Faces,
    KeyFace,
    draw_face,
    encode_picture,
    plain_picture,
)
from controller.outputs.keys import KeyLights, keys_of, lights
from controller.outputs.symbols import draw_symbol
from controller.text.faults import LANGUAGES, Words
from controller.text.keys import KEYS
from drivers.emulators.stream_deck import EmulatedStreamDeck
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import Found
from drivers.panels import Form, Light, panel_codec
from drivers.panels.stream_deck_models import MODELS
from tests.outputs.test_outputs import BACCARAT, READY, table

ACTS: tuple[Key, ...] = get_args(Key)
CORNERS = {"red": (0, 0), "green": (1, 0), "blue": (0, 1), "white": (1, 1)}  # places in an upright picture


def corners(image: Image.Image) -> dict[str, tuple[int, int]]:
    """Return in which corner of an image each colour is."""
    far = image.width - 4
    at = {(x, y): image.convert("RGB").getpixel((x * far + 2, y * far + 2)) for x in (0, 1) for y in (0, 1)}
    return {
        colour: min(at, key=lambda place: sum(map(abs, map(int.__sub__, at[place], ImageColor.getrgb(colour)))))
        for colour in CORNERS
    }


def with_corners(side: int) -> Image.Image:
    """Return a square image with one colour in each corner."""
    image = plain_picture(side, BLACK)
    for colour, (x, y) in CORNERS.items():
        image.paste(colour, (x * side // 2, y * side // 2, (x + 1) * side // 2, (y + 1) * side // 2))
    return image


@pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
def test_a_picture_is_written_as_the_model_wants_it(model):
    form = model.form
    image = Image.open(BytesIO(encode_picture(with_corners(form.pixels), form)))
    assert (image.format, image.size, image.mode) == (form.format, (form.pixels,) * 2, "RGB")
    lies = {
        "Stream Deck Mini": {"red": (0, 0), "green": (0, 1), "blue": (1, 0), "white": (1, 1)},  # mirrored diagonally
        "Stream Deck +": CORNERS,
    }
    half_turned = {"red": (1, 1), "green": (0, 1), "blue": (1, 0), "white": (0, 0)}
    assert corners(image) == lies.get(model.name, half_turned)


def test_a_bmp_is_24_bit_and_bottom_up():
    data = encode_picture(plain_picture(80, "#123456"), Form(80, "BMP"))
    size = (54 + 3 * 80 * 80).to_bytes(4, "little")
    assert data[:30] == b"BM" + size + bytes(4) + bytes.fromhex("36000000 28000000 50000000 50000000 0100 1800")
    assert data[54:57] == bytes.fromhex("563412")


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    parts = [value / 255 for value in ImageColor.getrgb(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("paint", [STEP, ASIDE, CALL, CALLED])
def test_key_texts_have_wcag_aaa_contrast(paint):
    assert contrast(paint.ink, paint.ground) >= 7


def test_the_due_key_or_the_called_managers_is_brightest():
    """The key of the next step, and the manager's key once called, are five times as bright as others."""
    assert luminance(STEP.ground) > 5 * luminance(ASIDE.ground)
    assert luminance(STEP.ground) > 5 * luminance(CALL.ground)
    assert luminance(CALLED.ground) > 5 * luminance(CALL.ground)


def test_every_key_has_words_and_a_symbol_of_its_own():
    assert set(KEYS) == set(ACTS)
    assert len({draw_symbol(act).tobytes() for act in ACTS}) == len(ACTS)
    for language in LANGUAGES:
        assert len({Words(language).say(text) for text in KEYS.values()}) == len(ACTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_key_texts_fit_and_stay_legible(language, monkeypatch):
    sizes = []
    monkeypatch.setattr(faces, "_font", lambda size, font=faces._font: sizes.append(size) or font(size))
    for act in ACTS:
        text = Words(language).say(KEYS[act])
        face = draw_face(KeyFace(act), text, 72)
        rim = [face.getpixel((x, y))[:3] for y in range(38, 60) for x in (3, 68)]
        ground = ImageColor.getrgb(faces._paint(KeyFace(act)).ground)
        assert all(sum(map(abs, map(int.__sub__, at, ground))) < 60 for at in rim), text
    assert min(sizes) >= 72 * faces.FINER * 0.13


def test_stop_keys_lie_in_the_last_row_on_every_model():
    for model in MODELS:
        name = next(name for name in USUAL if name in PANELS_BY_MODEL and PANELS_BY_MODEL[name] is model)
        usual = USUAL[name]
        assert len(set(usual.values())) == len(usual)
        assert set(usual.values()) <= set(model.keys)
        calls = {usual[act] for act in ("dropped", "exposed", "manager")}
        assert {key // model.columns for key in calls} == {model.rows - 1}
        assert not {key // model.columns for key in set(usual.values()) - calls} & {model.rows - 1} or model.rows == 2


PANELS_BY_MODEL = {name: panel_codec(name).model for name in USUAL if name.startswith("stream_deck")}


# ── on a deck ────────────────────────────────────────────────────────────────────────────────────────────────────────


class PluggedStreamDeck:
    """Plugged-in Stream Deck with the lights of its keys."""

    def __init__(self, name: str = "stream_deck", language: str = "en") -> None:
        codec = panel_codec(name)
        self.bindings, self.sent = USUAL[name], []
        self.deck = EmulatedStreamDeck(EmulatedUsbBus(), model=codec.model)
        self.lights = KeyLights(keys_of(codec, language), self.bindings, self.send)
        self.lights.hear(Found("usb at 1-1"))

    def send(self, report: bytes) -> None:
        self.sent.append(report)
        self.deck.take_report(report)

    def shows(self, state=READY, halted=None) -> set[str]:
        """Show this state; return the keys that are bright then."""
        self.sent.clear()
        self.lights.show(table(state, halted=halted), [])
        return self.seen

    @property
    def seen(self) -> set[str]:
        """Keys that are bright now."""
        return {act for act, key in self.bindings.items() if is_bright(self.deck.pictures[key])}


def is_bright(data: bytes) -> bool:
    """Return True if a key's picture has a bright pixel."""
    return max(high for _, high in Image.open(BytesIO(data)).getextrema()) > 100


@pytest.mark.parametrize("name", ["stream_deck", "stream_deck_mini"])
def test_a_deck_shows_only_the_keys_that_may_be_pressed(name):
    deck = PluggedStreamDeck(name)
    assert deck.seen == set()
    assert set(deck.deck.pictures) == set(panel_codec(name).keys)
    for life in ("idle", "betting", "dealing", "paused", "complete"):
        state = replace(READY, life=life)
        lit = {act for act, light in lights(BACCARAT, state, None).items() if light is not Light.OFF}
        assert deck.shows(state) == lit & set(deck.bindings), life
    assert deck.deck.strange == []


def test_only_the_keys_that_change_are_sent():
    deck = PluggedStreamDeck()
    deck.shows()
    deck.shows()
    assert deck.sent == []
    deck.shows(replace(READY, life="betting"))
    assert {report[2] for report in deck.sent} == {deck.bindings["open"]}


def test_all_faces_are_drawn_before_the_table_starts(monkeypatch):
    """Drawing takes time: once the lights exist, no state makes a face be drawn."""
    faces.picture_files.cache_clear()
    deck = PluggedStreamDeck()
    monkeypatch.setattr(faces, "draw_face", lambda *_: pytest.fail("drawn too late"))
    for life in STATES:
        deck.shows(replace(READY, life=life))


def test_after_a_replug_everything_is_drawn_anew():
    deck = PluggedStreamDeck()
    before = deck.shows()
    deck.deck.power_on()
    deck.sent.clear()
    deck.lights.hear(Found("usb at 1-1"))
    assert deck.seen == before
    assert {report[2] for report in deck.sent} == set(range(15))


def test_a_deck_is_dark_while_halted_and_at_the_end():
    deck = PluggedStreamDeck()
    assert deck.shows() != set()
    assert deck.shows(halted="disk full") == set()
    assert deck.shows() != set()
    deck.lights.clear()
    assert deck.seen == set()


def test_in_a_pause_the_managers_key_looks_different():
    deck = PluggedStreamDeck()
    deck.shows()
    calm = deck.deck.pictures[14]
    deck.shows(replace(READY, life="paused"))
    assert deck.deck.pictures[14] != calm


def test_faces_are_in_the_configured_language():
    assert isinstance(keys_of(panel_codec("stream_deck"), "ro"), Faces)
    deck, other = PluggedStreamDeck(language="ro"), PluggedStreamDeck(language="en")
    assert deck.shows() == other.shows()
    assert deck.deck.pictures[0] != other.deck.pictures[0]
