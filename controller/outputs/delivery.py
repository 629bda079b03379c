"""Delivery of one message to one target, in a process of its own for each message.

The table does not load the imports of a service (18 MB, half a second). A server that never answers does no harm: the
process is killed after a timeout. Only this file uses apprise.

An `AlertMessage` goes to the process as JSON on standard input. Exit code 0: the target has accepted it. Otherwise a
line on standard output gives the reason, without those parts of the target's address that may be passwords.
"""

import asyncio
import os
import re
import sys
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from ..config.alerts import Target, Unaddressed
from ..core.coded_message import coded
from ..text.coded import render
from ..text.errors import system_message

if TYPE_CHECKING:
    from apprise import NotifyBase

MASKED = 4  # characters; shorter parts are no passwords, and masking them would make reasons unreadable


class AlertMessage(Struct, frozen=True):
    """One message to one target."""

    target: Target
    title: str
    body: str
    urgent: bool = True


class TargetRefused(Exception):
    """Target has not accepted the message; the text says why."""


def is_usable(url: str) -> bool:
    """True if apprise can use this URL on this PC. Nothing is sent."""
    return _service(url) is not None


def _service(url: str) -> "NotifyBase | None":
    from apprise import Apprise, AppriseAsset

    # service_timeout 0: no thread pool, which would delay the end. Memory storage: nothing is left on disk.
    return Apprise.instantiate(url, asset=AppriseAsset(service_timeout=0, storage_mode="memory"))


async def send(message: AlertMessage, patience: float) -> str | None:
    """Deliver a message in a new process; return None, or the reason of the failure.

    `patience`: seconds until the process is killed.
    """
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", __name__, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True
        )
    except OSError as error:
        return render(coded("delivery_unstarted", reason=system_message(error)))
    try:
        async with asyncio.timeout(patience):
            output, _ = await process.communicate(msgspec.json.encode(message))
    except TimeoutError:
        return render(coded("delivery_unanswered", seconds=patience))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == 0:
        return None
    return output.decode(errors="replace").strip() or render(coded("delivery_ended", number=process.returncode or 0))


def deliver(message: AlertMessage) -> None:
    """Deliver a message in this process. Raises Unaddressed, TargetRefused."""
    from apprise import Apprise, NotifyFormat, NotifyType

    url = message.target.address()
    service = _service(url)
    if service is None:
        raise TargetRefused(render(coded("target_unknown")))
    kind = NotifyType.WARNING if message.urgent else NotifyType.INFO
    result = Apprise(service).notify(message.body, message.title, kind, body_format=NotifyFormat.TEXT)
    if not result:
        reasons = dict.fromkeys(entry.message for entry in result.logs())
        raise TargetRefused(_mask_address(" ".join(reasons), url) or render(coded("target_silent")))


def _mask_address(reason: str, url: str) -> str:
    """Replace parts of the address in a reason by `***`: all of at least MASKED characters, except the scheme."""
    _, _, rest = url.partition("://")
    parts = {part for text in (rest, unquote(rest)) for part in re.split(r"[/:@?&=#+,;\s]+", text)}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) >= MASKED:
            reason = reason.replace(part, "***")
    return " ".join(reason.split())[:300]


def main() -> int:
    """Entry point of the delivery process; returns its exit code."""
    with suppress(OSError):  # some systems forbid it
        os.nice(10)  # the table has priority
    try:
        with redirect_stdout(sys.stderr):  # output of a service must not mix with the reason
            deliver(msgspec.json.decode(sys.stdin.buffer.read(), type=AlertMessage))
    except (Unaddressed, TargetRefused) as error:
        sys.stdout.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
