"""Game server on a bad line: each command arrives 0 to 3 windows late, twice, or by two routes."""

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

WINDOWS = 3
WAYS = ("http", "bus")
LATE = ("stale_window", "other_round", "betting_closed", "duplicate_bet", "no_bet", "ignored")

Window = tuple[int, int]  # number of the round, and of the window in it


class DelayedCommand(Struct, frozen=True):
    """A command on its way to the table; both copies of a doubled command carry the same id."""

    way: str
    command: dict[str, Any]

    @property
    def key(self) -> tuple[str, str]:
        return self.way, self.command["id"]

    @property
    def meant(self) -> Window:
        return self.command["round"], self.command["window"]


class WindowPlan(NamedTuple):
    """Commands that arrive in one window: mixed ones first, then withdrawals and closes of this window."""

    bets: list[DelayedCommand]
    unbets: list[DelayedCommand]
    closes: list[DelayedCommand]


class LateServer:
    """Sends bets, a withdrawal and a close for each window, and checks the table's answer to each.

    `remembers`: True if the table answers a repeated id with its first answer.
    """

    def __init__(self, dice: random.Random, *, remembers: bool) -> None:
        self._dice, self._remembers = dice, remembers
        self._due = defaultdict[int, list[DelayedCommand]](list)
        self._answers: dict[tuple[str, str], Any] = {}
        self._done = set[str]()  # ids
        self.taken, self.refused = 0, 0

    def plan(self, number: int, window: Window, odds: Mapping[str, str]) -> WindowPlan:
        """Send the commands of a window, the `number`th of all; return the commands that arrive in it."""
        for command in self._commands(number, window, odds):
            way = self._dice.choice(WAYS)
            self._due[number + self._delay()].append(DelayedCommand(way, command))
            if self._dice.random() < 0.5:
                other = self._dice.choice(WAYS)
                self._due[number + self._delay()].append(DelayedCommand(other, command))
        arrive = self._due.pop(number, [])
        self._dice.shuffle(arrive)
        kinds = {
            kind: [one for one in arrive if one.meant == window and one.command["command"] == kind]
            for kind in ("unbet", "close")
        }
        first = [one for one in arrive if one not in kinds["unbet"] and one not in kinds["close"]]
        return WindowPlan(first, kinds["unbet"], kinds["close"])

    def _delay(self) -> int:
        return self._dice.choice((0, 0, 0, 1, 2, 3))

    def _commands(self, number: int, window: Window, odds: Mapping[str, str]) -> list[dict[str, Any]]:
        on = {"round": window[0], "window": window[1]}
        stakes = [{**on, "player": f"p{player}", "market": self._dice.choice(list(odds))} for player in range(3)]
        bets = [{**one, "stake": 100 * self._dice.randrange(1, 9), "odds": odds[one["market"]]} for one in stakes]
        commands = [{"command": "bet", **one} for one in bets]
        commands += [{"command": "unbet", **stakes[0]}, {"command": "close", **on}]
        return [{"id": f"{number}.{place}", **one} for place, one in enumerate(commands)]

    def again(self, number: int, sent: list[DelayedCommand]) -> None:
        """Deliver these commands again in the `number`th window, as a client killed before the answer does."""
        self._due[number] += sent

    def hear(self, sent: DelayedCommand, verdict: Mapping[str, Any], open_: Window | None) -> None:
        """Check the answer to a command; `open_` is the window that was open when it arrived, if any."""
        if self._remembers and sent.key in self._answers:
            assert verdict == self._answers[sent.key], sent
            return
        self._answers[sent.key] = verdict
        is_in_time = sent.meant == open_ and sent.command["id"] not in self._done
        if is_in_time and (sent.command["command"] != "unbet" or f"{sent.command['id'][:-1]}0" in self._done):
            assert verdict["verdict"] == "done", (sent, verdict)
            self._done.add(sent.command["id"])
            self.taken += 1
        else:
            assert (verdict["verdict"], verdict["reason"] in LATE) == ("refused", True), (sent, verdict, open_)
            self.refused += 1
