"""Keyboard node of the table's own scanner or reader, grabbed from all other programs."""

import errno
from collections.abc import Sequence

from drivers.keyboards.input_events import EVENT
from drivers.keyboards.node import Node, open_node
from drivers.own_port import OwnPort
from drivers.serial_reasons import AWAY, Reason, error_text
from drivers.sysfs import Adapter, keyboard_of, keyboards


class OwnKeyboard(OwnPort):
    """One node by its name, such as /dev/input/by-id/usb-...-event-kbd."""

    grain = 6 * EVENT.size  # per key: scan code, key and report when it goes down, and again when it goes up
    moving = ("/dev/input/event",)

    def open_failure(self, error: BaseException) -> Reason:
        """Reason why the node did not open."""
        number = error.errno if isinstance(error, OSError) else None
        text = self._texts().get(number or 0, f"{self.name} cannot be opened: {error_text(error)}")
        return Reason(text, away=number in AWAY)

    def loss_reason(self, error: OSError | None = None) -> str:
        """Reason why an open node went away, in words."""
        cause = f" ({error_text(error)})" if error else ""
        return f"{self.name} went away: unplugged{cause}"

    def _texts(self) -> dict[int, str]:
        name, device = self.name, self._recognition.wanted.device.replace("_", " ")
        no_keyboard = f"{name} is no keyboard's node: expected a path such as /dev/input/by-id/usb-...-event-kbd"
        return {
            errno.ENOENT: f"there is no {name}: see whether the {device} is plugged in and set to type as a keyboard",
            errno.EACCES: f"no permission to open {name}: `tablectl devices` prints the udev rule for it",
            errno.EPERM: f"no permission to open {name}: see what the service's unit allows (DeviceAllow)",
            errno.EBUSY: f"{name} is in use: another program has grabbed it; `sudo fuser {name}` says which, end it",
            errno.ENOTTY: no_keyboard,
            errno.EINVAL: no_keyboard,
            errno.EISDIR: no_keyboard,
        }

    def _open_device(self) -> Node:
        return open_node(self.name)

    def _present_adapters(self) -> Sequence[Adapter]:
        return keyboards(self._sys)

    def _adapter(self, number: int) -> Adapter | None:
        return keyboard_of(number, self._sys)
