"""Warning of a round's exposure: recorded once per round; no bet is refused because of it."""

from .. import records as r
from ..draft import Draft
from ..exposure import exposure


def warn_of_exposure(draft: Draft) -> None:
    """Record that the bets of the round can win more than the table's warning, the first time that they can."""
    round_ = draft.state.round
    above = round_.terms.exposure_warning
    if not isinstance(above, int) or round_.exposed or round_.terms.training:
        return
    most = exposure(draft.house.game, round_, draft.currency)
    if most is not None and most > above:
        draft.write(r.ExposureWarned(most, above, draft.currency))
