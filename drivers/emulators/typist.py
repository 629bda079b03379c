"""Input events of a device that types: encodes a text as the events of a keyboard's node."""

from collections.abc import Iterator

from drivers.keyboards.input_events import DOWN, EV_KEY, EV_SYN, EVENT, SYN_REPORT, UP
from drivers.keyboards.layouts import ALT_GR, LAYOUTS

SHIFT, ENTER, TAB = 42, 28, 15
STEP = 0.005  # seconds from one key to the next


def keystrokes(text: str, layout: str = "us", at: float = 1.0, step: float = STEP) -> bytes:
    """Encode a text as input events, the first at time `at` in seconds. Raises KeyError.

    A line end is Enter, a tab is Tab; `step`: seconds from one key to the next.
    """
    data = b""
    for held, code in (key_for(character, layout) for character in text):
        data += b"".join(_event(key, value, at) for key, value in _taps(held, code))
        at += step
    return data


def key_for(character: str, layout: str) -> tuple[int | None, int]:
    """Key that types this character, and the modifier held with it (or None). Raises KeyError."""
    if character in "\n\t":
        return None, ENTER if character == "\n" else TAB
    keys = LAYOUTS[layout]
    for held, level in ((None, keys.plain), (SHIFT, keys.shifted), (ALT_GR, keys.third)):
        if code := next((key for key, typed in level.items() if typed == character), None):
            return held, code
    raise KeyError(character)


def _taps(held: int | None, code: int) -> Iterator[tuple[int, int]]:
    if held is not None:
        yield held, DOWN
    yield from ((code, DOWN), (code, UP))
    if held is not None:
        yield held, UP


def _event(code: int, value: int, at: float) -> bytes:
    seconds, micros = int(at), round(at % 1 * 1e6)
    return EVENT.pack(seconds, micros, EV_KEY, code, value) + EVENT.pack(seconds, micros, EV_SYN, SYN_REPORT, 0)
