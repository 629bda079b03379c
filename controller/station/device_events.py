"""Translation of device events to events of the table.

It is the only connection of drivers and core. Events that concern only an engineer are logged.
"""

from collections.abc import Callable, Mapping
from typing import Any

from drivers import events as d

from ..core import events as e
from ..core.coded_message import coded
from ..rules.cards import BadCard, parse_card
from ..text.coded import render
from .key_presses import KeyPresses
from .notices import Notices

Take = Callable[[e.Event], None]
DeviceEventHandler = Callable[[d.DeviceEvent], None]


class ShoeEvents:
    """Handler of a shoe's events for one table."""

    def __init__(self, take: Take, table: str) -> None:
        self._take = take
        self._notices = Notices("shoe", table)

    def __call__(self, device_event: d.DeviceEvent) -> None:
        """Pass an event of the shoe on to the table; log it if the table has no event for it."""
        event = self._event(device_event)
        if event is None:
            self._notices.tell(type(device_event).__name__, **fields_of(device_event))
        else:
            self._take(event)

    def _event(self, device_event: d.DeviceEvent) -> e.Event | None:
        meaning = _SHOE.get(type(device_event))
        return meaning(device_event) if meaning else None


class UsbEvents:
    """Handler of the events of a panel or a beacon.

    `keys`: action of each key number of a panel; `touched`: called when a beacon is touched; `pace`: how many times
    faster than people an emulated panel is pressed.
    """

    def __init__(
        self,
        take: Take,
        table: str,
        keys: Mapping[int, e.Key],
        device: e.Device = "panel",
        touched: Callable[[], None] | None = None,
        pace: float = 1.0,
    ) -> None:
        self._take = take
        self._keys, self._presses = keys, KeyPresses(take, pace)
        self._device = device
        self._touched = touched
        self.there: bool | None = None  # True if the device is present; None: not known yet
        self._notices = Notices(device, table)

    def report_if_missing(self) -> None:
        """Report the device as lost if it has not been found by now."""
        if self.there is None:
            self._report_missing()

    def take_back(self) -> None:
        """Count the device as present, as the table does after the ruling, so that its loss is reported again."""
        self.there = True

    def _report_missing(self) -> None:
        self.report_lost(render(coded("no_such_device", name=self._device)))

    def report_lost(self, reason: str) -> None:
        """Report once that the device is missing or cannot be used."""
        if self.there is not False:
            self.there = False
            self._take(e.LostDevice(self._device, reason))
        else:
            self._notices.tell(reason=reason)

    def __call__(self, event: d.DeviceEvent) -> None:
        """Pass an event of a panel or beacon on to the table, or log it; releases and unbound keys are ignored."""
        match event:
            case d.Pressed(key=key) if key in self._keys:
                self._presses.press(self._keys[key])
            case d.Touched() if self._touched is not None:
                self._touched()
            case d.Pressed() | d.Released() | d.Touched():
                pass
            case d.Lost(reason=reason) | d.DeviceUnusable(reason=reason):
                self.report_lost(reason)
            case d.Missing():
                self._report_missing()
            case d.Found(address=address, serial=serial):
                self.there = True
                self._take(e.FoundDevice(self._device, address, serial or ""))
            case _:
                self._notices.tell(type(event).__name__, **fields_of(event))


class UsbShoeEvents(UsbEvents):
    """Handler of the events of a shoe on USB. `hear`: called with each event, and with the function that handles it."""

    def __init__(self, take: Take, table: str, hear: Callable[[d.DeviceEvent, DeviceEventHandler], None]) -> None:
        super().__init__(take, table, {}, "shoe")
        self._shoe, self._hear = ShoeEvents(take, table), hear

    def __call__(self, event: d.DeviceEvent) -> None:
        """Pass an event of the shoe on: events of the link as those of a device, all others as those of a shoe."""
        self._hear(event, super().__call__ if isinstance(event, d.LinkEvent) else self._shoe)


def _card(event: d.CardRead) -> e.Event:
    try:
        return e.CardOut(parse_card(str(event.card)), _place(event), event.position)
    except BadCard:  # the driver names no card, or none that exists: the card was not read
        return e.CardOut(None, event.place)


def _place(event: d.CardRead | d.CardUnreadable) -> str | None:
    return event.place if event.in_game else e.OUTSIDE


_SHOE: Mapping[type, Callable[[Any], e.Event]] = {
    d.CardRead: _card,
    d.CardUnreadable: lambda event: e.CardOut(None, _place(event), event.position),
    d.CutCard: lambda _: e.CutCardOut(),
    d.ShoeStarted: lambda _: e.ShoeStandsBy(),
    d.StandBy: lambda _: e.ShoeStandsBy(),
    d.TelegramLost: lambda event: e.TelegramsLost(event.expected, event.got),
    d.ShoeResult: lambda event: e.ShoeSays(event.winner, event.pairs),
    d.ShoeError: lambda event: e.ShoeFails(event.code, event.meaning),
    d.Lost: lambda event: e.LostDevice("shoe", event.reason),
    d.Found: lambda event: e.FoundDevice("shoe", event.address, event.serial or ""),
}


def fields_of(event: d.DeviceEvent) -> dict[str, str]:
    """Fields of an event for a notice; of raw bytes only their number, because they may contain a hidden card."""
    values = ((name, getattr(event, name)) for name in event.__slots__)
    return {name: f"{len(value)} bytes" if isinstance(value, bytes) else str(value) for name, value in values}
