"""Base class and text types for the sections of a config."""

from typing import Annotated

from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"\A[^\0]*\Z")]  # no path or address has a NUL


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """Section of a config file; unknown keys are errors."""
