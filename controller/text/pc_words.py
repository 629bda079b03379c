"""Translate a line about a problem of a PC.

A table reports it in English, over the bus too, where a floor of another version may read it. So the line is matched
with the known sentences and their parts; the system's own words, paths and names are kept.
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
    """Translate the line; return it unchanged if no known sentence matches."""
    for text, pattern in _patterns().items():
        if found := pattern.fullmatch(line):
            return words.say(text).format(**{name: in_words(part, words) for name, part in found.groupdict().items()})
    return line
