"""Simulated round of any game: cards are dealt, a player decides, and the rule sheet pays.

Nothing here knows a game. The procedure gives the next step and checks every answer, and the sheet's own `pay` gives
the return; money is never rounded.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NoReturn

from ...rules.cards import Card, Deck
from ...rules.dealing import CardTo, Dealing, Decisions, SheetFailed, as_answer, check_return
from ...rules.game import Game, Market, Prize, Stake
from ...rules.procedure import Ask, Deal, Outcome, Participants, Procedure
from ...rules.strategy import Seen

PLAYER = "player"  # the only player at the table

Start = Callable[[], Procedure]
Draw = Callable[[Deal], Card]  # returns the card for a dealing step
Decide = Callable[[Ask, Seen], Mapping[str, str]]


def start(game: Game) -> Start:
    """Return a function that starts a round with the sheet's own settings and one player, on the first seat if any."""
    return partial(game.procedure, game.settings(), Participants((PLAYER,), game.seats[:1]))


def market_of(game: Game, name: str) -> Market:
    """Return the market of this name."""
    return next(market for market in game.markets if market.name == name)


class SimulatedShoe:
    """Shoe that can be refilled at any time. It is shuffled card by card, as it is dealt."""

    __slots__ = ("_cards", "_chance", "_out")

    def __init__(self, deck: Deck, dice: random.Random) -> None:
        self._cards, self._chance, self._out = list(deck.cards * deck.copies), dice.random, 0

    @classmethod
    def of(cls, game: Game, seed: str) -> "SimulatedShoe":
        """Create the shoe of a game with its default settings."""
        return cls(game.deck(game.settings()), random.Random(seed))  # noqa: S311 - a simulation; seeds are wanted

    def fill(self, without: Sequence[Card] = ()) -> None:
        """Put the cards back into the shoe, except those that lie on the table."""
        self._out = len(without)
        for at, card in enumerate(without):
            self._swap(at, self._cards.index(card, at))

    def draw(self, _: Deal | None = None) -> Card:
        """Draw one of the cards left at random."""
        at, self._out = self._out, self._out + 1
        return self._swap(at, at + int(self._chance() * (len(self._cards) - at)))

    def _swap(self, at: int, other: int) -> Card:
        cards = self._cards
        card = cards[other]
        cards[other] = cards[at]
        cards[at] = card
        return card


class SimulatedRound:
    """One round on its way: dealt by itself to the next decision, or to the end."""

    __slots__ = ("_dealing", "_draw", "laid", "made", "seen")

    def __init__(self, procedure: Procedure, draw: Draw) -> None:
        self._dealing, self._draw = Dealing(procedure), draw
        self.seen: defaultdict[str, list[Card]] = defaultdict(list)
        self.laid: list[tuple[Card, bool]] = []  # each card in dealing order; True: face up
        self.made: list[tuple[str, str]] = []  # decisions: participant and option

    def next_decision(self) -> Ask | None:
        """Deal until the next decision and return it; None once the round is over."""
        dealing = self._dealing
        while (due := dealing.due) is not None:
            if isinstance(due, Deal):
                self._lay(due, self._draw(due))
            elif isinstance(due, Ask):
                return due
            else:
                dealing.answer(as_answer(due, None))
        return None

    def _lay(self, due: Deal, card: Card) -> None:
        self._dealing.answer(CardTo(card, due.to))
        self.laid.append((card, due.face_up))
        if due.face_up:
            self.seen[due.to].append(card)

    def decide(self, decisions: Mapping[str, str]) -> None:
        """Answer a decision window with the decisions of everybody asked."""
        self._dealing.answer(Decisions(decisions))
        self.made.extend(decisions.items())

    def play(self, decide: Decide) -> Outcome:
        """Play the round to its end and return its outcome."""
        while ask := self.next_decision():
            self.decide(decide(ask, self.seen))
        assert self._dealing.outcome is not None  # noqa: S101 - nothing is due
        return self._dealing.outcome


class NoStrategy(SheetFailed):
    """Error: a game asks for a decision, but has no strategy."""


def decider(game: Game) -> Decide:
    """Strategy of a game as a function.

    It raises NoStrategy at the first question of a game that has none.
    """
    return game.strategy.decide if game.strategy is not None else partial(_raise_no_strategy, game.name)


def _raise_no_strategy(game: str, ask: Ask, _: Seen) -> NoReturn:
    raise NoStrategy(f"{game} asks its players ({' or '.join(ask.options)}) and has no strategy: nothing to simulate")


def decide_by_default(ask: Ask, _: Seen) -> dict[str, str]:
    """Decide by the table's default for participants who stay silent."""
    return dict.fromkeys(ask.who, ask.default)


def option_decider(option: str) -> Decide:
    """Decide for this option wherever it is offered, else for the default."""
    return lambda ask, _: dict.fromkeys(ask.who, option if option in ask.options else ask.default)


def return_per_unit(
    game: Game, market: Market, outcome: Outcome, decisions: Sequence[tuple[str, str]], stake: Fraction = Fraction(1)
) -> Fraction:
    """Return of a market per unit staked, with the stakes that came with decisions.

    `stake`: in table currency; it matters if a prize is a fixed amount.
    """
    seat = game.seats[0] if game.seats else None
    total = return_in_units(game.pay(outcome, Stake(PLAYER, market.name, market.odds, seat)), stake)
    for who, decision in decisions:
        added = game.follow_ons.get(decision)
        if added is not None and added.of == market.name:
            won = game.pay(outcome, Stake(PLAYER, added.market, None, who if game.seats else None))
            total += added.times * (return_in_units(won, stake * added.times) - 1)
    return total


def return_in_units(won: Fraction | Prize, stake: Fraction = Fraction(1)) -> Fraction:
    """Return per unit of a stake.

    `stake`: in table currency; it matters only for a prize, which is a fixed amount.
    """
    check_return(won)
    return 1 + won.amount / stake if isinstance(won, Prize) else won
