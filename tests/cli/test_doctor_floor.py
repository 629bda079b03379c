"""`tablectl doctor` for a floor: one line for each part, with advice if something is missing."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import tomli_w

from controller.cli import floor_checks
from controller.cli.floor_checks import PARTS
from controller.cli.floor_checks import check_floor as looked_at
from controller.config.paths import CONFIGS, STATES, pc_folder
from controller.floor.storage.floor_record import FloorRecord
from controller.station.pc_checks import UnmetRequirement
from tests.bus.rig import BusServer
from tests.ports import free
from tests.web.staff import registry_content


class FloorFolder:
    """Folder of a floor: its config, its registry and its bus."""

    def __init__(self, folder: Path, bus: BusServer) -> None:
        self.folder, self.config = folder, folder / "floor.toml"
        self.bus = {"servers": [bus.url], "credentials": str(bus.seed("floors", "main"))}
        self.bus |= {"admin": bus.studio.admin_key}
        (folder / "people.toml").write_bytes(registry_content())

    def found(self, **sections: object) -> dict[str, tuple[bool, str]]:
        content = {"floor": {}, "bus": self.bus, "web": {"listen": f"127.0.0.1:{free()}"}, **sections}
        self.config.write_text(tomli_w.dumps(content))
        return {finding.part: (finding.wrong, finding.said) for finding in looked_at(self.config)}


@pytest.fixture(scope="module")
def one_place(tmp_path_factory) -> Iterator[FloorFolder]:
    folder = tmp_path_factory.mktemp("floor")
    with BusServer(folder / "bus") as bus:
        yield FloorFolder(folder, bus)


@pytest.fixture
def place(one_place, monkeypatch) -> FloorFolder:
    monkeypatch.setattr(floor_checks, "check_disk", lambda folder, _: f"{folder} is fast")
    monkeypatch.setattr(floor_checks, "check_clock", lambda: "kept by NTP")
    return one_place


def test_doctor_finds_every_part_of_a_complete_floor_sound(place):
    found = place.found()
    assert [part for part, (wrong, _) in found.items() if wrong] == []
    assert list(found) == ["config", "bus", "record", "disk", "clock", "people", "pages", "ports", "alerts"]
    FloorRecord(place.folder / "main.floor.record", lambda: 0).close()
    assert place.found()["record"][1].endswith("0 entries valid")


def test_every_shared_port_of_a_floor_is_named(monkeypatch):
    monkeypatch.setattr(floor_checks, "ports_shared_with_services", lambda *_: ["pages as t1", "pages as t2"])
    with pytest.raises(UnmetRequirement, match="pages as t1; pages as t2"):
        PARTS["ports"](SimpleNamespace(config=None, settings=None))


@pytest.mark.parametrize(
    ("part", "sections", "says"),
    [
        ("config", {"floor": {"most": 1}}, "floor.most: no such key"),
        ("bus", {"bus": {"servers": ["nats://127.0.0.1:1"]}}, "connection refused"),
        ("people", {"people": {"file": "nobody.toml"}}, "no shift manager can sign in: tablectl people add"),
        (
            "pages",
            {"web": {"listen": "192.0.2.1:8040", "certificate": "c", "key": "k"}},
            "this PC has no address 192.0.2.1 now",
        ),
        (
            "alerts",
            {"alerts": {"duty": {"url": "nothing://"}}},
            "alerts.duty.url: expected a URL that apprise understands",
        ),
    ],
)
def test_each_missing_floor_part_is_one_line_with_advice(place, part, sections, says):
    (place.folder / "nobody.toml").write_text("")
    if part == "bus":
        sections = {"bus": {**place.bus, "servers": sections["bus"]["servers"]}}
    wrong, message = place.found(**sections)[part]
    assert wrong
    assert says in message
    assert "\n" not in message


def test_an_unstarted_floors_record_is_named_where_it_will_be(place, own_pc, monkeypatch):
    pc_folder(STATES).mkdir(parents=True)
    pc_folder(CONFIGS).mkdir(parents=True)
    monkeypatch.setattr(place, "config", pc_folder(CONFIGS) / "floor.toml")
    (pc_folder(CONFIGS) / "people.toml").write_bytes(registry_content())
    found = place.found()
    assert found["record"][1] == f"{pc_folder(STATES)}/floor/main.floor.record, which begins with the first start"
    assert found["disk"] == (False, f"{pc_folder(STATES)} is fast")
