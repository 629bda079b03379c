"""Malformed or forged requests to a floor: answered in one line, and no forbidden one reaches a table."""

import json
import random
import string
import time

import pytest

from controller.bus.signed_commands import signed_headers
from controller.core import events as e
from controller.floor.consoles import table_requests
from tests.chance import SEED
from tests.floor.service import MANAGER, OneFloor, a_table, paused, studio
from tests.patience import on_loop, until

ACTS = [
    {"act": "claim", "table": "t1", "fault": 1},
    {"act": "shelve", "key": "t1:lost:panel", "minutes": 5, "because": "x"},
    {"act": "assign", "table": "t1", "person": "102"},
    {"act": "release", "table": "t1", "fault": 1, "person": "103"},
]
STRANGE = [None, -1, 2**70, 1.5, "", "\0", "t1.command.floor", "*", ">", "x" * 5000, [], {}, True, "ș", "../t1"]


def spoilt(chance: random.Random) -> str:
    """Return an act with one to three wrong, missing or unknown fields as JSON, sometimes cut short."""
    act = dict(chance.choice(ACTS))
    for _ in range(chance.randint(1, 3)):
        what = chance.choice([*act, "more"])
        if chance.random() < 0.2:
            act.pop(what, None)
        else:
            act[what] = chance.choice(STRANGE)
    text = json.dumps(act)
    return text[: chance.randint(0, len(text))] if chance.random() < 0.2 else text


@pytest.mark.proof
def test_a_malformed_act_is_only_refused(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, chance, seq = await floor.signed_in(MANAGER), random.Random(SEED), table.table.state.seq
            for _ in range(150):
                answer = await maria.raw("POST", "/api/floor/acts", spoilt(chance).encode())
                assert answer.status in (200, 400), answer
                sentence = answer.body["says"] if answer.status == 200 else answer.body["detail"]
                assert "\n" not in sentence
            assert table.table.state.seq == seq
            deep = await maria.raw("POST", "/api/floor/acts", b"[" * 16_000)
            assert deep.status == 400
            long = await maria.raw("POST", "/api/floor/acts", b" " * 17_000)
            assert long.status == 413

    on_loop(steps)


@pytest.mark.proof
def test_no_table_name_reaches_another_subject_of_the_bus(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria, chance = await floor.signed_in(MANAGER), random.Random(SEED)
            letters = [one for one in string.printable if one not in string.ascii_letters + string.digits + "-_/?#"]
            for _ in range(60):
                name = "".join(f"%{ord(one):02X}" for one in chance.choices(letters, k=chance.randint(1, 4)))
                for method, rest in (("GET", "devices"), ("POST", "commands"), ("GET", "screen")):
                    body = [{"command": "press", "id": "x", "key": "manager"}] if method == "POST" else None
                    assert (await maria.ask(method, f"/tables/{name}/api/{rest}", body)).status == 404, name
            for path in ("/api/../../x", "/api/", "/apix", "/api/v1/commands"):
                assert (await maria.ask("GET", f"/tables/t1{path}")).status in (404, 405)

    on_loop(steps)


@pytest.mark.proof
def test_a_table_refuses_commands_dated_five_minutes_off(bus, tmp_path, monkeypatch):
    def late(seed, subject, epoch, to, body):
        return signed_headers(seed, subject, epoch, to, body, time.time() - 300)

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            await until(lambda: floor.hall.status_of("t1").fault is not None)
            monkeypatch.setattr(table_requests, "signed_headers", late)
            rule = {"command": "rule", "id": "r", "fault": fault, "ruling": "burn", "because": "x"}
            refused = await maria.command("t1", rule)
            assert (refused.status, refused.body["reason"]) == (403, "forbidden")
            assert refused.body["detail"].endswith("s ago: see the clocks")
            claim = await maria.act("claim", table="t1", fault=fault)
            assert (claim.body["done"], claim.body["reason"]) == (True, "unheard")
            assert "see the clocks" in claim.body["says"]
            assert table.table.state.fault.seen_by is None

    on_loop(steps)


@pytest.mark.proof
def test_a_console_recovers_with_table_and_bus_and_misses_nothing(bus, tmp_path):
    async def steps():
        async with OneFloor(tmp_path, bus) as floor:
            maria = await floor.signed_in(MANAGER)
            async with maria.stream("/tables/t1/api/screen?role=manager") as stream:
                async with a_table(tmp_path, bus) as table:
                    await stream.next("screen")
                    fault = paused(table)
                    await shows(stream, fault)
                async with a_table(tmp_path, bus) as table:
                    await floor.knows("t1")
                    bus.kill()
                    await until(lambda: floor.floor.components.line.trouble is not None)
                    rule = {"command": "rule", "id": "r", "fault": fault, "ruling": "burn", "because": "x"}
                    assert (await maria.command("t1", rule)).status == 504
                    table.table.take(e.Rule("burn", "m", "seen", fault=fault))
                    bus.start()
                    await shows(stream, None)

    on_loop(steps)


async def shows(stream, fault: int | None) -> None:
    """Wait until the picture has this open fault, or None."""
    while True:
        _, picture = await stream.next("screen")
        open_fault = picture["screen"]["fault"]
        if (None if open_fault is None else open_fault["seq"]) == fault:
            return
