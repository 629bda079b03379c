"""Failures of every part while tables deal: in the end the floor has each event and round once.

python -m tests.floor.failures   twenty tables, 2,000 rounds, one table cut off for a minute; takes 1 to 3 minutes

The order: a table is cut off; each server is killed in turn, then tables, then the floor; the table is connected again;
the floor is stopped; events are sent a second time; the servers' disk is full, which stops all three; the disk has
room and the servers are started again; the floor starts, far behind.
"""

import argparse
import asyncio
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
from nats.aio.client import Client

from controller.bus import names as n
from controller.bus.bus_client import FAILED
from controller.journal import read
from tests.bus.tables import as_over_http, stored
from tests.floor.dealing import cards
from tests.floor.service import FloorVisitor
from tests.floor.studio_parts import DealingProcess
from tests.floor.whole_studio import FULL, SHORT, Shape, WholeStudio
from tests.networks import cut, join

AGAIN = 200  # number of events that are sent twice
ENDS = ("settled", "cancelled")


async def play(house: WholeStudio) -> None:
    """Let all failures happen while the tables deal."""
    visitor = await house.floor.visitor()
    await everyone_is_heard(house, visitor)
    began = await cut_off(house, visitor)
    await kill_servers(house)
    await kill_tables(house)
    visitor = await kill_floor(house)
    await asyncio.sleep(max(0.0, began + house.shape.cut - time.monotonic()))
    join(house.apart.program)
    house.say(f"{house.apart.sitting.name} is back")
    await everyone_is_heard(house, visitor)
    await far_behind(house)
    await house.come(lambda: house.over)
    house.say("all has been dealt and sent")


async def kill_servers(house: WholeStudio) -> None:
    for server in house.cluster.servers:
        await house.pass_by(house.some)
        server.kill()
        house.say(f"{server.name} is killed")
        await house.pass_by(house.some)
        await asyncio.to_thread(server.start)


async def kill_tables(house: WholeStudio) -> None:
    for seat in house.seats[:3]:
        seat.kill()
        await house.pass_by(house.some // 4)
        seat.start()
    house.say("three tables were killed")


async def kill_floor(house: WholeStudio) -> FloorVisitor:
    house.floor.end(signal.SIGKILL)
    house.say("the floor is killed")
    await house.pass_by(house.some)
    house.floor.start()
    return await house.floor.visitor()


async def everyone_is_heard(house: WholeStudio, visitor: FloorVisitor) -> None:
    """Wait until the floor hears every table, or all rounds are dealt."""
    while True:
        strips = (await visitor.now())["strips"]
        if sum(strip["heard"] is None for strip in strips) == len(house.seats) or house.over:
            return
        await asyncio.sleep(0.1)


async def cut_off(house: WholeStudio, visitor: FloorVisitor) -> float:
    """Cut a table off and wait until the floor shows it as not heard; return the time of the cut.

    `test_live_tables` proves with a clock set by the test that this happens after three missed heartbeats.
    """
    cut(house.apart.program)
    began, name = time.monotonic(), house.apart.sitting.name
    house.say(f"{name} is cut off")
    while True:
        answer = await visitor.ask("GET", "/api/floor/now?lang=en")
        strip = next(one for one in answer.body["strips"] if one["table"] == name)
        if strip["heard"] is not None:
            break
        await asyncio.sleep(0.02)
    house.figures["cut off, shown after (s)"] = round(time.monotonic() - began, 2)
    return began


async def far_behind(house: WholeStudio) -> None:
    """Stop the floor for many events, some of them sent twice; meanwhile fill the disk of the bus."""
    house.floor.end()
    gone = house.events
    house.say("the floor is stopped")
    await send_again(house)
    await house.pass_by(house.shape.behind // 2)
    house.disk.fill()
    await refused(house)
    house.say("the disk is full")
    await house.pass_by(house.shape.behind // 4)
    house.disk.empty()
    await asyncio.to_thread(house.cluster.kill)
    await asyncio.to_thread(house.cluster.launch)
    house.say("there is room, the servers were started again")
    await house.pass_by(max(0, house.shape.behind - (house.events - gone)))
    before = sum(house.floor.known().values())
    house.floor.start()
    began = time.monotonic()
    backlog = house.events - before
    await house.come(lambda: sum(house.floor.known().values()) >= before + backlog)
    took = time.monotonic() - began
    house.figures["behind (events)"], house.figures["caught up within (s)"] = backlog, round(took, 1)
    house.say("the floor has caught up")


async def send_again(house: WholeStudio) -> None:
    """Send a table's first events again with its own key, as messages that the stream does not recognize."""
    seat = house.seats[0]
    async with house.cluster.client("tables", seat.sitting.name) as client:
        epoch = next(read(seat.path)).what.epoch
        for seq, event in as_over_http(seat.path, "manager")[:AGAIN]:
            headers = {n.EPOCH: epoch, n.SEQ: str(seq)}
            subject = n.TableNames("main", seat.sitting.name).subject("event", "manager")
            house.again.add((subject, epoch, seq))
            await publish_until_stored(client, subject, msgspec.json.encode(event), headers)


async def publish_until_stored(
    client: Client, subject: str, body: bytes, headers: dict[str, str] | None = None
) -> None:
    """Publish until the bus accepts; after a lost server the message may be stored more than once."""
    while True:
        try:
            await client.jetstream().publish(subject, body, timeout=5, headers=headers)
        except FAILED:
            await asyncio.sleep(0.1)
        else:
            return


async def refused(house: WholeStudio) -> None:
    """Fill the disk until the bus refuses a message."""
    async with house.cluster.client("admin") as admin:
        while True:
            try:
                await admin.jetstream().publish("$KV.tablectl_claims.main.probe", bytes(4096), timeout=2)
            except FAILED:
                return
            house.disk.fill()


# ── the comparison ───────────────────────────────────────────────────────────────────────────────────────────────────


async def compared(house: WholeStudio) -> None:
    """Compare the floor's store, and the bus for a platform, with the journals: none lost, none twice."""
    total = house.events
    await house.come(lambda: sum(house.floor.known().values()) >= total)
    async with house.cluster.client("admin") as admin:
        messages = await stored(admin, "EVENTS")
    sent = Counter((one.subject, one.epoch, one.seq) for one in messages)
    bodies = {(one.subject, one.seq): one.body for one in messages}
    for seat in house.seats:
        of_table(house, seat)
        for audience in ("manager", "server"):
            subject = n.TableNames("main", seat.sitting.name).subject("event", audience)
            for seq, event in as_over_http(seat.path, audience):
                assert bodies.pop((subject, seq)) == event
    assert not bodies
    doubled = {key for key, count in sent.items() if count > 1}
    assert doubled == house.again, doubled ^ house.again
    house.figures["events"], house.figures["on the bus"] = total, len(messages)
    times = sorted(took for seat in house.seats for took in cards(seat.path))
    for what, part in (("half", 0.5), ("99 of 100", 0.99), ("all", 1.0)):
        house.figures[f"{what} cards within (ms)"] = round(1000 * times[int(part * (len(times) - 1))], 1)


def of_table(house: WholeStudio, seat: DealingProcess) -> None:
    """Compare a table's events and rounds at the floor with its journal."""
    name = seat.sitting.name
    rows = house.floor.rows(
        "SELECT seq, body FROM events JOIN epochs ON epochs.id = events.epoch "
        f"WHERE table_ = '{name}' ORDER BY epochs.id, seq"
    )
    assert [(seq, msgspec.json.decode(body)) for seq, body in rows] == as_over_http(seat.path, "manager"), name
    rounds = house.floor.rows(f"SELECT number, how FROM rounds WHERE table_ = '{name}' ORDER BY number")
    ended = [(record.round, record.kind) for record in read(seat.path) if record.kind in ENDS]
    assert rounds == ended, name
    house.figures["rounds"] = int(str(house.figures.get("rounds", 0))) + len(ended)


async def all_of_it(folder: Path, shape: Shape) -> dict[str, object]:
    """Run a studio through all failures; return the measured figures."""
    house = WholeStudio(folder, shape)
    async with house.at_work():
        await play(house)
        await compared(house)
    return house.figures


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--short", action="store_true", help="six tables, 300 rounds")
    shape = SHORT if words.parse_args().short else FULL
    with tempfile.TemporaryDirectory() as folder:
        for what, figure in asyncio.run(all_of_it(Path(folder), shape)).items():
            print(f"{what:>28}: {figure}")


if __name__ == "__main__":
    main()
