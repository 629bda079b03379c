"""Rules of calling without a bus: several tables, faults, epochs, levels, targets and floors."""

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from nats.errors import ConnectionClosedError
from structlog.testing import capture_logs

from controller.bus.keys import new_seed
from controller.config.alerts import Target
from controller.core.clock import to_text
from controller.floor.live.call_text import message
from controller.floor.live.calls import AGAIN, AT_A_TIME, EVERY, FAILING, CallContext, CallSender
from controller.floor.live.subscriptions import TableSubscriptions
from controller.floor.shared_state.documents import AlertNote
from controller.journal.tasks import cancel_tasks
from controller.outputs.hold import SILENT
from controller.text.coded import render
from tests.floor.statuses import START, calling_status, status
from tests.patience import on_loop, until

TARGETS = {"first": Target(url="json://a"), "chief": Target(url="json://b"), "boss": Target(url="json://c", level=2)}


class MemoryDocuments:
    """Shared documents of floors, in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, object] = {}

    async def read(self, key: str, _: type) -> object:
        return self.kept.get(key)

    async def change(self, key: str, _: type, edit) -> bool:
        self.kept[key] = edit(self.kept.get(key))
        return True


class Post:
    """Sent messages as `(target, title)`. `down`: targets that accept no message."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.down: set[str] = set()

    async def __call__(self, message, patience: float) -> str | None:
        name = next(name for name, target in TARGETS.items() if target.url == message.target.url)
        if name in self.down:
            return "down"
        self.sent.append((name, message.title))
        return None


class CallingFloor:
    """Floor that calls shift managers, with statuses given by the test."""

    def __init__(self, name: str = "main", documents: MemoryDocuments | None = None) -> None:
        self.steady, self.post, self.documents = 100.0, Post(), documents or MemoryDocuments()
        self.tables: dict[str, object] = {}
        event = asyncio.Event()
        event.set()
        self.line = SimpleNamespace(there=event)
        hall = SimpleNamespace(sees=True, tables=self.tables, status_of=self.tables.get)
        shared = SimpleNamespace(documents=self.documents)
        context = CallContext(self.line, "main", name, new_seed(), {}, TARGETS, lambda *_, **__: None, self.post)
        self.calling = CallSender(context, hall, shared, lambda: START, list, lambda: self.steady)
        assert not self.calling._is_ours()
        self.steady += 2 * EVERY

    def say(self, *statuses) -> None:
        """Set the statuses of these tables."""
        self.tables.update((one.table, one) for one in statuses)

    def due(self) -> list[str]:
        """Return the tables for which the floor would call now."""
        return [name for name, one in self.tables.items() if one.fault and self.calling._is_due(name, one, one.fault)]

    async def call(self) -> list[str]:
        """Make all calls that are due; return their targets."""
        self.post.sent.clear()
        for name in self.due():
            await self.calling._tell(name)
        return sorted(name for name, _ in self.post.sent)


def with_calls(steps) -> None:
    """Run the test's steps with a calling floor."""

    async def run() -> None:
        await steps(CallingFloor())

    on_loop(run)


def test_a_call_names_place_fault_and_stakes_on_separate_lines():
    called = calling_status()
    texts = {"en": replace(called.texts["en"], money="10.00 EUR at risk")}
    sent = message(TARGETS["first"], replace(called, texts=texts), called.fault, again=False)
    assert sent.body.splitlines() == [
        "table t1, round 1, dealer Ion: paused since 2027-01-15 08:00:00 UTC",
        "A card came early.",
        "5♥ came.",
        "10.00 EUR at risk",
    ]


def test_each_level_of_each_fault_is_sent_once():
    async def steps(room):
        room.say(calling_status(), calling_status("t2", seq=21))
        assert await room.call() == ["chief", "chief", "first", "first"]
        assert await room.call() == []
        room.say(calling_status(calls=1))
        assert await room.call() == ["boss"]
        assert await room.call() == []
        room.say(calling_status(seq=30))  # another fault
        assert await room.call() == ["chief", "first"]
        room.say(replace(calling_status(seq=30, waits=5), epoch="e2"))  # another fault of the same number
        assert await room.call() == ["chief", "first"]
        assert await room.call() == []

    with_calls(steps)


def test_a_restart_of_the_table_calls_further_levels_anew():
    """Nobody acknowledged the fault: the table counts its calls again from the restart, as its own alerts do."""

    async def steps(room):
        room.say(calling_status(calls=1))
        assert await room.call() == ["boss", "chief", "first"]
        room.say(calling_status(restarted=to_text(START)))
        assert await room.call() == []
        room.say(calling_status(calls=1, restarted=to_text(START)))
        assert await room.call() == ["boss"]
        assert await room.call() == []

    with_calls(steps)


def test_each_offer_to_cancel_calls_level_one_once():
    """An offer that an extension has ended counts as sent; the next one is another."""

    async def steps(room):
        room.say(calling_status(calls=1))
        await room.call()
        for offer, to in ((1, ["chief", "first"]), (0, []), (2, ["chief", "first"])):
            room.say(calling_status(calls=1, offer=offer))
            assert await room.call() == to
            assert await room.call() == []

    with_calls(steps)


def test_an_offer_that_another_floor_has_sent_is_not_repeated():
    async def steps(room):
        room.documents.kept["t1.mailed"] = AlertNote("e1", 11, 2, "annex", "", offer=1)
        room.say(calling_status(calls=1, offer=1))
        assert await room.call() == []
        room.say(calling_status(calls=1, offer=2))
        assert await room.call() == ["chief", "first"]
        assert room.documents.kept["t1.mailed"].offer == 2

    with_calls(steps)


def test_only_the_target_that_failed_is_tried_again():
    async def steps(room):
        room.say(calling_status(), calling_status("t2", seq=21))
        room.post.down = {"chief"}
        assert await room.call() == ["first", "first"]
        assert room.due() == []
        room.steady += AGAIN - 0.1
        assert room.due() == []
        room.steady += 0.1
        assert room.due() == ["t1", "t2"]
        room.post.down = set()
        assert await room.call() == ["chief", "chief"]
        assert room.calling._sent == set()

    with_calls(steps)


def test_a_note_of_one_table_leaves_messages_of_others():
    async def steps(room):
        room.say(calling_status("t2", seq=21))
        room.post.down = {"chief"}
        assert await room.call() == ["first"]
        room.post.down = set()
        room.say(calling_status())
        assert await room.call() == ["chief", "first"]
        room.steady += AGAIN
        assert await room.call() == ["chief"]

    with_calls(steps)


def test_a_floor_calls_again_once_a_target_takes_messages():
    async def steps(room):
        room.say(calling_status())
        room.post.down = {"chief"}
        await room.call()
        assert (room.calling.calls, "alerts.chief" in render(room.calling.trouble or "")) == (False, True)
        room.post.down = set()
        room.steady += AGAIN
        await room.call()
        assert (room.calling.calls, room.calling.trouble) == (True, None)

    with_calls(steps)


@pytest.mark.parametrize(("late", "calls"), [(FAILING - 0.1, False), (FAILING, True)])
def test_a_target_that_failed_is_doubted_for_ten_minutes(late, calls):
    async def steps(room):
        room.say(calling_status())
        room.post.down = {"first"}
        await room.call()
        room.steady += late
        assert room.calling.calls is calls

    with_calls(steps)


@pytest.mark.parametrize(("late", "ours"), [(2 * EVERY - 0.01, False), (2 * EVERY, True)])
def test_a_floor_listens_two_seconds_first_and_after_each_cut(late, ours):
    """Before it calls, a floor waits for heartbeats of other floors that call already."""

    async def steps(room):
        room.line.there.clear()
        assert not room.calling._is_ours()
        room.line.there.set()
        assert not room.calling._is_ours()
        room.steady += late
        assert room.calling._is_ours() is ours

    with_calls(steps)


def test_a_heartbeat_that_is_not_sent_is_logged_with_why():
    async def steps(room):
        async def publish(*_, **__) -> None:
            raise ConnectionClosedError

        room.line.client = SimpleNamespace(publish=publish)
        with capture_logs() as logs:
            beating = asyncio.create_task(room.calling._beat())
            await until(lambda: logs or beating.done())
            await cancel_tasks([beating])
        assert (logs[0]["event"], logs[0]["reason"]) == ("floor_beat_not_sent", "connection closed")

    with_calls(steps)


def test_of_several_floors_the_first_by_name_that_calls_sends():
    """Floor `annex` comes before `main`: while it calls and is heard, `main` does not call."""

    async def steps(room):
        note = room.calling._note_other_floor
        note("main", calls=True)  # the floor's own heartbeat
        note("south", calls=True)
        assert room.calling._is_ours()
        note("annex", calls=True)
        assert not room.calling._is_ours()
        note("annex", calls=False)
        assert room.calling._is_ours()
        note("annex", calls=True)
        room.steady += SILENT - 0.01
        assert not room.calling._is_ours()
        room.steady += 0.01
        assert room.calling._is_ours()

    with_calls(steps)


def test_messages_about_only_four_tables_are_sent_at_a_time():
    async def steps(room):
        room.say(*(calling_status(f"t{number}") for number in range(AT_A_TIME + 2)))
        for name in room.due():
            if name in room.due():
                room.calling._under_way[name] = asyncio.create_task(asyncio.sleep(0))
        assert len(room.calling._under_way) == AT_A_TIME
        await asyncio.gather(*room.calling._under_way.values())

    with_calls(steps)


@pytest.mark.parametrize(
    ("noted", "to"),
    [
        (AlertNote("e1", 11, 1, "annex", ""), ["boss"]),
        (AlertNote("e1", 11, 2, "annex", ""), []),
        (AlertNote("e1", 10, 2, "annex", ""), ["boss", "chief", "first"]),
        (AlertNote("e0", 11, 2, "annex", ""), ["boss", "chief", "first"]),
    ],
)
def test_messages_sent_by_another_floor_are_not_sent_again(noted, to):
    async def steps(room):
        room.documents.kept["t1.mailed"] = noted
        room.say(calling_status(calls=1))
        assert await room.call() == to
        (document,) = room.documents.kept.values()
        assert (document.epoch, document.fault, document.level) == ("e1", 11, 2)

    with_calls(steps)


@pytest.mark.parametrize("level", [1, 2])
def test_another_floors_note_that_says_no_less_is_kept(level):
    """The other floor has sent this level or a later one while this one sent level one."""
    later = AlertNote("e1", 11, level, "annex", "")

    async def steps(room):
        async def post(*_) -> None:
            room.documents.kept["t1.mailed"] = later

        room.calling._context = room.calling._context._replace(post=post)
        room.say(calling_status())
        await room.call()
        assert room.documents.kept["t1.mailed"] is later

    with_calls(steps)


@pytest.mark.parametrize(
    ("restarted", "level", "offer", "covers"),
    [
        ("b", 1, 1, True),
        ("b", 1, 0, False),
        ("b", 0, 1, False),
        ("b", 2, 0, True),
        ("a", 2, 2, False),
        ("c", 0, 0, True),
    ],
)
def test_a_note_after_a_later_restart_covers_all_earlier_levels(restarted, level, offer, covers):
    """A restart counts levels anew, and a level its offers."""
    one = AlertNote("e1", 11, level, "annex", "", restarted, offer)
    assert one.covers(AlertNote("e1", 11, 1, "main", "", "b", 1)) is covers


def test_a_floor_stops_between_two_levels_once_another_calls():
    async def steps(room):
        async def post(message, patience: float) -> None:
            room.calling._note_other_floor("annex", calls=True)
            await room.post(message, patience)

        room.calling._context = room.calling._context._replace(post=post)
        room.say(calling_status(calls=1))
        assert await room.call() == ["chief", "first"]

    with_calls(steps)


def test_a_new_epochs_fault_waits_until_its_note_is_read():
    """While level one of a fault is sent, its table begins a new epoch, with a fault of the same number."""

    async def steps(room):
        async def post(message, patience: float) -> None:
            room.say(replace(calling_status(calls=1), epoch="e2"))
            await room.post(message, patience)

        room.calling._context = room.calling._context._replace(post=post)
        room.say(calling_status())
        assert await room.call() == ["chief", "first"]
        room.documents.kept["t1.mailed"] = AlertNote("e2", 11, 2, "annex", "")
        assert await room.call() == []

    with_calls(steps)


def test_a_call_whose_note_cannot_be_read_waits_too():
    async def steps(room):
        async def read(*_) -> None:
            raise ConnectionClosedError

        room.documents.read = read
        room.say(calling_status())
        with capture_logs() as logs:
            assert await room.call() == []
        assert logs == [{"event": "not_called", "log_level": "warning", "table": "t1", "reason": "connection closed"}]
        room.steady += AGAIN - 0.1
        assert room.due() == []
        room.steady += 0.1
        assert room.due() == ["t1"]

    with_calls(steps)


def test_a_sent_message_whose_note_is_refused_is_logged():
    async def steps(room):
        async def change(*_) -> bool:
            return False

        room.documents.change = change
        room.say(calling_status("t2", seq=21))
        with capture_logs() as logs:
            assert await room.call() == ["chief", "first"]
        assert logs == [{"event": "call_not_noted", "log_level": "warning", "table": "t2", "fault": 21}]
        assert await room.call() == []

    with_calls(steps)


def subscriptions() -> TableSubscriptions:
    """Return a floor's subscriptions that have received nothing yet; no head is known."""
    live = TableSubscriptions.__new__(TableSubscriptions)
    live._newest, live._past, live._beaten, live._ahead, live._buckets = {}, {}, {}, {}, ()
    live._epochs = SimpleNamespace(is_current=lambda *_: None, forget=lambda _: None, judge_anew=lambda: None)
    return live


def test_a_table_with_a_new_key_is_heard_anew():
    live = subscriptions()
    for table, epoch in (("t1", "e1"), ("t1", "e2"), ("t2", "e1"), ("t2", "e2")):
        live._is_newer(status(table, epoch=epoch))
        live._is_later(table, 10**12, START)
        live._is_later(table, 10**16, START)
    live.judge_anew(["t1"])
    assert [live._is_newer(status(table, epoch="e1")) for table in ("t1", "t2")] == [True, False]
    assert [live._is_later(table, 10**12, START) for table in ("t1", "t2")] == [True, False]
    assert [live._is_later(table, 10**16, START) for table in ("t1", "t2")] == [True, False]


def test_a_status_of_an_earlier_epoch_is_late():
    """Once a status of a new epoch is known, statuses of all earlier epochs are late."""
    live = subscriptions()
    results = [
        live._is_newer(status(name, epoch=epoch, seq=seq))
        for name, epoch, seq in (
            ("t1", "e1", 10), ("t2", "e1", 10), ("t1", "e1", 9), ("t1", "e1", 10), ("t1", "e2", 5), ("t1", "e3", 2),
            ("t1", "e2", 50), ("t1", "e1", 50), ("t2", "e1", 11), ("t1", "e3", 3),
        )
    ]  # fmt: skip
    assert results == [True, True, False, True, True, True, False, False, True, True]
