"""Signal of a stream's reader: it reads again soon while a message that was heard is not read yet."""

from types import SimpleNamespace

from controller.bus import stream_reader
from controller.bus.names import AT
from controller.bus.stream_reader import TRIES, StoredMessage, StreamSignal
from tests.patience import on_loop


def heard(at: str) -> SimpleNamespace:
    """Return a message of a time as the client hears it."""
    return SimpleNamespace(subject="a", headers={AT: at})


def stored(at: str) -> StoredMessage:
    """Return the same message as the stream has it."""
    return StoredMessage("a", 1, {AT: at}, b"", 0)


def test_a_message_is_awaited_until_the_latest_one_is_read():
    async def steps():
        signal = StreamSignal()
        for at in ("1", "2"):
            await signal.hear(heard(at))
        signal.forget_read([stored("1")])
        assert signal._due
        signal.forget_read([stored("2"), stored("3")])
        assert not signal._due

    on_loop(steps)


def test_a_message_that_is_never_stored_is_given_up(monkeypatch):
    monkeypatch.setattr(stream_reader, "GATHER", 0)

    async def steps():
        signal = StreamSignal()
        for at, waits in (("1", 3), ("2", TRIES)):
            await signal.hear(heard(at))
            for _ in range(waits):
                await signal.wait(0)
            assert signal._due
        await signal.wait(0)
        assert not signal._due

    on_loop(steps)
