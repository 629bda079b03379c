"""`tablectl deck learn` with a scanner on USB."""

import asyncio
from pathlib import Path

from controller.cli.deck import _learn, _link
from controller.config.devices import ShoeSection
from drivers.emulators.hid_pos import UsbLine
from drivers.emulators.usb_bus import EmulatedUsbBus


def test_a_deck_is_learnt_without_the_text_of_failed_reads(monkeypatch):
    bus, codes = EmulatedUsbBus(), {}
    line = UsbLine(bus)
    monkeypatch.setattr("drivers.usb_device.libusb", lambda: bus)
    makes = _link(Path("t.toml"), ShoeSection(model="hid_pos", settings={"no_read": "NOREAD"}))

    async def steps():
        line.plug()
        learning = asyncio.create_task(_learn(makes, ["AS", "KS"], codes))
        for number in (1, 2):
            while len(codes) < number and not learning.done():
                line.write(b"NOREAD")
                line.write(b"(01)%d" % number)
                await asyncio.sleep(0.005)
        await asyncio.wait_for(learning, 60)

    asyncio.run(steps())
    assert codes == {"(01)1": "AS", "(01)2": "KS"}
