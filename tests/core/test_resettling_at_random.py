"""Random chains of resettlements: each moves the difference between two settlements from scratch."""

from collections import defaultdict
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.past_rounds import after_revision
from controller.core.house import SLICE
from controller.core.past_round import decode_past
from controller.core.position import Position
from controller.core.returns import amount_returned
from controller.games import GAMES
from controller.lab.testing.chance import expected_events
from controller.rules.procedure import Ask, Deal
from tests.chance import SEED
from tests.repeats import first_of

from .bench import Bench
from .test_resettling_in_parts import replayed_in_slices

ROUNDS, TINY_ROUNDS, CHAIN = 45, 15, 3
TABLES = [("baccarat", {}), ("baccarat", {"betting_windows": 3}), ("thirty_two", {}), ("casino_holdem", {}),
          ("blackjack", {}), ("rhum32", {}), ("baccarat", {"decks": 1, "change_below": 20})]  # fmt: skip
PLAIN = {"baccarat", "thirty_two", "casino_holdem"}  # tables without seats


def play_round(table, dice):
    """Play a round to its end, sometimes cancelled on the way; return its number."""
    number = table.state.next_round
    while table.state.round.number != number or table.state.live:
        if table.life == "dealing" and dice.random() < 0.01:
            table.says("press manager; rule cancel by m because spoilt")
        else:
            table.do(*expected_events(table, dice.randrange(10**6)))
    return number


def amendment(table, dice, number):
    """Return a random correction of a round."""
    round_ = table.state.round if table.state.round.number == number else None
    draw, deck = dice.randint(1, 8), table.house.deck.cards
    places = [one.place for one in round_.draws if one.place] if round_ else []
    seats = table.house.game.seats or ("player",)
    return dice.choices([
        e.Amendment("correct", draw, dice.choice(deck)),
        e.Amendment("move", draw, place=dice.choice([*places, "dealer"])),
        e.Amendment("burn", draw), e.Amendment("void", draw), e.Amendment("cancel"), e.Amendment("resume"),
        e.Amendment("void_hand", place=dice.choice(seats[:3])),
    ], (60, 5, 3, 3, 6, 10, 13))[0]  # fmt: skip


def settled_by_its_sheet(past):
    """Return what each bet of a past round gets back, by rule sheet and cards alone, without its history."""
    if past.outcome is None:
        return {one.bet.id: one.bet.stake for one in past.bets}
    round_ = past.round
    dealing = Position(GAMES).drive_copy(round_)
    assert dealing.due is None
    game = GAMES[round_.game]
    paid = {bet.id: amount_returned(game, round_, dealing.outcome, bet, "EUR") for bet in round_.bets.values()}
    return {one.bet.id: paid.get(one.bet.id, one.bet.stake) for one in past.bets}


def settled_at_a_new_table(table, past):
    """Play a past round's corrected cards at a new table; return what each player and market gets back."""
    round_, other = past.state.round, Bench(table.house.game.name, past.state.round.settings)
    cards = [round_.draws[one.draw - 1].card for one in round_.script if hasattr(one, "draw")]
    answers = [one.decisions for one in round_.script if hasattr(one, "decisions")]
    other.do(e.NewDeck(), e.Open())
    for one in past.bets:
        other.do(e.PlaceBet(one.bet.player, str(one.bet.spot), one.bet.stake))
    other.do(e.Close())
    while other.state.live:
        if isinstance(other.due, Deal):
            other.do(e.CardOut(cards.pop(0)))
        elif isinstance(other.due, Ask):
            other.do(*(e.Choose(who, decision) for who, decision in answers.pop(0).items()))
        assert other.fault is None
    return {(what.player, what.market): what.returned for what in other.facts("paid")}


@pytest.mark.parametrize(("rounds", "size"), first_of(1, [(ROUNDS, SLICE), (TINY_ROUNDS, 1)]))
@pytest.mark.parametrize(("game", "settings"), TABLES)
def test_random_resettlements_move_the_difference_of_two_settlements(game, settings, rounds, size):
    dice, table = Random(f"{SEED} {game} {settings}"), Bench(game, settings)
    table.house = replace(table.house, slice=size)
    over, chains = [], defaultdict(list)
    while sum(map(len, chains.values())) < rounds:
        if not over or dice.random() < 0.3:
            over.append(play_round(table, dice))
        number = dice.choice(over[-3:])
        corrections = tuple(amendment(table, dice, number) for _ in range(dice.choice((1, 1, 2))))
        record = table.do(e.Resettle(number, corrections, "m", "misread", "n"))[-1]
        if record.kind == "resettled" and len(chains[number]) < CHAIN:
            chains[number].append(replace(record, what=record.what.whole_record))
        for _ in range(dice.choice((0, 0, 1, 2)) if table.state.is_unfinished else 0):
            table.do(e.Tick())
        if dice.random() < 0.1:
            table.restart()
            table.says("rule resume by m because restarted")
    while table.state.is_unfinished:
        table.do(e.Tick())
    for chain in chains.values():
        looked_at(table, chain)
    movements = [one for record in table.records if record.kind == "resettled" for one in record.what.movements]
    recorded = {one.id: one for one in movements}
    assert len(recorded) == len(movements)
    assert all(
        recorded[one.id] == one for chain in chains.values() for record in chain for one in record.what.movements
    )
    assert replayed_in_slices(table) == []


def looked_at(table, chain):
    """Assert that each resettlement of a chain moves the difference of two settlements from scratch."""
    for record in chain:
        before = decode_past(record.input.event.past)
        after = after_revision(table.house, Position(GAMES), record)
        was, now = settled_by_its_sheet(before), settled_by_its_sheet(after)
        assert {one.bet: one.difference for one in record.what.movements} == {bet: now[bet] - was[bet] for bet in was}
        plain = not after.state.round.void and not any(one.gone or one.bet.taken for one in after.bets)
        if after.outcome is not None and table.house.game.name in PLAIN and plain and after.state.round.window == 1:
            of = settled_at_a_new_table(table, after)
            assert {key: one.now for one in record.what.movements if (key := (one.player, one.market))} == of
    for one, other in pairwise(chain):
        assert [bet.now for bet in one.what.movements] == [bet.was for bet in other.what.movements]
