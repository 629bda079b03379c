"""Streams of screens: whole at first and at each change, composed once, otherwise a heartbeat."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.causes import ByRuling
from controller.core.house import Terms
from controller.web.api import screen_stream
from controller.web.net.files import Pages
from controller.web.screens import screens
from controller.web.screens.history import LatestResults
from controller.web.screens.table_snapshot import LastVoid
from tests.patience import on_loop
from tests.table.test_table import HOLDEM
from tests.web.rig import NATURAL, Spoken, capture_log, chunked


class ScreenEvent:
    """Event of a screen stream: kind, number of its record, data."""

    def __init__(self, kind: str, seq: int, data: dict[str, Any]) -> None:
        self.kind, self.seq, self.data = kind, seq, data

    def __getitem__(self, name: str) -> Any:
        return self.data["screen"][name]


async def read_event(reader: asyncio.StreamReader) -> AsyncIterator[ScreenEvent]:
    kind, seq = "", 0
    async for line in chunked(reader):
        if line.startswith(b"event: "):
            kind = line[7:].decode()
        elif line.startswith(b"id: "):
            seq = int(line[4:])
        elif line.startswith(b"data: "):
            yield ScreenEvent(kind, seq, json.loads(line[6:]))


async def wait_for_event(reader: asyncio.StreamReader, holds) -> ScreenEvent:
    """Return the first event for which `holds` is true."""
    async for event in read_event(reader):
        if holds(event):
            return event
    raise AssertionError("the stream ended")


def test_a_screen_stream_begins_complete_and_shows_every_change(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=dealer") as reader:
            first = await wait_for_event(reader, lambda event: event.kind == "screen")
            assert (first.seq, first["life"], first["next"]["head"]) == (table.table.state.seq, "idle", "OPEN BETS")
            assert first.data["now"] >= "2026"
            assert first.data["version"] == Pages().version
            table.rig.take(e.Open(), e.Close())
            table.rig.deal("9C")
            event = await wait_for_event(reader, lambda event: event["life"] == "dealing")
            assert (event["next"]["head"], event["next"]["text"]) == ("BANKER", "first card")
            assert event.seq == table.table.state.seq

    on_loop(steps)


def test_simultaneous_changes_make_one_screen_event(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=dealer") as reader:
            stream = read_event(reader)
            await anext(stream)
            table.rig.take(e.Open(), *(e.PlaceBet(f"p{number}", "player", 1000) for number in range(100)))
            assert (await anext(stream))["bets"] == "Bets: 100 · 1000.00"

    on_loop(steps)


def test_a_change_after_a_quiet_time_is_shown_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(screen_stream, "PAUSE", 600)
    monkeypatch.setattr(screen_stream, "HEARTBEAT", 0.02)

    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=dealer") as reader:
            await wait_for_event(reader, lambda event: event.kind == "beat")
            table.rig.take(e.Open())
            event = await wait_for_event(reader, lambda event: event.kind == "screen")
            assert event["life"] == "betting"

    on_loop(steps)


def test_an_audience_without_changes_gets_only_a_heartbeat(tmp_path, monkeypatch):
    monkeypatch.setattr(screen_stream, "HEARTBEAT", 0.2)

    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=player") as reader:
            stream = read_event(reader)
            await anext(stream)
            table.rig.take(e.LineCut("p1"))  # players see nothing of this
            event = await anext(stream)
            assert (event.kind, set(event.data)) == ("beat", {"now"})

    on_loop(steps)


def test_a_stream_that_has_nothing_new_beats_each_second(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=player") as reader:
            stream = read_event(reader)
            first, second = await anext(stream), await anext(stream)
            assert (first.kind, second.kind) == ("screen", "beat")
            assert 2 * screen_stream.HEARTBEAT < 3  # a page takes the line for dead after 3 s of silence

    on_loop(steps)


def test_a_screen_is_composed_once_for_all_viewers(tmp_path, monkeypatch):
    composed = []

    def counted(look, words):
        composed.append(look)
        return screens.dealer(look, words)

    monkeypatch.setitem(screens.COMPOSERS, "dealer", counted)

    async def steps():
        async with (
            Spoken(tmp_path) as table,
            table.following("/api/screen?role=dealer") as one,
            table.following("/api/screen?role=dealer") as other,
        ):
            for reader in (one, other):
                await wait_for_event(reader, lambda event: event.kind == "screen")
            table.rig.take(e.Open())
            for reader in (one, other):
                await wait_for_event(reader, lambda event: event["life"] == "betting")
            assert len(composed) == 2

    on_loop(steps)


@pytest.mark.parametrize(
    ("target", "status", "problem"),
    [
        ("/api/screen?role=dealer&lang=xx", 400, "lang: expected one of en, ro, got 'xx'"),
        ("/api/screen?role=server", 404, "there is no screen for the server"),
    ],
)
def test_a_screen_that_does_not_exist_is_refused(tmp_path, target, status, problem):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await table.ask("GET", target)
            assert reply.status == status
            assert problem in reply.body["detail"]

    on_loop(steps)


def test_a_table_that_cannot_record_says_so_on_every_screen(tmp_path):
    async def steps():
        async with (
            Spoken(tmp_path) as table,
            table.following("/api/screen?role=dealer") as dealer,
            table.following("/api/screen?role=player") as player,
        ):
            table.rig.journal.broken = "disk full"
            table.rig.take(e.Open())
            event = await wait_for_event(dealer, lambda event: event["stop"])
            assert event["stop"]["head"] == "Nothing can be recorded."
            event = await wait_for_event(player, lambda event: event["notice"])
            assert event["notice"]["text"] == "The game is paused for a moment. Your bets are safe."
            assert "disk" not in str(event.data)
            table.rig.journal.broken = None
            await wait_for_event(dealer, lambda event: event["life"] == "betting" and not event["stop"])

    on_loop(steps)


def test_the_results_of_this_shoe_are_there_after_a_restart(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open(), e.Close())
            table.rig.deal(*NATURAL)
            table.rig.take(e.KeyPressed("finish"), e.LoadShoe(), e.Open(), e.Close())
            table.rig.deal(*NATURAL)
            table.rig.take(e.KeyPressed("finish"), e.Open(), e.KeyPressed("manager"))
            assert table.table.state.fault is not None
            table.rig.take(e.Rule("cancel", "m1", "wrong"), e.ChangeShoe(), e.CutShoe())
        async with Spoken(tmp_path) as table, table.following("/api/screen?role=player") as reader:
            event = await wait_for_event(reader, lambda event: event.kind == "screen")
            bead, *_ = event["roads"]["roads"]
            assert [(cell["row"], cell["kind"]) for cell in bead["cells"]] == [(0, "player")]
        history = LatestResults("baccarat", every_round=False)
        history.read(tmp_path / "t.journal")
        assert history.voids == (LastVoid(3, ByRuling("wrong")),)
        assert history.ended is not None
        assert (history.ended.dealt, history.ended.is_counted) == (4, False)

    on_loop(steps)


def test_results_that_cannot_be_read_are_logged(tmp_path):
    (tmp_path / "t.journal").write_bytes(b"no journal")
    with capture_log() as logs:
        LatestResults("baccarat", every_round=False).read(tmp_path / "t.journal")
    (line,) = logs
    assert (line["event"], line["log_level"]) == ("results_unreadable", "warning")
    assert line["reason"] == f"{tmp_path}/t.journal: not a journal of tablectl"


def test_players_see_nothing_of_a_training_round(tmp_path):
    house = replace(HOLDEM, terms=Terms(training=True))

    async def steps():
        async with Spoken(tmp_path, house) as table:
            table.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000), e.Close())
            table.rig.deal("KS")
            async with table.following("/api/screen?role=player") as reader:
                event = await wait_for_event(reader, lambda event: event.kind == "screen")
            assert (event["phase"], event["round"], event["clock"]) == ("training", "", None)
            assert not any(hand["cards"] for place in event["places"] for hand in place["hands"])
            async with table.following("/api/screen?role=dealer") as reader:
                event = await wait_for_event(reader, lambda event: event.kind == "screen")
            assert event["flags"] == [{"kind": "training", "text": "TRAINING"}]

    on_loop(steps)
