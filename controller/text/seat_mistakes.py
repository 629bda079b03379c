"""Error messages for the `[overlay]` section of a config: badges of seats in places that are not allowed."""

from collections.abc import Sequence

from .errors import did_you_mean, listing

NONE = "overlay.seats: expected none: {game} has no seats"
MISSING = "overlay.seats: expected every seat or none, got none for {missing}"
NOT_FREE = (
    "overlay.seats.{place}: expected a height from 4 to 29 or from 71 to 84, and a width from 5.5 to 94.5 "
    "(percent of the picture), got [{x:g}, {y:g}]"
)
COVERED = "overlay.seats.{place}: expected a place of its own, got one over {other}"


def unknown_place_text(place: str, places: Sequence[str]) -> str:
    """Text for a place that the game does not have."""
    return f"overlay.seats.{place}: expected one of {listing(places)}{did_you_mean(place, places)}"
