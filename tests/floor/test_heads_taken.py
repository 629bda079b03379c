"""Heads on the bus at a floor: only those signed by their table count, each once."""

from types import SimpleNamespace

import msgspec

from controller.bus.stream_reader import StoredMessage
from controller.core.mark import Mark
from controller.floor.live.epochs import Epochs


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


def test_a_malformed_head_is_skipped():
    epochs = epochs_after(head(1, "e1"), StoredMessage("tablectl.main.t1.head", 2, {"sound": "True"}, b"{}", 0))
    assert (epochs.is_current("t1", "e1"), epochs._head_numbers) == (True, {"t1": 2})
