"""Judge of a round's exposure: what a sheet tells of its highest returns has to hold."""

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.exposure import exposure
from ...core.fold import apply
from .judge import Judge


class ExposureBound(Judge):
    """No round pays more than its exposure, by the sheet's `highest` returns and `exclusive` markets."""

    advice: ClassVar[str] = "name the highest return of each market in `highest`, and only such markets in `exclusive`"

    def __init__(self, bench: Any) -> None:
        super().__init__(bench)
        self.left: int | None = None  # of the exposure of the round that is being paid

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        state, game = before, self.bench.house.game
        for record in records:
            if record.kind == "settled":
                self.left = exposure(game, state.round, state.identity.currency)
            elif record.kind == "paid" and self.left is not None:
                self.left -= max(0, record.what.returned - record.what.stake)
                assert self.left >= 0
            state = apply(state, record)
