"""Lines that a device types: decodes keys into text, up to Enter or Tab.

Invariant: a line is complete or rejected. People type slower than any scanner, so a line in which one key came late is
rejected. So is one in which keys were lost, or with a key that types no character of the layout.
"""

from dataclasses import dataclass

from drivers.keyboards.input_events import Dropped, InputEvents, Key
from drivers.keyboards.layouts import ALT_GR, CAPS_LOCK, ENDS, LAYOUTS, LOCKS, OTHERS, SHIFTS

LONGEST = 128  # most characters of a line, as on a serial port
QUICK = 0.1  # most seconds from one key to the next
MODIFIERS = SHIFTS | OTHERS | {ALT_GR}
SLOW = f"a key came later than {QUICK:g} s: typed by a person, or incomplete; is it set to send Enter?"
LONG = "longer than any code: is it set to send Enter?"
LOST = "keys were lost on the way"
STRANGE = "a key that types nothing in this layout: correct `layout`, or have each character typed by its own key"


@dataclass(frozen=True, slots=True)
class TypedLine:
    """Typed line. `fault`: why it is rejected, else empty.

    `at`: its time by the kernel's clock, in seconds.
    """

    text: str
    at: float
    fault: str = ""


class TypedLines:
    """Decoder for one device that is set to this layout."""

    def __init__(self, layout: str = "us") -> None:
        self._layout = LAYOUTS[layout]
        self._events = InputEvents()
        self.clear()

    def clear(self) -> None:
        """Forget a partly typed line, and which keys are held."""
        self._events.clear()
        self._down: set[int] = set()
        self._caps = False
        self._at = 0.0
        self._begin()

    def _begin(self) -> None:
        self._text, self._fault = "", ""

    def feed(self, data: bytes) -> list[TypedLine]:
        """Return the lines that these bytes complete."""
        lines: list[TypedLine] = []
        for event in self._events.feed(data):
            if isinstance(event, Dropped):
                self._down.clear()
                self._fault = LOST
            elif event.down:
                lines += self._press(event)
            else:
                self._down.discard(event.code)
        return lines

    def _press(self, key: Key) -> list[TypedLine]:
        if self._text and not 0 <= key.at - self._at <= QUICK:
            self._fault = self._fault or SLOW
        self._at = key.at
        if key.code in ENDS:
            return self._cut()
        self._hold(key.code)
        return []

    def _hold(self, code: int) -> None:
        """Process a key that does not end a line."""
        if code in MODIFIERS:
            self._down.add(code)
        elif code == CAPS_LOCK:
            self._caps = not self._caps
        elif code not in LOCKS:
            self._type(code)

    def _type(self, code: int) -> None:
        shift, third = bool(self._down & SHIFTS), ALT_GR in self._down
        typed = self._layout.character_of(code, shift=shift, third=third, caps=self._caps)
        if typed is None or self._down & OTHERS:
            self._fault = self._fault or STRANGE
        elif len(self._text) == LONGEST:
            self._fault = self._fault or LONG
        else:
            self._text += typed

    def _cut(self) -> list[TypedLine]:
        line = TypedLine(self._text, self._at, self._fault)
        self._begin()
        return [line] if line.text or line.fault else []
