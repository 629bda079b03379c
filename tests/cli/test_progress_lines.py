"""Progress lines of long work: a new line is printed once, then repeated as `still:` until the next."""

import asyncio
from types import SimpleNamespace

import pytest

from controller.cli import progress_lines
from controller.cli.progress_lines import ProgressLines
from tests.clocks import ManualClock
from tests.patience import until


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(progress_lines, "QUIET", 0.005)


def lines(capsys) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_what_is_waited_for_is_repeated_until_there_is_news(capsys):
    news, output = ProgressLines("the table is asked"), []

    async def work() -> int:
        await until(lambda: output.extend(lines(capsys)) or len(output) > 1)
        news.tell("round 1")
        news.tell("round 1")
        await until(lambda: output.extend(lines(capsys)) or "still: round 1" in output)
        return 7

    assert asyncio.run(news.await_work(work())) == 7
    assert output[:2] == ["still: the table is asked"] * 2
    assert output.count("round 1") == 1


def test_each_line_is_repeated_only_after_a_quiet_time(monkeypatch):
    clock = ManualClock()
    monkeypatch.setattr(progress_lines, "time", SimpleNamespace(monotonic=clock))
    news = ProgressLines("the table is asked")
    clock.now += 3
    news.tell("round 1")
    assert news._seconds_left == pytest.approx(progress_lines.QUIET)


def test_a_work_that_ends_at_once_is_not_repeated(capsys):
    news = ProgressLines("nothing yet")

    async def work() -> None:
        news.tell("it begins")

    asyncio.run(news.await_work(work()))
    assert lines(capsys) == ["it begins"]


def test_an_error_of_the_work_is_raised():
    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(ProgressLines("").await_work(work()))


def test_cancelled_work_cleans_up_first():
    began, cleaned = asyncio.Event(), []

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)

    async def run() -> None:
        task = asyncio.create_task(ProgressLines("").await_work(work()))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert cleaned == [True]
