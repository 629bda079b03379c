"""A capture played again: what a device said then is said on an emulated line, at the same pace."""

import asyncio
from collections.abc import Iterable

from drivers.captures import Passed
from drivers.emulators.port import EmulatedPort


async def replay(passed: Iterable[Passed], port: EmulatedPort, speed: float = 1.0) -> int:
    """Say what came from the device, `speed` times as fast as it did; how many bytes that were."""
    loop, said = asyncio.get_running_loop(), 0
    began = loop.time()
    for one in passed:
        if one.direction == "<":
            await asyncio.sleep(max(0.0, began + one.at / speed - loop.time()))
            port.write(one.data)
            said += len(one.data)
    return said
