"""`tablectl doctor` and `tablectl devices`: plugged-in devices, and defects of this PC."""

import errno
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from controller.cli import devices as devices_command
from controller.cli import doctor as doctor_command
from controller.cli import table_checks
from controller.config.devices import PanelSection, ShoeSection
from controller.config.paths import CONFIGS, STATES, pc_folder
from controller.games.installing import Failed
from controller.journal import Journal
from controller.station import pc_checks
from controller.station import plugged_devices as plugged_module
from controller.station.attendance import find_panel, find_shoe
from controller.station.own_devices import OwnDevices
from controller.station.pc_checks import UnmetRequirement, check_disk, file_system
from controller.station.plugged_devices import PluggedDevice, usable_devices
from controller.table.ntp import Ntp
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.stream_deck import EmulatedStreamDeck
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.panels import panel_codec
from drivers.panels.xkeys_models import XK_24, XK_80
from drivers.patience import DeviceCannotServe
from tests.drivers.emulated_pc import PLACE, EmulatedAdapter, EmulatedPc

# ── devices ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pc(tmp_path) -> Iterator[EmulatedPc]:
    with EmulatedPc(tmp_path) as one:
        yield one


def listed(pc: EmulatedPc, bus: EmulatedUsbBus | None = None) -> list[PluggedDevice]:
    return list(usable_devices(pc.sys, pc.dev.parent, bus or EmulatedUsbBus()))


def test_an_adapter_with_a_unique_serial_is_listed_by_it(pc):
    adapter = pc.plug("1", EmulatedAdapter("A1234567"))
    (device,) = listed(pc)
    assert (device.kind, device.serial, device.kernel, device.trouble) == ("adapter", "A1234567", "ftdi_sio", "")
    assert device.config == f'port = "{pc.by_serial(adapter)}"'


def test_an_adapter_with_a_common_serial_is_listed_by_socket(pc):
    pc.plug("1", EmulatedAdapter("0001"))
    (device,) = listed(pc)
    assert device.config == f'port = "{pc.by_place("1")}"'


def test_two_adapters_with_one_serial_are_listed_by_socket(pc):
    for place in "12":
        pc.plug(place, EmulatedAdapter("A1234567"))
    one, two = listed(pc)
    assert (one.config, two.config) == (f'port = "{pc.by_place("1")}"', f'port = "{pc.by_place("2")}"')
    assert f"a device with the same USB ids and serial number (A1234567) is at {PLACE.format('2')}" in one.trouble


def test_an_adapter_without_a_udev_link_is_listed_with_socket(pc):
    adapter = pc.plug("1", EmulatedAdapter("0001"))
    for link in (pc.by_place("1"), pc.by_serial(adapter)):
        link.rename(pc.dev.parent / link.name)
    (device,) = listed(pc)
    assert device.config == f'port = "{pc.dev.parent}/ttyUSB0", at = "{PLACE.format("1")}"'
    for link in (pc.by_place("1"), pc.by_serial(adapter)):
        (pc.dev.parent / link.name).rename(link)


def test_a_port_without_permission_names_the_group_to_join(pc, monkeypatch):
    pc.plug("1", EmulatedAdapter("0001"))
    monkeypatch.setattr(plugged_module.os, "access", lambda *_: False)
    (device,) = listed(pc)
    assert "may not open" in device.trouble
    assert "sudo usermod -aG" in device.trouble or "install the service" in device.trouble


def test_two_panels_are_told_apart_by_number_or_socket(pc):
    bus = EmulatedUsbBus()
    EmulatedXK24(bus, "T1234567").plug()
    EmulatedXK24(bus).plug()
    assert [device.config for device in listed(pc, bus)] == [
        'model = "xk24", serial = "T1234567"',
        'model = "xk24", at = "1-2"',
    ]


def test_two_panels_with_one_serial_are_listed_by_socket():
    bus = EmulatedUsbBus()
    for _ in range(2):
        EmulatedXK24(bus, "T1234567").plug()
    one, two = (device for device in usable_devices(usb=bus) if device.kind == "panel")
    assert (one.config, two.config) == ('model = "xk24", at = "1-1"', 'model = "xk24", at = "1-2"')
    assert "a device with the same USB ids and serial number (T1234567) is at 1-2" in one.trouble


def test_a_stream_deck_is_listed_and_found_by_its_model():
    bus = EmulatedUsbBus()
    EmulatedStreamDeck(bus, "DL47K2A12345", panel_codec("stream_deck_xl").model).plug()
    assert [(device.kind, device.config) for device in usable_devices(usb=bus) if device.kind == "panel"] == [
        ("panel", 'model = "stream_deck_xl"')
    ]
    assert find_panel(PanelSection(model="stream_deck_xl"), OwnDevices(None), bus, runs=False) == "usb 1-1"
    with pytest.raises(DeviceCannotServe, match=r"no Stream Deck MK\.2 is plugged in: plug one in"):
        find_panel(PanelSection(model="stream_deck"), OwnDevices(None), bus, runs=False)


def test_a_missing_panel_is_reported_beside_another_of_its_vendor():
    bus = EmulatedUsbBus()
    EmulatedXK24(bus, model=XK_80).plug()
    with pytest.raises(
        DeviceCannotServe, match=r"no XK-24 is plugged in, but an XK-80 \(05f3:0441\) at usb 1-1: plug in"
    ):
        find_panel(PanelSection(model="xk24"), OwnDevices(None), bus, runs=False)


def test_the_command_prints_what_to_copy_and_the_problem(tablectl, pc, monkeypatch):
    adapter = pc.plug("1", EmulatedAdapter("0001"))
    monkeypatch.setattr(devices_command, "usable_devices", lambda: listed(pc))
    first, line, tried = tablectl("devices").stdout.splitlines()
    assert first.startswith(f"adapter 0403:6001, serial number 0001, at {PLACE.format('1')}, now ")
    assert line == f'    [shoe] port = "{pc.by_place("1")}"'
    assert tried == "    never tried on a real one: angel_eye, barcode, bee_tek"
    assert json.loads(tablectl("devices", "--json").stdout)["node"].endswith(adapter.tty)
    pc.unplug("1")
    assert tablectl("devices").stdout.startswith("nothing is plugged in")


# ── doctor ───────────────────────────────────────────────────────────────────────────────────────────────────────

Write = Callable[..., Path]
SOUND = {
    "game": 'name = "baccarat"',
    "table": 'name = "t1"',
    "shoe": 'port = "FOLDER/shoe"',
    "journal": 'path = "FOLDER/t.journal"',
    "api": 'socket = "FOLDER/t.sock"',
    "web": 'listen = "127.0.0.1:0"',
    "alerts.office": 'url = "json://127.0.0.1/alert"',
}


@pytest.fixture
def write(tmp_path) -> Write:
    def write(text: str | None = None, **sections: str | None) -> Path:
        """Write a config with these sections, the others as usual; None leaves a section out.

        Returns its path.
        """
        contents = {**SOUND, **{name.replace("alerts_", "alerts."): lines for name, lines in sections.items()}}
        usual = "".join(f"[{name}]\n{lines}\n" for name, lines in contents.items() if lines is not None)
        config = tmp_path / "t.toml"
        config.write_text((usual if text is None else text).replace("FOLDER", str(tmp_path)), encoding="utf-8")
        return config

    return write


@pytest.fixture
def healthy(monkeypatch, tmp_path) -> Iterator[pytest.MonkeyPatch]:
    """Make this PC look free of defects, wherever the tests run."""
    monkeypatch.setattr(pc_checks, "ntp", lambda: Ntp(True, 0.0, 0.0))
    monkeypatch.setattr(pc_checks, "FORGETS", frozenset())
    monkeypatch.setattr(pc_checks, "SLOW_MS", 1e9)
    monkeypatch.setattr(pc_checks, "LEAST_MB", 0)
    (tmp_path / "t.users").write_text('{"managers":{"anna":"$argon2id$"}}', encoding="utf-8")
    shoe = PtyPort(tmp_path / "shoe")
    shoe.plug()
    yield monkeypatch
    shoe.unplug()


def problems(tablectl, config: Path) -> list[str]:
    lines = tablectl("doctor", config, exit_code=1).stdout.splitlines()
    return [line for line in lines if line.startswith("PROBLEM")]


def test_a_sound_table_gets_one_ok_line_per_part(tablectl, write, healthy, tmp_path):
    before = sorted(tmp_path.iterdir())
    config = write(journal='path = "FOLDER/t.journal"\nrotate_mb = 0')
    lines = tablectl("doctor", config).stdout.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    parts = "config name drivers rules shoe panel beacon badge_reader record anchor bus disk clock people socket pages"
    assert [line.split()[1].rstrip(":") for line in lines] == [*parts.split(), "ports", "alerts"]
    assert sorted(tmp_path.iterdir()) == sorted({*before, config})


REGISTRIES = {
    "no registry and no user": (None, True),
    "no manager": ('[people.1]\nname = "Anna"\nroles = ["dealer"]\npin = "$"\n', True),
    "no PIN": ('[people.1]\nname = "Anna"\nroles = ["manager"]\n', True),
    "a manager": ('[people.1]\nname = "Anna"\nroles = ["manager"]\npin = "$"\n', False),
}


@pytest.mark.parametrize(("registry", "wrong"), REGISTRIES.values(), ids=REGISTRIES)
def test_a_table_without_a_shift_manager_is_a_problem(tablectl, write, healthy, tmp_path, registry, wrong):
    (tmp_path / "t.users").unlink()
    if registry is not None:
        (tmp_path / "people.toml").write_text(registry, encoding="utf-8")
    config = write()
    (line,) = (
        one for one in tablectl("doctor", config, exit_code=int(wrong)).stdout.splitlines() if " people: " in one
    )
    advice = f"nobody can sign in to rule on a fault: tablectl people add {config} ID NAME --role manager"
    assert line == (f"PROBLEM  people: {advice}" if wrong else f"ok       people: 1 in {tmp_path}/people.toml")


def test_doctor_does_not_disturb_a_running_table(tablectl, write, healthy, tmp_path):
    config = write(journal='path = "FOLDER/t.journal"\nrotate_mb = 0')
    with closing(Journal(tmp_path / "t.journal")):
        output = tablectl("doctor", config).stdout
    assert "it runs at this moment" in output


def test_what_run_refuses_the_doctor_says_in_the_same_words(tablectl, write, healthy):
    config = write(people='file = "FOLDER/people.toml"', table='name = "t1"\ndealer = "1042"')
    Path(config.parent, "people.toml").write_text('[42]\nname = "Anna"\nroles = ["dealer"]\n', encoding="utf-8")
    refused = tablectl("check", config, exit_code=2).stderr.strip()
    assert any(line.endswith(refused.removeprefix("tablectl: ")) for line in problems(tablectl, config))


def test_as_json_each_finding_is_an_object(tablectl, write, healthy):
    lines = tablectl("doctor", write(alerts_office=None), "--json", exit_code=1).stdout.splitlines()
    assert {"part": "alerts", "wrong": True}.items() <= json.loads(lines[-1]).items()


def test_another_packages_failed_game_is_listed_but_no_problem(tablectl, write, healthy, monkeypatch):
    failed = Failed("dragon", "dragon-tiger", "KeyError: 'K'")
    monkeypatch.setattr(table_checks, "FAILED", (failed,))
    output = tablectl("doctor", write()).stdout
    assert (
        "games: a game that this table does not use: the game dragon of the package dragon-tiger failed (KeyError: 'K')"
        in output
    )


def test_root_examines_a_services_config_with_the_services_rights(monkeypatch, tmp_path):
    became = []
    monkeypatch.setattr(doctor_command, "is_of_a_service", lambda _: True)
    monkeypatch.setattr(doctor_command, "SERVICE", "daemon")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("chdir", "initgroups", "setgid", "setuid"):
        monkeypatch.setattr(os, name, lambda *to, name=name: became.append((name, *to)))
    doctor_command._become_service(tmp_path / "t.toml")
    assert [name for name, *_ in became] == ["chdir", "initgroups", "setgid", "setuid"]
    assert became[-1] == ("setuid", 1)


def test_doctor_examines_an_unstarted_service_in_its_future_folder(tablectl, write, healthy, own_pc):
    healthy.setattr(doctor_command, "_become_service", lambda config: config)  # the test keeps its own user
    states = pc_folder(STATES)
    states.mkdir(parents=True)
    pc_folder(CONFIGS).mkdir(parents=True)
    config = write(journal='path = "t.journal"\nrotate_mb = 0').rename(pc_folder(CONFIGS) / "t1.toml")
    config.with_name("people.toml").write_text(REGISTRIES["a manager"][0], encoding="utf-8")
    output = tablectl("doctor", config).stdout
    assert f"disk: {states} (" in output
    assert list(states.iterdir()) == []


def test_a_memory_remote_full_or_slow_disk_is_refused(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    for kind, reason in (("tmpfs", "is in memory"), ("nfs4", "is on another machine")):
        mounts.write_text(f"a / ext4 rw 0 0\nb {tmp_path} {kind} rw 0 0\n", encoding="utf-8")
        assert file_system(tmp_path / "x", mounts) == kind
        with pytest.raises(UnmetRequirement, match=reason):
            check_disk(tmp_path, 256, mounts)
    mounts.write_text("a / ext4 rw 0 0\n", encoding="utf-8")
    with pytest.raises(UnmetRequirement, match="put old archives away"):
        check_disk(tmp_path, 10**9, mounts)
    monkeypatch.setattr(pc_checks, "SLOW_MS", -1.0)
    monkeypatch.setattr(pc_checks, "LEAST_MB", 0)
    with pytest.raises(UnmetRequirement, match="use an SSD"):
        check_disk(tmp_path, 0, mounts)


@pytest.mark.parametrize(
    ("part_mb", "free", "is_enough"),
    [(256, 999, False), (256, 1000, True), (600, 1199, False), (600, 1200, True), (256, 3550, True)],
)
def test_a_disk_needs_room_for_two_parts_and_a_gigabyte(part_mb, free, is_enough, tmp_path, monkeypatch):
    monkeypatch.setattr(pc_checks, "FORGETS", frozenset())
    monkeypatch.setattr(pc_checks, "SLOW_MS", 1e9)
    monkeypatch.setattr(pc_checks, "_free_mb", lambda _: free)
    with nullcontext() if is_enough else pytest.raises(UnmetRequirement, match="put old archives away"):
        assert f"{free / 1000:.0f} GB free" in check_disk(tmp_path, part_mb)


@pytest.mark.parametrize(("milliseconds", "is_fast"), [(50.0, True), (50.1, False)])
def test_a_disk_keeps_a_record_within_fifty_milliseconds(milliseconds, is_fast, tmp_path, monkeypatch):
    monkeypatch.setattr(pc_checks, "FORGETS", frozenset())
    monkeypatch.setattr(pc_checks, "LEAST_MB", 0)
    monkeypatch.setattr(pc_checks, "synced_ms", lambda _: milliseconds)
    with nullcontext() if is_fast else pytest.raises(UnmetRequirement, match="use an SSD"):
        assert "keeps a record within 50" in check_disk(tmp_path, 0)


# ── plausible mistakes in a config, each reported in one line ────────────────────────────────────────────────────

CONFIG_MISTAKES = {
    "a key misspelt": ({"table": 'name = "t1"\nconfrim = "auto"'}, "table.confrim: no such key (did you mean"),
    "a section misspelt": ({"bacon": 'model = "lr6_usb"'}, "bacon: no such key (did you mean beacon?)"),
    "a number in quotes": ({"timers": 'betting = "15"'}, "timers.betting: expected a whole number from 1 to 3600, got"),
    "a limit of nothing": ({"timers": "stall = 0"}, "timers.stall: expected a whole number from 1 to 3600, got 0"),
    "yes for true": ({"table": 'name = "t1"\ntraining = "yes"'}, "table.training: expected true or false, got 'yes'"),
    "an unknown game": ({"game": 'name = "bacarat"'}, "game.name: expected one of"),
    "a setting of another game": ({"game": 'name = "baccarat"\nevery_round = true'}, "game.every_round: no such key"),
    "more decks than there are": ({"game": 'name = "baccarat"\ndecks = 9'}, "game.decks: expected a whole number from"),
    "an unknown shoe": ({"shoe": 'model = "angel-eye"\nport = "/dev/s"'}, "shoe.model: expected a shoe model out of"),
    "a baccarat shoe for blackjack": (
        {"game": 'name = "blackjack"'}, "shoe.model: expected a shoe for blackjack, got 'angel_eye'"
    ),
    "no port": ({"shoe": 'model = "angel_eye"'}, "shoe.port: no port given; write one"),
    "a port of Windows": ({"shoe": 'port = "COM3"'}, "there is no COM3: see whether the device is plugged in"),
    "an address without a port": ({"shoe": 'port = "socket://10.0.0.7"'}, "shoe.port: expected a device path such as"),
    "another kind of address": ({"shoe": 'port = "tcp://10.0.0.7:4001"'}, "socket://host:4001, got 'tcp://"),
    "a speed that no port has": ({"shoe": 'port = "FOLDER/shoe"\nbaud = 48'}, "shoe.baud: expected a whole number"),
    "a command the shoe has not": (
        {"shoe": 'model = "bee_tek"\nport = "FOLDER/shoe"\nallow = ["lock"]'}, "shoe.allow: expected nothing"
    ),
    "an unknown panel": ({"panel": 'model = "xk81"'}, "panel.model: unknown panel"),
    "a unit id beyond 255": ({"panel": 'model = "xk24"\nunit = 256'}, "panel.unit: expected a whole number from 0"),
    "a key twice": ({"panel": 'model = "xk24"\nkeys.open = 1'}, "expected a key of its own, got 1, which is"),
    "a key twice of its own": (
        {"panel": 'model = "stream_deck"\nkeys.cut = 8\nkeys.change = 8'}, "got 8, which is change already"
    ),
    "a key a Mini has not": (
        {"panel": 'model = "stream_deck_mini"\nkeys.leave = 9'}, "expected a key of the stream_deck_mini, one of 0, 1"
    ),
    "an act that no key does": ({"panel": 'model = "xk24"\nkeys.deal = 10'}, "panel.keys.deal: no such key"),
    "a key it has not": ({"panel": 'model = "xk24"\nkeys.open = 7'}, "panel.keys.open: expected a key of the xk24"),
    "no journal": ({"journal": None}, "journal.path: no file given"),
    "a folder that is not there": ({"journal": 'path = "FOLDER/no/t.journal"'}, "expected a file in an existing"),
    "the anchor beside nothing": (
        {"journal": 'path = "FOLDER/t.journal"\nanchor = "FOLDER/usb/a"'}, "its folder is not there"
    ),
    "the journal is the config": ({"journal": 'path = "FOLDER/t.toml"'}, "t.toml: "),
    "a currency of nowhere": ({"table": 'name = "t1"\ncurrency = "EURO"'}, "table.currency: expected the code of an"),
    "a minimum above the maximum": ({"limits": "minimum = 10.00\nmaximum = 5.00"}, "limits.minimum"),
    "pages without a port": ({"web": 'listen = "127.0.0.1"'}, "web.listen: expected an address and port such as"),
    "pages for all without a certificate": ({"web": 'listen = "0.0.0.0:8032"'}, "or certificate and key too"),
    "a certificate without its key": (
        {"web": 'listen = "127.0.0.1:0"\ncertificate = "c.pem"'}, "web.key: expected a file"
    ),
    "no such certificate": (
        {"web": 'listen = "127.0.0.1:0"\ncertificate = "no"\nkey = "no"'}, "web.certificate: expected a certificate"
    ),
    "an address of another PC": (
        {"web": 'listen = "192.0.2.1:0"\nplain = true'}, "this PC has no address 192.0.2.1 now: give it that one"
    ),
    "a group of nobody": ({"api": 'socket = "FOLDER/t.sock"\ngroup = "dealrs"'}, "api.group: expected a group of this"),
    "a socket in no folder": ({"api": 'socket = "FOLDER/no/t.sock"'}, "no such file or directory"),
    "two addresses of one target": (
        {"alerts.office": 'url = "json://h"\nenv = "HOOK"'}, "expected either url, file or env, got 2 of them"
    ),
    "an address that nobody understands": (
        {"alerts.office": 'url = "mail:anna@example.com"'}, "alerts.office.url: expected a URL that apprise understands"
    ),
    "an address in a file that is gone": ({"alerts.office": 'file = "FOLDER/url"'}, "its address cannot be read here"),
    "nobody to be called": ({"alerts.office": None}, "no alert target: write one under [alerts.NAME]"),
    "a shift at 25 o'clock": ({"shifts": 'begin = ["25:00"]'}, "shifts.begin"),
    "a theme that is gone": ({"web": 'listen = "127.0.0.1:0"\ntheme = "FOLDER/no.toml"'}, "no.toml"),
    "the socket of a pty": ({"shoe": 'port = "FOLDER/shoe"\nat = "usb-0:1"'}, "is no port on USB: take `at` and"),
    "a file for a port": ({"shoe": 'port = "FOLDER/t.toml"'}, "is no serial port: correct the name"),
    "a wedge at a serial port": (
        {"shoe": 'model = "wedge"\nport = "/dev/ttyUSB0"'}, "shoe.port: expected a keyboard's node such as"
    ),
    "a serial scanner at a keyboard": (
        {"shoe": 'model = "barcode"\nport = "/dev/input/event3"'}, "the node of a keyboard: see `model`"
    ),
    "a wedge on another layout": (
        {"shoe": 'model = "wedge"\nport = "/dev/input/by-id/x"\nsettings.layout = "dk"'},
        "shoe.settings.layout: expected one of us, de, fr, ro, got 'dk'",
    ),
    "a wedge that is not there": (
        {"shoe": 'model = "wedge"\nport = "/dev/input/by-id/no"'}, "is plugged in and set to type as a keyboard"
    ),
    "a port for a keyboard": ({"shoe": 'model = "wedge"\nport = "FOLDER/shoe"'}, "is no keyboard's node: expected"),
    "a badge reader without a port": ({"badge_reader": 'model = "serial"'}, "badge_reader.port: no port given; write"),
    "a badge reader of no kind": ({"badge_reader": 'port = "/dev/r"'}, 'expected "keyboard" or "serial"'),
    "a badge reader and PINs": (
        {"badge_reader": 'model = "serial"\nport = "FOLDER/shoe"'}, 'people.badge: expected "alone" with'
    ),
    "a badge reader and no badges": (
        {"badge_reader": 'model = "serial"\nport = "FOLDER/shoe"', "people": 'badge = "alone"'},
        "no badge is registered: tablectl people add",
    ),
    "a folder for a port": ({"shoe": 'port = "FOLDER"'}, "is no serial port but a directory"),
}  # fmt: skip


@pytest.mark.parametrize(("sections", "said"), CONFIG_MISTAKES.values(), ids=CONFIG_MISTAKES)
def test_a_config_error_is_one_line_with_the_fix(tablectl, write, healthy, sections, said):
    (line,) = problems(tablectl, write(journal=sections.get("journal", SOUND["journal"] + "\nrotate_mb = 0"), **{
        name.replace(".", "_"): lines for name, lines in sections.items() if name != "journal"
    }))  # fmt: skip
    assert said in line


def test_what_is_no_toml_is_one_line(tablectl, write):
    (line,) = problems(tablectl, write("[table\nname = t1"))
    assert "t.toml: not TOML:" in line


def test_a_config_that_is_not_there_is_one_line(tablectl, tmp_path):
    (line,) = problems(tablectl, tmp_path / "no.toml")
    assert line.endswith("no.toml: no such file or directory")


def test_an_unsynchronised_clock_is_reported(tablectl, write, healthy):
    healthy.setattr(pc_checks, "ntp", lambda: Ntp(False, 0.0, 0.0))
    (line,) = problems(tablectl, write(journal='path = "FOLDER/t.journal"\nrotate_mb = 0'))
    assert "timedatectl set-ntp true" in line


def test_a_pages_port_of_another_program_is_reported(tablectl, write, healthy):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listen = f'listen = "127.0.0.1:{listener.getsockname()[1]}"'
        (line,) = problems(tablectl, write(web=listen, journal='path = "FOLDER/t.journal"\nrotate_mb = 0'))
    assert "address already in use; name another one under [web]" in line


@pytest.mark.parametrize(("number", "said"), [
    (errno.EACCES, "put this account into the group the port belongs to"),
    (errno.EAGAIN, "is in use: another program has locked it"),
], ids=["no permission", "in use"])  # fmt: skip
def test_a_shoe_port_that_cannot_be_opened_is_reported(tmp_path, monkeypatch, number, said):
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("drivers.own_port.open_port", refuse)
    (tmp_path / "port").touch()
    with pytest.raises(DeviceCannotServe, match=said):
        find_shoe(ShoeSection(port=str(tmp_path / "port")), OwnDevices(None), runs=False)


def test_a_twin_shoe_and_a_wrong_panel_count_are_reported(pc):
    bus = EmulatedUsbBus()
    ours = pc.plug("1", EmulatedAdapter("0001"))
    pc.plug("2", EmulatedAdapter("0001"))
    shoe, panel = ShoeSection(port=str(pc.by_serial(ours))), PanelSection(model="xk24")
    for runs in (False, True):
        with pytest.raises(DeviceCannotServe, match=r"which is the shoe\? 2 devices could be"):
            find_shoe(shoe, OwnDevices(None), runs=runs, sys=pc.sys)
    with pytest.raises(DeviceCannotServe, match="no XK-24 is plugged in: plug one in"):
        find_panel(panel, OwnDevices(None), bus, runs=False)
    EmulatedXK24(bus).plug()
    assert find_panel(panel, OwnDevices(None), bus, runs=False) == "usb 1-1"
    EmulatedXK24(bus).plug()
    with pytest.raises(DeviceCannotServe, match=r"which is the panel\? 2 devices could be"):
        find_panel(panel, OwnDevices(None), bus, runs=False)


def test_a_panel_in_hardware_mode_is_no_second_panel():
    bus = EmulatedUsbBus()
    hardware_mode = next(iter(XK_24.hardware_mode))
    EmulatedXK24(bus, product=hardware_mode).plug()
    with pytest.raises(DeviceCannotServe, match="panel in hardware mode"):
        find_panel(PanelSection(model="xk24"), OwnDevices(None), bus, runs=False)
    EmulatedXK24(bus).plug()
    assert find_panel(PanelSection(model="xk24"), OwnDevices(None), bus, runs=False) == "usb 1-2"


def test_a_panel_with_another_unit_id_is_reported():
    bus = EmulatedUsbBus()
    panel = PanelSection(model="xk24", unit=7)
    foreign = EmulatedXK24(bus)
    foreign.plug()
    with pytest.raises(DeviceCannotServe, match="expected the panel with unit id 7, found 0 at usb 1-1"):
        find_panel(panel, OwnDevices(None), bus, runs=False)
    assert bus.port(foreign).kernel_driver
    assert find_panel(panel, OwnDevices(None), bus, runs=True) == "usb 1-1"  # the table has it open
    EmulatedXK24(bus, unit=7).plug()
    assert find_panel(panel, OwnDevices(None), bus, runs=False) == "usb 1-2"


def test_an_ambiguous_port_name_is_reported_without_a_configured_socket(pc):
    shared = pc.by_serial(pc.plug("1", EmulatedAdapter("0001")))
    own = pc.by_serial(pc.plug("2", EmulatedAdapter("A1234567")))
    with pytest.raises(UnmetRequirement, match=r"may lead to another adapter after a restart \(0001\)"):
        find_shoe(ShoeSection(port=str(shared)), OwnDevices(None), runs=False, sys=pc.sys)
    for port, at in ((shared, PLACE.format("1")), (pc.by_place("1"), None), (own, None)):
        text = find_shoe(ShoeSection(port=str(port), at=at), OwnDevices(None), runs=False, sys=pc.sys)
        assert text.startswith(f"{port} at ")


def test_a_panel_in_hardware_mode_is_reported():
    bus = EmulatedUsbBus()
    EmulatedXK24(bus, product=0x04E1).plug()
    with pytest.raises(DeviceCannotServe, match="panel in hardware mode"):
        find_panel(PanelSection(model="xk24"), OwnDevices(None), bus, runs=False)
