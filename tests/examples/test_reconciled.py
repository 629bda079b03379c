"""Tests that the example clients book exactly the payments of the record, through all kinds of errors.

Up to 500 players at a table of `tablectl run`: cards are unread, misread and dealt too early, rounds are cancelled,
table and clients are killed at random moments, and the line between them is cut again and again.
"""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.core import events as e
from controller.core.records import Record
from tests.bus.rig import BusServer
from tests.chance import SEED
from tests.examples.clients import PLAYS, ExampleClient, booked
from tests.examples.crew import Crew
from tests.examples.cuttable_line import CuttableLine
from tests.examples.table import ExampleTable

CUTS = 64
PLAN = ("unread", "misread", "early", "cancel")  # the error of each round
LOOK = 0.005  # seconds between two looks at the table
VOID = {"cancelled", "refunded", "bet_withdrawn"}
WINDOWS = 3
ACTS = {"bet_accepted", "bet_withdrawn", "closed"}
SEEN = {"casino_holdem": VOID | {"rewound"}, "blackjack": VOID}  # kinds of records in a run of each game


def movements(records: list[Record]) -> Iterator[tuple[str, tuple[str, int, str]]]:
    """Yield each debit and each credit of the record: id, and player, amount, currency."""
    for record in records:
        match record.kind:
            case "bet_accepted" | "decided" if record.what.stake is not None:
                yield f"{record.what.bet}.debit", (record.what.player, -record.what.stake, "EUR")
            case "bet_withdrawn" | "refunded":
                yield f"{record.what.bet}.credit", (record.what.player, record.what.stake, "EUR")
            case "paid":
                yield f"{record.what.bet}.credit", (record.what.player, record.what.returned, "EUR")


class DisturbedRounds:
    """Rounds with errors of the crew, cut lines and killed programs.

    `kills`: of the table, each third time of the clients instead; killed programs are restarted at once.
    """

    def __init__(
        self, folder: Path, game: str, *languages: str, seed: int, bus: BusServer | None = None, rules: str = ""
    ) -> None:
        print("seed", seed)
        self.dice = random.Random(seed)
        self.table = ExampleTable(folder, game, bus, rules)
        self.crew = Crew(self.table, self.dice, PLAN)
        self.clients = [ExampleClient(language, folder, self.table) for language in languages]
        self._killed = 0

    def play(self, players: int, rounds: int, cuts: int, kills: int) -> None:
        self.table.start()
        with ExitStack() as stack:
            stack.callback(self.table.kill)
            stack.callback(self.crew.leave)
            line = stack.enter_context(CuttableLine(self.clients[0].port, self.dice.randrange(100)))
            for client in self.clients:
                stack.enter_context(client).start(players, line.port)
            self._deal(line, rounds, cuts, kills)
            assert line.cuts >= cuts
            self.crew.close()
            assert [client.ends() for client in self.clients] == [0] * len(self.clients), self._said()

    def _deal(self, line: CuttableLine, rounds: int, cuts: int, kills: int) -> None:
        while not self.crew.over(rounds):
            assert all(client.running for client in self.clients), self._said()
            if line.cuts * rounds < cuts * self.crew.rounds:
                time.sleep(self.dice.uniform(0, 0.1))
                line.cut()
            elif not self.crew.step(rounds):
                time.sleep(LOOK)
            elif self._killed * rounds < kills * self.crew.rounds and self.dice.random() < 0.3:
                self._kill()

    def _kill(self) -> None:
        self._killed += 1
        if self._killed % 3 == 0:
            for client in self.clients:
                client.kill()
                client.start_again()
            return
        time.sleep(self.dice.uniform(0, 0.1))
        before = self.crew.look()
        self.table.kill()
        self.crew.deals_unheard(before)
        self.table.start()

    def _said(self) -> str:
        return "".join(client.said() for client in self.clients)


def reconcile(disturbed: DisturbedRounds, rounds: int) -> None:
    """Assert that each client's wallet has exactly the movements of the record."""
    records = disturbed.table.records()
    listed = list(movements(records))
    recorded = dict(listed)
    assert len(recorded) == len(listed)  # no id stands for two movements
    debits = {name.removesuffix(".debit") for name in recorded if name.endswith(".debit")}
    assert {name.removesuffix(".credit") for name in recorded if name.endswith(".credit")} == debits
    for client in disturbed.clients:
        assert booked(client.wallet) == recorded
    assert sum(record.kind == "opened" for record in records) == rounds


def test_a_client_over_the_bus_books_what_is_recorded(tmp_path, bus):
    disturbed = DisturbedRounds(tmp_path, "casino_holdem", "python", seed=1, bus=bus)
    disturbed.play(players=20, rounds=2, cuts=8, kills=1)
    reconcile(disturbed, rounds=2)


@pytest.mark.proof
def test_cuts_and_kills_over_the_bus_end_in_the_record(tmp_path, bus):
    """Clients and table are killed, the line to the bus is cut: wallets match to the cent. Random game."""
    game = random.Random(SEED).choice(list(SEEN))
    disturbed = DisturbedRounds(tmp_path, game, *PLAYS, seed=SEED, bus=bus)
    disturbed.play(players=100, rounds=5, cuts=20, kills=6)
    reconcile(disturbed, rounds=5)
    assert disturbed.crew.went_wrong


def test_two_clients_with_the_same_ids_book_what_is_recorded(tmp_path):
    disturbed = DisturbedRounds(tmp_path, "casino_holdem", *PLAYS, seed=1)
    disturbed.play(players=20, rounds=2, cuts=8, kills=1)
    reconcile(disturbed, rounds=2)


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", PLAYS)
def test_500_players_cuts_and_kills_end_in_the_record(tmp_path, language):
    """The wallets match the record to the cent. The game is random."""
    game = random.Random(SEED).choice(list(SEEN))
    disturbed = DisturbedRounds(tmp_path, game, language, seed=SEED)
    disturbed.play(players=500, rounds=12, cuts=CUTS, kills=9)
    reconcile(disturbed, rounds=12)
    assert disturbed.crew.went_wrong == set(PLAN)
    assert {record.kind for record in disturbed.table.records()} >= SEEN[game]


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("over", ["http", "bus"])
def test_after_kills_no_command_acts_in_another_betting_window(tmp_path, bus, over):
    """Table and clients are killed with SIGKILL; restarted clients repeat commands of earlier windows."""
    rules, over_bus = f"betting_windows = {WINDOWS}", bus if over == "bus" else None
    disturbed = DisturbedRounds(tmp_path, "baccarat", *PLAYS, seed=SEED, bus=over_bus, rules=rules)
    disturbed.play(players=50, rounds=12, cuts=24, kills=9)
    reconcile(disturbed, rounds=12)
    acted = list(meant_and_acted(disturbed.table.records()))
    assert {window for _, window in acted} == set(range(1, WINDOWS + 1))
    assert [(meant, window) for meant, window in acted if meant != window] == []


def meant_and_acted(records: list[Record]) -> Iterator[tuple[int, int]]:
    """Yield, for each command on bets that was done, the window it names and the window that was open."""
    open_ = 0
    for record in records:
        event = None if record.input is None else record.input.event
        if isinstance(event, e.PlaceBet | e.WithdrawBet | e.Close) and record.kind in ACTS:
            yield event.window or 0, open_
        open_ = record.what.window if record.kind in ("opened", "window_opened") else open_
