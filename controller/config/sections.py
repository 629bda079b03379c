"""What the sections of a config are made of."""

from typing import Annotated

from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"\A[^\0]*\Z")]  # NUL is in no path and no address


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """One `[section]` of the file."""
