"""Look ahead from a decision: how much more `yes` returns than `no`, over possible further cards.

Only face-up cards are known. Face-down cards are drawn again with those to come. Each continuation is played to its end
through the procedure and settled by the sheet.
"""

from collections.abc import Iterator
from itertools import count
from math import sqrt

from msgspec import Struct

from ...games import GAMES
from ...rules.cards import Card
from ...rules.dealing import RuleSheetCall
from ...rules.procedure import Deal
from ...rules.strategy import Count
from .cores import shares, spread
from .rounds import SimulatedRound, SimulatedShoe, market_of, return_per_unit, start

PART = 100  # decisions of one job
BATCH, ENOUGH = 50, 1_000  # continuations played between two comparisons of the options, and at most
CLEAR = 2.0  # standard errors by which one option must be better to stop early


class LookAheadJob(Struct, frozen=True):
    """Job: a number of decisions about one market, dealt from this seed."""

    game: str
    market: str
    decisions: int
    seed: str


class Regret(Struct, frozen=True):
    """Loss of the strategy against looking ahead, per unit staked, estimated from so many decisions."""

    decisions: int
    mean: float
    error: float  # standard error of the mean


class RoundCards:
    """Cards of a round: the known ones, then drawn ones, the same in each replay of the round."""

    def __init__(self, cards: list[Card], shoe: SimulatedShoe) -> None:
        self._cards, self._shoe, self._at = cards, shoe, 0

    def restart(self) -> None:
        """Start again from the first card."""
        self._at = 0

    def draw(self, due: Deal) -> Card:
        """Return the next card, drawn from the shoe if it is new."""
        if self._at == len(self._cards):
            self._cards.append(self._shoe.draw(due))
        self._at += 1
        return self._cards[self._at - 1]


class Outlook:
    """First decision of a randomly dealt round."""

    def __init__(self, part: LookAheadJob, shoe: SimulatedShoe) -> None:
        self._game, self._shoe, self._begin = GAMES[part.game], shoe, start(GAMES[part.game])
        self._market = market_of(self._game, part.market)
        self.rule = count_of(part.game)
        shoe.fill()
        self._round = SimulatedRound(self._begin(), shoe.draw)
        question = self._round.next_decision()
        assert question is not None  # noqa: S101 - a game with a count asks in every round
        self.signs = tuple(self.rule.signs(question.who[0], self._round.seen))
        self.says_yes = self.rule.points(self.signs) >= 0

    def gain(self) -> float:
        """Play both options with the same further cards; return how much more `yes` returns than `no`."""
        self._shoe.fill([card for card, face_up in self._round.laid if face_up])
        laid_cards = [card if face_up else self._shoe.draw() for card, face_up in self._round.laid]
        cards = RoundCards(laid_cards, self._shoe)
        return self._returns(self.rule.yes, cards) - self._returns(self.rule.no, cards)

    def _returns(self, option: str, cards: RoundCards) -> float:
        cards.restart()
        round_ = SimulatedRound(self._begin(), cards.draw)
        ask = round_.next_decision()
        round_.decide(dict.fromkeys(ask.who if ask else (), option))
        outcome = round_.play(self.rule.decide)
        return float(return_per_unit(self._game, self._market, outcome, round_.made))


def count_of(game: str) -> Count:
    """Strategy of a game that counts points."""
    strategy = GAMES[game].strategy
    assert isinstance(strategy, Count)  # noqa: S101 - others have no yes and no
    return strategy


def outlooks(part: LookAheadJob) -> Iterator[Outlook]:
    """Yield the decisions of a job."""
    shoe = SimulatedShoe.of(GAMES[part.game], part.seed)
    return (Outlook(part, shoe) for _ in range(part.decisions))


def parts(game: str, market: str, decisions: int, seed: str) -> list[LookAheadJob]:
    """Divide the decisions into jobs, each with a seed of its own."""
    return [LookAheadJob(game, market, size, own) for size, own in shares(decisions, PART, seed)]


def regret(game: str, market: str, decisions: int, seed: int, cores: int | None = None) -> Iterator[Regret]:
    """Yield the estimate after each job, from all decisions so far."""
    lost: list[float] = []
    for more in spread(_decision_losses, parts(game, market, decisions, f"{seed}/{game}/look ahead"), cores):
        lost += more
        mean = sum(lost) / len(lost)
        spread_ = sum((one - mean) ** 2 for one in lost) / max(1, len(lost) - 1)
        yield Regret(len(lost), mean, sqrt(spread_ / len(lost)))


def _decision_losses(part: LookAheadJob) -> list[float]:
    with RuleSheetCall():
        return [decision_loss(outlook) for outlook in outlooks(part)]


def decision_loss(outlook: Outlook) -> float:
    """Loss of the strategy at this decision; 0 if looking ahead agrees with it.

    If it disagrees, fresh continuations measure the loss, so that a look ahead that was wrong by chance counts against
    itself.
    """
    yes = is_better(outlook)
    if yes == outlook.says_yes:
        return 0.0
    fresh = sum(outlook.gain() for _ in range(ENOUGH)) / ENOUGH
    return fresh if yes else -fresh


def is_better(outlook: Outlook) -> bool:
    """True if `yes` is the better option, as far as a look ahead can tell."""
    total = squares = 0.0
    for looked in count(1):
        gain = outlook.gain()
        total, squares = total + gain, squares + gain * gain
        if looked % BATCH == 0:
            error = sqrt(max(0.0, squares / looked - (total / looked) ** 2) / looked)
            if looked >= ENOUGH or abs(total) / looked > CLEAR * error:
                break
    return total > 0
