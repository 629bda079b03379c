"""Phrases of error texts: the found value, the nearest name, the system's reason."""

import re
from collections.abc import Collection, Sequence
from datetime import date, time
from difflib import get_close_matches

SHOWN = 60  # characters of a found value in an error text
SQLITE = b"SQLite format 3\0"  # first bytes of a journal
LINE = 200  # characters of another library's message, which may contain the found value


def system_message(error: OSError) -> str:
    """Message of the operating system for an error, in small letters, to be put after other words."""
    return (error.strerror or str(error)).lower()


def listing(names: Collection[str] | Collection[int]) -> str:
    """Join names in ascending order with commas, for an error that lists what is allowed."""
    return ", ".join(str(name) for name in sorted(names))


def spans(numbers: Sequence[int]) -> str:
    """Join ascending numbers, runs as a range: `1, 3 to 5`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def did_you_mean(name: str, names: Collection[str]) -> str:
    """Question after an unknown name, ` (did you mean NAME?)`; empty if no known name is similar."""
    close = get_close_matches(name, list(names), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def quote(value: object) -> str:
    """Found value as an error repeats it: shortened, and without a password in an address."""
    try:
        text = _notation(value)
    except ValueError:  # Python does not convert numbers of more than 4,300 digits
        return "a number of thousands of digits"
    return _shorten(re.sub(r"(?<=://)[^'\"]+", "...", text), SHOWN)


def _notation(value: object) -> str:
    """Write a value as configs and requests do: `true`, not `True`."""
    match value:
        case bool():
            return str(value).lower()
        case date() | time():
            return value.isoformat()
        case list():
            return f"[{', '.join(map(_notation, value))}]"
        case dict():
            return f"{{{', '.join(f'{name!r}: {_notation(one)}' for name, one in value.items())}}}"
    return repr(value)


def as_key(name: str) -> str:
    """Key of a config as an error names it: unchanged, but quoted if it is too long or not printable."""
    return name if name.isprintable() and len(name) <= SHOWN else quote(name)


def shorten_to_line(message: str) -> str:
    """Shorten a message and begin it with a small letter, to be put after other words; JSON keeps its first letter."""
    message = _shorten(message, LINE)
    return message if message[1:2].isupper() else message[:1].lower() + message[1:]


def _shorten(text: str, longest: int) -> str:
    """Replace the middle of a text that is longer than `longest` by `…`."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[: half - 1]}…{text[-half:]}"


def toml_error(error: ValueError) -> str:
    """Words for an error of tomllib or of decoding, which names bytes by offset and a repeated section by a tuple."""
    if isinstance(error, UnicodeDecodeError):
        return _encoding_error(error)
    twice = re.match(r"Cannot declare \('(\w+)',\) twice \(at line (\d+)", str(error))
    if twice is None:
        return str(error)
    return f"[{twice[1]}] appears twice, the second time in line {twice[2]}: write its keys below the first"


def _encoding_error(error: UnicodeDecodeError) -> str:
    """Words for bytes that are not UTF-8: the line of the first one, or that the file is a record."""
    content = error.object
    if content.startswith(SQLITE):
        return "this file is a table's record; name the table's config"
    line = content.count(b"\n", 0, error.start) + 1
    return f"expected text in UTF-8, got byte {content[error.start]:02X} in line {line}: save the file as UTF-8"
