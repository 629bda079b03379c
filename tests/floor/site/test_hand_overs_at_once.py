"""Hand-overs of a floor while its own record is being read."""

import asyncio
import threading
from types import SimpleNamespace

from controller.config.people import KnownPerson, Person
from controller.config.shifts import ShiftsSection
from controller.core.clock import to_text
from controller.floor.people.act_messages import HandOverAct, OwnPin
from controller.floor.people.viewers import Viewer
from controller.floor.site.hand_over import HandOvers
from controller.floor.storage.floor_record import FloorRecordEntry
from controller.text.faults import Words
from controller.web.api.hand_over_message import Credentials
from tests.floor.statuses import START
from tests.patience import PATIENCE, on_loop, until


def test_a_hand_over_counts_once_while_the_record_is_read():
    """The page began to read before the hand-over and ends after it."""
    record, reading, made = list[FloorRecordEntry](), threading.Event(), threading.Event()

    def read():
        entries = list(record)
        if not reading.is_set():
            reading.set()
            made.wait(PATIENCE)
        return entries

    async def require(kind, **fields):
        record.append(FloorRecordEntry(len(record) + 1, {"kind": kind, "at": to_text(START), **fields}))

    parts = SimpleNamespace(shifts=ShiftsSection()), None, read, SimpleNamespace(require=require)
    handing = HandOvers("main", None, *parts, lambda: START)
    maria, livia = Viewer("103", "Maria", frozenset()), KnownPerson("106", Person("Livia"))
    act = HandOverAct(Credentials("106", ""), OwnPin(""))

    async def steps():
        page = asyncio.create_task(handing._hand_overs())
        await until(reading.is_set)
        assert (await handing._take(act, maria, livia, Words("en"))).done
        made.set()
        await page
        assert (await handing._take(act, maria, livia, Words("en"))).done
        assert len(record) == 1

    on_loop(steps)
