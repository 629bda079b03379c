"""Text about a void round: its bets, and why it was cancelled unless by a ruling."""

from ...core.causes import ByRuling
from ...text.faults import Words
from ...text.table_words import TableWords
from .table_snapshot import TableSnapshot
from .texts import CANCELLED_BETS, CANCELLED_WHY


def cancelled_round_text(snapshot: TableSnapshot, words: Words, number: int) -> str:
    """Text about a cancelled round, in one line.

    A ruling's reason can be long, so it is only in the story of the round.
    """
    why = next((void.why for void in snapshot.voids if void.round == number), None)
    if why is None or isinstance(why, ByRuling):
        return words.say(CANCELLED_BETS)
    return words.say(CANCELLED_WHY).format(why=TableWords(words).void_reason(why))
