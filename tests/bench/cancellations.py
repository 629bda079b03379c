"""Count cancelled rounds and void hands in random play with faults: `python -m tests.bench.cancellations`.

The random play is the same in each commit, so that commits can be compared. The shift manager cancels a round only if
no other ruling is accepted. Prints one line a game.
"""

import random
import sys
from collections import Counter
from typing import Any

from controller.core import events as e
from controller.core.causes import ByRuling
from controller.core.offers import possible_rulings
from controller.games import GAMES
from controller.lab.testing.bench import Bench
from controller.lab.testing.chance import expected_events, happen, undealt_card_in_play
from controller.rules.procedure import Deal

TABLES, LENGTH, TRIES = 150, 200, 12
SETTINGS = {"blackjack": {"decks": 1}}


def rulings(bench: Bench, dice: random.Random) -> list[e.Rule]:
    """Return the rulings that a shift manager tries: first those that keep the round, then void, cancel."""
    state: Any = bench.state
    due, draws = bench.due, [None, *range(1, len(state.round.draws) + 1)]
    can = [one for one in possible_rulings(state, due) if one not in ("cancel", "void_hand")]
    place = due.to if isinstance(due, Deal) else bench.house.game.places[0]
    tried = []
    for _ in range(TRIES if can else 0):
        ruling, draw = dice.choice(can), state.fault.draw if dice.random() < 0.7 else dice.choice(draws)
        about: Any = (draw, undealt_card_in_play(bench, dice.randrange(99)), place, None, "deck", None, False)
        tried.append(e.Rule(ruling, "m", "x", *about))
    hands = [e.Rule("void_hand", "m", "x", place=seat) for seat in bench.house.game.seats[:3]]
    return [*tried, *(hands if "void_hand" in possible_rulings(state, due) else []), e.Rule("cancel", "m", "x")]


def play(game: str, seed: int) -> Counter[str]:
    """Play random rounds at one table; return the number of records of each kind."""
    dice, bench = random.Random(f"{game} {seed}"), Bench(game, SETTINGS.get(game), confirm="dealer")
    for _ in range(LENGTH):
        if bench.life == "paused":
            for ruling in rulings(bench, dice):
                if bench.do(ruling)[0].kind == "ruled":
                    break
        elif dice.random() < 0.85:
            bench.do(*expected_events(bench, dice.randrange(10**6)))
        else:
            happen(bench, dice.choice((56, 58, 60, 62, 88, 96)), dice.randrange(10**6))
    found = Counter(record.kind for record in bench.records)
    found["by ruling"] = sum(isinstance(what.why, ByRuling) for what in bench.facts("cancelled"))
    return found


def main() -> None:
    """Print one line of counts for each game."""
    print(f"{'game':14} {'rounds':>7} {'settled':>8} {'cancelled':>10} {'per cent':>9} {'hands void':>11}")
    for game in GAMES:
        found: Counter[str] = Counter()
        for seed in range(TABLES):
            found += play(game, seed)
        share = 100 * found["by ruling"] / (found["settled"] + found["by ruling"])
        row = f"{found['settled']:8} {found['by ruling']:10} {share:9.1f} {found['hand_voided']:11}"
        print(f"{game:14} {found['opened']:7} {row}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
