"""A Bee-Tek's cards are dealt at once over a real port, also without line ends or in small letters."""

import pytest

from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import StationProcess
from tests.end_to_end.test_devices import NATURAL, begin_round, deal
from tests.patience import eventually


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("line_end", [b"", b"\r\n"])
def test_every_card_is_dealt_before_the_next_one_comes(folder, line_end, lower):
    shoe = EmulatedBeeTek(PtyPort(folder.port), cards=NATURAL, line_end=line_end, lower=lower)
    shoe.plug()
    config = folder.write_config()
    text = config.read_text(encoding="utf-8").replace("[shoe]", '[shoe]\nmodel = "bee_tek"')
    config.write_text(text.replace("allow = []\n", ""), encoding="utf-8")
    with StationProcess(config) as table:
        begin_round(folder, table)
        deal(folder, shoe, 4)
        eventually(lambda: folder.count("completed"))
        table.say("press finish")
        eventually(lambda: folder.count("settled"))
        assert folder.codes() == []
        (settled,) = [record.what.outcome for record in folder.records() if record.kind == "settled"]
        assert (settled["winner"], settled["player"], settled["banker"]) == ("player", 9, 5)
    shoe.unplug()
