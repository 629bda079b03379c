"""Device recognition: a table takes its own shoe and panel, and never another table's after a replug."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import DeviceUnusable, Found, Lost, Pressed
from drivers.identity import (
    ConfiguredIdentity,
    Identity,
    NotOurs,
    Recognition,
    RecordedIdentity,
    is_distinct,
    names_place,
    recorded_identity,
)
from drivers.own_port import OwnPort
from drivers.serial_port import close, open_port
from drivers.sysfs import adapters
from tests.drivers.emulated_pc import PLACE, EmulatedAdapter, EmulatedPc
from tests.drivers.test_usb_link import table
from tests.patience import until

# ── random plugging and pulling ──────────────────────────────────────────────────────────────────────────────────

NUMBERS = st.sampled_from([None, "0001", "12345678", "A50285BI"])
SOCKETS = ["1", "2", "3"]
MOVES = st.lists(st.tuples(st.sampled_from(SOCKETS), st.sampled_from("abcd"), st.booleans()), max_size=25)
KIND = "0403:6001"
ANY = ConfiguredIdentity("shoe")


class ModelPc:
    """Model of one PC: the shoe's adapter `a`, adapters `b` to `d` of other tables, and the sockets."""

    def __init__(self, numbers: list[str | None], own: str | None) -> None:
        self.serial = dict(zip("abcd", [own, *numbers], strict=True))
        self.home = "1"
        self.there: dict[str, str] = {self.home: "a"}
        self.recognition = Recognition(ConfiguredIdentity("shoe"))
        self.restart_with: RecordedIdentity | None = None

    def identity(self, socket: str) -> Identity:
        return Identity(KIND, self.serial[self.there[socket]], f"usb-0:{socket}")

    def plugs(self, socket: str, name: str) -> bool:
        """Plug an adapter into a free socket; returns False if that cannot be done.

        A twin of `a` (same serial number) is never plugged into the home socket: no program can tell it from `a`.
        """
        same = self.serial[name] == self.serial["a"] and name != "a"
        if socket in self.there or name in self.there.values() or (same and socket == self.home):
            return False
        self.there[socket] = name
        return True

    def opens(self, socket: str) -> str | None:
        """Open the port in a socket; return the adapter that the table takes, or None if it refuses."""
        all_of_them = [self.identity(each) for each in self.there]
        one = self.identity(socket)
        self.recognition.notice(all_of_them)
        try:
            self.recognition.check(one, [other for other in all_of_them if other.is_like(one)])
        except NotOurs:
            return None
        self.recognition.adopt(one)
        self.restart_with = RecordedIdentity(one.serial, one.place)
        return self.there[socket]


def test_an_unreadable_record_of_known_devices_refuses_the_device():
    answers = iter([NotOurs("its record cannot be read"), RecordedIdentity("B1234567", "usb-0:1")])

    def seen():
        answer = next(answers)
        if isinstance(answer, NotOurs):
            raise answer
        return answer

    recognition = Recognition(ConfiguredIdentity("shoe"), seen)
    for says in (
        "its record cannot be read",
        "at usb-0:1 was a shoe with B1234567",
        "at usb-0:1 was a shoe with B1234567",
    ):
        with pytest.raises(NotOurs, match=says):
            recognition.check(ONE, [ONE])
        assert says in recognition.asks


@given(st.lists(NUMBERS | st.just("B7654321"), min_size=3, max_size=3), NUMBERS | st.just("A1234567"), MOVES)
def test_another_tables_adapter_is_never_taken_after_any_moves(numbers, own, moves):
    world = ModelPc(numbers, own)
    assert world.opens(world.home) == "a"
    for socket, name, restarts in moves:
        if not world.plugs(socket, name):
            world.there.pop(socket, None)
        if restarts:
            world.recognition = Recognition(ConfiguredIdentity("shoe"), lambda record=world.restart_with: record)
        for each in world.there:
            adapter = world.opens(each)
            assert adapter in (None, "a")
            world.home = each if adapter else world.home


@given(NUMBERS, st.sampled_from(SOCKETS))
def test_an_adapter_back_in_its_socket_is_always_taken(own, away):
    world = ModelPc([None, None, None], own)
    world.opens("1")
    del world.there["1"]
    world.there[away] = "a"
    world.opens(away)
    del world.there[away]
    world.there["1"] = "a"
    assert world.opens("1") == "a"


ONE = Identity(KIND, "A1234567", "usb-0:1")


def recognised(
    one: Identity, *others: Identity, wanted: ConfiguredIdentity = ANY, seen: RecordedIdentity | None = None
) -> str:
    """Return why the device is refused; empty if it is taken."""
    recognition = Recognition(wanted, lambda: seen)
    recognition.notice([one, *others])
    try:
        recognition.check(one, others)
    except NotOurs as said:
        return str(said)
    return ""


def test_a_device_with_distinct_serial_is_taken_in_another_socket():
    assert not recognised(replace(ONE, place="usb-0:2"), seen=RecordedIdentity("A1234567", "usb-0:1"))


def test_a_common_serial_in_another_socket_needs_the_config_line():
    reason = recognised(replace(ONE, serial="0001", place="usb-0:2"), seen=RecordedIdentity("0001", "usb-0:1"))
    assert reason == (
        "the shoe was at usb-0:1, one with 0001 is at usb-0:2 and may be another table's: plug ours in where it was, "
        'or write [shoe] at = "usb-0:2" and start the table again'
    )
    assert not recognised(
        replace(ONE, serial="0001", place="usb-0:2"),
        wanted=ConfiguredIdentity("shoe", at="usb-0:2"),
        seen=RecordedIdentity("0001", "usb-0:1"),
    )


def test_another_serial_in_our_socket_needs_the_config_line():
    reason = recognised(ONE, seen=RecordedIdentity("B1234567", "usb-0:1"))
    assert "was a shoe with B1234567" in reason
    assert '[shoe] serial = "A1234567"' in reason
    assert not recognised(
        ONE, wanted=ConfiguredIdentity("shoe", "A1234567"), seen=RecordedIdentity("B1234567", "usb-0:1")
    )


def test_a_replaced_device_is_taken_anywhere_by_its_named_serial():
    record, moved = RecordedIdentity("B1234567", "usb-0:1"), replace(ONE, place="usb-0:2")
    assert not recognised(moved, wanted=ConfiguredIdentity("shoe", "A1234567"), seen=record)
    assert "may be another table's" in recognised(
        replace(moved, serial="0001"),
        wanted=ConfiguredIdentity("shoe", "0001"),
        seen=RecordedIdentity("0001", "usb-0:1"),
    )


def test_a_replaced_panel_is_taken_by_its_unit_id():
    assert not recognised(ONE, wanted=ConfiguredIdentity("panel", unit=7), seen=RecordedIdentity("B1234567", "usb-0:2"))


def test_twin_devices_are_refused_with_places_until_configured():
    twin = replace(ONE, place="usb-0:2")
    reason = recognised(ONE, twin)
    assert "which is the shoe? 2 devices could be" in reason
    assert "at usb-0:1 (A1234567) and at usb-0:2 (A1234567)" in reason
    assert not recognised(ONE, twin, wanted=ConfiguredIdentity("shoe", at="usb-0:1"))
    assert recognised(twin, ONE, wanted=ConfiguredIdentity("shoe", at="usb-0:1"))


def test_a_serial_seen_on_two_devices_is_not_distinct():
    recognition, twin = Recognition(ConfiguredIdentity("shoe")), replace(ONE, place="usb-0:2")
    recognition.adopt(ONE)
    recognition.notice([twin])  # ours is not listed now and a twin is: two devices have this serial
    with pytest.raises(NotOurs, match="may be another table's"):
        recognition.check(twin, [twin])


@pytest.mark.parametrize("first", [(), (ONE,)], ids=["pulled", "back in its socket"])
def test_a_device_that_moves_after_a_look_stays_distinct(first):
    recognition, moved = Recognition(ConfiguredIdentity("shoe")), replace(ONE, place="usb-0:2")
    recognition.adopt(ONE)
    for there in (first, (moved,)):
        recognition.notice(there)
    recognition.check(moved, [])


def test_a_device_of_another_kind_with_our_serial_is_refused():
    recognition, other = Recognition(ConfiguredIdentity("shoe")), replace(ONE, kind="0403:6015")
    recognition.adopt(ONE)
    recognition.notice([other])
    with pytest.raises(NotOurs, match="now there is another one \\(0403:6015, A1234567\\)"):
        recognition.check(other, [])


@pytest.mark.parametrize("serial", [None, "", "0", "0001", "000000", "12345678", "0123456789abcdef", "A50285BI"])
def test_a_makers_default_serial_is_not_distinct(serial):
    assert not is_distinct(serial)


@pytest.mark.parametrize("serial", ["A1234567", "AB0LMNOP", "5434033301", "CABPb116Q23"])
def test_a_counted_maker_serial_is_distinct(serial):
    assert is_distinct(serial)


def test_a_record_of_another_port_name_is_ignored():
    assert recorded_identity("/dev/a", "/dev/a at usb-0:1", "") == RecordedIdentity(None, "usb-0:1")
    assert recorded_identity("/dev/b", "/dev/a at usb-0:1", "") is None
    assert recorded_identity("usb", "usb 001:004", "T1") is None


def test_a_name_by_place_names_the_place():
    place = PLACE.format("2")
    assert names_place(f"/dev/table/shoe-at-{place}", place)
    assert names_place("/dev/serial/by-path/pci-0000:00:14.0-usbv2-0:2:1.0-port0", place)
    assert not names_place("/dev/serial/by-id/usb-FTDI_0001-if00-port0", place)


# ── a port ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pc(tmp_path):
    with EmulatedPc(tmp_path) as one:
        yield one


def own_port(pc: EmulatedPc, name: object, identity: ConfiguredIdentity = ANY) -> OwnPort:
    return OwnPort(str(name), None, Recognition(identity), pc.sys)


def opens(port: OwnPort) -> str:
    """Open the port and close it; return the error's text, empty if it opened."""
    try:
        close(port.open())
    except (NotOurs, FileNotFoundError) as error:
        return str(error)
    return ""


def test_a_name_now_leading_to_a_twin_is_not_opened(pc):
    ours = pc.plug("1", EmulatedAdapter("0001"))
    port = own_port(pc, pc.by_serial(ours))
    assert opens(port) == ""
    assert port.address == f"{port.name} at {PLACE.format('1')}"
    pc.plug("2", EmulatedAdapter("0001"))
    pc.unplug("1")
    assert "may be another table's" in opens(port)
    pc.unplug("2")
    pc.plug("1", ours)
    assert opens(port) == ""


def test_a_port_named_by_place_opens_beside_its_twin(pc):
    pc.plug("1", EmulatedAdapter("0001"))
    pc.plug("2", EmulatedAdapter("0001"))
    assert opens(own_port(pc, pc.by_place("1"))) == ""
    assert "which is the shoe?" in opens(own_port(pc, pc.by_serial(pc.sockets["1"])))
    assert opens(own_port(pc, pc.by_serial(pc.sockets["1"]), ConfiguredIdentity("shoe", at=PLACE.format("2")))) == ""


def test_two_adapters_without_a_serial_are_twins(pc):
    pc.plug("1", EmulatedAdapter(None, ("067b", "2303")))
    bee_tek = pc.by_serial(pc.plug("2", EmulatedAdapter(None, ("067b", "2303"))))
    assert "no serial number" in opens(own_port(pc, bee_tek))


def test_adapters_are_listed_with_number_place_and_driver(pc):
    pc.plug("1.4", EmulatedAdapter("A1234567"))
    (one,) = adapters(pc.sys)
    assert one.identity == Identity(KIND, "A1234567", PLACE.format("1.4"))
    assert (one.node, one.driver) == ("ttyUSB0", "ftdi_sio")


def test_a_search_for_adapters_does_not_resolve_consoles(pc, monkeypatch):
    """A search for ports skips the PC's consoles, about 70: an unplugged shoe is searched for repeatedly."""
    for number in range(64):
        console = pc.sys / f"devices/virtual/tty/tty{number}"
        console.mkdir(parents=True)
        (pc.sys / f"class/tty/tty{number}").symlink_to(os.path.relpath(console, pc.sys / "class/tty"))
    pc.plug("1", EmulatedAdapter("A1"))
    looked, resolve = set(), Path.resolve
    monkeypatch.setattr(Path, "resolve", lambda path, strict=False: looked.add(path.name) or resolve(path, strict))
    assert len(adapters(pc.sys)) == 1
    assert {name for name in looked if name.startswith("tty")} == {"ttyUSB0"}


def test_a_name_that_changes_adapter_while_opening_is_closed(pc, monkeypatch):
    port = own_port(pc, pc.by_serial(pc.plug("1", EmulatedAdapter("0001"))))

    def moved(name, settings):
        pc.plug("2", EmulatedAdapter("0001"))
        return open_port(name, settings)

    monkeypatch.setattr("drivers.own_port.open_port", moved)
    closed = []
    monkeypatch.setattr("drivers.own_port.close", lambda line: closed.append(close(line)))
    assert "is now another adapter" in opens(port)
    assert closed == [None]


def test_a_port_not_on_usb_has_no_place(pc):
    ours = pc.plug("1", EmulatedAdapter("0001"))
    link = pc.by_serial(ours)
    (pc.sys / "dev/char").rename(pc.sys / "char")
    (pc.sys / "dev/char").mkdir()
    assert opens(own_port(pc, link)) == ""
    assert "is no port on USB" in opens(own_port(pc, link, ConfiguredIdentity("shoe", at="usb-0:1")))
    (pc.sys / "dev/char").rmdir()
    (pc.sys / "char").rename(pc.sys / "dev/char")


# ── a panel ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_with_our_panel_unplugged_a_foreign_one_is_refused():
    bus = EmulatedUsbBus()
    ours, foreign = EmulatedXK24(bus), EmulatedXK24(bus)

    async def play():
        ours.plug()
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-1")
            ours.unplug()
            foreign.plug()
            assert isinstance(await rig.hears(), Lost)
            event = await rig.hears()
            assert isinstance(event, DeviceUnusable)
            assert 'write [panel] at = "1-2"' in event.reason
            assert foreign.lights == {}
            foreign.unplug()
            ours.plug()
            assert await rig.hears() == Found("usb at 1-1")

    asyncio.run(play())


def test_two_panels_are_refused_until_the_config_names_one():
    bus = EmulatedUsbBus()
    ours, foreign = EmulatedXK24(bus), EmulatedXK24(bus)

    async def play():
        ours.plug()
        foreign.plug()
        async with table(bus) as rig:
            event = await rig.hears()
            assert isinstance(event, DeviceUnusable)
            assert "which is the panel? 2 devices could be, at 1-1 (no serial number) and at 1-2" in event.reason
        async with table(bus, at="1-2") as rig:
            assert await rig.hears() == Found("usb at 1-2")

    asyncio.run(play())


def test_a_panel_is_chosen_by_its_unit_id():
    bus = EmulatedUsbBus()
    foreign, ours = EmulatedXK24(bus), EmulatedXK24(bus, unit=7)

    async def play():
        foreign.plug()
        ours.plug()
        async with table(bus, unit=7) as rig:
            assert await rig.hears() == Found("usb at 1-2")
            assert foreign.lights == {}
            assert bus.port(foreign).kernel_driver
            ours.press(3)
            assert await rig.hears_key() == Pressed(3)
            ours.unplug()
            assert isinstance(await rig.hears(), Lost)
            event = await rig.hears()
            assert isinstance(event, DeviceUnusable)
            assert "expected the panel with unit id 7, found 0 at usb 1-1" in event.reason

    asyncio.run(play())


def test_a_panel_with_another_unit_id_is_named_while_plugged():
    bus = EmulatedUsbBus()
    foreign = EmulatedXK24(bus)

    async def play():
        foreign.plug()
        async with table(bus, unit=7) as rig:
            assert isinstance(await rig.hears(), DeviceUnusable)
            await until(lambda: "with unit id 7, found 0 at usb 1-1" in (rig.recognition.asks or ""))
            foreign.unplug()
            await until(lambda: rig.recognition.asks is None)

    asyncio.run(play())


def test_a_key_held_during_the_unit_id_query_is_ignored():
    bus = EmulatedUsbBus()
    ours = EmulatedXK24(bus, unit=7)

    async def play():
        ours.press(3)
        ours.plug()
        async with table(bus, unit=7) as rig:
            assert await rig.hears() == Found("usb at 1-1")
            ours.press(8)
            assert await rig.hears_key() == Pressed(8)

    asyncio.run(play())
