"""An Angel Eye reports a card without suit and rank: the round waits for a ruling, then settles right."""

from collections.abc import Iterator

import pytest

from controller.journal import verify
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, StationProcess
from tests.end_to_end.test_devices import NATURAL, begin_round, deal
from tests.patience import eventually

SIX = ("2S", "3H", "3D", "KC", "6C", "5H")  # Player 1, Banker 8: both draw


@pytest.fixture
def shoe(folder) -> Iterator[EmulatedAngelEye]:
    emulated = EmulatedAngelEye(PtyPort(folder.port), cards=NATURAL * 2)
    emulated.plug()
    yield emulated
    emulated.unplug()


def rulings(table: StationProcess, draws: int) -> list[str]:
    """Return the rulings offered to the shift manager, once this many cards have been drawn."""
    table.say("standing")
    return next(state["rulings"] for state in table.hears() if state.get("fault") and state["draws"] == draws)


def settled(folder: Folder) -> tuple[str, int, int]:
    eventually(lambda: folder.count("settled"))
    outcome = next(record.what.outcome for record in folder.records() if record.kind == "settled")
    assert verify(folder.journal).finding is None
    return outcome["winner"], outcome["player"], outcome["banker"]


def unread(folder: Folder) -> tuple[str | None, str | None]:
    """Wait until an unread card is the only fault so far; return the card and the place in that fault."""
    eventually(lambda: folder.codes() == ["unread_card"])
    event = next(record.what.came for record in folder.records() if record.kind == "faulted")
    return event.card, event.place


@pytest.mark.parametrize("number", range(4))
def test_a_blank_card_is_entered_and_the_round_settles_right(folder, shoe, number):
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, number)
        card = shoe.blank()
        assert unread(folder) == (None, ("player", "banker")[number % 2])
        assert "enter" in rulings(table, number + 1)
        table.say(f'rule enter {card} by manager1 because "read from the table"')
        eventually(lambda: folder.count("dealt") == number + 1)
        deal(folder, shoe, 3 - number)
        table.say("press finish")
        assert settled(folder) == ("player", 9, 5)
        assert folder.codes() == ["unread_card"]


def test_a_blank_sixth_card_leaves_no_seventh_to_deal(folder):
    shoe = EmulatedAngelEye(PtyPort(folder.port), cards=SIX)
    shoe.plug()
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 5)
        shoe.blank()  # after it the shoe reports its result and stands by
        assert unread(folder) == (None, "banker")
        assert not {"deal", "resume"} & set(rulings(table, 6))
        table.say('rule enter 5H by manager1 because "read from the table"')
        table.say("press finish")
        assert settled(folder) == ("banker", 1, 8)
        assert (folder.codes(), shoe.cards_left) == (["unread_card"], 0)
    shoe.unplug()


def test_a_blank_card_slid_again_is_read_at_its_place(folder, shoe):
    with StationProcess(folder.write_config()) as table:
        begin_round(folder, table)
        deal(folder, shoe, 1)
        shoe.blank()
        assert unread(folder) == (None, "banker")
        assert shoe.redraw() == "2D"
        eventually(lambda: folder.count("drawn") == 2)
        assert "rescan" in rulings(table, 3)
        table.say('rule rescan by manager1 because "slid again"')
        eventually(lambda: folder.count("dealt") == 2)
        deal(folder, shoe, 2)
        table.say("press finish")
        assert settled(folder) == ("player", 9, 5)
        assert folder.codes() == ["unread_card"]


def test_a_blank_burnt_card_counts_as_out_of_the_shoe(folder, shoe):
    with StationProcess(folder.write_config()) as table:
        eventually(lambda: folder.count("device_found", device="shoe"))
        table.say("shoe change")
        eventually(lambda: folder.count("shoe_change"))
        shoe.burn_card("first_card", blank=True)
        shoe.burn_card("burn_count")
        eventually(lambda: folder.count("burnt") == 2)
        assert [record.what.card for record in folder.records() if record.kind == "burnt"] == [None, "2D"]
        table.say("shoe ready")
        eventually(lambda: folder.count("shoe_ready"))
        assert folder.codes() == []
