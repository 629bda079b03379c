"""Assembly of one table from its config: the table itself, its devices, lights and outputs.

A missing device or a driver that fails is no error: the table treats the device as lost.
"""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import structlog

from drivers.badge_readers import BadgeCodec
from drivers.beacons import BeaconCodec
from drivers.events import DeviceEvent
from drivers.panels import PanelCodec
from drivers.serial_link import SerialLink
from drivers.sysfs import SYS
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend

from ..config.devices import ShoeSection
from ..config.people import People
from ..config.table_file import Config
from ..core.events import Acknowledge, WitnessAsked
from ..core.fault_matrix import hides
from ..core.house import House
from ..core.persons import BEACON
from ..journal import Journal
from ..outputs.alerts import Alerts
from ..outputs.beacon import Beacon
from ..outputs.halt_alert import HaltAlert
from ..outputs.hold import Hold
from ..outputs.keys import KeyLights, keys_of
from ..outputs.metrics import Metrics, MetricSources
from ..outputs.shoe import Lockable, ShoeCommands, expect_cards_again
from ..outputs.timed_journal import TimedJournal
from ..table.loop import Table
from .absent_devices import AbsentDevices
from .badge_reader import BadgeReader
from .custody import Custody
from .device_events import DeviceEventHandler, ShoeEvents, UsbEvents, UsbShoeEvents
from .device_figures import TableDevices, devices_of, names_of
from .frames import Frames
from .guard import Guard
from .own_devices import OwnDevices
from .ownership import require_own
from .record_log import RecordLog
from .usb_displays import ShoeDisplay, UsbDisplayLink, guard_call

ABSENT = 1.5  # seconds after the start; a USB device that was not found by then is reported as missing


class Station:
    """Running table with its devices, outputs and clock.

    `usb`: a pyusb backend, for emulated panels and beacons; `pace`: how many times faster than people its devices may
    be; `people`: a registry, which knows its dealer; `sys`: folder in which Linux lists devices.
    """

    def __init__(
        self,
        config: Config,
        house: House,
        journal: Journal,
        usb: Backend | None = None,
        pace: float = 1.0,
        people: People | None = None,
        sys: Path = SYS,
    ) -> None:
        timed = TimedJournal(journal, house.table)
        self.table = Table(house, timed)
        require_own(self.table.state, house, journal.path)
        self.shoe: SerialLink | None = None
        self.usb_shoe: UsbDisplayLink | None = None
        self._commands: ShoeCommands | None = None
        self.panel: UsbDisplayLink | None = None
        self.beacon: UsbDisplayLink | None = None
        self.reader: BadgeReader | None = None
        self.frames = Frames(hides=hides(house.game))
        self.custody = Custody(config.journal, journal.path, self.table)
        self._own = OwnDevices(journal.path)
        self.gear = TableDevices(devices_of(config), self.frames, self._own.asked)
        self._absent = AbsentDevices(self.table)
        self._journal, self._sys, self._pace = journal, sys, pace
        self._guard = partial(Guard, table=self.table, pace=pace)
        self._dealer, self._people, self._first_round = config.table.dealer, people, config.journal.first_round
        self._log = structlog.get_logger().bind(table=house.table)
        self._add_devices(config, usb)
        self._add_outputs(config, timed)

    def _add_outputs(self, config: Config, timed: TimedJournal) -> None:
        """Create the outputs of the table (alerts, halt alert, metrics, log) and subscribe them."""
        self.hold = Hold() if config.bus.servers and config.bus.floors else None
        path, end = self._journal.path, self._journal.head.seq
        fault = self.table.state.fault
        left = None if fault is None else fault.seq
        self.alerts = Alerts(config.alerts, path, end, self.table.now, hold=self.hold, open_=left)
        self.metrics = Metrics(
            self.table, timed, MetricSources(names_of(config), self.alerts.count_queued, self.custody)
        )
        self.table.subscribe(self.alerts.hear)
        self._halt_alert = HaltAlert(config.alerts)
        self.table.subscribe(self._halt_alert.hear)
        self.table.subscribe(RecordLog(self.table.house.table).hear)

    def _add_devices(self, config: Config, usb: Backend | None) -> None:
        with self._absent.catch_driver_failure("shoe"):
            if config.shoe.port:
                self._add_shoe(config.shoe)
            elif (shoe := config.shoe.usb_codec()) is not None:
                self._add_usb_shoe(config.shoe, shoe, usb)
        with self._absent.catch_driver_failure("panel"):
            if (panel := config.panel.codec()) is not None:
                self._add_panel(config, panel, usb)
        with self._absent.catch_driver_failure("beacon"):
            if (beacon := config.beacon.codec()) is not None:
                self._add_beacon(config, beacon, usb)
        with self._absent.catch_driver_failure("badge_reader"):
            if (badges := config.badge_reader.codec()) is not None:
                self._add_badge_reader(config, badges)

    def _add_badge_reader(self, config: Config, codec: BadgeCodec) -> None:
        port, guard = self._own.port("badge_reader", config.badge_reader, self._sys), self._guard("badge_reader")
        self.reader = BadgeReader(port, codec, self.table.take, self.table.house.table, guard)

    def _add_shoe(self, section: ShoeSection) -> None:
        codec = section.serial_codec(section.allow)
        events = ShoeEvents(self.table.take, self.table.house.table)
        guard = self._guard("shoe")
        self.shoe = link = SerialLink(
            self._own.port("shoe", section, self._sys),
            codec,
            lambda event: self._take_event(event, events),
            guard.weigh,
        )
        guard.watch(link)
        self.table.subscribe(guard_call(link, partial(expect_cards_again, codec)))
        if section.allow and isinstance(codec, Lockable):
            allow = frozenset(section.allow)
            self._commands = commands = ShoeCommands(codec, allow, link.send, self.table.state)
            self.table.subscribe(guard_call(link, commands.show))

    def _add_usb_shoe(self, section: ShoeSection, codec: UsbCodec, usb: Backend | None) -> None:
        events = UsbShoeEvents(self.table.take, self.table.house.table, self._take_event)
        guard, own = self._guard("shoe"), self._own.recognition("shoe", section)
        self.usb_shoe = UsbDisplayLink(codec, events, own, usb, lambda _: ShoeDisplay(codec), guard)
        self.table.subscribe(self.usb_shoe.show)

    def _take_event(self, event: DeviceEvent, events: DeviceEventHandler) -> None:
        if self._commands is not None:
            self._commands.hear(event)
        before = self.table.state
        events(event)
        self.frames.hear(event, self.table.now(), before, self.table.state)

    def _add_panel(self, config: Config, codec: PanelCodec, usb: Backend | None) -> None:
        keys = config.panel.bindings
        meanings = {key: meaning for meaning, key in keys.items()}
        events = UsbEvents(self.table.take, self.table.house.table, meanings, pace=self._pace)
        guard, own = self._guard("panel"), self._own.recognition("panel", config.panel)
        shown = partial(KeyLights, keys_of(codec, config.web.language), keys)
        self.panel = UsbDisplayLink(codec, events, own, usb, shown, guard)
        self.table.subscribe(self.panel.show)

    def _add_beacon(self, config: Config, codec: BeaconCodec, usb: Backend | None) -> None:
        touched = self._acknowledge if config.beacon.touch else None
        events = UsbEvents(self.table.take, self.table.house.table, {}, "beacon", touched)
        guard, own = self._guard("beacon"), self._own.recognition("beacon", config.beacon)
        self.beacon = UsbDisplayLink(codec, events, own, usb, partial(Beacon, codec), guard)
        self.table.subscribe(self.beacon.show)

    def _acknowledge(self) -> None:
        """Acknowledge the open fault after a touch of the beacon, which ends the call.

        The person is not known, so a touch has no other effect.
        """
        fault = self.table.state.fault
        if fault is not None and fault.seen_by is None:
            self.table.take(Acknowledge(BEACON, fault.seq))

    def _first_dealer(self) -> tuple[str | None, str | None]:
        """Name of the dealer in the config and, with a registry, their badge number.

        Both are None if the registry does not know them as a dealer; a live round continues all the same.
        """
        dealer, people = self._dealer, self._people
        if people is None or dealer is None:
            return dealer, None
        person = people.by_number(dealer)
        if person is None or "dealer" not in person.roles:
            self._log.warning("dealer_unknown", dealer=dealer)
            return None, None
        return person.name, dealer

    def start(self, unheard: WitnessAsked | None = None) -> None:
        """Start the table from its record, then open the devices.

        `unheard`: event that says why the bus could not be asked about the record; None if it was asked.
        """
        self.alerts.start()
        dealer, number = self._first_dealer()
        self.table.start(dealer, self._first_round, number)
        if unheard is not None:
            self.table.take(unheard)
        self.custody.start()
        self._absent.start([device.name for device in self.gear.devices])
        for link in (self.shoe, self.usb_shoe, self.panel, self.beacon, self.reader):
            if link is not None:
                link.start()
        asyncio.get_running_loop().call_later(ABSENT, self._look_for_missing)

    def _look_for_missing(self) -> None:
        for device in (self.usb_shoe, self.panel, self.beacon):
            if device is not None:
                device.report_if_missing()

    async def stop(self) -> None:
        """Release the devices and close the journal.

        A live round stays in the record and continues at the next start.
        """
        async with AsyncExitStack() as last:  # called in reverse order, each even if others raise
            last.callback(self._journal.close)
            last.push_async_callback(self.custody.stop)
            last.push_async_callback(self.alerts.stop)
            last.push_async_callback(self._halt_alert.stop)
            if self.beacon is not None:
                last.push_async_callback(self.beacon.stop)
            last.callback(self.table.stop)
            for link in (self.shoe, self.usb_shoe, self.panel, self.reader):
                if link is not None:
                    last.push_async_callback(link.stop)
