"""One table PC: the table, its devices and its lights, put together from a config.

The one rule: a device that is not there is no error; its link waits for it, and the table knows that it is missing.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import structlog

from drivers.beacons import beacon_codec
from drivers.events import DeviceEvent
from drivers.panels import panel_codec
from drivers.serial_link import SerialLink, SerialSettings
from drivers.shoes import ShoeCodec, shoe_codec
from drivers.usb_device import Backend
from drivers.usb_link import UsbLink

from .config import Config
from .config_devices import ShoeSection
from .core.house import House
from .core.identity import another_table
from .core.records import DeviceLost, Faulted, Record, Settled
from .core.views import view
from .devices import ShoeEar, UsbEar
from .frames import Frames
from .gear import Gear, devices_of
from .journal import Journal, JournalError
from .matrix import hides
from .outputs.alerts import Alerts
from .outputs.beacon import Beacon
from .outputs.halt_alert import HaltAlert
from .outputs.keys import KeyLights
from .outputs.metrics import Metrics, Surroundings
from .outputs.shoe import Lockable, ShoeCommands
from .outputs.timed import Timed
from .table import Table

ABSENT = 1.5  # seconds after the start: a panel or beacon that has not shown itself by then is missing


class OtherTable(JournalError):
    """A journal that is not this table's."""


class Station:
    """A running table. `usb`: a pyusb backend, for emulated panels and beacons."""

    def __init__(self, config: Config, house: House, journal: Journal, usb: Backend | None = None) -> None:
        timed = Timed(journal, house.table)
        self.table = Table(house, timed)
        if another := another_table(self.table.state, house):
            raise OtherTable(f"{journal.path}: {another}; give this table another file in [journal] path")
        self.shoe: SerialLink | None = None
        self.panel: UsbLink | None = None
        self.beacon: UsbLink | None = None
        self.frames = Frames(hides=hides(house.game))
        self.gear = Gear(devices_of(config), self.frames)
        self._ears: list[UsbEar] = []
        self._journal = journal
        self._dealer, self._first_round = config.table.dealer, config.journal.first_round
        self._log = structlog.get_logger().bind(table=house.table)
        if config.shoe.port:
            self._add_shoe(config.shoe, config.shoe.port)
        if config.panel.model:
            self._add_panel(config, config.panel.model, usb)
        if config.beacon.model:
            self._add_beacon(config, config.beacon.model, usb)
        self.alerts = Alerts(config.alerts, journal.path, journal.head.seq)
        links = {"shoe": self.shoe, "panel": self.panel, "beacon": self.beacon}
        devices = [name for name, link in links.items() if link is not None]
        self.metrics = Metrics(self.table, timed, Surroundings(devices, self.alerts.queued))
        self.table.tell(self.alerts.hear)
        self._halt_alert = HaltAlert(config.alerts)
        self.table.tell(self._halt_alert.hear)
        self.table.tell(self._log_records)

    def _add_shoe(self, section: ShoeSection, port: str) -> None:
        codec = codec_of(section)
        ear = ShoeEar(self.table.take, self.table.house.table)
        self.shoe = link = SerialLink(
            port, codec, lambda said: self._heard(said, ear), SerialSettings(section.line_baud)
        )
        self._commands: ShoeCommands | None = None
        if section.allow and isinstance(codec, Lockable):
            self._commands = commands = ShoeCommands(codec, frozenset(section.allow), link.send)
            self.table.tell(commands.show)

    def _heard(self, said: DeviceEvent, ear: ShoeEar) -> None:
        if self._commands is not None:
            self._commands.hear(said)
        before = self.table.state
        ear(said)
        self.frames.hear(said, self.table.now(), before, self.table.state)

    def _add_panel(self, config: Config, model: str, usb: Backend | None) -> None:
        codec = panel_codec(model)
        keys = config.panel.bindings
        meanings = {key: meaning for meaning, key in keys.items()}
        ear = UsbEar(self.table.take, self.table.house.table, meanings)
        self._ears.append(ear)
        self.panel = link = UsbLink(codec, ear, config.panel.serial, usb)
        lights = KeyLights(codec, keys, link.send)
        self.table.tell(lights.show)

    def _add_beacon(self, config: Config, model: str, usb: Backend | None) -> None:
        codec = beacon_codec(model)
        ear = UsbEar(self.table.take, self.table.house.table, {}, "beacon")
        self._ears.append(ear)
        self.beacon = link = UsbLink(codec, lambda said: self._heard_beacon(said, ear), config.beacon.serial, usb)
        self._signals = Beacon(codec, link.send)
        self.table.tell(self._signals.show)

    def _heard_beacon(self, said: DeviceEvent, ear: UsbEar) -> None:
        self._signals.hear(said)
        ear(said)

    def start(self) -> None:
        """Take up the record, then open the devices."""
        self.alerts.start()
        self.table.start(self._dealer, self._first_round)
        for link in (self.shoe, self.panel, self.beacon):
            if link is not None:
                link.start()
        asyncio.get_running_loop().call_later(ABSENT, self._look_for_missing)

    def _look_for_missing(self) -> None:
        for ear in self._ears:
            ear.expected()

    async def stop(self) -> None:
        """Let go of the devices and the journal. What is recorded stays; a live round waits for the next start."""
        async with AsyncExitStack() as last:  # backwards, and each of them whatever the others raise
            last.callback(self._journal.close)
            last.push_async_callback(self.alerts.stop)
            last.push_async_callback(self._halt_alert.stop)
            if self.beacon is not None:
                last.push_async_callback(self.beacon.stop)
                last.callback(self._signals.clear)
            last.callback(self.table.stop)
            for link in (self.shoe, self.panel):
                if link is not None:
                    last.push_async_callback(link.stop)

    def _log_records(self, table: Table, records: Sequence[Record]) -> None:
        for record in records:
            event = view(record, "manager")
            log = self._log.warning if isinstance(record.what, Faulted | DeviceLost) else self._log.info
            log(event.pop("kind"), **{name: value for name, value in event.items() if name != "table"})
            if isinstance(record.what, Settled):
                self._log.info("head", head=str(table.journal.head))


def codec_of(section: ShoeSection) -> ShoeCodec:
    """The codec of the configured shoe, allowed to say what the config allows."""
    factory = shoe_codec(section.model)
    if section.model == "bee_tek":
        return factory(free_draw=section.free_draw)
    if section.model != "angel_eye":
        return factory()
    allow = {"lock": {"lock", "unlock"}, "cancel_error": {"cancel_error"}}
    allowed = frozenset(name for word in section.allow for name in allow[word])
    return factory(allow=allowed, command_check_with_stx=section.bcc_with_stx)
