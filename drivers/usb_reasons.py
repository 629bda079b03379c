"""Reasons why a device on USB cannot be opened or went away, in words for engineers."""

import errno


def reason_not_open(kind: str, address: str, error: OSError) -> str:
    """Reason why the device cannot be opened."""
    if error.errno == errno.EACCES:
        return (
            f"no permission for the {kind} at {address}: give the device to a group of this user by a udev rule "
            f"(docs/devices.md), then plug the {kind} in again"
        )
    if error.errno == errno.EBUSY:
        return f"the {kind} at {address} is in use by another program: end that program"
    return f"the {kind} at {address} cannot be opened ({error}): unplug it and plug it in again"


def reason_gone(kind: str, error: OSError) -> str:
    """Reason why the device went away."""
    if error.errno == errno.ENODEV:
        return "unplugged"
    if error.errno == errno.ETIMEDOUT:
        return f"the {kind} takes no reports"
    return f"the line to the {kind} broke ({error})"
