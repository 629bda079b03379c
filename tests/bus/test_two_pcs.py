"""Two PCs of one table and a bus, in random orders of events: only one PC deals.

No event on the bus is lost, and all events make one history.
"""

import asyncio
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import structlog

from controller.bus import bus_client, comparison, publisher, sender
from controller.bus.publisher import epoch_of
from controller.bus.witness import Superseded, WitnessRefused
from controller.core.state import State
from controller.journal import JournalError, is_there, recover_state
from controller.station.takeover_anchor import TakeoverRefused
from tests.bus.rig import BusServer
from tests.bus.tables import as_over_http, stored
from tests.bus.two_pcs import PC, run_two_pcs
from tests.chance import SEED
from tests.patience import on_loop, until

ORDERS, PARTS, STEPS = 200, 8, 9  # orders in all, tests that share them, steps of an order
SERVER = "tablectl.main.t1.event.server"
Events = dict[tuple[str, int], dict[str, Any]]


class RandomOrder:
    """One random order of deals, cuts, stops, starts, takeovers and restored copies."""

    def __init__(self, server: BusServer, folder: Path, pcs: tuple[PC, PC], dice: random.Random) -> None:
        self.server, self.folder, self.pcs, self.dice = server, folder, pcs, dice
        self.cut = dict.fromkeys(pcs, False)
        self.copies: dict[PC, Path] = {}
        self.told: Events = {}
        self.said: list[str] = []
        self.takeovers = self.meetings = self.refused = self.aside = 0

    async def step(self) -> None:
        """Let one thing happen to one PC; then check what must hold if PCs reach the bus."""
        pc = self.dice.choice(self.pcs)
        often, seldom = (self.deal, self.cut_or_join), (self.stop, self.start, self.take, self.restore)
        act = self.dice.choice((*often, *often, *seldom))
        self.said.append(f"{act.__name__} {pc.folder.name}")
        await act(pc)
        if await self.meet():
            await self.check()

    # ── what can happen ──────────────────────────────────────────────────────────────────────────────────────────

    async def deal(self, pc: PC) -> None:
        if pc.table is not None:
            pc.opens()

    async def cut_or_join(self, pc: PC) -> None:
        """Cut the PC's line to the bus, or join it again."""
        self.cut[pc] = not self.cut[pc]
        pc.wire.cut() if self.cut[pc] else pc.wire.join()

    async def stop(self, pc: PC) -> None:
        if pc.table is not None:
            await pc.stop()

    async def start(self, pc: PC) -> None:
        """Start a PC. If it is refused, it stays off or its loss is accepted, unless another PC has the table."""
        if pc.table is not None or not is_there(pc.path):
            return
        try:
            await pc.run()
        except Superseded:
            return
        except WitnessRefused:
            if self.dice.random() < 0.8:
                self.aside += "they do not count" in await pc.accept_loss()
                await pc.run()

    async def take(self, pc: PC) -> None:
        """Take over the other PC's table from parts shipped now or earlier; move the own record away."""
        (other,) = {*self.pcs} - {pc}
        await self.stop(pc)
        parts = other.folder.with_name(f"parts of {other.folder.name}")
        if self.dice.random() < 0.7 and is_there(other.path):
            shutil.rmtree(parts, ignore_errors=True)
            await other.ship(parts)
        if not parts.exists():
            return
        away = pc.folder.with_name(f"away {len(self.said)}")
        pc.folder.rename(away)
        pc.folder.mkdir()
        try:
            await pc.take(parts, because="x", accept_loss=True)
        except (TakeoverRefused, JournalError):
            shutil.rmtree(pc.folder)
            away.rename(pc.folder)
        else:
            self.takeovers += 1
            self.copies.pop(pc, None)
            await self.start(pc)

    async def restore(self, pc: PC) -> None:
        """Make a copy of the record, or put an earlier copy back, mostly without a connection to the bus.

        No copy is put back if the bus lacks records of the present one: nobody could tell if another PC has them.
        """
        if not is_there(pc.path):
            return
        if (copy := self.copies.pop(pc, None)) is None:
            was = pc.table is not None
            await self.stop(pc)
            self.copies[pc] = pc.folder.with_name(f"copy {len(self.said)}")
            shutil.copytree(pc.folder, self.copies[pc])
            if was:
                await self.start(pc)
            return
        await self.stop(pc)
        state = recover_state(pc.path)
        if (state.identity.epoch, state.seq) not in await self.stream():
            return
        shutil.rmtree(pc.folder)
        shutil.copytree(copy, pc.folder)
        if self.dice.random() < 0.8 and not self.cut[pc]:
            await self.cut_or_join(pc)
        await self.start(pc)
        await self.deal(pc)

    # ── what must hold ───────────────────────────────────────────────────────────────────────────────────────────

    async def meet(self) -> list[PC]:
        """Wait for two heartbeats of all PCs that reach the bus; return these PCs."""
        pcs = [pc for pc in self.pcs if pc.table is not None and not self.cut[pc]]
        for _ in range(2):  # at the first all are present, at the second all have read the others' heads
            goals = {pc: pc.looks + 3 for pc in pcs}
            await until(lambda goals=goals: all(pc.looks >= goals[pc] for pc in pcs))
        return pcs

    async def check(self) -> None:
        """Check that one PC at most deals and that the bus has one complete history."""
        pcs = await self.meet()
        standing = [pc for pc in pcs if "witness" not in pc.doubts]
        assert len(standing) <= 1, self.said
        self.meetings += len(pcs) > 1
        self.refused += len(pcs) - len(standing)
        opened = [pc for pc in pcs if pc.opens()]
        assert len(opened) <= 1, self.said
        for pc in standing:
            await pc.table.caught_up()
        stream = await self.stream()
        assert {key: stream.get(key) for key in self.told} == self.told, self.said
        self.told = stream
        for pc in standing:
            state = pc.table.table.state
            assert history(stream, state) == dict(as_over_http(pc.path, "server")), self.said

    async def stream(self) -> Events:
        """Return the events on the bus by epoch and number: the first of each, as platforms read them."""
        async with self.server.client("admin") as admin:
            found = await stored(admin, "EVENTS", SERVER)
        events: Events = {}
        for one in found:
            events.setdefault((one.epoch, one.seq), one.body)
        return events


def history(stream: Events, state: State) -> dict[int, dict[str, Any] | None]:
    """Return a table's one history by sequence number: each event from the epoch that counts."""
    return {seq: stream.get((epoch_of(state, seq), seq)) for seq in range(1, state.seq + 1)}


async def play(server: BusServer, folder: Path, dice: random.Random) -> RandomOrder:
    """Play one random order to its end, where both PCs reach the bus; return it."""
    async with run_two_pcs(server, folder) as pcs:
        order = RandomOrder(server, folder, pcs, dice)
        await pcs[0].start()
        await until(lambda: pcs[0].table.bus.trouble is None)
        await order.restore(pcs[0])
        for _ in range(STEPS):
            await order.step()
        for pc in pcs:  # at the end both PCs reach the bus
            if order.cut[pc]:
                await order.cut_or_join(pc)
            await order.start(pc)
        await order.check()
        return order


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
def test_two_pcs_in_random_orders_have_one_history(server, tmp_path, monkeypatch, part):
    monkeypatch.setattr(comparison, "BEAT", 0.02)
    monkeypatch.setattr(bus_client, "AGAIN", 0.02)
    monkeypatch.setattr(comparison, "ANSWER", 0.5)
    monkeypatch.setattr(sender, "ACK", 0.5)
    monkeypatch.setattr(publisher, "PACE", publisher.DeliveryPace(first=0.02, longest=0.05))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    counts = Counter[str]()
    for number in range(part, ORDERS, PARTS):
        server.empty()
        folder = tmp_path / str(number)
        folder.mkdir()
        order = on_loop(lambda folder=folder, number=number: play(server, folder, random.Random(f"{SEED} {number}")))
        counts.update(takeovers=order.takeovers, meetings=order.meetings, refused=order.refused, aside=order.aside)
    assert min(counts[kind] for kind in ("takeovers", "meetings", "refused")) > 0
    print(f"{ORDERS // PARTS} of {ORDERS} orders of {STEPS} steps: {dict(counts)}")


def test_a_cut_wire_carries_nothing(server, tmp_path):
    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (pc, _):
            await pc.start()
            await until(lambda: pc.table.bus.trouble is None)
            pc.wire.cut()
            await until(lambda: pc.table.bus.trouble is not None)
            assert pc.opens()
            await asyncio.sleep(0)
            assert pc.table.sent < pc.table.table.state.seq
            pc.wire.join()
            await pc.table.caught_up()

    on_loop(steps)
