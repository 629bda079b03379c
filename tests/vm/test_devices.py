"""Devices on a real kernel are found at first plugging and when replugged; a twin is refused."""

import pytest

from drivers.emulators.barcode import EmulatedBarcode
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.hid_pos import EmulatedHidPos, UsbLine
from drivers.emulators.stream_deck import EmulatedStreamDeck
from tests.patience import eventually
from tests.vm.pc import LOOKS
from tests.vm.tables import CARDS, CLOSE, FINISH, OPEN, FirstTable, VmTable, lying

pytestmark = [pytest.mark.vm, pytest.mark.timeout(1800)]


def test_a_started_unit_takes_devices_plugged_in_later(pc):
    assert "ftdi_sio" not in pc.run("lsmod")
    table = FirstTable(pc).plugs()
    assert "crw-rw---- 1 root dialout" in pc.sh("ls -lL /dev/table/shoe-SERIAL1-0001")
    assert "crw-rw---- 1 root tablectl" in pc.sh("ls -lL /dev/table/xk24")
    assert table.says("NRestarts") == "0"


def test_an_unplugged_ftdi_shoe_pauses_the_round_until_replugged(pc):
    table = FirstTable(pc).begins()
    table.shoe.unplug()
    table.paused("device_lost")
    table.shoe.draw()  # this card is lost: the shoe is unplugged
    table.shoe.put_on_top(CARDS[2])
    table.shoe.plug()
    table.has("shoe")
    assert lying(table.state()) == 2
    table.resume()
    table.stands("dealing")
    table.ends()
    assert table.says("NRestarts") == "0"


def test_an_unplugged_usb_panel_warns_and_is_relit_when_replugged(pc):
    table = FirstTable(pc).begins()
    eventually(lambda: table.panel.lights, LOOKS)
    table.panel.unplug()
    table.misses("panel")
    table.deals(table.shoe, 3)
    assert table.state()["life"] == "dealing"
    table.panel.plug()
    assert table.panel.lights == {}
    eventually(lambda: table.panel.lights, LOOKS)
    table.ends()
    assert table.panel.strange == []


def test_an_unplugged_stream_deck_warns_and_is_redrawn_when_replugged(pc):
    table, deck = VmTable(pc, "t3"), EmulatedStreamDeck(pc.usb_socket("usb3"), serial="DL01K1A00001")
    scanner = EmulatedHidPos(UsbLine(pc.usb_socket("usb2")), cards=CARDS)
    scanner.plug()
    deck.plug()
    table.has("shoe", "panel")
    eventually(lambda: OPEN in deck.pictures, LOOKS)
    deck.unplug()
    table.misses("panel")
    deck.plug()
    assert deck.pictures == {}
    table.has("panel")
    eventually(lambda: OPEN in deck.pictures, LOOKS)
    deck.tap(OPEN)
    table.stands("betting")
    for _ in range(2):  # twice, since the betting time is not over
        deck.tap(CLOSE)
    table.stands("dealing")
    table.deals(scanner, len(CARDS))
    eventually(lambda: FINISH in deck.pictures, LOOKS)
    deck.tap(FINISH)
    table.settled()
    assert deck.strange == []


def test_an_unplugged_serial_scanner_pauses_the_round_until_replugged(pc):
    table = VmTable(pc, "t2")
    pulled_and_put_back(table, EmulatedBarcode(pc.serial["serial2"], cards=CARDS))


def test_an_unplugged_hid_pos_scanner_pauses_the_round_until_replugged(pc):
    table = VmTable(pc, "t3")
    pulled_and_put_back(table, EmulatedHidPos(UsbLine(pc.usb_socket("usb2")), cards=CARDS))


def pulled_and_put_back(table: VmTable, scanner: EmulatedBarcode | EmulatedHidPos) -> None:
    scanner.plug()
    table.has("shoe")
    table.opens()
    table.deals(scanner, 2)
    scanner.unplug()
    table.paused("device_lost")
    scanner.plug()
    table.has("shoe")
    table.resume()
    table.deals(scanner, len(CARDS))
    table.settles()


def test_a_twin_shoe_is_refused_and_its_cards_not_dealt(pc):
    table = FirstTable(pc).begins()
    twin = EmulatedBeeTek(pc.serial["serial2"], cards=["AS", "AD"])
    twin.port.plug(serial="SERIAL1-0001")
    eventually(lambda: "ttyUSB1" in pc.sh("ls /dev"), LOOKS)
    table.shoe.unplug()
    table.paused("device_lost")
    table.until(lambda _: "may be another table's" in table.troubles())
    twin.draw()
    refused = table.command("rule", "resume", "--because", "it is there", check=False)
    state = table.paused("device_lost")
    assert ("resume" in state["fault"]["not_now"], lying(state)) == (True, 2), refused
    twin.unplug()
    table.shoe.plug()
    table.has("shoe")
    table.resume()
    table.ends()
    assert table.records("drawn") == []
