"""Devices over the API, for shift managers only: presence and health, each record counted once."""

import pytest
from msgspec.structs import replace

from controller.config.devices import BeaconSection, PanelSection, ShoeSection
from controller.config.table_file import Config
from controller.core import events as e
from controller.core.clock import SECOND, to_text
from controller.core.coded_message import coded
from controller.station.device_figures import Health, HealthBook, TableDevices, devices_of
from controller.station.own_devices import DeviceQuestion
from controller.web.api import devices
from controller.web.listeners import TableDoors
from drivers.identity import ConfiguredIdentity, Identity, NotOurs, Recognition, RecordedIdentity
from tests.core.bench import START, Bench
from tests.patience import on_loop
from tests.reports.week import journal
from tests.web.rig import NATURAL, Spoken

CONFIG = Config(
    shoe=ShoeSection(port="/dev/shoe"),
    panel=PanelSection(model="xk24"),
    beacon=BeaconSection(model="patlite", serial="7"),
)


class Equipped(Spoken):
    """Table whose config has a shoe, a panel and a beacon."""

    def doors(self):
        return TableDoors(self.table, self.rig.path, self.listening, gear=TableDevices(devices_of(CONFIG)))


async def health(table: Spoken) -> dict[str, dict]:
    reply = await table.ask("GET", "/api/devices")
    assert reply.status == 200, reply
    return {one["device"]["name"]: one for one in reply.body["devices"]}


def test_the_devices_are_those_of_the_config():
    assert [(one.name, one.model, one.where) for one in devices_of(CONFIG)] == [
        ("shoe", "angel_eye", "/dev/shoe"), ("panel", "xk24", "usb"), ("beacon", "patlite", "7"),
    ]  # fmt: skip
    assert devices_of(Config()) == ()


def test_a_device_possibly_of_another_table_is_a_trouble(tmp_path):
    recognition = Recognition(ConfiguredIdentity("shoe"), lambda: RecordedIdentity("0001", "usb-0:1"))

    class Asking(Spoken):
        def doors(self):
            return TableDoors(
                self.table,
                self.rig.path,
                self.listening,
                gear=TableDevices(asked={"shoe": DeviceQuestion(recognition)}),
            )

    async def steps():
        async with Asking(tmp_path) as table:
            assert (await table.ask("GET", "/healthz")).body["troubles"] == []
            with pytest.raises(NotOurs) as error:
                recognition.check(Identity("0403:6001", "0001", "usb-0:2"), [])
            assert (await table.ask("GET", "/healthz")).body["troubles"] == [str(error.value)]

    on_loop(steps)


def test_a_devices_health_counts_every_loss_of_its_own(tmp_path):
    bench = Bench()
    bench.do(
        e.FoundDevice("panel", "usb at 1-1"), e.LostDevice("panel", "pulled"), e.FoundDevice("panel", "usb at 1-2")
    )
    bench.wait(5, e.LostDevice("panel", "pulled again"))
    bench.do(e.Babbles("shoe", 1700, 9), e.FoundDevice("beacon", "usb at 1-3"))
    book = HealthBook(journal(tmp_path / "t.journal", bench.records), "table")
    assert (book.health_of("panel"), book.health_of("badge_reader")) == (Health(), Health())
    for _ in range(2):  # nothing is counted twice
        book.read()
        panel = Health(to_text(START + 5 * SECOND), "usb at 1-2", "pulled again", losses=2)
        assert replace(book.health_of("panel"), faults=0, misread_rate=None) == panel
        assert book.health_of("shoe").reason == coded("cut_off", count=1700, seconds=9)
        assert book.health_of("beacon") == Health(to_text(START + 5 * SECOND), "usb at 1-3")
        assert book.since == to_text(START)


def test_cards_and_misreads_are_counted_as_the_statistics_do(tmp_path):
    async def steps():
        async with Equipped(tmp_path) as table:
            table.rig.take(e.FoundDevice("shoe", "/dev/shoe"), e.Open(), e.Close())
            table.rig.deal("9C")
            table.rig.take(e.CardOut(None), e.Rule("enter", "anna", "x", card="2D"))
            table.rig.deal("KD", "4H")
            table.rig.take(e.KeyPressed("manager"), e.Rule("correct", "anna", "x", 4, "3H"))
            table.rig.take(e.KeyPressed("finish"))
            shoe = (await health(table))["shoe"]
            assert shoe["present"] is True
            figures = {name: shoe["health"][name] for name in ("read", "unread", "corrected", "misread_rate", "faults")}
            assert figures == {"read": 4, "unread": 1, "corrected": 1, "misread_rate": 0.5, "faults": 1}

    on_loop(steps)


def test_a_lost_device_says_since_when_and_why(tmp_path):
    async def steps():
        async with Equipped(tmp_path) as table:
            for address in ("usb 001:002", "usb 001:003"):
                table.rig.take(e.FoundDevice("panel", address, "T1"), e.LostDevice("panel", "unplugged"))
            report = await health(table)
            assert (report["panel"]["present"], report["panel"]["health"]["reason"]) == (False, "unplugged")
            assert report["panel"]["health"]["since"].startswith("20")
            assert report["panel"]["health"]["losses"] == 2
            assert report["beacon"]["present"] is None

    on_loop(steps)


def test_a_cut_off_device_says_why_in_the_pages_language(tmp_path):
    says = {
        "": "cut off: 1,700 messages in 9 s",
        "?lang=en": "cut off: 1,700 messages in 9 s",
        "?lang=ro": "întrerupt: 1,700 mesaje în 9 s",
    }

    async def steps():
        async with Equipped(tmp_path) as table:
            table.rig.take(e.FoundDevice("shoe", "/dev/shoe"), e.Babbles("shoe", 1700, 9))
            for query, text in says.items():
                reply = await table.ask("GET", f"/api/devices{query}")
                assert reply.body["devices"][0]["health"]["reason"] == text

    on_loop(steps)


def test_counted_records_are_not_read_again(tmp_path, monkeypatch):
    read, starts = devices.HealthBook.read, []

    async def steps():
        async with Equipped(tmp_path) as table:
            table.rig.take(e.FoundDevice("shoe", "/dev/shoe"))
            for number in range(3):
                table.rig.take(e.Open(), e.Close())
                table.rig.deal(*NATURAL)
                table.rig.take(e.KeyPressed("finish"))
                if number == 1:
                    table.rig.journal.book.rotate()
                report = await health(table)
                assert report["shoe"]["health"]["read"] == 4 * (number + 1)
            assert starts == sorted(set(starts))

    def watched(book: HealthBook) -> None:
        starts.append(book._after or 0)
        read(book)

    monkeypatch.setattr(devices.HealthBook, "read", watched)
    on_loop(steps)


@pytest.mark.parametrize("role", ["dealer", "server", "player"])
def test_only_a_shift_manager_looks_at_devices(tmp_path, role):
    async def steps():
        async with Equipped(tmp_path) as table:
            reply = await table.ask("GET", f"/api/devices?role={role}")
            assert (reply.status, reply.body["reason"]) == (403, "forbidden")

    on_loop(steps)
