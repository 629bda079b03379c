"""What all records have in common."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="kind"):
    """What happened. `of_round`: it belongs to the last round even when that has ended."""

    of_round: ClassVar[bool] = False
    opens_round: ClassVar[bool] = False


class OfRound(Fact, frozen=True):
    """What happened to a round, live or ended."""

    of_round: ClassVar[bool] = True


def kind_of(what: Fact) -> str:
    """The kind under which this is recorded."""
    return str(what.__struct_config__.tag)
