"""A ruling on the floor's page, with a real floor, bus and table, is in the table's record."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.floor_actions import console, sign_in_at_floor
from tests.browser.people import give_reason
from tests.bus.rig import BusServer
from tests.floor.service import MANAGER, paused, studio
from tests.patience import PATIENCE, eventually
from tests.web.staff import PINS


@contextmanager
def at_work(folder: Path) -> Iterator[tuple[Any, Any, Callable[..., Any]]]:
    """Run floor and table in a thread with its own event loop; `do(act)` runs an act in this loop."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    parts: list[Any] = []

    async def work(server: BusServer) -> None:
        async with studio(folder, server) as (floor, table):
            parts.extend((floor, table))
            ready.set()
            await over.wait()

    def run() -> None:
        try:
            with BusServer(folder / "bus") as server:
                loop.run_until_complete(work(server))
        finally:
            ready.set()
            loop.close()

    def do(act: Callable[[], Any]) -> Any:
        async def done() -> Any:
            result = act()
            return await result if isawaitable(result) else result

        return asyncio.run_coroutine_threadsafe(done(), loop).result(PATIENCE)

    aside = threading.Thread(target=run)
    aside.start()
    ready.wait()
    try:
        floor, table = parts
        yield floor, table, do
    finally:
        if parts:
            loop.call_soon_threadsafe(over.set)
        aside.join()


@pytest.mark.proof
def test_call_of_a_real_table_is_claimed_and_ruled_on(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        page = visit(f"http://127.0.0.1:{floor.port}/floor").page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        fault = do(lambda: paused(table))
        page.locator(".call .claim").tap()
        expect(page.locator(".call .whose")).to_have_text("You are coming")
        expect(console(page).locator(".seen p")).to_contain_text("has seen it")
        console(page).locator(".ruling[data-ruling=burn]").tap()
        give_reason(console(page))
        console(page).locator(".rule .confirm").tap()
        expect(page.locator(".beneath > .note")).to_have_text("t1 · Done: Burn 5♥")
        expect(page.locator(".call")).to_have_count(0)
        assert do(lambda: table.table.state.fault) is None
        entry = eventually(lambda: do(lambda: floor.recorded("commanded")))[-1]  # recorded after the table's answer
        assert (entry["table"], entry["by"]) == ("t1", MANAGER), (entry, fault)
        page.goto("about:blank")
