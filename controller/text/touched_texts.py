"""What the shift manager's console says of what a wrong card has touched; the other languages are in `locale/`."""

from collections.abc import Mapping

TOTAL = "{place} has {now}, not {was}"
DECIDED = "decided on it: {made} ({total} staked)"
FOLLOWED = "cards that followed: {draws}"
WRONG_ODDS = "bets at wrong odds: {count}, {total} in all"
BECOMES: Mapping[str, str] = {
    "anew": "it is asked anew: stakes go back, cards that followed are burnt",
    "withdraw": "these bets go back",
    "stand": "it stands as it was decided",
    "cancel": "for that the round is cancelled",
}
LOWER = "these bets stand at the lower of both odds"
