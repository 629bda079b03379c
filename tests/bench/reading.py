"""Measure how long reports on a long journal take, and how much memory.

The journal has rounds of baccarat with five bets each; in one of ten the shoe could not read a card.

    python -m tests.bench.reading [--rounds N] [--folder DIR]
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.house import House, Terms
from controller.games import GAMES
from controller.journal import Journal, head_of, read
from controller.script.play import Play

dice = random.Random(1)
AT_ONCE = 2_000  # records

COMMANDS = (
    ["stats", "--shift", "06:00,14:00,22:00"], ["events"], ["export"], ["export", "--format", "csv"],
    ["export", "--fault", "unread_card"], ["export", "--round", "1..5"], ["export", "--script"],
)  # fmt: skip


class JournalDealer:
    """Dealer of rounds at a table without devices, who writes its records to a journal."""

    def __init__(self, path: Path) -> None:
        game = GAMES["baccarat"]
        self.play = Play(House(game, game.settings(), Terms()))
        self.journal = Journal(path)
        self.deck = game.deck(game.settings())
        self.cards: list[str] = []

    def round(self, number: int) -> None:
        """Play one round; change the shoe before it if too few cards are left."""
        if len(self.cards) < self.deck.change_below:
            self.cards = list(self.deck.cards) * self.deck.copies
            dice.shuffle(self.cards)
            self.take(e.ChangeShoe(), e.LoadShoe(), e.DealerOn(f"dealer{number % 7}"))
        self.take(e.Open(), after=8)
        self.take(*(e.PlaceBet(f"p{n}", ("player", "banker", "tie")[n % 3], 1000) for n in range(5)))
        self.take(e.Close(), after=12)
        unread = number % 10 == 0
        while self.play.state.life == "dealing":
            card = self.cards.pop()
            self.take(e.CardOut(None if unread else card), after=2)
            if unread:
                self.take(e.Acknowledge("maria"), after=dice.randrange(20))
                self.take(e.Rule("enter", "maria", "seen on camera", card=card), after=dice.randrange(60))
            unread = False

    def take(self, *events: e.Event, after: int = 0) -> None:
        self.play.now += after * SECOND
        for event in events:
            self.play.take(event)

    def keep(self) -> None:
        self.journal.append(self.play.records)
        self.play.records.clear()


def make(path: Path, rounds: int) -> None:
    dealer = JournalDealer(path)
    for number in range(1, rounds + 1):
        dealer.round(number)
        if len(dealer.play.records) > AT_ONCE:
            dealer.keep()
    dealer.keep()
    dealer.journal.close()


def timed(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([Path(sys.executable).with_name("tablectl"), *words], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=20_000)
    words.add_argument("--folder", type=Path, help="where to write")
    given = words.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "table.journal"
        make(path, given.rounds)
        print(f"{given.rounds} rounds, {head_of(path).seq} records, {path.stat().st_size / 2**20:.0f} MiB")
        began = time.perf_counter()
        for _ in read(path):
            pass
        print(f"{'reading alone':44}{time.perf_counter() - began:>7.2f} s")
        for command in COMMANDS:
            seconds = timed(["journal", command[0], str(path), *command[1:]])
            print(f"{'journal ' + ' '.join(command):44}{seconds:>7.2f} s")
    print(f"most memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
