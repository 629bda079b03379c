"""Sign-in at a floor: with the tables' registry, once for all tables, recorded at the floor."""

import time

import pytest

from controller.web.access.wrong_pins import WrongPins
from tests.clocks import ManualClock
from tests.floor.service import AUDITOR, MANAGER, FloorVisitor, paused, studio
from tests.patience import on_loop, until
from tests.pins import recorded_text
from tests.web.foreign_networks import routed
from tests.web.raw_connections import ask
from tests.web.staff import NAMES, PINS

__all__ = ["routed"]

DEALER = "101"


def test_sign_ins_are_recorded_without_the_pin(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            await floor.signed_in(MANAGER)
            wrong = await FloorVisitor(floor).sign_in(MANAGER, "9753")
            assert (wrong.status, wrong.body["detail"]) == (401, "wrong name or PIN")
            await until(lambda: floor.recorded("sign_ins_refused"))
            (entered,) = floor.recorded("signed_in")
            assert (entered["by"], entered["name"], entered["proof"]) == (MANAGER, NAMES[MANAGER], "pin")
            (refused,) = floor.recorded("sign_ins_refused")
            assert (refused["wrong"], refused["people"]) == (1, [MANAGER])
            text = recorded_text(floor.recorded("signed_in", "sign_ins_refused"))
            assert "9753" not in text
            assert PINS[MANAGER] not in text

    on_loop(steps)


@pytest.mark.proof
def test_a_dealer_cannot_sign_in_at_a_floor(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            answer = await FloorVisitor(floor).sign_in(DEALER, PINS[DEALER])
            assert (answer.status, answer.body["reason"]) == (403, "forbidden")

    on_loop(steps)


def test_a_lapsed_sign_in_may_look_but_not_act(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            clock = ManualClock()
            floor.floor.doors.site.sessions._now = clock
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            clock.now += 301
            assert (await maria.ask("GET", "/session")).body["lapsed"]
            assert (await maria.now())["strips"][0]["table"] == "t1"
            async with maria.stream("/tables/t1/api/screen?role=manager") as stream:
                assert (await stream.next("screen"))[1]["screen"]["fault"]["seq"] == fault
            foreseen = {"command": "rule", "id": "p", "ruling": "burn", "because": "x", "fault": fault}
            assert (await maria.ask("POST", "/tables/t1/api/preview", foreseen)).status == 200
            for method, target in (
                ("POST", "/api/floor/acts"),
                ("POST", "/tables/t1/api/commands"),
                ("GET", "/tables/t1/api/rounds"),
                ("GET", "/tables/t1/api/devices"),
            ):
                answer = await maria.ask(method, target, {} if method == "POST" else None)
                assert answer.status == 401, target
            back = await maria.sign_in(MANAGER, PINS[MANAGER])
            assert back.status == 200
            assert (await maria.command("t1", {**foreseen, "id": "r"})).body["verdicts"][0]["verdict"] == "done"

    on_loop(steps)


@pytest.mark.proof
def test_a_broken_registry_lets_nobody_in_and_is_reported(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria, good = await floor.signed_in(AUDITOR), floor.people.path.read_bytes()
            floor.people.path.write_bytes(b"[people")
            assert (await maria.ask("GET", "/api/floor/now")).body["reason"] == "users_unreadable"
            health = await FloorVisitor(floor).ask("GET", "/healthz")
            assert health.status == 200  # the floor still watches the tables
            assert any("people.toml: not TOML" in line for line in health.body["troubles"])
            floor.people.path.write_bytes(good)
            assert (await maria.ask("GET", "/api/floor/now")).status == 200
            assert (await FloorVisitor(floor).ask("GET", "/healthz")).body["troubles"] == []

    on_loop(steps)


@pytest.mark.proof
def test_a_person_who_left_is_signed_out_at_once(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            text = floor.people.path.read_text()
            section = f"[people.{MANAGER}]\n"
            assert section in text
            floor.people.path.write_text(text.replace(section, f"{section}left = true\n"))
            assert (await maria.ask("GET", "/api/floor/now")).status == 401

    on_loop(steps)


@pytest.mark.usefixtures("routed")
def test_ten_guesses_at_a_floor_close_a_person_there(bus, tmp_path):
    """Ten wrong PINs from ten hosts close the person at this floor, except in a browser known from before."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, typed = await floor.signed_in(MANAGER), {"content-type": "application/json"}
            wrong, right = {"name": MANAGER, "pin": "1357"}, {"name": MANAGER, "pin": PINS[MANAGER]}
            hosts = [f"127.1.{number}.1" for number in range(12)]
            statuses = [(await ask(floor, host, "POST", "/session", wrong, **typed)).status for host in hosts]
            assert statuses == [401] * 10 + [403] * 2
            assert (await ask(floor, "127.2.1.1", "POST", "/session", right, **typed)).status == 403
            assert (await maria.sign_in(MANAGER, PINS[MANAGER])).status == 200
            assert any(MANAGER in line for line in (await maria.ask("GET", "/healthz")).body["troubles"])
            WrongPins(floor.net.users, time.time).lift(MANAGER)
            assert (await ask(floor, "127.2.1.1", "POST", "/session", right, **typed)).status == 200
            assert (await maria.ask("GET", "/healthz")).body["troubles"] == []
            assert table.doors.checker.attempts.persons.trouble is None

    on_loop(steps)
