"""A program with nothing but a UsbLink: writes each event as a line, reads lines until input ends.

Its argument is the model. To a panel `light N` is a key that is red from then on, to a beacon `light RED` a tier;
`recur` is what the beacon is to be told again and again.
"""

import asyncio
import sys

from drivers.beacons import BEACONS, BeaconCodec, Signal, beacon_codec
from drivers.beacons import Light as Tier
from drivers.events import DeviceEvent
from drivers.identity import Recognition, Wanted
from drivers.panels import Colour, Light, PanelCodec, panel_codec
from drivers.usb_link import Timing, UsbLink


def say(event: DeviceEvent) -> None:
    """Write one event."""
    sys.stdout.write(f"{event}\n")
    sys.stdout.flush()


def report(codec: BeaconCodec | PanelCodec, what: str, which: str = "") -> bytes:
    """What a line has it told."""
    if what == "recur":
        return codec.recurring()
    if codec.kind == "beacon":
        return codec.show(Signal(**{which: Tier.ON}))
    return codec.backlight(int(which), Light.ON, Colour.RED)


async def main() -> None:
    """Run the link until standard input ends."""
    model = sys.argv[1]
    codec = beacon_codec(model) if model in BEACONS else panel_codec(model)
    link = UsbLink(codec, say, Recognition(Wanted(codec.kind, "T1")), timing=Timing(poll_s=0.02, longest_poll_s=0.1))
    link.start()
    while line := await asyncio.to_thread(sys.stdin.readline):
        link.send(report(codec, *line.split()))
    await link.stop()


asyncio.run(main())
