"""Revisions of a round in words: its outcome before and after, what was corrected, each bet's difference."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...core import records as r
from ...core.clock import to_text
from ...core.events import Amendment
from ...core.records import Record
from ...core.spot import Spot
from ...core.withholding import withhold
from ...games import GAMES
from ...text.money import money, signed_money
from ...text.naming import card_sign, market_name
from ...text.results import NO_CARDS, Lying
from ...text.table_words import TableWords
from . import resettling_texts as t

LISTED = 200  # bets whose difference is shown, the largest first; the others are counted


class BetChange(Struct, frozen=True):
    """Amount that goes back of one bet before and after, as people read it."""

    player: str
    market: str
    stake: str
    was: str
    now: str
    difference: str  # with its sign


class Differences(Struct, frozen=True):
    """Differences of all bets of a round. `same`: bets without one; `more`: bets with one that are not listed."""

    bets: tuple[BetChange, ...]
    same: int
    more: int
    total: str


class RevisionInWords(Struct, frozen=True):
    """One resettlement of a round, in the viewer's language."""

    revision: int
    at: str
    was: str
    now: str
    by: str
    second: str
    because: str
    corrections: tuple[str, ...]
    differences: Differences


def revisions(records: Sequence[Record], game: str, words: TableWords) -> tuple[RevisionInWords, ...]:
    """The resettlements among these records of a round, in their order."""
    return tuple(
        _revision(what, record, game, words)
        for record in records
        if isinstance(what := withhold(record.what), r.Resettled)
    )


def _revision(what: r.Resettled, record: Record, game: str, words: TableWords) -> RevisionInWords:
    return RevisionInWords(
        revision=what.revision,
        at=to_text(record.at),
        was=describe_outcome(what.was, game, words),
        now=describe_outcome(what.now, game, words),
        by=what.by,
        second=what.second,
        because=what.because,
        corrections=tuple(correction_text(one, words) for one in what.amendments),
        differences=differences(what.movements, game, what.currency, words),
    )


def describe_outcome(outcome: Mapping[str, Any] | None, game: str, words: TableWords, lying: Lying = NO_CARDS) -> str:
    """Outcome of a round in words; None: it is void. `lying`: its cards, if they are known."""
    return words.say(t.VOID) if outcome is None else words.outcome(game, outcome, lying)


def correction_text(one: Amendment, words: TableWords) -> str:
    """Sentence for one correction, with its card and place, in the language of `words`."""
    text = t.OTHER_CARD if one.ruling == "correct" and one.card is None else t.DONE[one.ruling]
    place, card = words.place(one.place or ""), card_sign(one.card or "")
    return words.say(text).format(draw=one.draw, card=card, place=place)


def differences(moved: Sequence[r.BetDifference], game: str, currency: str, words: TableWords) -> Differences:
    """Differences in words, the largest first."""
    changed = sorted((one for one in moved if one.difference), key=lambda one: -abs(one.difference))
    return Differences(
        bets=tuple(_change(one, game, currency, words) for one in changed[:LISTED]),
        same=len(moved) - len(changed),
        more=len(changed[LISTED:]),
        total=signed_money(sum(one.difference for one in moved), currency),
    )


def _change(one: r.BetDifference, game: str, currency: str, words: TableWords) -> BetChange:
    market = market_name(GAMES[game], Spot.parse(one.market), words.words) if game in GAMES else one.market
    stake, was, now = (money(amount, currency) for amount in (one.stake, one.was, one.now))
    return BetChange(one.player, market, stake, was, now, signed_money(one.difference, currency))
