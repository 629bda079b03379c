"""Records of a week at one table with random faults, always the same.

Three shifts a day by the clocks of Bucharest, five dealers and three shift managers.
"""

import random
from functools import cache
from pathlib import Path

from controller.core import events as e
from controller.core.clock import SECOND, from_text
from controller.core.records import Record
from controller.journal import Journal
from tests.core.bench import Bench

ZONE, SHIFTS = "Europe/Bucharest", "06:00,14:00,22:00"
BEGINS = from_text("2026-03-23T04:00:00.000000Z")  # a Monday, 06:00 there; the clocks are set on the Sunday
HOUR = 3600 * SECOND
DEALERS = (("Dora", "101"), ("Livia", "106"), ("Radu", "107"), ("Ioana", "108"), ("Matei", "109"))
MANAGERS = (("Maria", "103"), ("Sandu", "102"), ("Anca", "110"))
RANKS, SUITS = "A23456789TJQK", "CDHS"
WRONG = (
    ("press manager", 'rule resume by {manager} because "As the dealer reports"'),
    ("unread", 'rule enter {card} by {manager} because "Card identified on camera"'),
    ("card JOKER", 'rule burn by {manager} because "As seen on camera"'),
    ("press dropped", 'rule resume by {manager} because "As seen on camera"'),
    ("press manager", 'rule correct 1 {card} by {manager} because "Misread: as seen on camera"'),
    ("press manager", 'rule cancel by {manager} because "It cannot be put right"'),
)


class Week:
    """Plays a week at a table. `every`: average seconds from the end of a round to the next one."""

    def __init__(self, days: int, every: int) -> None:
        self.dice, self.every = random.Random(7), every
        self.bench = Bench("baccarat")
        self.bench.now = BEGINS
        self.shoe = self._shuffled()
        for shift in range(3 * days):
            self._shift(shift)

    def _shift(self, number: int) -> None:
        bench, (manager, badge) = self.bench, MANAGERS[number % 3]
        ends = BEGINS + (number + 1) * 8 * HOUR
        bench.do(e.SignIn(manager, "10.0.0.7", "manager", person=badge))
        if number:
            before, theirs = MANAGERS[(number - 1) % 3]
            bench.do(e.HandOverSaid(before, manager, badge, bench.state.seq, "Panel key FINISH sticks", person=theirs))
        if number % 4 == 1:
            bench.do(e.BadSignIns(2, 0, 2, 0, ("103",), ("10.0.0.7",)))
        self._change_shoe(manager)
        while bench.now < ends - 10 * 60 * SECOND:
            self._deal(manager)
        bench.now = ends

    def _deal(self, manager: str) -> None:
        bench, dice = self.bench, self.dice
        name, badge = dice.choice(DEALERS)
        bench.do(*[e.DealerOn(name, id=badge)] * (dice.random() < 0.08))
        bench.says("open")
        for player in range(dice.randrange(1, 5)):
            bench.do(e.PlaceBet(f"p{player}", dice.choice(("player", "banker", "tie")), 500 * dice.randrange(1, 20)))
        bench.wait(15)
        self._cards(dice.choice(WRONG) if dice.random() < 0.06 else None, manager)
        if bench.state.life == "paused":
            bench.says(f'rule cancel by {manager} because "It cannot be put right"')
        if len(self.shoe) < 60:
            self._change_shoe(manager)
        bench.now += dice.randrange(self.every // 2, self.every * 3 // 2) * SECOND

    def _cards(self, wrong: tuple[str, str] | None, manager: str) -> None:
        """Deal the round to its end; `wrong` happens before the third card."""
        bench = self.bench
        for draw in range(6):
            bench.wait(4)
            if wrong and draw == 2:
                self._fault(*wrong, manager)
            if bench.state.life == "dealing":
                bench.do(e.CardOut(self._card()))

    def _fault(self, what: str, ruling: str, manager: str) -> None:
        bench, dice = self.bench, self.dice
        bench.says(what)
        bench.wait(dice.randrange(2, 28))
        bench.says(f"ack by {manager}")
        bench.wait(dice.randrange(5, 120))
        bench.says(ruling.format(manager=manager, card=self._card()))
        if dice.random() < 0.1:
            bench.says("lost panel")
            bench.wait(20)
            bench.says("found panel")

    def _change_shoe(self, manager: str) -> None:
        self.bench.says(f"shoe change by {manager}; shoe ready S{self.bench.state.shoes + 1} 312 by {manager}")
        self.shoe = self._shuffled()

    def _shuffled(self) -> list[str]:
        cards = [rank + suit for rank in RANKS for suit in SUITS] * 6
        self.dice.shuffle(cards)
        return cards

    def _card(self) -> str:
        return self.shoe.pop()


@cache
def week(days: int = 7, every: int = 1200) -> tuple[Record, ...]:
    """Return all records of such a week, or of another number of days."""
    return tuple(Week(days, every).bench.records)


def journal(path: Path, records: tuple[Record, ...]) -> Path:
    """Write these records to a new journal; return its path."""
    book = Journal(path)
    book.append(records)
    book.close()
    return path
