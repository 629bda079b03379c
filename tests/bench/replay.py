"""Measure how fast records of random rounds of each game are folded and decided again, and their size.

Times are processor time, so that other programs on this PC do not count.

    python -m tests.bench.replay [--rounds N] [--folder DIR]
"""

import argparse
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.fold import fold
from controller.core.house import House, Terms
from controller.core.state import State
from controller.games import GAMES
from controller.journal import Journal, read, read_rows
from controller.reports.replay import Replay
from controller.rules.game import Game
from controller.script.play import Play

TABLES = (
    ("baccarat", {}), ("baccarat", {"betting_windows": 3}), ("thirty_two", {}), ("casino_holdem", {}),
    ("blackjack", {}), ("rhum32", {}),
)  # fmt: skip
PLAYERS = 5


class RecordedDealer:
    """Dealer of rounds with five players at a table without devices, recorded in the journal `path`."""

    def __init__(self, game: Game, settings: dict[str, object], path: Path) -> None:
        self.house = House(game, game.settings(**settings), Terms())
        self.book = Journal(path)
        self.play = Play(self.house, self.book)
        self.dice = random.Random(1)
        self.shoe: list[str] = []

    def take(self, event: e.Event) -> None:
        """Pass an event to the table, two seconds after the last one."""
        self.play.now += 2 * SECOND
        self.play.take(event)

    def round(self) -> None:
        """Play one round; load a new shoe or deck before it if it is due."""
        deck = self.house.deck
        if deck.every_round or len(self.shoe) < deck.change_below:
            self.shoe = list(deck.cards) * deck.copies
            self.dice.shuffle(self.shoe)
            self.take(e.NewDeck() if deck.every_round else e.LoadShoe())
        self.play.take(e.ShoeStandsBy())
        self.take(e.Open())
        self.bet()
        self.take(e.Close())
        while self.play.state.live:
            self.take(self.answer())

    def bet(self) -> None:
        """Place one bet for each player."""
        game = self.house.game
        markets = [market.name for market in game.markets if market.needs is None]
        for number in range(PLAYERS):
            market = markets[number % len(markets)]
            self.play.take(e.PlaceBet(f"p{number}", f"{game.seats[number]} {market}" if game.seats else market, 1000))

    def answer(self) -> e.Event:
        """Return the event that the round needs next: a random decision, a card or the close of bets."""
        round_, due = self.play.state.round, self.play.state_line()["due"]
        if round_.asking is not None and due["step"] == "ask":
            who = next(one for one in round_.asking.who if one not in round_.asking.decided)
            return e.Choose(who, self.dice.choice(round_.asking.options))
        return e.CardOut(self.shoe.pop()) if due["step"] == "deal" else e.Close()


def measured(path: Path) -> tuple[float, float]:
    """Return the seconds to read and fold a journal, and to decide all its events again."""
    began = time.process_time()
    fold(State(), read(path))
    folded = time.process_time()
    audit = Replay(GAMES, "")
    audit.take(read_rows(path))
    audit.finish()
    assert audit.differences == audit.others == []
    return folded - began, time.process_time() - folded


def lengths(path: Path) -> tuple[int, int, int]:
    """Return the number of records, the bytes of their text and hashes, and the bytes of their inputs."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*), sum(length(record) + 32), sum(length(input)) FROM records").fetchone()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=1000)
    words.add_argument("--folder", type=Path, help="where to write")
    given = words.parse_args()
    print(f"{'':24}{'records':>9}{'folded a second':>17}{'decided a second':>18}{'bytes a round':>15}{'of inputs':>11}")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for number, (name, settings) in enumerate(TABLES):
            path = Path(folder) / f"{number}.journal"
            dealer = RecordedDealer(GAMES[name], settings, path)
            for _ in range(given.rounds):
                dealer.round()
            dealer.book.close()
            records, text, inputs = lengths(path)
            folded, decided = measured(path)
            title = f"{name}, three windows" if settings else name
            print(
                f"{title:24}{records:>9}{records / folded:>17,.0f}{records / decided:>18,.0f}"
                f"{(text + inputs) / given.rounds:>15,.0f}{inputs / given.rounds:>11,.0f}"
            )


if __name__ == "__main__":
    main()
