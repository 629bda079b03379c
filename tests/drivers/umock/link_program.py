"""Program that runs one UsbLink: writes each event as a line, reads commands until input ends.

The argument is the model. `light N` lights key N of a panel in red, or sends a picture to it; `light TIER` lights a
tier of a beacon; `recur` sends the beacon's recurring report.
"""

import asyncio
import sys

from drivers.beacons import BEACONS, BeaconCodec, Signal, Touchable, beacon_codec
from drivers.beacons import Light as Tier
from drivers.events import DeviceEvent
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.panels import Colour, Light, PanelCodec, Pictured, panel_codec
from drivers.shoes.hid_pos import HidPos
from drivers.usb_link import Timing, UsbLink


def say(event: DeviceEvent) -> None:
    """Write one event as a line."""
    sys.stdout.write(f"{event}\n")
    sys.stdout.flush()


def reports(codec: BeaconCodec | PanelCodec, what: str, which: str = "") -> list[bytes]:
    """Return the reports that a command sends to the device."""
    if what == "recur":
        return [codec.recurring()]
    if codec.kind == "beacon":
        return [codec.show(Signal(**{which: Tier.ON}))]
    if isinstance(codec, Pictured):
        return codec.picture(int(which), b"a picture" * 200)
    return [codec.backlight(int(which), Light.ON, Colour.RED)]


async def main() -> None:
    """Run the link until standard input ends."""
    model = sys.argv[1]
    codec = HidPos() if model == "hid_pos" else beacon_codec(model) if model in BEACONS else panel_codec(model)
    codec = codec.with_touch() if isinstance(codec, Touchable) else codec
    identity = ConfiguredIdentity(codec.kind, None if model == "hid_pos" else "T1")
    link = UsbLink(codec, say, Recognition(identity), timing=Timing(poll_s=0.02, longest_poll_s=0.1))
    link.start()
    while line := await asyncio.to_thread(sys.stdin.readline):
        for report in reports(codec, *line.split()):
            link.send(report)
    await link.stop()


asyncio.run(main())
