"""Devices of a table and their health: present or lost, cards read and misread.

Figures come from the record, counted as `tablectl journal stats` counts them. Only records made since the last count
are read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..accounts import card_reads
from ..accounts.entry import device_of
from ..config.table_file import Config
from ..core import records as r
from ..core.clock import to_text
from ..core.coded_message import CodedMessage, coded
from ..core.records import Record
from ..journal import head_of, reach, read
from ..reports.counting import Counting
from ..reports.figures import Figures
from ..reports.statistics import Statistics
from .frames import Frames
from .own_devices import DeviceQuestion

FAR = 200_000  # most records before the last one that are read at the start
KINDS = {*card_reads.KINDS, "opened", "device_lost", "device_found", "device_cut_off", "device_taken_back"}


class ConfiguredDevice(Struct, frozen=True):
    """Device in a table's config."""

    name: str  # shoe, panel, beacon, badge_reader
    model: str
    where: str  # the port, or the serial number, as the config has it


class TableDevices(Struct, frozen=True):
    """Devices of a table, the shoe's last frames, and open questions about devices, by name."""

    devices: Sequence[ConfiguredDevice] = ()
    frames: Frames | None = None
    asked: Mapping[str, DeviceQuestion] = {}


def devices_of(config: Config) -> tuple[ConfiguredDevice, ...]:
    """Devices that a config names."""
    shoe, panel, beacon, reader = config.shoe, config.panel, config.beacon, config.badge_reader
    rows = (
        ("shoe", shoe.model if shoe.is_set_up else None, shoe.port),
        ("panel", panel.model, panel.serial),
        ("beacon", beacon.model, beacon.serial),
        ("badge_reader", reader.model, reader.port),
    )
    return tuple(ConfiguredDevice(name, model, where or "usb") for name, model, where in rows if model)


def names_of(config: Config) -> tuple[str, ...]:
    """Names of everything that can be lost: the devices, and the game server if the config names one."""
    return (*(device.name for device in devices_of(config)), *(("server",) if config.server.names else ()))


class Health(Struct, frozen=True):
    """Health figures of a device. None: nothing is known."""

    since: str | None = None  # time since which it has been present, or lost
    address: str = ""  # address at which it was found
    reason: CodedMessage | str = ""  # reason why it was lost or cut off
    read: int = 0  # number of cards
    unread: int = 0
    corrected: int = 0
    misread_rate: float | None = None
    faults: int = 0
    losses: int = 0


class HealthBook:
    """Health of each device, counted from a record.

    `read` may take long: call it in a thread, one call at a time.
    """

    def __init__(self, journal: Path, table: str) -> None:
        self._journal, self._table = journal, table
        self._statistics = Statistics()
        self._counting = Counting(self._statistics)
        self._last: dict[str, Record] = {}  # last record of each device
        self._found: dict[str, r.DeviceFound] = {}  # last found record of each device
        self._after: int | None = None
        self.since: str | None = None  # of the first record that was read

    def read(self) -> None:
        """Read the records made since the last call. Raises JournalError."""
        head = head_of(self._journal).seq
        start = max(head - FAR if self._after is None else self._after, reach(self._journal))
        for record in read(self._journal, start, KINDS):
            self._take(record)
            head = max(head, record.seq)
        self._after = head

    def _take(self, record: Record) -> None:
        self.since = self.since or to_text(record.at)
        self._counting.take(record)
        if isinstance(record.what, r.DeviceLost | r.DeviceFound | r.DeviceCutOff | r.DeviceTakenBack):
            self._last[record.what.device] = record
        if isinstance(record.what, r.DeviceFound):
            self._found[record.what.device] = record.what

    def health_of(self, device: str) -> Health:
        """Health of a device by the records read so far."""
        last, identity = self._last.get(device), self._found.get(device)
        figures = self._statistics.figures_of(device_of(self._table, device, identity))
        since, address = None if last is None else to_text(last.at), identity.address if identity else ""
        return _health(figures, since, address, "" if last is None else _reason(last.what))


def _reason(last: r.What) -> CodedMessage | str:
    """Reason why a device is lost or cut off; empty if it is not."""
    match last:
        case r.DeviceLost(reason=reason):
            return reason
        case r.DeviceCutOff(heard=count, seconds=seconds):
            return coded("cut_off", count=count, seconds=seconds) if seconds else coded("cut_off_cards", count=count)
    return ""


def _health(figures: Figures, since: str | None, address: str, reason: CodedMessage | str) -> Health:
    counts = figures.counts
    return Health(
        since,
        address,
        reason,
        counts["read"],
        counts["unread"],
        counts["corrected"],
        figures.misread_rate,
        sum(figures.faults.values()),
        counts["lost"],
    )
