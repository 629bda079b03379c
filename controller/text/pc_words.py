"""A line of what is wrong at a PC, in another language.

A table tells it in English, over the bus too, where a floor of another version may read it. So it is found again by the
sentence that it was made of, with its parts; the system's own words, paths and names stay as they came.
"""

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter

from . import pc_texts
from .faults import Words


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    texts = [text for name, text in vars(pc_texts).items() if name.isupper()]
    return {text: re.compile("".join(map(_part, Formatter().parse(text))), re.DOTALL) for text in texts}


def _part(piece: tuple[str, str | None, str | None, str | None]) -> str:
    literal, name, _, _ = piece
    return re.escape(literal) + ("" if name is None else f"(?P<{name}>.+?)")


def in_words(line: str, words: Words) -> str:
    """The line, in the language of these words; as it is, where it was made of nothing that is known."""
    for text, pattern in _patterns().items():
        if found := pattern.fullmatch(line):
            return words.say(text).format(**{name: in_words(part, words) for name, part in found.groupdict().items()})
    return line
