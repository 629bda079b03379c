"""Presence checks of a config's devices, without taking any from a running table."""

import os
from pathlib import Path

from drivers.identity import NotOurs, Recognition
from drivers.own_port import OwnPort
from drivers.patience import DeviceCannotServe
from drivers.serial_port import VANISHED, close, is_socket
from drivers.sysfs import SYS
from drivers.unit_id import first_reports
from drivers.usb_codec import UsbCodec
from drivers.usb_device import WRITE_MS, Backend, UsbDevice, devices
from drivers.usb_instead import describe_similar

from ..config.badge_reader import BadgeReaderSection
from ..config.devices import BeaconSection, PanelSection, ShoeSection
from ..core.coded_message import coded
from ..station.pc_checks import UnmetRequirement
from ..text.coded import render
from .own_devices import DeviceSection, OwnDevices


def find_shoe(section: ShoeSection, own: OwnDevices, *, runs: bool, sys: Path = SYS, usb: Backend | None = None) -> str:
    """Find the shoe; returns its port or socket in words. `runs`: its table has it open.

    Raises DeviceCannotServe, and what a driver raises.
    """
    if (codec := section.usb_codec()) is not None:
        return _describe_usb(codec, section, own, usb, asks=False)
    return _find_port(own.port("shoe", section, sys), runs=runs)


def find_reader(section: BadgeReaderSection, own: OwnDevices, *, runs: bool, sys: Path = SYS) -> str:
    """Find the badge reader; returns its socket in words. Raises DeviceCannotServe."""
    return "none" if section.model is None else _find_port(own.port("badge_reader", section, sys), runs=runs)


def _find_port(port: OwnPort, *, runs: bool) -> str:
    try:
        if not runs:
            close(port.open())
        elif not is_socket(port.name):
            port.look()
    except NotOurs as other:
        raise DeviceCannotServe(str(other)) from None
    except (*VANISHED, ValueError) as error:
        raise DeviceCannotServe(port.open_failure(error).text) from None
    if port.may_be_any:
        raise UnmetRequirement(coded("port_unsure", name=port.name, reason=port.serial or coded("no_serial")))
    return port.address


def find_panel(section: PanelSection, own: OwnDevices, usb: Backend | None = None, *, runs: bool) -> str:
    """Find the panel; returns its socket in words. `runs`: its table has it open, so its unit id is not asked for.

    Raises DeviceCannotServe, DriverFailed.
    """
    asks = section.unit is not None and not runs
    return "none" if (codec := section.codec()) is None else _describe_usb(codec, section, own, usb, asks=asks)


def find_beacon(section: BeaconSection, own: OwnDevices, usb: Backend | None = None) -> str:
    """Find the beacon; returns its socket in words. Raises DeviceCannotServe, DriverFailed."""
    return "none" if (codec := section.codec()) is None else _describe_usb(codec, section, own, usb, asks=False)


def _describe_usb(codec: UsbCodec, section: DeviceSection, own: OwnDevices, usb: Backend | None, *, asks: bool) -> str:
    """Find the table's own device on USB; returns its socket. `asks`: open it and check its unit id.

    Raises DeviceCannotServe, DriverFailed.
    """
    recognition = own.recognition(codec.kind, section)
    troubles, usb_devices = [], devices(codec, usb)
    for device in usb_devices:
        trouble = codec.refusal(device.product)
        if trouble is None:
            others = [each.identity for each in usb_devices if codec.refusal(each.product) is None]
            try:
                recognition.choose(device.identity, others)
                return _usable_socket(device, codec, recognition if asks else None)
            except (NotOurs, DeviceCannotServe) as other:
                trouble = str(other)
        troubles.append(trouble)
    if troubles:
        raise DeviceCannotServe(troubles[0])
    nothing = coded("none_plugged_in", name=codec.name, kind=codec.kind)
    raise DeviceCannotServe(describe_similar(codec, usb) or render(nothing))


def _usable_socket(device: UsbDevice, codec: UsbCodec, numbered: Recognition | None) -> str:
    """Socket of a device that may be opened. `numbered`: opens it and checks its unit id. Raises DeviceCannotServe."""
    if Path(device.node).exists() and not os.access(device.node, os.R_OK | os.W_OK):
        raise DeviceCannotServe(render(coded("device_forbidden", kind=codec.kind, place=device.address)))
    if numbered is not None:
        device.open(lambda _: None, first_reports(codec, numbered, device, (), WRITE_MS), WRITE_MS)
        device.close()
    return device.address
