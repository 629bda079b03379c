"""The serial port of the table's own shoe: opened only where it is the shoe's adapter that the name leads to.

A name such as /dev/serial/by-id/... leads to another adapter when that one says the same of itself and ours is pulled.
So what is behind the name is looked at before it is opened, and seen to be the same when it is open.
"""

import os
from pathlib import Path

from drivers.identity import Identity, NotOurs, Recognition, Wanted, address_of, is_distinct, names_place
from drivers.serial_port import Line, SerialSettings, close, is_socket, opened, usable
from drivers.sysfs import SYS, adapter_of, adapters

MOVING = "/dev/ttyUSB", "/dev/ttyACM"  # names that whichever adapter comes first has


class OwnPort:
    """One port by its name; UnusablePort for a name that can never work."""

    def __init__(
        self,
        name: str,
        settings: SerialSettings | None = None,
        recognition: Recognition | None = None,
        sys: Path = SYS,
    ) -> None:
        self.name = usable(name)
        self._settings = settings or SerialSettings()
        self._recognition = recognition or Recognition(Wanted("shoe"))
        self._sys = sys
        self._identity: Identity | None = None  # of the adapter that was there last; none off USB

    @property
    def address(self) -> str:
        """Where it was found."""
        return self.name if self._identity is None else address_of(self.name, self._identity.place)

    @property
    def serial(self) -> str | None:
        """The number of the adapter it was found on."""
        return self._identity.serial if self._identity else None

    @property
    def may_be_any(self) -> bool:
        """Whether another adapter could go by this name too, where it was looked at: the config had better say `at`."""
        one = self._identity
        if one is None or self._recognition.wanted.at is not None or names_place(self.name, one.place):
            return False
        return self.name.startswith(MOVING) or not is_distinct(one.serial)

    def open(self) -> Line:
        """The port, open; may block. Raises NotOurs, and what `serial_port.opened` does."""
        if is_socket(self.name):
            return opened(self.name, self._settings)
        number, identity = self.look()
        line = opened(self.name, self._settings)
        if os.fstat(line.fileno()).st_rdev != number:
            close(line)
            raise NotOurs(f"{self.name} has just become another adapter: it is looked at again")
        if identity is not None:
            self._recognition.took(identity)
        return line

    def look(self) -> tuple[int, Identity | None]:
        """The device number behind the name, and what it is, without opening it. Raises NotOurs, OSError."""
        there = [adapter.identity for adapter in adapters(self._sys)]
        self._recognition.notice(there)
        number = os.stat(self.name).st_rdev  # noqa: PTH116 - as the name was given, for messages
        self._identity = self._checked(number, there)
        return number, self._identity

    def _checked(self, number: int, there: list[Identity]) -> Identity | None:
        """What is behind the name. Raises NotOurs."""
        adapter = adapter_of(number, self._sys)
        if adapter is None:
            if self._recognition.wanted.at or self._recognition.wanted.serial:
                raise NotOurs(f"{self.name} is no port on USB: take `at` and `serial` out of [shoe]")
            return None
        one = adapter.identity
        alike = [other for other in there if other.like(one)]
        self._recognition.check(one, alike, named_by_place=names_place(self.name, one.place))
        return one
