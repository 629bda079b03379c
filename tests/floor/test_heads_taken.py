"""Heads on the bus at a floor: only those signed by their table count, each once."""

import asyncio
from types import SimpleNamespace

import msgspec

from controller.bus.stream_reader import StoredMessage
from controller.core.mark import Mark
from controller.floor.live.epochs import HEARD, Epochs
from controller.journal.tasks import cancel_tasks
from tests.patience import on_loop, until


def head(seq: int, epoch: str, table: str = "t1", *, sound: bool = True) -> StoredMessage:
    """Return a stored head of an epoch. `sound`: signed by its table."""
    body = msgspec.json.encode(Mark(epoch, 10 * seq, "00", table))
    return StoredMessage(f"tablectl.main.{table}.head", seq, {"sound": str(sound)}, body, 0)


def epochs_after(*found: StoredMessage) -> Epochs:
    """Return a floor's epochs after it has read these heads."""
    seals = SimpleNamespace(is_sound=lambda _, headers, __: headers["sound"] == "True")
    epochs = Epochs(SimpleNamespace(), "main", seals)
    epochs._take(found)
    return epochs


def test_a_head_without_its_tables_signature_does_not_count():
    epochs = epochs_after(head(1, "e1"), head(2, "e2", sound=False))
    assert (epochs.is_current("t1", "e1"), epochs.is_current("t1", "e2")) == (True, None)
    assert epochs._head_numbers == {"t1": 1}


def test_each_stored_head_is_read_once():
    epochs = epochs_after(head(2, "e1"))
    epochs._take([head(1, "e0"), head(2, "e3"), head(1, "e5", "t2")])
    assert list(epochs._heads["t1"]) == ["e1"]
    assert epochs.is_current("t2", "e5") is True
    assert epochs._last_seq == 1


def test_a_stream_remade_during_a_failure_is_read_at_once(monkeypatch):
    """Else the heads of the former stream would count for a minute more."""
    monkeypatch.setattr("controller.floor.live.epochs.AGAIN", 0)
    epochs, there, looks = epochs_after(head(1, "e1")), asyncio.Event(), []
    there.set()

    async def stream_info(_: str) -> SimpleNamespace:
        return SimpleNamespace(created="later" if len(looks) > 1 else "first", state=SimpleNamespace(last_seq=1))

    async def read() -> None:
        looks.append(list(epochs._heads))
        if len(looks) == 2:
            raise TimeoutError

    stream = SimpleNamespace(stream_info=stream_info)
    epochs._line, epochs._read = SimpleNamespace(there=there, client=SimpleNamespace(jetstream=lambda: stream)), read

    async def steps() -> None:
        task = asyncio.create_task(epochs.run())
        await until(lambda: len(looks) > 2)
        await cancel_tasks([task])

    on_loop(steps)
    assert looks[:3] == [["t1"], ["t1"], []]


def test_all_heads_are_read_again_once_when_other_keys_count(monkeypatch):
    asked = []

    async def read(*where: object) -> list[StoredMessage]:
        asked.append(where[3])
        return []

    monkeypatch.setattr("controller.floor.live.epochs.read", read)
    epochs = epochs_after(head(7, "e1"))
    epochs._line = SimpleNamespace(client=None)
    on_loop(epochs._read)
    epochs.judge_anew()
    on_loop(epochs._read)
    assert asked == [7, 0]
    epochs._take([head(7, "e1"), head(8, "e2", sound=False)])
    on_loop(epochs._read)
    assert asked == [7, 0, 8]


def test_a_malformed_head_is_skipped():
    epochs = epochs_after(head(1, "e1"), StoredMessage("tablectl.main.t1.head", 2, {"sound": "True"}, b"{}", 0))
    assert (epochs.is_current("t1", "e1"), epochs._head_numbers) == (True, {"t1": 2})


def test_a_second_pc_is_reported_while_it_is_heard():
    """Until three seconds after its last beat, until its epoch is the current one, or until the table has a new key."""
    epochs = epochs_after(head(1, "e1"), head(2, "e2"))
    assert not epochs.is_rival("t1", "e2", 0)
    assert epochs.troubles_of("t1", 0) == ()
    assert epochs.is_rival("t1", "e1", 0)
    assert [trouble.parts for trouble in epochs.troubles_of("t1", HEARD)] == [{"theirs": "e1", "ours": "e2"}]
    assert epochs.troubles_of("t1", HEARD + 1) == ()
    epochs._stands["t1"] = epochs._heads["t1"]["e1"]
    assert epochs.troubles_of("t1", HEARD) == ()
    epochs.forget("t1")
    assert epochs.troubles_of("t1", HEARD) == ()
