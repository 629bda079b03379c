"""Recognise the table's own device by its serial number and the socket it is plugged into.

Many devices have no serial number, and many share one ("0001"). So the table's own device is one in the known socket
with the known number, or one in another socket with a number that no other device has. Any other device is named and
refused until the config says which one is meant: `at`, the socket, or `serial`. So a plug in the wrong socket cannot
bring in cards or keys of another table.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

WITHOUT = "none"  # value of `serial` in the config for a device without a serial number
LEAST = 6, 4  # characters, and different characters, of a serial number that counts as unique
# Numbers of makers who do not number their devices, and a number that forged FTDI chips share.
COUNTED_UP = "0123456789ABCDEF0123456789"
SHARED = frozenset({"A50285BI"})


class NotOurs(Exception):
    """Device that may be another table's; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Data by which a device identifies itself, and the socket it is plugged into."""

    kind: str  # vendor and product, as 0403:6001; of an adapter with several ports which of them, as 0403:6011:1.1
    serial: str | None
    place: str  # the socket, as udev's ID_PATH: pci-0000:00:14.0-usb-0:1.2

    def is_like(self, other: "Identity") -> bool:
        """True if both devices have the same kind and serial number."""
        return (self.kind, self.serial) == (other.kind, other.serial)

    @property
    def number(self) -> str:
        """Serial number for messages, or "no serial number"."""
        return self.serial or "no serial number"


@dataclass(frozen=True, slots=True)
class ConfiguredIdentity:
    """Identity that the config asks for, under [shoe], [panel] or [beacon]."""

    device: str
    serial: str | None = None
    at: str | None = None
    unit: int | None = None  # unit id, asked for once the device is open: see drivers.unit_id


@dataclass(frozen=True, slots=True)
class RecordedIdentity:
    """Serial number and socket of the table's device, from the last record that names it."""

    serial: str | None
    place: str


def is_distinct(serial: str | None) -> bool:
    """True if it is unlikely that two devices have this serial number."""
    if serial is None or serial.upper() in SHARED or serial.upper() in COUNTED_UP:
        return False
    return len(serial) >= LEAST[0] and len(set(serial)) >= LEAST[1]


def address_of(name: str, place: str) -> str:
    """Address of a device in a record: its name and its socket."""
    return f"{name} at {place}"


def recorded_identity(name: str, address: str, serial: str) -> RecordedIdentity | None:
    """Device from its address in a record; None if the config has another name for it since."""
    was, _, place = address.rpartition(" at ")
    return RecordedIdentity(serial or None, place) if was == name else None


class Recognition:
    """Recognition of the device of one config section among others.

    `recall`: returns the device as it was when the table ran last; called once, when a device is there. Raises NotOurs.
    """

    def __init__(self, config: ConfiguredIdentity, recall: Callable[[], RecordedIdentity | None] | None = None) -> None:
        self.wanted = config
        self._recall = recall
        self._identity: RecordedIdentity | None = None
        self._last: Identity | None = None  # device accepted last, in this run
        self._doubled: set[str | None] = set()  # numbers that two devices were seen with
        self._had = False  # True from `adopt` to the next `notice`: the device was present a moment ago
        self.asks: str | None = None  # why the device that is present is refused

    def adopt(self, one: Identity) -> None:
        """Accept this device as the table's own from now on."""
        self._last, self._identity, self._had = one, RecordedIdentity(one.serial, one.place), True
        self._recall = self.asks = None

    def _last_identity(self) -> RecordedIdentity | None:
        """Device as it was last known. Raises NotOurs."""
        if self._recall is not None:
            self._identity, self._recall = self._recall(), None
        return self._identity

    def notice(self, identities: Iterable[Identity]) -> None:
        """Note the devices that are plugged in; call this at each look, before `check`."""
        self.asks = None
        all_of_them = list(identities)
        if self._last is not None and self._had:  # just unplugged: a like one elsewhere was there beside it
            all_of_them.append(self._last)
        self._had = False
        for number, one in enumerate(all_of_them):
            if any(one.is_like(other) and one.place != other.place for other in all_of_them[:number]):
                self._doubled.add(one.serial)

    def choose(self, one: Identity, identities: Iterable[Identity]) -> None:
        """Check a device among all devices of its model, see `check`. Raises NotOurs."""
        serial = self.wanted.serial
        self.check(one, [each for each in identities if serial is None or serial == (each.serial or WITHOUT)])

    def check(self, one: Identity, others: Iterable[Identity], *, named_by_place: bool = False) -> None:
        """Check that this device is the table's own. Raises NotOurs.

        `others`: devices that fit the config as well.
        """
        try:
            self._check(one, others, named_by_place=named_by_place)
        except NotOurs as other:
            self.asks = str(other)
            raise

    def check_unit(self, unit: int | None, address: str) -> None:
        """Check the unit id of an open device at this address; None: it has none. Raises NotOurs."""
        device, wanted = self.wanted.device, self.wanted.unit
        if unit != wanted:
            self.asks = (
                f"expected the {device} with unit id {wanted}, found {'none' if unit is None else unit} at "
                f"{address}: plug in the right {device} or correct [{device}] unit"
            )
            raise NotOurs(self.asks)

    def _check(self, one: Identity, others: Iterable[Identity], *, named_by_place: bool) -> None:
        config, mine = self.wanted, f"[{self.wanted.device}]"
        if config.serial is not None and config.serial != (one.serial or WITHOUT):
            raise NotOurs(
                f"expected the {config.device} with serial number {config.serial}, found {one.serial or 'one without'} "
                f"at {one.place}: plug in the right {config.device} or correct {mine} serial"
            )
        if config.at is not None and config.at != one.place:
            raise NotOurs(
                f"expected the {config.device} at {config.at}, found one with {one.number} at {one.place}: plug it in "
                f"where it was or correct {mine} at"
            )
        if config.unit is not None:  # which the config gives to one panel alone
            return
        if config.at is None and not named_by_place:
            self._check_place(one, [other for other in others if other.place != one.place])
        self._check_number(one)

    def _check_place(self, one: Identity, twins: list[Identity]) -> None:
        device = self.wanted.device
        if twins:
            places = " and ".join(sorted({f"at {each.place} ({each.number})" for each in [one, *twins]}))
            raise NotOurs(
                f"which is the {device}? {len(twins) + 1} devices could be, {places}: write the place of the right one "
                f'under [{device}], such as at = "{one.place}", and start the table again'
            )
        record = self._last_identity()
        if record is None or one.place == record.place or self._is_named(one):
            return
        if one.serial != record.serial or not is_distinct(one.serial) or one.serial in self._doubled:
            raise NotOurs(
                f"the {device} was at {record.place}, one with {one.number} is at {one.place} and may be another "
                f'table\'s: plug ours in where it was, or write [{device}] at = "{one.place}" and start the table again'
            )

    def _is_named(self, one: Identity) -> bool:
        """True if the config names this device by a number that no other has."""
        return self.wanted.serial is not None and is_distinct(one.serial) and one.serial not in self._doubled

    def _check_number(self, one: Identity) -> None:
        if self.wanted.serial is not None or (record := self._last_identity()) is None:
            return
        other_kind = self._last is not None and self._last.kind != one.kind
        if one.serial != record.serial or other_kind:
            raise NotOurs(
                f"at {one.place} was a {self.wanted.device} with {record.serial or 'no serial number'}, now there "
                f"is another one ({one.kind}, {one.number}) that may be another table's: plug ours in, or write "
                f'[{self.wanted.device}] serial = "{one.serial or WITHOUT}" and start the table again'
            )


def names_place(port: str, place: str) -> bool:
    """True if a port's name contains its socket, as /dev/table/shoe-at-... and by-path do."""
    return place in re.sub(r"usbv\d-", "usb-", port.rpartition("/")[2])
