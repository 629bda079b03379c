"""A program with nothing but a UsbLink, to a panel or with `scanner` to a bar-code scanner: it writes each event as a
line, reads `light N` (red, on) until input ends.
"""

import asyncio
import sys

from drivers.events import DeviceEvent
from drivers.identity import Recognition, Wanted
from drivers.panels import Colour, Light, panel_codec
from drivers.shoes.hid_pos import HidPos
from drivers.usb_link import Timing, UsbLink


def say(event: DeviceEvent) -> None:
    """Write one event."""
    sys.stdout.write(f"{event}\n")
    sys.stdout.flush()


async def main() -> None:
    """Run the link until standard input ends."""
    codec = HidPos() if "scanner" in sys.argv else panel_codec("xk24")
    wanted = Wanted("shoe") if "scanner" in sys.argv else Wanted("panel", "T1")
    link = UsbLink(codec, say, Recognition(wanted), timing=Timing(poll_s=0.02, longest_poll_s=0.1))
    link.start()
    while line := await asyncio.to_thread(sys.stdin.readline):
        link.send(codec.backlight(int(line.split()[1]), Light.ON, Colour.RED))
    await link.stop()


asyncio.run(main())
