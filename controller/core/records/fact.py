"""Base classes of the facts in all records."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="kind"):
    """Fact in a record. `of_round`: it belongs to the last round even after its end."""

    of_round: ClassVar[bool] = False
    opens_round: ClassVar[bool] = False


class OfRound(Fact, frozen=True):
    """Fact about a round, live or ended."""

    of_round: ClassVar[bool] = True


def kind_of(what: Fact) -> str:
    """Kind under which this fact is recorded."""
    return str(what.__struct_config__.tag)
