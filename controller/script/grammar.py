"""Grammar of a script's lines: one form for reading and for writing.

A form reads back exactly what it has written. So an optional value is written at its place in the line only if it
cannot be mistaken for another one; otherwise it is written behind its keyword.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import FieldInfo, fields, replace

from .words import AMOUNT, NOTHING, Kind, MalformedLine, amount_in


@cache
def fields_of(event: type[Struct]) -> Mapping[str, FieldInfo]:
    """The fields of a kind of event by name.

    Cached: msgspec evaluates all annotations of the class each time.
    """
    return {field.name: field for field in fields(event)}


class Slot(Struct, frozen=True):
    """Value that is given by its place in the line.

    A field that has a tail too may be given behind its keyword instead. If it is `needed`, a `-` at its place stands
    for no value.
    """

    field: str
    kind: Kind
    needed: bool = False


class Tail(Struct, frozen=True):
    """Value that is given behind a keyword.

    `usual`: default value, if the event class has none.
    """

    keyword: str
    field: str
    kind: Kind
    usual: Any = None


class Folded(Struct, frozen=True):
    """Short form of words for people: `unfold` makes the long form, `fold` is its inverse."""

    unfold: Callable[[list[str]], list[str]] = lambda words: words
    fold: Callable[[list[str]], list[str]] = lambda words: words


class LineForm(Struct, frozen=True):
    """The form of a line.

    `shape`: the form as errors show it; `fixed`: values of fields that the first words of the line stand for.
    """

    begin: str
    event: type[Struct]
    slots: tuple[Slot, ...] = ()
    tails: tuple[Tail, ...] = ()
    shape: str = "nothing more on the line"
    fixed: Mapping[str, Any] = {}
    folded: Folded = Folded()

    def with_currency(self, currency: str) -> "LineForm":
        """Copy of the form, with its amounts in this currency."""
        slots = (replace(slot, kind=amount_in(currency)) if slot.kind is AMOUNT else slot for slot in self.slots)
        return replace(self, slots=tuple(slots))

    def says(self, event: Struct) -> bool:
        """True if a line of this form can express the event."""
        return type(event) is self.event and all(getattr(event, name) == value for name, value in self.fixed.items())

    def read(self, words: Sequence[str]) -> Struct:
        """Read an event from the words behind the beginning. Raises ValueError."""
        values = dict(self.fixed)
        rest = self._read_placed(self.folded.unfold(list(words)), values)
        while rest:
            rest = self._read_tail(rest, values)
        values = {tail.field: tail.usual for tail in self.tails if tail.usual is not None} | values
        needed = {slot.field for slot in self.slots if slot.needed}
        if not values.keys() >= needed | {name for name, field in fields_of(self.event).items() if field.required}:
            raise MalformedLine(f"expected {self.shape}")
        return self.event(**values)

    def _tail(self, field: str) -> Tail | None:
        return next((tail for tail in self.tails if tail.field == field), None)

    def _is_placed(self, slot: Slot, word: str) -> bool:
        """True if a word at the slot's place is the slot's value."""
        keywords = [tail.keyword for tail in self.tails]
        return not self._tail(slot.field) or (word not in keywords and bool(slot.kind.might_be(word)))

    def _read_placed(self, words: list[str], values: dict[str, Any]) -> list[str]:
        for slot in self.slots:
            if words and self._is_placed(slot, words[0]):
                word, words = words[0], words[1:]
                nothing = word == NOTHING and slot.needed and self._tail(slot.field)
                values[slot.field] = None if nothing else slot.kind.read(word)
        return words

    def _read_tail(self, words: list[str], values: dict[str, Any]) -> list[str]:
        tail = next((tail for tail in self.tails if tail.keyword == words[0]), None)
        if tail and tail.kind.rest and words[-2:-1] == ["by"] and "by" not in values and self._tail("by"):
            return ["by", words[-1], *words[:-2]]  # people may also write `by` last
        if tail is None or tail.field in values or (len(words) == 1 and not tail.kind.rest):
            raise MalformedLine(f"expected {self.shape}")
        end = len(words) if tail.kind.rest else 2
        values[tail.field] = tail.kind.read(*words[1:end])
        return words[end:]

    def write(self, event: Struct) -> list[str]:
        """Return the words of the line that expresses the event."""
        words, left_out = self.begin.split(), list[Slot]()
        for slot in self.slots:
            slot_words = self._placed_words(slot, event)
            if slot_words and not any(self._is_placed(other, slot_words[0]) for other in left_out):
                words += slot_words
            else:
                left_out.append(slot)
        placed = {slot.field for slot in self.slots if slot not in left_out}
        for tail in self.tails:
            value = getattr(event, tail.field)
            if tail.field not in placed and value != self._default_value(tail):
                words += [tail.keyword, *tail.kind.write(value)]
        return self.folded.fold(words)

    def _placed_words(self, slot: Slot, event: Struct) -> Sequence[str]:
        """Words of a field that is written by position; empty if it is left out."""
        value, tail = getattr(event, slot.field), self._tail(slot.field)
        if tail is None:
            return slot.kind.write(value)
        if value is None and slot.needed:
            return [NOTHING]
        words = [] if value == self._default_value(tail) else slot.kind.write(value)
        return [word for word in words if word != NOTHING and self._is_placed(slot, word)]

    def _default_value(self, tail: Tail) -> object:
        """Default value of a tail that is left out."""
        return fields_of(self.event)[tail.field].default if tail.usual is None else tail.usual
