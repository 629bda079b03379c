"""Messages at a floor without their author's signature: skipped, counted; the last signed one holds."""

import asyncio
import json

import msgspec
import pytest

from controller.bus import names as n
from controller.bus.keys import new_seed
from controller.bus.names import TableNames
from controller.bus.request_client import RequestClient
from controller.bus.seals import Seals
from controller.core import events as e
from controller.floor.live import subscriptions
from controller.floor.shared_state.exchange import SharedDocuments
from controller.text.coded import render
from tests.bus.tables import run_table
from tests.floor.bare_floor import FloorViewer, publish_statuses, run_bare_floor
from tests.floor.statuses import calling_status, status
from tests.patience import PATIENCE, on_loop, until

STATUS, BEAT = TableNames("main", "t1").status, TableNames("main", "t1").subject("beat")
ANNA = FloorViewer("7", "Anna Pop")


def test_junk_over_a_status_leaves_the_last_signed_one(bus):
    """A floor that starts later shows the last signed status, too."""

    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            await publish_statuses(bus, admin, calling_status())
            await until(lambda: floor.strip() is not None)
            forged = msgspec.json.encode(status())
            for headers in ({}, bus.seals("tables", "t2").seal(STATUS, forged)):
                await admin.jetstream().publish(STATUS, forged, headers=headers)
            await publish_statuses(bus, admin, status("t2"))
            await until(lambda: floor.strip("t2") is not None)
            assert floor.strip().call is not None
            junk = floor.seals.junk[STATUS]
            assert (junk.times, junk.key) == (2, bus.studio.keys("tables")["t2"])
            (trouble,) = map(render, floor.seals.troubles)
            assert (STATUS in trouble, junk.key in trouble) == (True, True)
            await until(lambda: any(junk.key in text for text in floor.hall.view.cause_texts.values()))
            async with run_bare_floor(bus, "second") as late:
                await until(lambda: late.strip() is not None)
                assert late.strip().call is not None

    on_loop(steps)


def test_junk_over_shared_documents_leaves_the_last_signed_ones(bus):
    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            await publish_statuses(bus, admin, calling_status())
            await until(lambda: floor.strip() is not None)
            assert (await floor.shared.claim("t1", 11, ANNA)).done
            assert (await floor.shared.assign("t1", "8", 6)).done
            await until(lambda: floor.hall.owner("t1") == "8" and floor.strip().call.claim is not None)
            for key in ("assignments", "t1.call", "alarms"):
                await admin.jetstream().publish(f"$KV.tablectl_claims.main.{key}", b"{}")
            await until(lambda: len(floor.seals.junk) == 3)
            assert await floor.shared.owner("t1") == "8"
            assert (floor.hall.owner("t1"), floor.strip().call.claim.name) == ("8", "Anna Pop")
            async with run_bare_floor(bus, "second") as late:
                await until(lambda: late.strip() is not None and late.hall.owner("t1") == "8")
                assert (await late.shared.claim("t1", 11, FloorViewer("8", "Ion"))).reason == "taken"

    on_loop(steps)


def test_below_unsigned_messages_the_last_signed_document_counts(bus):
    """A floor that has not read any document yet finds it below the unsigned messages, too."""

    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            await publish_statuses(bus, admin, status())
            await until(lambda: floor.strip() is not None)
            unheard, stored = SharedDocuments(floor.line, "main", floor.seals), []
            for person in ("9", "8"):
                assert (await floor.shared.assign("t1", person, 6)).done
                stored.append(await unheard.read("assignments", dict))
            for _ in range(2):
                await admin.jetstream().publish(f"$KV.{n.CLAIMS}.main.assignments", b"{}")
            assert await unheard.read("assignments", dict) == stored[1] != stored[0]

    on_loop(steps)


@pytest.mark.parametrize("signer", ["nobody", "t2", "as a status"])
def test_a_key_is_removed_only_by_its_authors_marker(bus, signer):
    """An empty message signed without the removal operation removes nothing, even from the author."""
    marker, own = {n.REMOVAL: "DEL"}, bus.seals("tables", "t1")
    false = {
        "nobody": {},
        "t2": bus.seals("tables", "t2").seal(STATUS, b"", "DEL"),
        "as a status": own.seal(STATUS, b""),
    }

    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            await publish_statuses(bus, admin, calling_status())
            await until(lambda: floor.strip() is not None)
            await admin.jetstream().publish(STATUS, b"", headers={**marker, **false[signer]})
            await until(lambda: STATUS in floor.seals.junk)
            assert floor.strip().call is not None
            await admin.jetstream().publish(STATUS, b"", headers={**marker, **own.seal(STATUS, b"", "DEL")})
            await until(lambda: floor.strip() is None)

    on_loop(steps)


@pytest.mark.parametrize("signer", ["nobody", "t2", "earlier"])
def test_a_beat_counts_only_new_and_signed_by_its_table(bus, signer, monkeypatch):
    calls = []
    monkeypatch.setattr(subscriptions.Beats, "is_heard", lambda *_: calls.append(1) or True)
    body, own = json.dumps({"epoch": "e1", "seq": 10}).encode(), bus.seals("tables", "t1")
    earlier = own.seal(BEAT, body)
    false = {"nobody": {}, "t2": bus.seals("tables", "t2").seal(BEAT, body), "earlier": earlier}[signer]

    async def steps():
        async with bus.client("tables", "t1") as client, run_bare_floor(bus) as floor:

            async def beat() -> bool:
                headers = own.seal(BEAT, body)
                await client.publish(BEAT, body, headers=headers)
                await client.flush(timeout=PATIENCE)
                return floor.live._beaten.get("t1") == int(headers[n.AT])

            while not await beat():
                await asyncio.sleep(0.01)
            before = len(calls)
            await client.publish(BEAT, body, headers=false)
            await client.publish(BEAT, body, headers=(last := own.seal(BEAT, body)))
            await until(lambda: floor.live._beaten["t1"] == int(last[n.AT]))
            assert len(calls) == before + 1
            assert bool(floor.seals.junk) == (signer != "earlier")

    on_loop(steps)


def test_an_answer_forged_by_another_table_is_ignored(bus, tmp_path):
    """Forged answers arrive first, in the right inbox, from a client that may publish everywhere."""

    async def steps():
        async with run_table(tmp_path / "t.journal", bus.section()) as table, bus.client("floors", "main") as client:
            await until(lambda: table.bus.trouble is None)
            seals = bus.seals("floors", "main")
            asker, subject = (
                RequestClient(client, "floor", "main", seals),
                TableNames("main", "t1").subject("ask", "floor"),
            )
            liar = bus.seals("tables", "t2")

            class Client:
                """Client whose forged answers come before the question is sent."""

                def __getattr__(self, name: str):
                    return getattr(client, name)

                async def publish(self, to: str, body: bytes, reply: str, headers=None) -> None:
                    async with bus.client("tables", "t1") as thief:
                        for forged in ({}, liar.seal(reply, b'"lie"', "x", "e", "200"), seals.seal(reply, b'"lie"')):
                            await thief.publish(reply, b'"lie"', headers={n.CODE: "200", **forged})
                        await thief.flush(timeout=PATIENCE)
                    await client.publish(to, body, reply, headers)

            asker._client = Client()
            inbox = asker.inbox("t1")
            answer = await asker.ask(subject, b"/api/v1/state", inbox, PATIENCE)
            assert json.loads(answer.data)["epoch"] == table.epoch
            assert seals.junk["_INBOX_floor.main.t1"].times == 3
            stranger = RequestClient(client, "floor", "main", Seals(new_seed(), {}, {}))
            with pytest.raises(TimeoutError):
                await stranger.ask(subject, b"/api/v1/state", inbox, 0.3)

    on_loop(steps)


def test_an_answer_belongs_to_one_request_epoch_and_status(bus, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", bus.section()) as table, bus.client("floors", "main") as client:
            await until(lambda: table.bus.trouble is None)
            seals = bus.seals("floors", "main")
            asker, subject = (
                RequestClient(client, "floor", "main", seals),
                TableNames("main", "t1").subject("ask", "floor"),
            )
            answer = await asker.ask(subject, b"/api/v1/state", asker.inbox("t1"), PATIENCE)
            request = subject, None, b"/api/v1/state"
            assert asker._is_signed(answer, request)
            assert not asker._is_signed(answer, (subject, None, b"/api/v1/events"))
            assert not asker._is_signed(answer, (subject, {n.NONCE: "1"}, b"/api/v1/state"))
            for header in (n.EPOCH, n.CODE, n.AT):
                value, answer.headers[header] = answer.headers[header], "1"
                assert not asker._is_signed(answer, request)
                answer.headers[header] = value
            assert asker._is_signed(answer, request)
            table.table.take(e.KeyPressed("manager"))

    on_loop(steps)
