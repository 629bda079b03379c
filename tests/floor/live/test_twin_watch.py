"""Two floors with the same name and key, as after the copy of a PC: each reports the other."""

import asyncio
import time
from types import SimpleNamespace

from structlog.testing import capture_logs

from controller.bus.floor_beats import Process, beat, subject_of
from controller.bus.keys import new_seed
from controller.cli.floor_checks import check_floor
from controller.floor.live import twin_watch
from controller.floor.site.monitoring import NoViewer
from controller.outputs.hold import SILENT
from controller.text.coded import render
from tests.cli.test_doctor_floor import FloorFolder
from tests.floor.service import OneFloor
from tests.patience import on_loop, until

SEED, SUBJECT = new_seed(), subject_of("main", "hall")
SAYS = "another floor runs as main, with this key, on {host}: stop one of the two"


def test_two_floors_of_one_name_each_name_the_other(bus, tmp_path, monkeypatch):
    def floor_on(host):
        monkeypatch.setattr(twin_watch.socket, "gethostname", lambda: host)
        (tmp_path / host).mkdir()
        return OneFloor(tmp_path / host, bus)

    def told(floor):
        return "; ".join(map(render, floor.floor.troubles)), " ".join(floor.hall.picture(NoViewer(), "ro").head.flood)

    async def steps():
        async with floor_on("pc2") as other, floor_on("pc1") as one:
            await until(lambda: SAYS.format(host="pc2") in told(one)[0] and SAYS.format(host="pc1") in told(other)[0])
            await until(lambda: "rulează ca main, cu aceeași cheie, pe pc2" in told(one)[1])
            assert "on pc2" in one.floor.status_line()
            found = await asyncio.to_thread(lambda: [*check_floor(place.config)])
            (sentence,) = (finding.said for finding in found if finding.part == "bus" and finding.wrong)
            assert SAYS.format(host="pc2") in sentence

    place = FloorFolder(tmp_path, bus)
    place.found()
    with capture_logs() as logs:
        on_loop(steps)
    assert {(log["event"], log["host"]) for log in logs if "twin" in log["event"]} == {
        ("floor_twin", "pc1"), ("floor_twin", "pc2"),
    }  # fmt: skip


def test_the_end_of_a_twin_is_logged_with_its_host():
    now = [0.0]
    hall = SimpleNamespace(set_twin=lambda _: None)
    with capture_logs() as logs:
        watch = twin_watch.TwinWatch("hall", SEED, hall, lambda: now[0])
        body, headers = beat(SEED, SUBJECT, calls=True, now=time.time(), process=Process("pc9", "other"))
        watch.take(SUBJECT, headers, body)
        watch.tell()
        now[0] = SILENT
        for _ in range(2):
            watch.tell()
    assert [(log["event"], log["host"]) for log in logs] == [("floor_twin", "pc9"), ("floor_twin_over", "pc9")]


def test_a_restarted_floor_is_no_twin_of_its_former_process(bus, tmp_path):
    async def steps():
        for _ in range(2):
            async with OneFloor(tmp_path, bus) as floor:
                await until(lambda floor=floor: "main" in floor.floor._calling._others)  # own heartbeat received
                assert floor.floor._calling.twin.trouble is None

    on_loop(steps)
