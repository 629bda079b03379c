"""Previews over the API: only for a shift manager, and without any effect."""

import asyncio
import json
import threading

import pytest

from controller.core import events as e
from controller.web import listeners as doors
from controller.web.api import previews
from tests.patience import PATIENCE, on_loop, turns, until
from tests.table.test_table import HOLDEM
from tests.web.rig import Spoken

RULE = {"command": "rule", "id": "1", "ruling": "burn", "because": "one too many"}


async def look(table: Spoken, role: str = "manager", lang: str = "en", **ruling: object):
    return await table.ask("POST", f"/api/preview?role={role}&lang={lang}", {**RULE, **ruling})


def test_a_preview_shows_the_outcome_and_records_nothing(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            fault = table.paused()
            before = table.table.state
            reply = await look(table, fault=fault)
            assert reply.status == 200
            assert reply.body == {
                "verdict": "leads", "fault": fault, "ruling": "burn", "reason": None, "life": "betting",
                "says": "Draw 1 is burnt; bets are open again.", "due": "NO MORE BETS", "outcome": None, "next": None,
                "cards": [{
                    "draw": 1,
                    "before": {"card": "5H", "fate": "loose", "place": None},
                    "after": {"card": "5H", "fate": "burnt", "place": None},
                }],
                "refunds": None, "manual": False, "choice": None, "choices": [], "open": False,
                "touched": {"shifts": [{"draw": 1, "was": "loose", "now": "burnt"}]},
                "second": False,
            }  # fmt: skip
            assert table.table.state is before
            assert table.rig.recorded()[-1].seq == before.seq == fault

    on_loop(steps)


def test_in_romanian(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await look(table, fault=table.paused(), lang="ro", ruling="cancel")
            assert reply.body["says"] == "Runda este anulată; nu este niciun pariu de returnat."
            reply = await look(table, fault=1, lang="ro")
            assert reply.body["says"] == "între timp este deschisă altă eroare: verificați din nou"
            reply = await look(table, fault=1, lang="xx")
            assert (reply.status, reply.body["detail"]) == (400, "lang: expected one of en, ro, got 'xx'")

    on_loop(steps)


@pytest.mark.parametrize(
    ("ruling", "reason"),
    [({"fault": 1}, "stale_fault"), ({"by": "d1"}, "own_round"), ({"ruling": "resume"}, "not_allowed")],
)
def test_a_preview_refuses_what_the_ruling_would_be_refused(tmp_path, ruling, reason):
    async def steps():
        async with Spoken(tmp_path) as table:
            fault = table.paused()
            reply = await look(table, **{"fault": fault, **ruling})
            assert (reply.body["verdict"], reply.body["reason"]) == ("refused", reason)
            assert reply.body["says"]
            assert table.table.state.seq == fault

    on_loop(steps)


@pytest.mark.parametrize("role", ["dealer", "server", "player"])
def test_only_a_shift_manager_may_preview(tmp_path, role):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await look(table, role, fault=table.paused())
            assert (reply.status, reply.body["reason"]) == (403, "forbidden")

    on_loop(steps)


@pytest.mark.parametrize("sent", [[], {"command": "open", "id": "o"}, [{**RULE, "fault": 1}] * 2, {**RULE, "fault": 0}])
def test_a_preview_without_a_single_ruling_is_malformed(tmp_path, sent):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await table.ask("POST", "/api/preview", sent)
            assert (reply.status, reply.body["reason"]) == (400, "malformed")

    on_loop(steps)


def test_a_halted_table_refuses_previews(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            fault = table.paused()
            table.rig.journal.broken = "disk full"
            table.rig.take(e.CutCardOut())
            reply = await look(table, fault=fault)
            assert (reply.body["verdict"], reply.body["reason"]) == ("refused", "halted")

    on_loop(steps)


def test_a_hidden_card_is_in_no_preview(tmp_path):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            table.face_down()
            table.rig.take(e.CardOut(None))
            fault = table.table.state.fault.seq
            for ruling in ({"ruling": "enter", "card": "2C"}, {"ruling": "enter", "card": "5C"}, {"ruling": "cancel"}):
                reply = await look(table, fault=fault, **ruling)
                assert reply.body["verdict"] == "leads"
                assert "7D" not in str(reply.body)
                assert "5C" not in str(reply.body["cards"][:-1])

    on_loop(steps)


def test_a_card_does_not_wait_for_a_preview(tmp_path, monkeypatch):
    foresee, begun, come = previews.foresee, threading.Event(), threading.Event()

    def slowly(*what):
        begun.set()
        come.wait(PATIENCE)
        return foresee(*what)

    async def steps():
        async with Spoken(tmp_path) as table:
            fault = table.paused()
            monkeypatch.setattr(previews, "foresee", slowly)
            looking = asyncio.create_task(look(table, fault=fault))
            await until(begun.is_set)
            table.rig.deal("6H")
            await until(lambda: len(table.table.state.loose_draws) == 2)
            assert not looking.done()
            come.set()
            assert (await looking).body["verdict"] == "leads"

    on_loop(steps)


def test_simultaneous_previews_are_limited_to_a_few_threads(tmp_path, monkeypatch):
    foresee, looking, together, go = previews.foresee, [], [], threading.Event()

    def counted(*what):
        looking.append(what)
        together.append(len(looking))
        go.wait(PATIENCE)
        looking.pop()
        return foresee(*what)

    async def look_ahead(table: Spoken, body: bytes) -> None:
        async with table.connected() as (reader, writer):
            head = f"POST /api/preview HTTP/1.1\r\nhost: t\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")

    async def steps():
        async with Spoken(tmp_path) as table:
            monkeypatch.setattr(previews, "foresee", counted)
            body = json.dumps({**RULE, "fault": table.paused()}).encode()
            all_six = asyncio.gather(*(look_ahead(table, body) for _ in range(6)))
            doors_ = table.api._servers[0].connections
            await until(lambda: len(looking) == doors.LOOKERS and sum(not door.waits for door in doors_) == 6)
            await turns()
            go.set()
            await all_six
            assert (len(together), max(together)) == (6, doors.LOOKERS)

    on_loop(steps)
