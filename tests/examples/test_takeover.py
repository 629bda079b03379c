"""Tests that the example clients undo their bookings of records that a takeover has lost."""

import random
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bus.rig import BusServer
from tests.examples.clients import PLAYS, ExampleClient, booked
from tests.examples.crew import Crew
from tests.examples.table import ExampleTable
from tests.examples.test_reconciled import movements
from tests.patience import eventually


def recorded(table: ExampleTable) -> dict[str, tuple[str, int, str]]:
    return dict(movements(table.records()))


def is_booked(table: ExampleTable, client: ExampleClient) -> bool:
    return client.wallet.exists() and booked(client.wallet) == recorded(table)


def plays(crew: Crew, rounds: int) -> None:
    eventually(lambda: (crew.step(rounds) and False) or crew.over(rounds))


def goes_through_a_takeover(folder: Path, language: str, *, down: bool, bus: BusServer | None = None) -> None:
    table, parts = ExampleTable(folder, "casino_holdem", bus), folder / "parts"
    crew, client = Crew(table, random.Random(1)), ExampleClient(language, folder, table)
    table.start()
    with ExitStack() as stack:
        stack.callback(lambda: table.kill())
        stack.callback(crew.leave)
        stack.enter_context(client).start(5)
        plays(crew, 1)
        table.ship(parts)
        plays(crew, 2)
        eventually(lambda: is_booked(table, client))
        lost = recorded(table)
        if down:
            client.kill()
        table.kill()
        table.take_over(parts)
        table.start()
        assert set(recorded(table)) < set(lost)
        crew.rounds = 1
        if down:
            client.start_again()
        plays(crew, 2)
        crew.close()
        assert client.ends() == 0, client.said()
        assert is_booked(table, client)
        assert not set(lost) <= set(booked(client.wallet))


@pytest.mark.parametrize("language", PLAYS)
def test_a_client_undoes_what_a_takeover_has_lost(tmp_path, language):
    goes_through_a_takeover(tmp_path, language, down=False)


@pytest.mark.proof
@pytest.mark.parametrize("language", PLAYS)
def test_a_client_on_the_bus_undoes_what_a_takeover_lost(tmp_path, bus, language):
    goes_through_a_takeover(tmp_path, language, down=False, bus=bus)


@pytest.mark.proof
@pytest.mark.parametrize("language", PLAYS)
def test_a_client_down_during_a_takeover_undoes_it_too(tmp_path, language):
    goes_through_a_takeover(tmp_path, language, down=True)
