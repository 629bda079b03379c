"""Folders of USB devices below /sys."""

from drivers.sysfs import UsbFolder


def test_a_devices_folder_has_its_socket_serial_number_and_driver(tmp_path):
    device = tmp_path / "devices" / "pci0000:00" / "0000:00:14.0" / "usb1" / "1-2"
    interface = device / "1-2:1.0"
    interface.mkdir(parents=True)
    (device / "idVendor").write_text("05f3\n", encoding="utf-8")
    (device / "serial").write_text("0001\n", encoding="utf-8")
    (tmp_path / "usbhid").mkdir()
    (interface / "driver").symlink_to(tmp_path / "usbhid")
    links = tmp_path / "bus" / "usb" / "devices"
    links.mkdir(parents=True)
    (links / "1-2").symlink_to(device)
    assert UsbFolder.of(1, (2,), tmp_path) == UsbFolder("pci-0000:00:14.0-usb-0:2", "0001", "usbhid", is_there=True)
    assert UsbFolder.of(1, (3,), tmp_path) == UsbFolder("1-3", is_there=False)


def test_a_folder_without_a_devices_ids_is_no_device(tmp_path):
    """A hub's socket, or a device that is just being unplugged."""
    (tmp_path / "bus" / "usb" / "devices" / "1-2").mkdir(parents=True)
    assert UsbFolder.of(1, (2,), tmp_path) == UsbFolder("1-2", is_there=False)
