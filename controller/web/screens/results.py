"""What a round came to, in one sentence.

The one rule: it is read from the outcome as it is recorded, never worked out anew.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...text.faults import Words
from . import texts as t
from .naming import place_name

Outcome = Mapping[str, Any]


def sentence(game: str, outcome: Outcome, words: Words) -> str:
    """`BANKER wins 7 : 4`; nothing for a game that has no sentence here."""
    tell = _GAMES.get(game)
    return tell(outcome, words) if tell else ""


def remarks(outcome: Outcome, words: Words) -> tuple[str, ...]:
    """What else is to be said: a natural, pairs."""
    natural = (words.say(t.NATURAL),) if outcome.get("natural") else ()
    return natural + tuple(words.say(t.PAIRS[place]) for place in outcome.get("pairs", ()))


def mark(outcome: Outcome) -> str:
    """Who won, as a word that a page can colour."""
    dealer = outcome.get("dealer")
    if "winner" in outcome:
        return str(outcome["winner"] or "none")
    return "dealer" if isinstance(dealer, dict) else "none"


def _baccarat(outcome: Outcome, words: Words) -> str:
    winner = outcome["winner"]
    if winner == "tie":
        return words.say(t.TIE).format(ours=outcome["player"], theirs=outcome["banker"])
    loser = "banker" if winner == "player" else "player"
    place = place_name(winner, words)
    return words.say(t.SIDE_WINS).format(place=place, ours=outcome[winner], theirs=outcome[loser])


def _thirty_two(outcome: Outcome, words: Words) -> str:
    winner = outcome["winner"]
    place = place_name(winner, words)
    return words.say(t.WINS_WITH).format(place=place, total=outcome["totals"][winner])


def _holdem(outcome: Outcome, words: Words) -> str:
    winner, hands = outcome["winner"], {side: _poker(outcome[side], words) for side in ("player", "dealer")}
    if winner is None:
        return words.say(t.NOBODY_CALLED)
    if not outcome["qualified"]:
        return words.say(t.NOT_QUALIFIED)
    if winner == "push":
        return words.say(t.BOTH_HAVE).format(hand=hands["player"])
    loser = "dealer" if winner == "player" else "player"
    return words.say(t.WINS_BY_HAND).format(place=place_name(winner, words), ours=hands[winner], theirs=hands[loser])


def _poker(hand: str | None, words: Words) -> str:
    return words.say(t.POKER_HANDS.get(hand, hand)) if hand else ""


def _blackjack(outcome: Outcome, words: Words) -> str:
    total = outcome["dealer"]["total"]
    if outcome["dealer"]["blackjack"]:
        return words.say(t.DEALER_BLACKJACK)
    return words.say(t.DEALER_BUST if total > 21 else t.DEALER_HAS).format(total=total)


def _rhum32(outcome: Outcome, words: Words) -> str:
    points, qualified = outcome["dealer"]["points"], outcome["dealer"]["qualified"]
    if points is None:
        return words.say(t.ALL_FOLDED)
    return words.say(t.DEALER_HAS if qualified else t.NOT_QUALIFIED).format(total=points)


_GAMES: Mapping[str, Callable[[Outcome, Words], str]] = {
    "baccarat": _baccarat,
    "thirty_two": _thirty_two,
    "casino_holdem": _holdem,
    "blackjack": _blackjack,
    "rhum32": _rhum32,
}
