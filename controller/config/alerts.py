"""Targets of alerts in a table's config, and the sources of their addresses."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from ..text.errors import system_message
from .sections import Section, Text

LEVELS = range(1, 10)


class Target(Section, frozen=True):
    """Target of alerts: an apprise URL, written here, in a file, or in an environment variable."""

    url: Text | None = None  # address of the target, as an apprise URL
    file: Text | None = None  # or a file that contains the URL; read at each delivery
    env: Text | None = None  # or an environment variable that contains it
    language: Literal["en", "ro"] = "en"  # language of its messages
    level: Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])] = 1  # 1 is called at once, 2 if nobody comes, and so on

    @property
    def ways(self) -> int:
        """How many of `url`, `file` and `env` are given; a valid target has exactly one."""
        return sum(way is not None for way in (self.url, self.file, self.env))

    @property
    def scheme(self) -> str:
        """Scheme of the URL that is written in the config."""
        return (self.url or "").partition("://")[0]

    def address(self) -> str:
        """Read and return the URL. Raises Unaddressed."""
        if self.file is not None:
            return _text_in(Path(self.file))
        if self.env is not None and not os.environ.get(self.env):
            raise Unaddressed(f"the environment variable {self.env} is not set")
        return os.environ[self.env] if self.env is not None else self.url or ""


def uncalled_levels(targets: Mapping[str, Target]) -> list[int]:
    """Return the levels that no target has: an escalation to one of them calls nobody."""
    return sorted({*LEVELS} - {target.level for target in targets.values()})


class Unaddressed(Exception):
    """Error: the target's address cannot be read now."""


def _text_in(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise Unaddressed(f"{path}: {system_message(error)}") from None
    except UnicodeDecodeError:
        raise Unaddressed(f"{path}: expected text in UTF-8") from None
    if not text:
        raise Unaddressed(f"{path}: expected a URL, the file is empty")
    return text
