"""Screens of a table on the test bench, for its dealer and for players."""

import json

import msgspec

from controller.core.decide import has_doubles, ruling_limit
from controller.text.faults import Words
from controller.web.screens.dealer import DealerScreen, dealer
from controller.web.screens.history import LatestResults
from controller.web.screens.player import PlayerScreen, player
from controller.web.screens.table_snapshot import Equipment, TableSnapshot
from tests.core.bench import Bench

PANEL = Equipment(("shoe", "panel"), frozenset({"open", "close", "finish", "manager"}))
HOLDEM = "shuffled; open; bet p1 ante 1.00; bet p2 ante 2.00; close; card AC; card 7D; card KS; card QS; "
BOARD = "card 2C; card 9D; card TH; "
BLACKJACK = (
    "shuffled; open; bet p1 seat2 main 10.00; bet p2 seat5 main 5.00; close; card 8C; card 8D; card TC; card 9D; "
)
UP_AND_DOWN = "card 6C; card 5H; "


def bench_look(table, halted=None, equipment=PANEL) -> TableSnapshot:
    history = LatestResults(table.house.game.name, every_round=table.house.deck.every_round)
    history.hear(table.records, table.state)
    due = table.due if table.state.live else None
    return TableSnapshot(
        table.state,
        due,
        table.house,
        halted,
        history.results,
        history.notices,
        equipment,
        history.voids,
        history.ended,
        table.now,
        ruling_limit(table.house, table.position, table.state),
        has_doubles(table.house, table.position, table.state),
    )


def dealer_screen(game="baccarat", script="", language="en", **terms) -> DealerScreen:
    """Play a script and return the dealer's screen."""
    table = Bench(game, **({"confirm": "dealer"} | terms))
    table.says(script)
    return dealer(bench_look(table), Words(language))


def player_screen(game="baccarat", script="", language="en", **terms) -> PlayerScreen:
    """Play a script and return the players' screen."""
    table = Bench(game, **({"confirm": "dealer"} | terms))
    table.says(script)
    return player(bench_look(table), Words(language))


def bench_after(script, game="baccarat", **terms):
    """Play a script at a table where the dealer confirms results, and return the bench."""
    table = Bench(game, **({"confirm": "dealer"} | terms))
    table.says(script)
    return table


def hand_at(shown, place):
    return next(hand for one in shown.places for hand in one.hands if hand.place == place)


def json_text(shown) -> str:
    return json.dumps(msgspec.to_builtins(shown))
