"""Serial port of the table's own shoe or reader, opened only if its name leads to the right adapter.

A name such as /dev/serial/by-id/... leads to another adapter if that one identifies itself in the same way and ours is
unplugged. So the adapter behind the name is checked before the port is opened, and compared once it is open.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from drivers.identity import ConfiguredIdentity, Identity, NotOurs, Recognition, address_of, is_distinct, names_place
from drivers.keyboards.node import Node
from drivers.serial_port import Line, SerialSettings, close, is_socket, open_port, usable_port
from drivers.serial_reasons import Reason, reason_gone, reason_not_open
from drivers.sysfs import SYS, Adapter, adapter_of, adapters

TERMINALS = range(136, 144)  # major numbers of pseudo-terminals (the kernel's devices.txt)
SERVED = stat.S_ISVTX  # mode bit of a pseudo-terminal while our emulator serves it; no other terminal has it


class OwnPort:
    """Port with a given name. Raises UnusablePort for a name that can never work."""

    grain = 1  # bytes read for each byte that the device sends
    moving: tuple[str, ...] = ("/dev/ttyUSB", "/dev/ttyACM")  # names that the kernel gives in the order of plugging

    def __init__(
        self,
        name: str,
        settings: SerialSettings | None = None,
        recognition: Recognition | None = None,
        sys: Path = SYS,
    ) -> None:
        self.name = usable_port(name)
        self._settings = settings or SerialSettings()
        self._recognition = recognition or Recognition(ConfiguredIdentity("shoe"))
        self._sys = sys
        self._identity: Identity | None = None  # adapter that was present last; None if it is not on USB

    @property
    def address(self) -> str:
        """Address where the port was last found: its name, and its socket if it is on USB."""
        return self.name if self._identity is None else address_of(self.name, self._identity.place)

    @property
    def serial(self) -> str | None:
        """Serial number of the adapter at which the port was last found, or None."""
        return self._identity.serial if self._identity else None

    @property
    def may_be_any(self) -> bool:
        """True if another adapter could get this name too: the config should then say `at`."""
        one = self._identity
        if one is None or self._recognition.wanted.at is not None or names_place(self.name, one.place):
            return False
        return self.name.startswith(self.moving) or not is_distinct(one.serial)

    def open_failure(self, error: BaseException) -> Reason:
        """Reason why the port did not open."""
        return reason_not_open(self.name, error)

    def loss_reason(self, error: OSError | None = None) -> str:
        """Reason why an open port was lost; without an error it was closed from the far side."""
        return reason_gone(self.name, error)

    def _open_device(self) -> Line | Node:
        return open_port(self.name, self._settings)

    def _present_adapters(self) -> Sequence[Adapter]:
        return adapters(self._sys)

    def _adapter(self, number: int) -> Adapter | None:
        return adapter_of(number, self._sys)

    def open(self) -> Line | Node:
        """Open the port; may block. Raises NotOurs, and the errors of `serial_port.open_port`."""
        if is_socket(self.name):
            return self._open_device()
        number, identity = self.look()
        line = self._open_device()
        if os.fstat(line.fileno()).st_rdev != number:
            close(line)
            raise NotOurs(f"{self.name} is now another adapter: checking it again")
        if identity is not None:
            self._recognition.adopt(identity)
        return line

    def look(self) -> tuple[int, Identity | None]:
        """Device number and identity behind the name, without opening it. Raises NotOurs, OSError."""
        identities = [adapter.identity for adapter in self._present_adapters()]
        self._recognition.notice(identities)
        number = os.stat(self.name).st_rdev  # noqa: PTH116 - as the name was given, for messages
        self._identity = self._adapter_identity(number, identities)
        return number, self._identity

    def _adapter_identity(self, number: int, identities: list[Identity]) -> Identity | None:
        """Identity of the adapter behind the name; None if it is not on USB. Raises NotOurs."""
        adapter, config = self._adapter(number), self._recognition.wanted
        if adapter is None:
            self._check_terminal()
            if config.at or config.serial:
                raise NotOurs(f"{self.name} is no port on USB: take `at` and `serial` out of [{config.device}]")
            return None
        one = adapter.identity
        alike = [other for other in identities if other.is_like(one)]
        self._recognition.check(one, alike, named_by_place=names_place(self.name, one.place))
        return one

    def _check_terminal(self) -> None:
        """Refuse a terminal that a link leads to by chance. Raises NotOurs, OSError.

        An emulator that is killed leaves its link, and the kernel gives the terminal's number to any other program.
        """
        about = os.stat(self.name)  # noqa: PTH116 - as the name was given, for messages
        is_link = Path(self.name).is_symlink()
        if os.major(about.st_rdev) in TERMINALS and is_link and not about.st_mode & SERVED:
            raise NotOurs(
                f"{self.name} leads to {os.path.realpath(self.name)}, a terminal of another program: its emulator has "
                "ended; remove the link, or start `tablectl emulate` again"
            )
