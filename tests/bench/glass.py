"""Measure the time from the last byte of a card's serial frame to the browser frame that shows it.

The table is `tablectl run` in a process of its own, with an emulated shoe on a pty and its journal on disk. The pages
are the dealer's, the players' and, for a card that makes a fault, the shift manager's. Two baselines are measured in
turns with each page: "bare", a server that reads the same frame on a pty of its own and sends it as an event to a page
of one box in the same browser; and "durable", which first writes the frame as a row to the same disk
(`synchronous=FULL`), because the table also shows no card that could still be lost.

A frame is drawn when a message posted in its requestAnimationFrame arrives: callbacks run before a frame's style,
layout and paint, the next task runs after them. Python and the browser both use the system's monotonic clock
(`NavigationStart` of the browser's protocol).

    python -m tests.bench.glass [--frames N] [--folder DIR] [--page NAME]
"""

import argparse
import asyncio
import multiprocessing as mp
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from tests.bench.latency import percentile
from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD
from tests.browser.people import expect_signed_in, sign_in
from tests.browser.table_process import DEALT, OVERDRAWN, TableProcess
from tests.patience import eventually

QUIET = (0.15, 0.20)  # seconds between frames: all is at rest, and each meets another moment of a browser frame
AWAY = 0.03  # seconds from the last request to the browser until the frame is written
DECKS = 6  # in a shoe, which serves this many rounds of the same cards
BOX = b"""<!doctype html><title>bare</title><div style="width:100px;height:140px;background:red"></div><script>
const box = document.querySelector("div");
new EventSource("/events").onmessage = () => { box.style.background = box.style.background === "red" ? "blue" : "red" };
</script>"""
WATCH = """(look) => {
  const { port1, port2 } = new MessageChannel();
  const seen = new Function(`return ${look}`);
  let before = seen();
  port1.onmessage = () => window.drawn(performance.now());
  new MutationObserver(() => {
    const now = seen();
    if (now !== before) requestAnimationFrame(() => port2.postMessage(null));
    before = now;
  }).observe(document, { subtree: true, childList: true, attributes: true });
  window.watch = () => { window.frame = new Promise((done) => { window.drawn = done; }) };
}"""
LYING = 'document.querySelectorAll(".card:not(.back)").length'
RED = 'document.querySelector(".fault").checkVisibility()'
BARE = 'document.querySelector("div").style.background'


class Glass:
    """Page that reports when it has drawn a change. `look`: JavaScript expression that must change."""

    def __init__(self, page: Page, look: str) -> None:
        self._page = page
        protocol = page.context.new_cdp_session(page)
        protocol.send("Performance.enable")
        metrics = {one["name"]: one["value"] for one in protocol.send("Performance.getMetrics")["metrics"]}
        assert 0 <= time.monotonic() - metrics["Timestamp"] < 1, "expected the browser's clock to be the system's"
        self._began = metrics["NavigationStart"]
        protocol.detach()
        page.evaluate(WATCH, look)
        self.times: list[float] = []

    def show(self, write: Callable[[], object]) -> None:
        """Write a frame on the line and note after how many ms it was drawn, with no other request meanwhile."""
        time.sleep(random.uniform(*QUIET))  # the page may still be drawing the card before
        self._page.evaluate("window.watch()")
        time.sleep(AWAY)
        at = time.monotonic()
        write()
        time.sleep(QUIET[0])
        self.times.append((self._began + self._page.evaluate("window.frame") / 1000 - at) * 1000)


# ── the bare server ──────────────────────────────────────────────────────────────────────────────────────────────


def serve(line: Path, pipe: Any, keep: Path | None) -> None:
    """Run the bare server: send each line read from the pty as an event to all clients of /events.

    `keep`: database to which each line is written before; None: it is not written.
    """
    asyncio.run(_serve(line, pipe, keep))


def _kept(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE said (line BLOB)")
    return db


async def _serve(line: Path, pipe: Any, keep: Path | None) -> None:
    readers: list[asyncio.StreamWriter] = []
    end, buffer = os.open(line, os.O_RDWR | os.O_NOCTTY), b""
    database = None if keep is None else _kept(keep)

    def take() -> None:
        nonlocal buffer
        *lines, buffer = (buffer + os.read(end, 4096)).split(b"\n")
        for text in lines:
            if database is not None:
                database.execute("INSERT INTO said VALUES (?)", (text,))
            for reader in readers:
                reader.write(b"data: %s\n\n" % text.strip())

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        stream = path == b"/events"
        kind, body = (b"text/event-stream", b"retry: 1000\n\n") if stream else (b"text/html", BOX)
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: %s\r\n\r\n%s" % (kind, body))
        readers.append(writer) if stream else writer.close()

    asyncio.get_running_loop().add_reader(end, take)
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


@contextmanager
def floor(browser: Browser, folder: Path, name: str) -> Iterator[tuple[Glass, EmulatedBeeTek]]:
    """Start a bare server; yield its page and shoe. `durable`: frames are on disk before they are sent."""
    shoe = EmulatedBeeTek(PtyPort(folder / name))
    near, far = mp.Pipe()
    keep = folder / f"{name}.db" if name == "durable" else None
    process = mp.get_context("spawn").Process(target=serve, args=(shoe.port.link, far, keep), daemon=True)
    with ExitStack() as stack:
        shoe.plug()
        stack.callback(shoe.unplug)
        process.start()
        stack.callback(process.join)
        stack.callback(process.terminate)
        far.close()
        page = browser.new_page(viewport=FULL_HD)
        stack.callback(page.close)
        page.goto(f"http://127.0.0.1:{near.recv()}/")
        yield Glass(page, BARE), shoe


# ── the table ────────────────────────────────────────────────────────────────────────────────────────────────────


class FrameDealer:
    """Dealer who plays each round up to the measured frame, and then to its end."""

    def __init__(self, table: TableProcess) -> None:
        self._table, self._rounds = table, 0

    def _until(self, life: str) -> None:
        eventually(lambda: self._table.life == life)

    def begin(self) -> None:
        """Open a round and close its bets; change the shoe before, when it is empty."""
        if self._rounds and self._rounds % DECKS == 0:
            self._table.say("shoe", role="dealer", do="change")
            self._table.say("shoe", role="dealer", do="ready")
        self._rounds += 1
        self._table.say("open")
        self._table.say("close")

    def end(self) -> None:
        """Wait for the result and confirm it."""
        self._until("complete")
        self._table.say("press", role="dealer", key="finish")
        self._until("settled")

    def overdraw(self) -> None:
        """Deal all cards that are due."""
        self._table.draw(*DEALT)
        self._until("complete")

    def mend(self) -> None:
        """Burn the card that was one too many; wait until the round is settled."""
        self._until("paused")
        seq = self._table.records("faulted")[-1].seq
        self._table.say("rule", role="manager", fault=seq, ruling="burn", because="x", by="anna")
        self._until("settled")


def cards(dealer: FrameDealer, table: TableProcess) -> Iterator[Callable[[], object]]:
    """Yield each draw of rounds of four cards, without end."""
    while True:
        dealer.begin()
        for _ in DEALT:
            yield table.shoe.draw
        dealer.end()


def faults(dealer: FrameDealer, table: TableProcess) -> Iterator[Callable[[], object]]:
    """Yield the fifth draw of each round, which makes a fault, without end."""
    while True:
        dealer.begin()
        dealer.overdraw()
        yield table.shoe.draw
        dealer.mend()


FLOORS = ("bare", "durable")
MEASURED = {"dealer": (LYING, DEALT, cards), "overlay": (LYING, DEALT, cards), "manager": (RED, OVERDRAWN, faults)}


def compare(browser: Browser, name: str, frames: int, folder: Path) -> list[list[float]]:
    """Measure a page and the two bare pages in turns; return the times of each, in ms."""
    look, drawn, writes = MEASURED[name]
    with ExitStack() as stack:
        table = stack.enter_context(TableProcess(folder, cards=drawn * frames))
        page = stack.enter_context(browser.new_context(viewport=FULL_HD, has_touch=True)).new_page()
        page.goto(table.page(name))
        if name == "manager":
            sign_in(page, "anna")
            expect_signed_in(page)
        page.locator("body").wait_for()
        floors = [stack.enter_context(floor(browser, folder, each)) for each in FLOORS]
        ours = Glass(page, look)
        for write in islice(writes(FrameDealer(table), table), frames):
            ours.show(write)
            for bare, shoe in floors:
                bare.show(shoe.draw)
    return [each.times for each in (ours, *(bare for bare, _ in floors))]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--frames", type=int, default=200, help="on each side of each page")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    words.add_argument("--page", choices=MEASURED, action="append", help="only this one")
    given = words.parse_args()
    print(f"last byte of a frame to the first frame that shows it, {given.frames} each, in turns with the bare streams")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name in given.page or MEASURED:
            with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
                times = compare(browser, name, given.frames, Path(folder))
            for share in (50, 99):
                mine, *floors = (percentile(each, share) for each in times)
                beside = (
                    f"{kind} {bare:4.1f} ms {mine / bare:4.2f}×" for kind, bare in zip(FLOORS, floors, strict=True)
                )
                print(f"{name:8} p{share} {mine:5.1f} ms   " + "   ".join(beside), flush=True)
        browser.close()
    print("aim: 1.50× the bare stream at the p50, and a p99 under 50 ms on a machine that does nothing else")


if __name__ == "__main__":
    main()
