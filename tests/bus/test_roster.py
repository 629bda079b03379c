"""The roster on the bus: `bus init` stores it, `bus check` checks it, a later one replaces it."""

from types import SimpleNamespace

import msgspec
import pytest
import tomli_w

from controller.bus import names as n
from controller.bus.keys import new_seed
from controller.bus.names import roster_of
from controller.bus.roster import Roster, Rosters, publish, read_rosters
from controller.bus.seals import TROUBLED, Seals
from controller.text.pc_texts import PC
from tests.bus.rig import BusServer
from tests.bus.test_setup import run
from tests.clocks import ManualClock
from tests.patience import on_loop

SUBJECT, STREAM = roster_of("main"), "KV_tablectl_keys"
SEED = new_seed()


@pytest.fixture
def config(server, tmp_path):
    """Return the path of a floor's config file for this bus."""
    path, section = tmp_path / "floor.toml", server.floor_section()
    bus = {"servers": [server.url], "credentials": section.credentials, "admin": section.admin}
    path.write_text(tomli_w.dumps({"floor": {}, "bus": bus}))
    return path


async def put(server: BusServer, *headers: dict[str, str], body: bytes = b"{}") -> None:
    """Store a roster with each of these headers; without headers, delete the stored ones."""
    async with server.client("admin") as admin:
        stream = admin.jetstream()
        if not headers:
            for seq in range(1, (await stream.stream_info(STREAM)).state.last_seq + 1):
                await stream.delete_msg(STREAM, seq)
        for one in headers:
            await stream.publish(SUBJECT, body, headers=one)


async def accepted_rosters(server: BusServer, seals: Seals) -> Rosters:
    """Return the rosters on the bus, as a reader with these keys accepts them."""
    async with server.client("admin") as admin:
        return await read_rosters(admin.jetstream(), "main", seals)


def as_floor(server: BusServer) -> Seals:
    """Return the keys of a floor that trusts this studio's admin."""
    return Seals(new_seed(), {}, {}, server.studio.admin_key)


def test_check_of_a_floor_names_a_missing_or_foreign_roster(server, config, capsys):
    assert run(capsys, "bus", "check", str(config)) == (0, "the bus is set up correctly\n")
    on_loop(lambda: put(server))
    assert run(capsys, "bus", "check", str(config)) == (1, PC["no_roster"] + "\n")
    foreign = Seals(SEED, {}, {})
    on_loop(lambda: put(server, {}, foreign.seal(SUBJECT, b"{}")))
    code, output = run(capsys, "bus", "check", str(config))
    assert (code, output.splitlines()[0]) == (1, PC["no_roster"])
    assert f"2 messages of {SUBJECT} are skipped" in output
    assert foreign.public in output
    mend = ("bus", "mend", str(server.studio.folder), "--server", server.url)
    assert run(capsys, *mend) == (0, f"stream {STREAM}: 2 messages of {SUBJECT} taken away\n")
    assert run(capsys, "bus", "check", str(config)) == (0, "the bus is set up correctly\n")


def test_check_of_a_floor_reports_its_key_missing_from_roster(server, config, capsys):
    seals = server.seals("admin", "")
    body = msgspec.json.encode(Roster(server.studio.keys("tables"), {"main": "U" + "A" * 55}))
    seals.sign_after((on_loop(lambda: accepted_rosters(server, as_floor(server)))).at)
    on_loop(lambda: put(server, seals.seal(SUBJECT, body), body=body))
    code, output = run(capsys, "bus", "check", str(config))
    assert (code, output.count("\n")) == (1, 1)
    assert "the roster has another key for floor main" in output


def test_init_prints_the_one_key_a_floors_config_has(server, capsys):
    code, output = run(capsys, "bus", "init", str(server.studio.folder))
    assert code == 0
    *_, floors, admin = output.splitlines()
    assert (floors, admin) == ('[bus] of every floor: studio = "main"', f'admin = "{server.studio.admin_key}"')
    assert "tables = " not in output


def test_a_roster_is_later_than_one_of_a_fast_clock(server):
    """A new roster gets a later time than the stored one, whatever the clock says; else floors refuse it."""

    async def steps():
        ahead = server.seals("admin", "")
        ahead.sign_after(4_000_000_000_000)
        await put(server, ahead.seal(SUBJECT, b"{}"))
        async with server.client("admin") as admin:
            await publish(admin, server.studio)
        found = await accepted_rosters(server, as_floor(server))
        assert found.at > 4_000_000_000_000
        assert found.newest == Roster(server.studio.keys("tables"), server.studio.keys("floors"))

    on_loop(steps)


@pytest.mark.parametrize("wrong", ["studio", "body", "time", "kind"])
def test_a_changed_or_undecodable_roster_is_not_taken(wrong):
    admin = Seals(SEED, {}, {})
    rosters = Rosters(Seals(new_seed(), {}, {}, admin.public))
    first, body = msgspec.json.encode(Roster({"t1": "K1"})), msgspec.json.encode(Roster({"t2": "K2"}))
    assert rosters.take(SUBJECT, admin.seal(SUBJECT, first), first)
    subject = roster_of("siteb") if wrong == "studio" else SUBJECT
    payload = b'{"tables": 1}' if wrong == "kind" else body
    headers = admin.seal(subject, payload)
    if wrong == "time":
        headers[n.AT] = str(int(headers[n.AT]) + 1)
    assert not rosters.take(SUBJECT, headers, first if wrong == "body" else payload)
    assert rosters.newest == Roster({"t1": "K1"})
    assert rosters.take(SUBJECT, admin.seal(SUBJECT, body), body)


def test_a_floor_trusts_no_table_before_the_first_roster():
    table, subject = Seals(SEED, {}, {}), "tablectl.main.t1.head"
    floor = Seals(new_seed(), {}, {}, "admin")
    headers = table.seal(subject, b"{}")
    assert not floor.is_sound(subject, headers, b"{}")
    assert floor.trust({"t1": table.public}, {}) == set()
    assert floor.is_sound(subject, headers, b"{}")
    assert floor.troubles == []  # a message just before the roster is not reported as a trouble
    assert floor.trust({"t1": floor.public}, {}) == {"t1"}
    assert not floor.is_sound(subject, headers, b"{}")
    assert floor.trust({"t1": floor.public, "t2": floor.public}, {}) == set()
    assert [trouble.parts["key"] for trouble in floor.troubles] == [table.public]


def test_of_many_unsigned_subjects_the_latest_are_reported(monkeypatch):
    monkeypatch.setattr("controller.bus.seals.MOST", 2)
    floor = Seals(SEED, {}, {})
    for subject in ("a", "b", "a", "c"):
        floor.is_sound(subject, {}, b"")
    assert [(trouble.parts["subject"], trouble.parts["count"]) for trouble in floor.troubles] == [("a", 2), ("c", 1)]


def test_an_unsigned_message_is_reported_for_ten_minutes(monkeypatch):
    clock, floor = ManualClock(100.0), Seals(SEED, {}, {})
    monkeypatch.setattr("controller.bus.seals.time", SimpleNamespace(monotonic=clock))
    floor.is_sound("a", {}, b"")
    clock.now += TROUBLED - 1
    assert len(floor.troubles) == 1
    clock.now += 1
    assert floor.troubles == []
