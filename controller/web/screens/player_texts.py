"""Texts that players read during the game, in English; translations are in `locale/`.

No text is technical: players read what happens at the table, and that their bets are safe.
"""

from collections.abc import Mapping

PHASES: Mapping[str, str] = {
    "closed": "The table is closed",
    "training": "The table is not open for play",
    "shoe_change": "Shoe change",
    "dealer_change": "Dealer change",
    "idle": "The next round begins soon",
    "betting": "Place your bets",
    "dealing": "The cards are dealt",
    "deciding": "Players decide",
    "complete": "The result is being confirmed",
    "settled": "The next round begins soon",
    "cancelled": "The round is cancelled",
    "paused": "The game is paused",
}
BESIDE: Mapping[str, str] = {  # second line of the phase
    "closed": "Thank you for playing",
    "shoe_change": "The next round is dealt from a new shoe",
    "dealer_change": "The game goes on in a moment",
    "cancelled": "All bets of this round have been returned.",
    "paused": "Your bets are safe.",
}
NO_MORE_BETS = "No more bets"
DRAWS = "{place} draws"
SHOWS = "{place} shows the cards"
DECIDES = "{place} decides"
STREETS = ("The flop", "The flop", "The flop", "The turn", "The river")

SHOE_CHANGES = "Shoe change: the roads begin anew"
NEW_SHOE = "New shoe: no results yet"
IF_NEXT = "Next if"
ARRANGE = "Drag each badge to its seat, then copy this text into the table's config."
COPY = "Copy"
CAMERA = "Picture of the camera"
