"""A running table finds devices that are plugged in late, lost and plugged in again."""

import random
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from controller.core.events import Close, KeyPressed
from controller.journal import Journal, verify
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.chance import SEED
from tests.end_to_end.rig import Folder, StationProcess, start_table, tablectl
from tests.patience import eventually

NATURAL = ("9C", "2D", "KD", "3H")  # Player 9, Banker 5: nobody draws


@pytest.fixture
def shoe(folder) -> Iterator[EmulatedAngelEye]:
    """Shoe that is not plugged in yet, with the cards of three equal rounds."""
    emulated = EmulatedAngelEye(PtyPort(folder.port), cards=NATURAL * 3)
    yield emulated
    emulated.unplug()


def is_recorded(folder: Folder, kind: str, act: Callable[[], None]) -> None:
    """Do this act; check that it makes exactly one record of this kind about the shoe."""
    before = folder.count(kind, device="shoe")
    act()
    eventually(lambda: folder.count(kind, device="shoe") > before)
    assert folder.count(kind, device="shoe") == before + 1


# ── `tablectl run` ───────────────────────────────────────────────────────────────────────────────────────────────


def test_run_waits_for_a_shoe_and_finds_it(folder, shoe):
    with start_table(folder.write_config(panel=None)) as table:
        eventually(lambda: folder.count("device_lost", device="shoe"))
        is_recorded(folder, "device_found", shoe.plug)
        assert table.running
        assert "faulted" not in folder.kinds()


def test_run_records_each_time_that_its_shoe_goes_and_comes(folder, shoe):
    shoe.plug()
    with start_table(folder.write_config(panel=None)) as table:
        eventually(lambda: folder.count("device_found", device="shoe"))
        for _ in range(2):
            is_recorded(folder, "device_lost", shoe.unplug)
            is_recorded(folder, "device_found", shoe.plug)
        assert "faulted" not in folder.kinds()  # no round was running
        assert table.running


def test_run_records_a_card_that_nobody_asked_for(folder, shoe):
    shoe.plug()
    with start_table(folder.write_config(panel=None)):
        eventually(lambda: folder.count("device_found", device="shoe"))
        shoe.draw()
        eventually(lambda: folder.codes() == ["extra_card"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_stops_cleanly_and_lets_go_of_the_journal(folder, shoe, number):
    shoe.plug()
    with start_table(folder.write_config(panel=None)) as table:
        eventually(lambda: folder.count("device_found", device="shoe"))
        before = folder.records()
        table.process.send_signal(number)
        assert table.ends() == 0
        assert "started" in table.events()
        assert table.events()[-1] == "stopped"
        assert "Traceback" not in table.errors()
    assert folder.records() == before
    Journal(folder.journal).close()


def test_run_stops_while_its_shoe_is_away(folder):
    with start_table(folder.write_config(panel=None)) as table:
        eventually(lambda: folder.count("device_lost", device="shoe"))
        table.process.terminate()
        assert table.ends() == 0


def test_a_second_run_on_one_journal_is_refused(folder, shoe):
    shoe.plug()
    with start_table(folder.write_config(panel=None)) as table:
        eventually(lambda: folder.count("device_found", device="shoe"))
        before = folder.kinds()
        second = tablectl("run", folder.config)
        assert second.returncode == 2
        assert second.stderr.startswith("tablectl: ")
        assert second.stderr.count("\n") == 1
        assert "another process" in second.stderr
        assert table.running
        assert folder.kinds() == before


def test_run_takes_up_a_round_that_was_on_as_paused(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        shoe.draw()
        eventually(lambda: folder.count("dealt") == 1)
    with start_table(folder.config) as table:
        eventually(lambda: folder.codes() == ["restarted"])
        eventually(lambda: folder.count("device_found", device="shoe") == 2)
        shoe.draw()
        eventually(lambda: folder.count("drawn") == 1)  # a loose card: the round waits for a ruling
        table.process.terminate()
        assert table.ends() == 0


# ── a round ──────────────────────────────────────────────────────────────────────────────────────────────────────


def begin_round(folder: Folder, table: StationProcess) -> None:
    """Play until the first card of a round is due."""
    eventually(lambda: {"shoe", "panel"} <= {r.what.device for r in folder.records() if r.kind == "device_found"})
    opened, closed = folder.count("opened"), folder.count("closed")
    table.say("press open")
    eventually(lambda: folder.count("opened") > opened)
    for _ in range(2):
        table.say("press close")
    eventually(lambda: folder.count("closed") > closed)


def deal(folder: Folder, shoe: EmulatedAngelEye, cards: int) -> None:
    """Deal this number of cards, each recorded before the next."""
    for _ in range(cards):
        dealt = folder.count("dealt")
        shoe.draw()
        eventually(lambda dealt=dealt: folder.count("dealt") > dealt)


def test_a_round_is_dealt_from_a_real_port(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 4)
        eventually(lambda: folder.count("completed"))
        table.say("press finish")
        eventually(lambda: folder.count("settled"))
    settled = next(record.what for record in folder.records() if record.kind == "settled")
    assert (settled.outcome["winner"], settled.outcome["player"], settled.outcome["banker"]) == ("player", 9, 5)
    assert verify(folder.journal).finding is None


def test_a_round_with_a_lost_shoe_continues_by_a_ruling(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 2)
        is_recorded(folder, "device_lost", shoe.unplug)
        assert folder.codes() == ["device_lost"]
        table.say('rule resume by manager1 because "go on"')
        eventually(lambda: folder.count("ruling_refused", reason="device_still_lost"))
        is_recorded(folder, "device_found", shoe.plug)
        assert "resumed" not in folder.kinds()
        table.say('rule resume by manager1 because "the plug is in"')
        eventually(lambda: folder.count("resumed"))
        deal(folder, shoe, 2)
        table.say("press finish")
        eventually(lambda: folder.count("settled"))
        assert table.running


def test_with_the_shoe_gone_a_card_is_entered_by_hand(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 3)
        shoe.unplug()
        eventually(lambda: folder.codes() == ["device_lost"])
        table.say('rule enter 3H by manager1 because "read from the table"')
        eventually(lambda: folder.count("settled"))
    assert next(record.what.manual for record in folder.records() if record.kind == "settled")


def test_no_round_starts_without_a_shoe(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        eventually(lambda: folder.count("device_found", device="panel"))
        eventually(lambda: folder.count("device_found", device="shoe"))
        shoe.unplug()
        eventually(lambda: folder.count("device_lost", device="shoe"))
        table.say("press open")
        eventually(lambda: folder.count("start_refused", reason="shoe_missing"))


# ── what is sent to the shoe ─────────────────────────────────────────────────────────────────────────────────────


def locked(shoe: EmulatedAngelEye) -> bool:
    shoe.answer()
    return shoe.locked


def test_the_outlet_is_open_only_while_a_card_is_due(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config(allow=["lock"])) as table:
        eventually(lambda: locked(shoe))
        begin_round(folder, table)
        eventually(lambda: not locked(shoe))
        deal(folder, shoe, 3)
        assert not locked(shoe)
        deal(folder, shoe, 1)
        eventually(lambda: locked(shoe))


def test_a_shoe_that_is_back_is_locked_again(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config(allow=["lock"])):
        eventually(lambda: locked(shoe))
        shoe.unplug()
        shoe.locked = False  # the shoe was switched off meanwhile
        shoe.plug()
        eventually(lambda: locked(shoe))


def test_a_shoe_that_is_only_listened_to_is_sent_nothing(folder, shoe):
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 4)
        eventually(lambda: folder.count("completed"))
        assert shoe.port.read() == b""


def pressed(folder: Folder) -> int:
    """Count the presses of NO MORE BETS that the table has received, accepted or ignored."""
    return folder.count("closed") + sum(folder.count("ignored", came=event) for event in (Close(), KeyPressed("close")))


@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.proof)])
def test_a_port_that_vanishes_while_written_to_crashes_nothing(folder, shoe, times):
    dice = random.Random(1 if times == 2 else SEED)
    shoe.plug()
    with StationProcess(folder.write_config(allow=["lock"])) as table:
        for number in range(1, times + 1):
            eventually(lambda number=number: folder.count("device_found", device="shoe") == number)
            eventually(lambda: folder.count("device_found", device="panel"))
            table.say("press open")
            eventually(lambda number=number: folder.count("opened") == number)
            for _ in range(2):  # the second press makes the table unlock the outlet
                table.say("press close")
            time.sleep(dice.uniform(0, 0.012))
            shoe.unplug()
            eventually(lambda number=number: folder.count("device_lost", device="shoe") == number)
            eventually(lambda number=number: pressed(folder) == 2 * number)
            table.say('rule cancel by manager1 because "no shoe"')
            eventually(lambda number=number: folder.count("cancelled") == number)
            shoe.plug()
        assert folder.codes() == ["device_lost"] * times
        assert table.running
        assert "Traceback" not in table.errors()
    assert verify(folder.journal).finding is None
