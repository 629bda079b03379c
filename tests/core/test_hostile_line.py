"""Three betting windows under a bad line: no late or repeated command acts in another window."""

import random

import msgspec
import pytest

from controller.core import records as r
from controller.core.state import State
from controller.lab.testing.bench import undealt_card
from controller.web.api.command_decoder import read
from controller.web.api.command_events import as_event
from controller.web.api.commands import Caller
from controller.web.api.verdicts import command_verdict
from tests.chance import SEED

from .bench import Bench
from .late_server import WINDOWS, DelayedCommand, LateServer, Window

SERVER = Caller("server", "platform", "token:platform")


class CoreRounds:
    """Plays rounds of three betting windows against the core, without a network."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.table = Bench("baccarat", {"betting_windows": WINDOWS})
        self.late, self._number = LateServer(self.dice, remembers=False), 0

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self.table.says("shoe change; shoe ready; open")
            while self.table.life in ("betting", "dealing"):
                if self.table.life == "betting":
                    self._window()
                else:
                    self.table.says(f"card {undealt_card(self.table.state, self.dice.randrange(10**6), self._cards)}")

    @property
    def _cards(self):
        return self.table.house.deck.cards

    def _window(self) -> None:
        state = self.table.state
        for part in self.late.plan(self._number, (state.round.number, state.round.window), state.round.odds):
            for sent in part:
                self._send(sent)
        self._number += 1
        if self.table.life == "betting":
            self.table.says("press close; press close")

    def _send(self, sent: DelayedCommand) -> None:
        open_ = is_open(self.table.state)
        (command,) = read(msgspec.json.encode(sent.command)).commands
        records = self.table.do(as_event(SERVER, command, self.table.state))
        verdict = command_verdict(command.id, records, "server")
        self.late.hear(sent, {"verdict": verdict.verdict, "reason": verdict.reason}, open_)


def is_open(state: State) -> Window | None:
    return (state.round.number, state.round.window) if state.life == "betting" else None


def acted_elsewhere(records) -> list[str]:
    """List the bets, withdrawals and closes that acted in another window than the one they name."""
    window, wrong = (0, 0), []
    for record in records:
        if isinstance(record.what, r.Opened):
            window = (record.round, 1)
        elif isinstance(record.what, r.WindowOpened):
            window = (record.round, record.what.window)
        event = record.input.event if record.input else None
        named = getattr(event, "round", None), getattr(event, "window", None)
        if isinstance(record.what, r.BetAccepted | r.BetWithdrawn | r.Closed) and None not in named and named != window:
            wrong.append(f"{record.kind} {record.seq}: meant {named}, was {window}")
    return wrong


def unbalanced(records) -> dict[str, int]:
    """Return the ids of bets that were not debited once and credited once, with the difference."""
    moved: dict[str, int] = {}
    for record in records:
        match record.what:
            case r.BetAccepted(bet=bet):
                moved[bet] = moved.get(bet, 0) + 1
            case r.BetWithdrawn(bet=bet) | r.Paid(bet=bet) | r.Refunded(bet=bet):
                moved[bet] = moved.get(bet, 0) - 1
    return {bet: count for bet, count in moved.items() if count}


def is_kept(rounds: int, seed: int) -> None:
    evening = CoreRounds(seed)
    evening.play(rounds)
    records = evening.table.records
    assert acted_elsewhere(records) == []
    assert unbalanced(records) == {}
    assert sum(record.kind == "window_opened" for record in records) == 2 * rounds
    assert evening.late.taken > rounds
    assert evening.late.refused > rounds


def test_a_late_command_acts_only_in_its_own_window():
    is_kept(10, seed=1)


@pytest.mark.proof
def test_in_3000_rounds_nothing_acts_in_another_window():
    is_kept(3000, SEED)
