"""Texts on what a ruling affects, for shift managers, in English; other languages are in `locale/`."""

from collections.abc import Mapping

TOTAL = "{place} has {now}, not {was}"
TOTAL_GONE = "{place} no longer has {was}"
DECIDED = "decided since the card was dealt: {made}"
DECIDED_BEFORE = "decided before the report: {made}"
STAKED = "{made} ({stake})"
FOLLOWED = "cards dealt after a decision: {draws}"
COVERED = "open cards that would lie face down: {draws}"
SEEN = "face-down cards that were seen: {draws}"
MOVED = "money moved: {total}"
WRONG_ODDS = "bets at wrong odds: {count}, {total} in all"
BECOMES: Mapping[str, str] = {
    "anew": "asked anew: stakes go back, cards that followed are burnt",
    "withdraw": "these bets go back",
    "stand": "the decisions stand",
    "cancel": "for that the round is cancelled",
}
LOWER = "these bets stand at the lower of both odds"
