"""Epochs that were given up for another epoch: which of their rounds count, and which PC may continue."""

import asyncio

import pytest

from controller.bus.witness import WitnessRefused
from controller.journal import recover_state
from controller.text.coded import render
from tests.bus.tables import ask
from tests.bus.test_witness import run_command
from tests.bus.two_pcs import run_two_pcs, take_over_by_two
from tests.patience import on_loop


def test_rounds_that_two_records_share_are_not_listed(server, tmp_path):
    """Of two takeovers with rounds 1 and 2 in common, the one that was given up lists round 3 alone."""

    async def steps() -> None:
        async with take_over_by_two(server, tmp_path) as (new, _):
            assert "rounds 3 to 3 of this record do not count" in render(new.table.bus.trouble)

    on_loop(steps)


def test_a_game_server_is_told_what_counts_of_an_epoch(server, tmp_path):
    """A game server that booked round 3 of the given-up PC asks with that PC's epoch."""

    async def steps() -> None:
        async with take_over_by_two(server, tmp_path) as (new, third), server.client("platforms", "game") as game:
            splits = third.table.table.state.losses[0].stands
            path = f"/api/v1/events?after={new.table.table.state.seq}&epoch={new.table.epoch}"
            answer = await ask(game, path, "platform")
            assert answer.status == 409
            assert f"up to {splits} count" in answer.body["detail"], answer.body["detail"]

    on_loop(steps)


def test_old_pc_starts_beside_no_epoch_it_does_not_name(server, tmp_path):
    """Accepting a loss at the old PC without asking the bus gives no right to start beside a later epoch.

    Started without the bus, the PC opens no round; accepting with `--unasked` removes its doubt.
    """

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await old.run()
            old.table.play(2)
            await old.ends(tmp_path / "parts")
            await new.take(tmp_path / "parts")
            await new.run()
            await new.deals()
            with pytest.raises(WitnessRefused, match="the record continued elsewhere"):
                await old.run()
            accept = ["journal", "accept-loss", str(old.path), "--by", "Ana", "--because", "it does not start"]
            await asyncio.to_thread(run_command, accept, 0)
            with pytest.raises(WitnessRefused, match="the bus remembers the later epoch"):
                await old.run()
            old.wire.cut()
            await old.run()
            assert not old.opens()
            await old.stop()
            await asyncio.to_thread(run_command, [*accept, "--unasked"], 0)
            assert recover_state(old.path).doubts == {}
            assert new.opens()

    on_loop(steps)
