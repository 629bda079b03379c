"""An emulated USB bus: a pyusb backend whose devices are Python objects.

It stands in for libusb only; pyusb and `drivers.usb_link` run unchanged. All methods are thread-safe.
"""

# ruff: noqa: ARG002 - pyusb dictates the arguments

import errno
import threading
from array import array
from dataclasses import dataclass
from types import SimpleNamespace

import usb.backend

from drivers.emulators.usb_identity import configuration_fields, device_fields, endpoint_fields, interface_fields
from drivers.emulators.usb_port import EmulatedUsbDevice, Port, usb_error

BUS_NUMBER = 1


class NotPluggedIn(RuntimeError):
    """Error: the device is not on the bus."""


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """Handle of an open device."""

    port: Port


class EmulatedUsbBus(usb.backend.IBackend):  # type: ignore[misc] # pyusb has no types
    """The bus; hand it to `UsbLink(backend=...)`, then plug emulated devices in and out."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = threading.Condition(threading.RLock())  # devices guard their own state with it too
        self._ports: list[Port] = []
        self._last_address = 0
        self._sockets: list[EmulatedUsbDevice] = []  # each device in the socket that it was plugged into first

    # What people, cables and devices do.

    def plug(
        self,
        device: EmulatedUsbDevice,
        *,
        kernel_driver: bool = True,
        refused_opens: int = 0,
        in_use: bool = False,
        configured: bool = True,
        socket: int | None = None,
    ) -> None:
        """Plug a device in, at a new address; does nothing if it is plugged in.

        `socket`: number of the socket, by default the device's own. `kernel_driver`: usbhid takes it first, as Linux
        does; `refused_opens`: so many openings fail with EACCES, as before udev has set the permissions; `in_use`:
        another program has claimed it; `configured`: the kernel chose a configuration.
        """
        with self.changed:
            if self._find(device) is None:
                self._last_address += 1
                place = self._last_address, socket or self._socket_of(device)
                self._ports.append(Port(device, *place, self.changed, kernel_driver, refused_opens, in_use, configured))
                device.power_on()

    def _socket_of(self, device: EmulatedUsbDevice) -> int:
        if not any(device is occupant for occupant in self._sockets):
            self._sockets.append(device)
        return next(number for number, occupant in enumerate(self._sockets, 1) if device is occupant)

    def unplug(self, device: EmulatedUsbDevice) -> None:
        """Pull the plug: transfers under way end with ENODEV."""
        with self.changed:
            if port := self._find(device):
                port.plugged = False
                self._ports.remove(port)
                self.changed.notify_all()

    def report(self, device: EmulatedUsbDevice, report: bytes) -> None:
        """Send an input report; it is lost while no program has claimed the device."""
        with self.changed:
            port = self._find(device)
            if port and port.claimed:
                port.inbox.append(report)
                self.changed.notify_all()

    def stall(self, device: EmulatedUsbDevice, endpoint: int) -> None:
        """Halt an endpoint: transfers fail with EPIPE until the host clears it."""
        with self.changed:
            self.port(device).halted.add(endpoint)
            self.changed.notify_all()

    def fail(self, device: EmulatedUsbDevice, number: int | None) -> None:
        """Let the next transfer fail with this error number; None is libusb's "other error"."""
        with self.changed:
            self.port(device).faults.append(number)
            self.changed.notify_all()

    def deafen(self, device: EmulatedUsbDevice) -> None:
        """Let writes time out until the device is plugged in again."""
        with self.changed:
            self.port(device).deaf = True

    def is_plugged(self, device: EmulatedUsbDevice) -> bool:
        """True if the device is on the bus."""
        with self.changed:
            return self._find(device) is not None

    def port(self, device: EmulatedUsbDevice) -> Port:
        """Port that the device is plugged into; raises NotPluggedIn."""
        with self.changed:
            if port := self._find(device):
                return port
        raise NotPluggedIn("expected a device on the emulated bus, found none: plug it in first")

    def _find(self, device: EmulatedUsbDevice) -> Port | None:
        return next((port for port in self._ports if port.device is device), None)

    # What pyusb asks of a backend: see usb.backend.IBackend for the arguments and results.

    def enumerate_devices(self) -> list[Port]:
        """Ports of the devices that are plugged in."""
        with self.changed:
            return list(self._ports)

    def get_parent(self, dev: Port) -> None:
        """Return None: this bus has no hubs."""

    def get_device_descriptor(self, dev: Port) -> SimpleNamespace:
        """Fields of the device descriptor and the place on the bus."""
        return device_fields(dev.device.identity, BUS_NUMBER, dev.address, dev.socket)

    def get_configuration_descriptor(self, dev: Port, config: int) -> SimpleNamespace:
        """Fields of the only configuration; raises IndexError for any other."""
        _check_first(config)
        return configuration_fields(dev.device.identity)

    def get_interface_descriptor(self, dev: Port, intf: int, alt: int, config: int) -> SimpleNamespace:
        """Fields of the only interface; raises IndexError for any other."""
        _check_first(intf, alt)
        return interface_fields(dev.device.identity)

    def get_endpoint_descriptor(self, dev: Port, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        """Fields of one endpoint; raises IndexError beyond the last."""
        return endpoint_fields(dev.device.identity, ep)

    def open_device(self, dev: Port) -> Handle:
        """Open the device; EACCES while its permissions are not set yet."""
        with self.changed:
            dev.open()
            return Handle(dev)

    def close_device(self, dev_handle: Handle) -> None:
        """Close the device and free its interface."""
        with self.changed:
            dev_handle.port.release()

    def get_configuration(self, dev_handle: Handle) -> int:
        """Return the number of the configuration, 0 for none."""
        with self.changed:
            dev_handle.port.check()
            return int(dev_handle.port.configured)

    def set_configuration(self, dev_handle: Handle, config_value: int) -> None:
        """Choose the configuration; EBUSY while anybody holds an interface."""
        with self.changed:
            dev_handle.port.require_free()
            dev_handle.port.configured = True

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        """Claim the interface; EBUSY while anybody else holds it."""
        with self.changed:
            dev_handle.port.require_free()
            dev_handle.port.claimed = True

    def release_interface(self, dev_handle: Handle, intf: int) -> None:
        """Release the interface for other programs."""
        with self.changed:
            dev_handle.port.check()
            dev_handle.port.release()

    def is_kernel_driver_active(self, dev_handle: Handle, intf: int) -> bool:
        """True if usbhid holds the interface."""
        with self.changed:
            dev_handle.port.check()
            return dev_handle.port.kernel_driver

    def detach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        """Make usbhid release the interface; ENOENT if it does not hold it."""
        with self.changed:
            dev_handle.port.check()
            if not dev_handle.port.kernel_driver:
                raise usb_error(errno.ENOENT)
            dev_handle.port.kernel_driver = False

    def attach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        """Give the interface to usbhid; EBUSY while a program holds it."""
        with self.changed:
            dev_handle.port.check()
            if dev_handle.port.claimed:
                raise usb_error(errno.EBUSY)
            dev_handle.port.kernel_driver = True

    def clear_halt(self, dev_handle: Handle, ep: int) -> None:
        """End the stall of an endpoint."""
        with self.changed:
            dev_handle.port.check()
            dev_handle.port.halted.discard(ep)

    def intr_read(self, dev_handle: Handle, ep: int, intf: int, buff: "array[int]", timeout: int) -> int:
        """Wait for an input report; return its number of bytes."""
        with self.changed:
            report = dev_handle.port.read(ep, len(buff), timeout)
        buff[: len(report)] = array("B", report)
        return len(report)

    def intr_write(self, dev_handle: Handle, ep: int, intf: int, data: "array[int]", timeout: int) -> int:
        """Write an output report; return the number of bytes."""
        with self.changed:
            return dev_handle.port.write(ep, data.tobytes(), timeout)

    def ctrl_transfer(
        self,
        dev_handle: Handle,
        bmRequestType: int,  # noqa: N803 - pyusb's names
        bRequest: int,  # noqa: N803 - pyusb calls it by this name
        wValue: int,  # noqa: N803 - pyusb calls it by this name
        wIndex: int,  # noqa: N803 - pyusb calls it by this name
        data: "array[int]",
        timeout: int,
    ) -> int:
        """Make a control transfer; return the number of bytes read or written."""
        with self.changed:
            answer = dev_handle.port.control((bmRequestType, bRequest), wValue, data.tobytes())[: len(data)]
        data[: len(answer)] = array("B", answer)
        return len(answer) if bmRequestType & 0x80 else len(data)


def _check_first(*indices: int) -> None:
    if any(indices):
        raise IndexError(indices)
