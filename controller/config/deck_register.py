"""Register of a deck: TOML file that maps each code to its card (`tablectl deck learn`)."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..text.errors import quote, system_message, toml_error
from .mistakes import BadConfig


def codes_in(path: Path) -> dict[str, Any]:
    """Return the content of a register as it is in the file, unchecked. Raises BadConfig."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {system_message(error)}; `tablectl deck learn {path}` makes it") from None
    except ValueError as error:  # of TOML, of UTF-8, or of a path with a NUL
        raise BadConfig(f'{quote(str(path))}: expected lines such as "(01)0042" = "AS": {toml_error(error)}') from None


def keep_codes(path: Path, codes: Mapping[str, str]) -> None:
    """Write a register, replacing the file in one step. Raises OSError."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(msgspec.toml.encode(dict(codes)))
    new.replace(path)
