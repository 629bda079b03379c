"""Limits of a journal and its outbox, tested on both sides, and counts that start again."""

import asyncio
import stat
from contextlib import closing
from types import SimpleNamespace

import pytest

from controller.core import records as r
from controller.journal import CannotRotate, Head, Journal, outbox, writer
from controller.journal.outbox import Outbox, Parcel, TargetPlaces
from controller.journal.writer import NEXT_TRY, Bounds


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.journal"


def records(first: int, last: int) -> list[r.Record]:
    return [r.Record(seq, 0, "t", r.CutCardDrawn()) for seq in range(first, last + 1)]


@pytest.mark.parametrize(
    ("bounds", "size", "age", "full"),
    [
        (Bounds(), 10**9, 10**9, False),
        (Bounds(size=100), 99, 0, False), (Bounds(size=100), 100, 0, True), (Bounds(size=100), 101, 0, True),
        (Bounds(age=100), 10**9, 99, False), (Bounds(age=100), 0, 100, True), (Bounds(age=100), 0, 101, True),
        (Bounds(100, 100), 99, 99, False), (Bounds(100, 100), 99, 100, True), (Bounds(100, 100), 100, 99, True),
    ],
)  # fmt: skip
def test_a_file_is_full_from_its_size_or_age_on(path, monkeypatch, bounds, size, age, full):
    with closing(Journal(path, bounds)) as book:
        monkeypatch.setattr(book, "_age", lambda: age)
        assert book._is_full(size) is full


def test_a_failed_rotation_is_tried_again_500_records_later(path, monkeypatch):
    with closing(Journal(path, Bounds(size=1))) as book:
        tries = []

        def rotate() -> None:
            tries.append(book.head.seq)
            raise CannotRotate("not now")

        monkeypatch.setattr(book, "rotate", rotate)
        book.append(records(1, 3))
        for last in (3, 3, 3 + NEXT_TRY - 1, 3 + NEXT_TRY, 3 + NEXT_TRY):
            if last > book.head.seq:
                book.append(records(book.head.seq + 1, last))
            assert not book.tidy()
        assert tries == [3, 3 + NEXT_TRY]


def test_the_log_is_emptied_once_for_what_was_written(path, monkeypatch):
    monkeypatch.setattr(writer, "LOG_BYTES", 2 * writer.PAGE)
    with closing(Journal(path)) as book:
        emptied = []
        monkeypatch.setattr(type(book._connect()), "empty_log", lambda *_: emptied.append(book.head.seq))
        for last in (1, 2, 3):
            book.append(records(last, last))
            for _ in range(3):
                book.tidy()
        assert emptied == [1, 2, 3]


def test_a_closed_journal_holds_no_file_and_no_lock(path):
    for _ in range(2):
        with closing(Journal(path)) as book:
            book.append(records(book.head.seq + 1, book.head.seq + 1))
            connection = book._connection
        assert (book._connection, book._lock._folder) == (None, None)
        assert connection is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(("seq", "good"), [(-1, False), (1, True), (2, True)])
@pytest.mark.parametrize(("digits", "long_enough"), [(62, False), (64, True), (66, False)])
def test_a_head_has_a_number_and_64_digits(seq, good, digits, long_enough):
    text = f"{seq}:{'ab' * (digits // 2)}"
    if good and long_enough:
        assert str(Head.parse(text)) == text
    else:
        with pytest.raises(ValueError, match="expected SEQ:HASH"):
            Head.parse(text)


# ── the outbox ───────────────────────────────────────────────────────────────────────────────────────────────────


class FailingTarget:
    """Delivery target that is down as often as given; keeps the waits and the stored positions."""

    def __init__(self, *down: int) -> None:
        self.down, self.waits, self.kept = list(down), [], []
        places = SimpleNamespace(move=lambda target, seq: self.kept.append((target, seq)))
        pace = SimpleNamespace(retry_delay=lambda failures: self.waits.append(failures) or 1.0)
        self.outbox = Outbox("mail", places, 0, lambda after: Parcel(after + 1, after + 1), self.post, pace, quiet=True)

    async def post(self, _: int) -> str | None:
        if self.down[0]:
            self.down[0] -= 1
            return "down"
        self.down.pop(0)
        return None


def test_after_each_delivery_failures_are_counted_anew():
    target = FailingTarget(3, 2, 0, 1)

    async def steps():
        while target.down:
            await target.outbox._attempt()

    asyncio.run(steps())
    assert target.waits == [1, 2, 3, 1, 2, 1]
    assert target.outbox.place == 4


def test_a_place_is_written_once_for_each_move():
    target = FailingTarget(0, 0, 0)

    async def steps():
        for _ in range(2):
            await target.outbox._attempt()
            for _ in range(3):
                await target.outbox._write()
        target.outbox._task = asyncio.create_task(asyncio.sleep(0))
        await target.outbox._attempt()
        await target.outbox.stop()  # the last position is stored at the end

    asyncio.run(steps())
    assert target.kept == [("mail", 1), ("mail", 2), ("mail", 3)]


def test_a_place_waits_to_be_written_until_its_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(outbox.time, "monotonic", lambda: now[0])
    target = FailingTarget(0, 0)
    target.outbox._keep, target.outbox._stored_at = 1.0, 100.0

    async def steps():
        await target.outbox._attempt()
        for later, places in ((0.0, []), (0.5, []), (0.5, [("mail", 1)])):
            now[0] += later
            assert await target.outbox._keep_place(None) == (None if places else 101.0 - now[0])
            assert target.kept == places

    asyncio.run(steps())


def test_other_users_lose_their_rights_to_an_outbox_file(path):
    places = TargetPlaces(path)
    places.begin(["mail"], 5)
    outbox.outbox_of(path).chmod(0o666)
    places.begin([], 5)
    assert stat.S_IMODE(outbox.outbox_of(path).stat().st_mode) == 0o640
