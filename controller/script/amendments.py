"""Corrections of a finished round in a script line: `correct 1 2C and move 5 banker`, `void`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from ..core.events import Amending, Amendment
from ..core.offers import NEEDS
from ..rules.cards import parse_card
from ..text.errors import did_you_mean, quote
from .grammar import Folded
from .words import NUMBER, Kind, MalformedLine, json_of

AND = "and"
ENDS = frozenset({"revision", "past", "with", "badge", "person", "by", "because"})  # keywords after corrections
FORMS: Mapping[Amending, tuple[str, ...]] = {  # by correction: fields of the words after it
    name: NEEDS.get(name, ()) for name in get_args(Amending) if name != "cancel"
}
SHAPES = "correct N CARD, move N PLACE, burn N, void N, void_hand SEAT, resume, or void for the whole round"
_READ: Mapping[str, Callable[[str], Any]] = {"draw": NUMBER.read, "card": parse_card, "place": str}
_JSON = json_of(tuple[Amendment, ...])


def _read(text: str) -> tuple[Amendment, ...]:
    if text.startswith("["):
        amendments: tuple[Amendment, ...] = _JSON.read(text)
        return amendments
    parts: list[list[str]] = [[]]
    for word in text.split(" "):
        if word == AND:
            parts.append([])
        else:
            parts[-1].append(word)
    return tuple(map(_amendment, parts))


def _amendment(words: Sequence[str]) -> Amendment:
    ruling, *rest = words or [""]
    if [ruling, *rest] == ["void"]:
        return Amendment("cancel")
    named = next((one for one in FORMS if one == ruling), None)
    if named is None:
        raise MalformedLine(f"expected {SHAPES}, got {quote(ruling)}{did_you_mean(ruling, tuple(FORMS))}")
    fields: dict[str, str] = dict(zip(FORMS[named], rest, strict=False))
    if len(rest) != len(FORMS[named]):
        raise MalformedLine(f"expected {SHAPES}")
    return Amendment(named, **{name: _READ[name](word) for name, word in fields.items()})


def _write(amendments: Sequence[Amendment]) -> list[str]:
    """Write corrections as one word, in the notation for people; as JSON if that cannot express them."""
    text = f" {AND} ".join(" ".join(_words(one)) for one in amendments)
    try:
        plain = not ENDS.intersection(text.split(" ")) and _read(text) == tuple(amendments)
    except ValueError:
        plain = False
    return [text] if plain else list(_JSON.write(tuple(amendments)))


def _words(amendment: Amendment) -> list[str]:
    if amendment.ruling == "cancel":
        return ["void"]
    return [amendment.ruling, *(str(getattr(amendment, name)) for name in FORMS[amendment.ruling])]


def _unfold(words: list[str]) -> list[str]:
    """Join all corrections of a line to one word, the second one."""
    end = next((place for place, word in enumerate(words) if place and word in ENDS), len(words))
    return [*words[:1], " ".join(words[1:end]), *words[end:]] if end > 1 else words


def _fold(words: list[str]) -> list[str]:
    begin, number, amendments, *rest = words
    return [begin, number, *([amendments] if amendments.startswith("[") else amendments.split(" ")), *rest]


AMENDMENTS = Kind(_read, _write)
AS_ONE_WORD = Folded(_unfold, _fold)
