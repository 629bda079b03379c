"""Watch of a codec under test: only a feed may not take long."""

import itertools
import threading
import time
from types import SimpleNamespace

import pytest

from controller.lab.testing import watch
from controller.lab.testing.broken import Broken
from controller.lab.testing.watch import WatchedCodec, run_watched


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Sample often, and take a few thousand steps for an endless loop."""
    monkeypatch.setattr(watch, "SAMPLE", 0.005)
    monkeypatch.setattr(watch, "ENDLESS", 1)


def work_hard() -> None:
    """Use the processor for longer than the watch allows a feed."""
    end = time.thread_time() + 0.05 + 2 * watch.loop_time()
    while time.thread_time() < end:
        pass


class OneFeed:
    """Codec made of one function."""

    def __init__(self, feed):
        self.feed = feed


def test_work_between_two_feeds_may_take_long():
    def work(progress):
        WatchedCodec(OneFeed(lambda _: []), progress).feed(b"1")
        work_hard()

    run_watched(work)


def test_a_thread_that_works_between_samples_does_not_wait(monkeypatch):
    """The kernel may show it as sleeping at each sample, as it waits for the disk or another thread meanwhile."""
    samples, enough = itertools.count(1), threading.Event()

    def spent(_: int) -> float:
        number = next(samples)
        if number > 3 * watch.ASLEEP:
            enough.set()
        return 0.002 * number

    own = SimpleNamespace(clock_gettime=spent, pthread_getcpuclockid=lambda _: 0, thread_time=time.thread_time)
    monkeypatch.setattr(watch, "time", own)
    monkeypatch.setattr(watch, "ENDLESS", 10**9)
    run_watched(lambda progress: WatchedCodec(OneFeed(lambda _: [enough.wait()][1:]), progress).feed(b"1"))


def test_a_feed_that_works_too_long_is_reported():
    with pytest.raises(Broken, match="it is in an endless loop"):
        run_watched(lambda progress: WatchedCodec(OneFeed(lambda _: work_hard() or []), progress).feed(b"1"))
