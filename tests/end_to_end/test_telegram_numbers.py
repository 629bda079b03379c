"""An Angel Eye's message numbers restart without a fault; with a wrong setting the round is paused."""

import pytest

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, StationProcess
from tests.end_to_end.test_devices import NATURAL, begin_round, deal
from tests.patience import eventually

TO_9, TO_F = "123456789", "123456789ABCDEF"
ROUNDS = 4  # of six messages each, one with two more: enough for either sequence to restart


def strict(folder: Folder, sequence: str = TO_9, *, error_restarts: bool = False):
    """Write the config of a table that pauses at a gap in the message numbers; return its path."""
    config = folder.write_config()
    text = config.read_text(encoding="utf-8").replace('name = "t1"', 'name = "t1"\ntelegram_loss = "fault"')
    ours = f'[shoe]\nsettings.sequence = "{sequence}"\nsettings.error_restarts = {str(error_restarts).lower()}'
    config.write_text(text.replace("[shoe]", ours), encoding="utf-8")
    return config


def play(folder: Folder, table: StationProcess, shoe: EmulatedAngelEye, number: int) -> None:
    """Play a round until it is settled; in the second round the shoe cannot read a card at first."""
    begin_round(folder, table)
    deal(folder, shoe, 1)
    if number == 1:
        shoe.draw(unreadable=True)
        eventually(lambda: "unread_card" in folder.codes())
        shoe.redraw()
        eventually(lambda: folder.count("drawn") == 2)
        table.say('rule rescan by manager1 because "slid again"')
        eventually(lambda: folder.count("dealt") == 4 * number + 2)
    deal(folder, shoe, 2 if number == 1 else 3)
    table.say("press finish")
    eventually(lambda: folder.count("settled") == number + 1)


@pytest.mark.parametrize("error_restarts", [False, True])
@pytest.mark.parametrize("sequence", [TO_9, TO_F])
def test_no_round_pauses_where_the_numbers_begin_anew(folder, sequence, error_restarts):
    port = PtyPort(folder.port)
    shoe = EmulatedAngelEye(port, cards=NATURAL * ROUNDS, sequence=sequence, error_restarts=error_restarts)
    shoe.plug()
    with StationProcess(strict(folder, sequence, error_restarts=error_restarts)) as table:
        for number in range(ROUNDS):
            play(folder, table, shoe, number)
        assert folder.codes() == ["unread_card"]
        assert folder.count("telegrams_missing") == 0
    shoe.unplug()


def test_numbers_set_up_wrong_pause_the_round_and_name_both(folder):
    shoe = EmulatedAngelEye(PtyPort(folder.port), cards=NATURAL * ROUNDS, sequence=TO_F)
    shoe.plug()
    with StationProcess(strict(folder)) as table:
        play(folder, table, shoe, 0)
        begin_round(folder, table)
        deal(folder, shoe, 3)
        shoe.draw()
        eventually(lambda: folder.codes() == ["telegram_lost"])
        missing = next(record.what for record in folder.records() if record.kind == "telegrams_missing")
        assert (missing.expected, missing.got) == ("1", "A")
    shoe.unplug()
