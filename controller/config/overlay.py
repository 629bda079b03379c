"""The `[overlay]` section: where the badges of a seated game stand over the picture.

A badge may stand in the upper third of the picture, or between the middle third and the bar at its foot: the middle
third, where the cards lie, stays free.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated

from msgspec import Meta, field

from ..rules.game import Game
from ..text import seat_mistakes as t
from ..text.errors import listing
from .mistakes import BadConfig
from .sections import Section

Percent = Annotated[float, Meta(ge=0, le=100)]
Centre = tuple[Percent, Percent]  # of the picture's width and height

WIDE, HIGH = 10.8, 7.7  # a badge, in percent of a picture of 16:9
COLUMNS = (5.5, 94.5)  # in which its centre may lie
ROWS = ((4.0, 29.0), (71.0, 84.0))


class OverlaySection(Section, frozen=True):
    """Settings of the players' overlay that belong to one table's camera."""

    seats: dict[str, Centre] = field(default_factory=dict)  # by place: centres of the badges, of all seats or none

    def check(self, game: Game) -> None:
        """Check the places of the badges. Raises BadConfig."""
        if not self.seats:
            return
        if not game.seats:
            raise BadConfig(t.NONE.format(game=game.name))
        places = [*game.seats, *(place for place in game.face.shown if place not in game.seats)]
        for place in self.seats:
            if place not in places:
                raise BadConfig(t.unknown_place_text(place, places))
        missing = [seat for seat in game.seats if seat not in self.seats]
        if missing:
            raise BadConfig(t.MISSING.format(missing=listing(missing)))
        _check_room(self.seats)


IN_A_ROW = OverlaySection()


def _check_room(seats: Mapping[str, Centre]) -> None:
    for place, (x, y) in seats.items():
        if not COLUMNS[0] <= x <= COLUMNS[1] or not any(top <= y <= bottom for top, bottom in ROWS):
            raise BadConfig(t.NOT_FREE.format(place=place, x=x, y=y))
    for (one, (x, y)), (other, (its_x, its_y)) in combinations(seats.items(), 2):
        if abs(x - its_x) < WIDE and abs(y - its_y) < HIGH:
            raise BadConfig(t.COVERED.format(place=other, other=one))
