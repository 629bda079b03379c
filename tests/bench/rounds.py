"""Measure rounds per second of every game, beside other engines of the same or a similar game.

procedure   the rule sheet's procedure alone: each answer is checked, every bet is paid
table       the whole core without a disk: events decided, cards checked against the deck, records made, state folded.
            A shoe for many rounds is dealt down, so that computed odds differ from round to round

python -m tests.bench.rounds [--seconds S]
pip install -e '.[peers]'     installs the other engines; a missing engine is left out and named
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib.util import find_spec

from controller.core import events as e
from controller.core.decide import decide
from controller.core.house import House, Terms
from controller.core.position import Position
from controller.core.state import State
from controller.games import GAMES
from controller.lab.rtp.rounds import SimulatedShoe
from controller.rules.dealing import CardTo, Dealing, Decisions, Revealed
from controller.rules.game import Game, Prize, Stake
from controller.rules.procedure import Ask, Deal, Participants, Reveal

Round = Callable[[], object]
dice = random.Random(1)


# the bets of a round, and the decisions that its player may take
BETS = {
    "baccarat": ("banker",),
    "thirty_two": ("player11",),
    "casino_holdem": ("ante",),
    "blackjack": ("seat1 main",),
    "rhum32": ("seat1 ante",),
}
DECIDES = ("call", "raise", "decline", "hit", "stand")


def option(ask: Ask) -> str:
    """Return a random decision, so that all paths are taken; never a split, which not every engine has."""
    options = [one for one in ask.options if one in DECIDES]
    return options[int(dice.random() * len(options))]


def procedure(game: Game) -> Round:
    """Return a function that plays one round through the procedure, its checks and its pay tables."""
    cards, settings = SimulatedShoe.of(game, "1"), game.settings()
    joined = Participants(players=("p1",), seats=("seat1",) if game.seats else ())
    odds = {market.name: market.odds for market in game.markets}
    seat, _, market = BETS[game.name][0].rpartition(" ")
    stakes = [Stake("p1", market, odds.get(market), seat or None)]

    def play() -> object:
        cards.fill()
        dealing, staked = Dealing(game.procedure(settings, joined)), list(stakes)
        while (due := dealing.due) is not None:
            match due:
                case Deal(to=place):
                    dealing.answer(CardTo(cards.draw(), place))
                case Ask(who=(who,)):
                    chosen = option(due)
                    dealing.answer(Decisions({who: chosen}))
                    if chosen in game.follow_ons:
                        staked.append(Stake("p1", game.follow_ons[chosen].market, None, who if game.seats else None))
                case Reveal(place=place):
                    dealing.answer(Revealed(place))
        returns = [game.pay(dealing.outcome, stake) for stake in staked]
        return [
            100 + won.amount if isinstance(won, Prize) else 100 * won.numerator // won.denominator for won in returns
        ]

    return play


def table(game: Game, **settings: object) -> Round:
    """Return a function that plays one round through the whole core, without a disk."""
    cards, position = SimulatedShoe.of(game, "1"), Position(GAMES)
    house = House(game, game.settings(**settings), Terms())

    def do(state: State, event: e.Event) -> State:
        return decide(house, position, state, event, 0).state

    begin = do(do(do(do(State(), e.Begin("bench")), e.OpenTable("bench")), e.DealerOn("d")), e.LoadShoe())
    state = begin

    def play() -> object:
        nonlocal state
        if house.deck.every_round or state.shoe.size - state.shoe.out < house.deck.change_below:
            cards.fill()
            state = do(begin, e.NewDeck())
        state = do(state, e.Open())
        for market in BETS[game.name]:
            state = do(state, e.PlaceBet("p1", market, 1000))
        while state.life != "settled":
            due = position.due(state)
            if isinstance(due, Deal) and state.life == "dealing":
                state = do(state, e.CardOut(cards.draw()))
            else:
                state = do(state, e.Choose(due.who[0], option(due)) if isinstance(due, Ask) else e.Close())
        return state

    return play


# ── the other engines ────────────────────────────────────────────────────────────────────────────────────────────


def pokerkit_holdem() -> Round:
    from pokerkit import Automation, NoLimitTexasHoldem

    everything = tuple(Automation)

    def play() -> object:
        state = NoLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 200, 2)
        while state.status:
            state.check_or_call()
        return state

    return play


def open_spiel_blackjack() -> Round:
    import pyspiel

    game = pyspiel.load_game("blackjack")

    def play() -> object:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(dice.random() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(dice.random() * len(actions))])
        return state.returns()

    return play


def rlcard_blackjack() -> Round:
    import rlcard

    game = rlcard.make("blackjack").game

    def play() -> object:
        game.init_game()
        while not game.is_over():
            game.step(("hit", "stand")[int(dice.random() * 2)])
        return game.winner

    return play


def gymnasium_blackjack() -> Round:
    import gymnasium

    env = gymnasium.make("Blackjack-v1").unwrapped
    env.reset(seed=1)

    def play() -> object:
        env.reset()
        over = False
        while not over:
            _, reward, over, *_ = env.step(int(dice.random() * 2))
        return reward

    return play


def jackblack_blackjack() -> Round:
    from jackblack import Player, Simple, Simulation

    simulation = Simulation([Player("p1", chips=10**12, strategy=Simple())])
    return lambda: simulation.run(1)


PEERS: dict[str, tuple[str, str, Callable[[], Round]]] = {  # by title: package, our similar game, maker of its round
    "pokerkit, two-player hold'em": ("pokerkit", "casino_holdem", pokerkit_holdem),
    "open_spiel blackjack (C++)": ("pyspiel", "blackjack", open_spiel_blackjack),
    "rlcard blackjack": ("rlcard", "blackjack", rlcard_blackjack),
    "gymnasium Blackjack-v1": ("gymnasium", "blackjack", gymnasium_blackjack),
    "jackblack": ("jackblack", "blackjack", jackblack_blackjack),
}


def speed(play: Round, seconds: float) -> float:
    """Return the rounds played in a second."""
    rounds, start = 0, time.perf_counter()
    while (gone := time.perf_counter() - start) < seconds:
        for _ in range(50):
            play()
        rounds += 50
    return rounds / gone


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--seconds", type=float, default=3.0, help="for each measurement, in three turns")
    given = words.parse_args()
    runs = {(name, kind.__name__): kind(game) for name, game in GAMES.items() for kind in (procedure, table)}
    missing = [name for name, (package, *_) in PEERS.items() if find_spec(package) is None]
    runs["baccarat", "windows"] = table(GAMES["baccarat"], betting_windows=3)
    runs |= {(name, "peer"): make() for name, (_, _, make) in PEERS.items() if name not in missing}
    best = dict.fromkeys(runs, 0.0)
    for _ in range(3):  # in turns: a disturbance hits all of them
        for run, play in runs.items():
            best[run] = max(best[run], speed(play, given.seconds / 3))
    print(f"{'rounds a second':32}{'procedure':>12}{'table':>12}")
    for name in GAMES:
        print(f"{name:32}{best[name, 'procedure']:>12,.0f}{best[name, 'table']:>12,.0f}")
    print(f"{'baccarat, three windows':32}{'':12}{best['baccarat', 'windows']:>12,.0f}")
    print(f"\n{'beside it':32}{'rounds a second':>16}{'our procedure is':>20}")
    for name, (_, ours, _) in PEERS.items():
        if name in missing:
            print(f"{name:32}{'not installed':>16}")
        else:
            print(f"{name:32}{best[name, 'peer']:>16,.0f}{best[ours, 'procedure'] / best[name, 'peer']:>16.1f} times")


if __name__ == "__main__":
    main()
