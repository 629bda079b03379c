"""Random bets, rulings, slices and resettlements: no payment ever passes a ceiling."""

from collections import Counter, defaultdict
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.past_rounds import after_revision
from controller.core.encoding import decode, encode
from controller.core.fold import apply, fold
from controller.core.house import SLICE, Ceilings
from controller.core.past_round import decode_past
from controller.core.position import Position
from controller.core.returns import amount_returned
from controller.core.state import State
from controller.games import GAMES
from controller.lab.testing.money import BookJudge, Moved, Offer, PursesJudge, TwoPersons
from tests.chance import SEED
from tests.core.bench import Bench
from tests.core.chance import Judge, rolls, walk
from tests.repeats import first_of

from .test_resettling import replayed
from .test_resettling_at_random import amendment, play_round

CEILINGS = Ceilings(bet=400, player=450, round=520)
OTHERS = Ceilings(bet=1)  # in the config after the round: must not apply to the round
GAMES_PLAYED = [
    ("baccarat", {"betting_windows": 3}),
    ("baccarat", {}),
    ("thirty_two", {}),
    ("casino_holdem", {}),
    ("blackjack", {"decks": 1}),
    ("rhum32", {}),
]


class Payment(NamedTuple):
    player: str
    stake: int
    by_sheet: int
    back: int
    capped: tuple


def hold(payments, ceilings=CEILINGS):
    """Assert that a round's payments keep each ceiling, list each reduction and are not reduced too far."""
    of_player, reached = Counter(), defaultdict(int)
    for one in payments:
        won, by_sheet = max(0, one.back - one.stake), max(0, one.by_sheet - one.stake)
        assert one.back >= min(one.stake, one.by_sheet)
        assert won <= ceilings.bet
        assert [by_sheet, *(step.to for step in one.capped)] == [*(step.was for step in one.capped), won]
        assert [step.of for step in one.capped] == [of for of in ("bet", "player", "round") if of in
                                                    {step.of for step in one.capped}]  # fmt: skip
        before_round = next((step.was for step in one.capped if step.of == "round"), won)
        reached[one.player] += before_round
        of_player[one.player] += won
        if any(step.of == "bet" for step in one.capped):
            assert next(step.to for step in one.capped if step.of == "bet") == ceilings.bet
    assert all(total <= ceilings.player for total in of_player.values())
    assert sum(of_player.values()) <= ceilings.round
    for one in payments:
        kinds = {step.of for step in one.capped}
        assert "player" not in kinds or reached[one.player] == ceilings.player
        assert "round" not in kinds or sum(of_player.values()) == ceilings.round


class CeilingsHold(Judge):
    """No order of bets, windows, withdrawals, new odds, doubles, splits and rulings passes a ceiling."""

    def __init__(self, bench):
        super().__init__(bench)
        self.by_sheet, self.payments, self.capped = {}, [], 0

    def look(self, before, event, records, after):
        state = before
        for record in records:
            if record.kind == "settled":
                outcome, position = Position(GAMES).outcome(state), Position(GAMES)
                bets, game = state.round.bets.values(), position.game(state.round)
                self.by_sheet = {bet.id: amount_returned(game, state.round, outcome, bet, "EUR") for bet in bets}
                self.payments = []
            elif record.kind == "paid":
                what, capped = record.what, record.what.capped or ()
                self.capped += bool(capped)
                self.payments.append(
                    Payment(what.player, what.stake, self.by_sheet.pop(what.bet), what.returned, capped)
                )
                if not self.by_sheet:
                    hold(self.payments)
            state = apply(state, record)


def tables(game, settings, size, counts):
    bench = Bench(game, settings, ceilings=CEILINGS, second_above=500)
    bench.house = replace(bench.house, slice=size)
    counts.append(bench)
    return bench


def walk_tables(game, settings, size, seeds):
    """Walk one table per seed; assert that all keep the ceilings and that some payment was lowered."""
    benches = []
    for seed in seeds:
        judges = (
            [CeilingsHold, BookJudge, PursesJudge, Offer, TwoPersons, Moved] if size == SLICE else [CeilingsHold, Offer]
        )
        rolled = [(what // 3 if how % 3 else what, how) for what, how in rolls(f"ceilings {game} {size} {seed}", 200)]
        walk(partial(tables, game, settings, size, benches), judges, rolled)  # more rounds end than with plain rolls
    assert any(what.capped for bench in benches for what in bench.facts("paid"))
    for bench in benches:
        assert fold(State(), [decode(encode(record)) for record in bench.records]) == bench.state


@pytest.mark.parametrize("size", first_of(1, [3, SLICE]))
@pytest.mark.parametrize(("game", "settings"), GAMES_PLAYED)
def test_no_order_of_bets_and_rulings_passes_a_ceiling(game, settings, size):
    walk_tables(game, settings, size, range(3))


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("size", [3, SLICE])
@pytest.mark.parametrize(("game", "settings"), GAMES_PLAYED)
def test_no_order_passes_a_ceiling_at_four_tables(game, settings, size):
    walk_tables(game, settings, size, range(SEED, SEED + 4))


@pytest.mark.parametrize(("game", "settings"), GAMES_PLAYED)
def test_random_resettlements_keep_the_ceilings_of_their_round(game, settings):
    dice, table, capped = Random(f"{game} {settings}"), Bench(game, settings, ceilings=CEILINGS), 0
    for _ in range(25):
        table.house = replace(table.house, terms=replace(table.house.terms, ceilings=CEILINGS))
        number = play_round(table, dice)
        table.house = replace(table.house, terms=replace(table.house.terms, ceilings=OTHERS))
        for _ in range(2):
            record = table.do(e.Resettle(number, (amendment(table, dice, number),), "m", "misread", "n"))[-1]
            if record.kind == "resettled":
                payments = list(paid_anew(table, record))
                hold(payments)
                capped += any(one.capped for one in payments)
    assert capped
    assert replayed(table.records) == []


def paid_anew(table, record):
    """Yield the payments of a round as they are after a resettlement."""
    past = decode_past(record.input.event.past)
    after = after_revision(table.house, Position(GAMES), record)
    movements = {one.bet: one for one in record.what.movements}
    round_, game = after.round, GAMES[after.round.game]
    outcome = None if after.outcome is None else Position(GAMES).drive_copy(round_).outcome
    assert [one.bet.id for one in past.bets] == [*movements]
    for one in after.bets:
        bet, moved = one.bet, movements[one.bet.id]
        void = outcome is None or one.gone
        by_sheet = bet.stake if void else amount_returned(game, round_, outcome, bet, "EUR")
        yield Payment(bet.player, bet.stake, by_sheet, moved.now, moved.capped or ())
