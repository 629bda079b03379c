"""Both example clients, through everything that goes wrong: what they have booked is what the record says.

Five hundred players at a table of `tablectl run`: cards unread, misread and noticed too late, cards dealt too early,
rounds cancelled, table and client killed at any moment, and the line between them cut again and again.
"""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.core import events as e
from controller.core.records import Record
from tests.bus.rig import Server
from tests.chance import SEED
from tests.examples.clients import PLAYS, Client, booked
from tests.examples.crew import Crew
from tests.examples.line import Line
from tests.examples.table import Table

CUTS = 64
PLAN = ("unread", "misread", "early", "cancel")  # what goes wrong, round by round
LOOK = 0.005  # seconds between two looks at the table
VOID = {"cancelled", "refunded", "bet_withdrawn"}
WINDOWS = 3
ACTS = {"bet_accepted", "bet_withdrawn", "closed"}
SEEN = {"casino_holdem": VOID | {"rewound"}, "blackjack": VOID}  # in an evening of each game


def movements(records: list[Record]) -> Iterator[tuple[str, tuple[str, int, str]]]:
    """Each debit and each credit, as the record has them."""
    for record in records:
        match record.kind:
            case "bet_accepted" | "decided" if record.what.stake is not None:
                yield f"{record.what.bet}.debit", (record.what.player, -record.what.stake, "EUR")
            case "bet_withdrawn" | "refunded":
                yield f"{record.what.bet}.credit", (record.what.player, record.what.stake, "EUR")
            case "paid":
                yield f"{record.what.bet}.credit", (record.what.player, record.what.returned, "EUR")


class Evening:
    """So many rounds, to the end. `kills`: of the table, every third time of the clients; they are back at once."""

    def __init__(
        self, folder: Path, game: str, *languages: str, seed: int, bus: Server | None = None, rules: str = ""
    ) -> None:
        print("seed", seed)
        self.dice = random.Random(seed)
        self.table = Table(folder, game, bus, rules)
        self.crew = Crew(self.table, self.dice, PLAN)
        self.clients = [Client(language, folder, self.table) for language in languages]
        self._killed = 0

    def play(self, players: int, rounds: int, cuts: int, kills: int) -> None:
        self.table.start()
        with ExitStack() as stack:
            stack.callback(self.table.kill)
            stack.callback(self.crew.leave)
            line = stack.enter_context(Line(self.clients[0].port, self.dice.randrange(100)))
            for client in self.clients:
                stack.enter_context(client).start(players, line.port)
            self._deal(line, rounds, cuts, kills)
            assert line.cuts >= cuts
            self.crew.close()
            assert [client.ends() for client in self.clients] == [0] * len(self.clients), self._said()

    def _deal(self, line: Line, rounds: int, cuts: int, kills: int) -> None:
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


def reconcile(evening: Evening, rounds: int) -> None:
    """The wallets against the record."""
    records = evening.table.records()
    listed = list(movements(records))
    recorded = dict(listed)
    assert len(recorded) == len(listed)  # no id names two of them
    debits = {name.removesuffix(".debit") for name in recorded if name.endswith(".debit")}
    assert {name.removesuffix(".credit") for name in recorded if name.endswith(".credit")} == debits
    for client in evening.clients:
        assert booked(client.wallet) == recorded
    assert sum(record.kind == "opened" for record in records) == rounds


def test_a_client_over_the_bus_books_what_is_recorded(tmp_path, bus):
    evening = Evening(tmp_path, "casino_holdem", "python", seed=1, bus=bus)
    evening.play(players=20, rounds=2, cuts=8, kills=1)
    reconcile(evening, rounds=2)


@pytest.mark.proof
def test_cuts_and_kills_over_the_bus_end_in_the_record(tmp_path, bus):
    """To the cent: clients and table are killed, the line between clients and bus is cut. Chance takes the game."""
    game = random.Random(SEED).choice(list(SEEN))
    evening = Evening(tmp_path, game, *PLAYS, seed=SEED, bus=bus)
    evening.play(players=100, rounds=5, cuts=20, kills=6)
    reconcile(evening, rounds=5)
    assert evening.crew.went_wrong


def test_two_clients_with_the_same_ids_book_what_is_recorded(tmp_path):
    evening = Evening(tmp_path, "casino_holdem", *PLAYS, seed=1)
    evening.play(players=20, rounds=2, cuts=8, kills=1)
    reconcile(evening, rounds=2)


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", PLAYS)
def test_500_players_cuts_and_kills_end_in_the_record(tmp_path, language):
    """To the cent. Chance takes the game."""
    game = random.Random(SEED).choice(list(SEEN))
    evening = Evening(tmp_path, game, language, seed=SEED)
    evening.play(players=500, rounds=12, cuts=CUTS, kills=9)
    reconcile(evening, rounds=12)
    assert evening.crew.went_wrong == set(PLAN)
    assert {record.kind for record in evening.table.records()} >= SEEN[game]


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("over", ["http", "bus"])
def test_through_kills_nothing_acts_in_another_betting_window(tmp_path, bus, over):
    """With -9, of the table and of both clients; who comes back says again what was said in the windows before."""
    rules, over_bus = f"betting_windows = {WINDOWS}", bus if over == "bus" else None
    evening = Evening(tmp_path, "baccarat", *PLAYS, seed=SEED, bus=over_bus, rules=rules)
    evening.play(players=50, rounds=12, cuts=24, kills=9)
    reconcile(evening, rounds=12)
    acted = list(meant_and_acted(evening.table.records()))
    assert {window for _, window in acted} == set(range(1, WINDOWS + 1))
    assert [(meant, window) for meant, window in acted if meant != window] == []


def meant_and_acted(records: list[Record]) -> Iterator[tuple[int, int]]:
    """Of each command on bets that acted: the window that it names, and the one that was open."""
    open_ = 0
    for record in records:
        said = None if record.input is None else record.input.event
        if isinstance(said, e.PlaceBet | e.WithdrawBet | e.Close) and record.kind in ACTS:
            yield said.window or 0, open_
        open_ = record.what.window if record.kind in ("opened", "window_opened") else open_
