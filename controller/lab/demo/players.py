"""Emulated players, who bet, withdraw bets and decide.

At most one a round stays silent or loses the connection.

They send the events that a game server would send, one at a time.
"""

import random
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ...core import events as e
from ...core.spot import Spot
from ...core.state import State
from ...rules.game import Market
from ...rules.procedure import Ask, seat_of
from ...table.loop import Table
from .pace import TablePace
from .purses import PlayerPurses
from .strategy import choose, open_cards_by_place

PLAYERS = ("p1", "p2", "p3", "p4", "p5")
CHIPS = (5_00, 10_00, 25_00, 50_00)
WEIGHTS = (3, 4, 2, 1)
LEAST = 500_00  # least purse at the begin of a round, as later stakes may be many times the first bet
SITS_OUT, SECOND_BET, SIDE_BET, SECOND_SEAT, THINKS_BETTER = 0.3, 0.3, 0.3, 0.3, 0.3  # chances
GONE_BEFORE, GONE_AFTER, SILENT = "gone before the close", "gone after the close", "silent"
ABSENCES = {None: 13, GONE_BEFORE: 2, GONE_AFTER: 2, SILENT: 3}


class Players:
    """The emulated players of a table.

    The first one bets in every round, so that no round is without a stake.
    """

    def __init__(self, table: Table, pace: TablePace, dice: random.Random) -> None:
        self.purses = PlayerPurses(PLAYERS, table.state)
        table.subscribe(self.purses)
        self._table, self._pace, self._dice = table, pace, dice
        self._game = table.house.game
        self._absent: str | None = None  # player who takes no decision in this round
        self._absence: str | None = None

    def come_back(self) -> None:
        """Reconnect all players who are disconnected."""
        self._absent = self._absence = None
        for player in self._pace.state.gone:
            self._table.take(e.LineBack(player))

    # ── betting ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def bet(self) -> None:
        """Place the players' bets of one betting window; one player may disconnect before its close."""
        self._absence = self._dice.choices(list(ABSENCES), list(ABSENCES.values()))[0]
        self._absent = self._dice.choice(PLAYERS[1:]) if self._absence else None
        for player in self._pick_players():
            for market in self._markets_of(player):
                await self._place(player, market)
        await self._withdraw_some()
        self._lose_line(GONE_BEFORE)

    def on_betting_closed(self) -> None:
        """Called when betting has closed: one player may disconnect now and still takes part in the round."""
        self._lose_line(GONE_AFTER)

    def _pick_players(self) -> Iterator[str]:
        for player in PLAYERS:
            if player == PLAYERS[0] or self._dice.random() >= SITS_OUT:
                yield player

    def _markets_of(self, player: str) -> Iterator[str]:
        """Choose the markets on which a player bets.

        First the bet that makes a participant, then bets that need it; in other games, those that win most often.
        """
        if self._game.joins is None:
            likely = [1 / (market.odds or Decimal(2)) for market in self._game.markets]
            count = 2 if self._dice.random() < SECOND_BET else 1
            picked = self._dice.choices(self._game.markets, [float(one) for one in likely], k=count)
            yield from dict.fromkeys(market.name for market in picked)
            return
        for seat in self._seats_of(player):
            yield from (str(Spot(market.name, seat)) for market in self._chosen_markets())

    def _chosen_markets(self) -> Iterator[Market]:
        for market in self._game.markets:
            if market.name == self._game.joins or self._dice.random() < SIDE_BET:
                yield market

    def _seats_of(self, player: str) -> Iterator[str | None]:
        """The player's own seat, and sometimes the one beside it; None if the game has no seats."""
        seats, number = self._game.seats, PLAYERS.index(player)
        own = number * len(seats) // len(PLAYERS)
        yield seats[own] if seats else None
        free = own + 1 < (number + 1) * len(seats) // len(PLAYERS)
        if free and self._dice.random() < SECOND_SEAT:
            yield seats[own + 1]

    async def _place(self, player: str, market: str) -> None:
        await self._pace.pause(0.3)
        chip = self._dice.choices(CHIPS, WEIGHTS)[0]
        if self.purses[player] < LEAST:
            self.purses.bring(player)
        round_ = self._pace.state.round
        self._table.take(e.PlaceBet(player, market, chip, round_.number, round_.window))

    async def _withdraw_some(self) -> None:
        """Let a player withdraw a bet now and then; some bet again, the first player always."""
        bets = list(self._pace.state.round.bets.values())
        if not bets or self._dice.random() >= THINKS_BETTER:
            return
        bet = self._dice.choice(bets)
        await self._pace.pause(0.5)
        self._table.take(e.WithdrawBet(bet.player, str(bet.spot), self._pace.state.round.number, bet.window))
        if bet.player == PLAYERS[0] or self._dice.random() < 0.5:
            await self._place(bet.player, str(bet.spot))

    def _lose_line(self, when: str) -> None:
        if self._absent and self._absence == when:
            self._table.take(e.LineCut(self._absent))

    # ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────

    async def decide(self) -> None:
        """Answer one decision window.

        An absent player answers only after the deadline, when the table has decided.
        """
        state = self._pace.state
        answered, missed = len(state.round.script), list[e.Choose]()
        for ask in _open_questions(state):
            (who,) = ask.who
            decision = e.Choose(who, choose(self._game, ask, open_cards_by_place(state.round), self._dice))
            if self._holder(state, who) == self._absent:
                missed.append(decision)
                continue
            await self._pace.pause(1.0)
            self._table.take(decision)
        await self._pace.wait_until(lambda: self._is_answered(answered))
        if missed:
            self._return(missed)

    def _is_answered(self, before: int) -> bool:
        state = self._pace.state
        return len(state.round.script) > before or state.life != "deciding"

    def _holder(self, state: State, who: str) -> str:
        """Player who decides for a seat, or for the second hand of its split."""
        seat = seat_of(who)
        bets = state.round.bets.values()
        return next((bet.player for bet in bets if bet.spot.seat == seat), who)

    def _return(self, missed: Sequence[e.Choose]) -> None:
        if self._absence == SILENT:
            for decision in missed:
                self._table.take(decision)
        self.come_back()


def _open_questions(state: State) -> Iterator[Ask]:
    """Yield the open question as one to each of those who are asked."""
    asking = state.round.asking
    if asking is not None:
        yield from (Ask((who,), asking.options, asking.default) for who in asking.who)
