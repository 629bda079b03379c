"""Replay of a capture: send what a device sent on an emulated line, at the same pace."""

import asyncio
from collections.abc import Iterable

from drivers.captures import CapturedBytes
from drivers.emulators.port import EmulatedPort


async def replay(passed: Iterable[CapturedBytes], port: EmulatedPort, speed: float = 1.0) -> int:
    """Send the device's bytes, `speed` times as fast as in the capture; returns the number of bytes."""
    loop, count = asyncio.get_running_loop(), 0
    began = loop.time()
    for one in passed:
        if one.direction == "<":
            await asyncio.sleep(max(0.0, began + one.at / speed - loop.time()))
            port.write(one.data)
            count += len(one.data)
    return count
