"""Watch a codec under test: its feeds, waits and processor time.

The codec runs in a thread of its own, so that a codec which sleeps or never returns ends with an error message. No
limit is in seconds of real time: waiting is detected by the kernel's thread state, and work is measured in steps of an
empty loop on the same machine.
"""

import ctypes
import resource
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from drivers.events import DeviceEvent
from drivers.models import Feedable

from .broken import Broken

SAMPLE = 0.1  # seconds between two samples of the thread's state
ASLEEP = 20  # samples in a row without any work of the same feed, after which it counts as waiting
STEPS = 20_000  # steps of an empty loop, the unit in which work is measured
MOST_LOOPS = 10  # most loops of STEPS for one message; our codecs need a hundredth of one
ENDLESS = 60 * MOST_LOOPS

WAITS = "expected feed to return at once, it waits"
NO_WAIT = "leave out what sleeps or waits: the table waits, and calls feed when bytes have come"
QUICK = "look at each byte of a message once, and do nothing else"


class Codec(Feedable, Protocol):
    """Codec under test of a device whose bytes are a stream."""

    def reset(self) -> None:
        """Drop an incomplete message."""


class Progress:
    """Progress of feeding, for the watching thread."""

    def __init__(self) -> None:
        self.feeds, self.data = 0, b""
        self.begun, self.clock = threading.Event(), 0  # `clock`: id of the feeding thread's processor clock

    def capture_text(self) -> list[str]:
        """Bytes in the notation of a capture."""
        return [self.data.hex(" ").upper()[:200]]


Tried = TypeVar("Tried", bound=Feedable)


class WatchedCodec(Generic[Tried]):
    """Codec whose feeds and events are noted for a display."""

    def __init__(self, codec: Tried, progress: Progress) -> None:
        self.codec, self._progress = codec, progress

    def feed(self, data: bytes) -> list[DeviceEvent]:
        """Feed the codec and return its events, and note the progress."""
        self._progress.feeds += 1
        self._progress.data = data
        try:
            return list(self.codec.feed(data))
        finally:
            self._progress.feeds += 1


Watched = Callable[[], WatchedCodec[Tried]]
Fresh = Watched[Codec]
Events = Callable[[WatchedCodec[Tried], Iterable[bytes]], Sequence[object]]  # feeds the bytes; raises Broken
Tells = Events[Codec]


def _switches() -> int:
    """Number of times that this thread has given up the processor voluntarily."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw


def run_watched(work: Callable[[Progress], None]) -> None:
    """Run the work in a thread and watch it until it is done.

    Raises the work's exceptions, and Broken if the work waits or never returns.
    """
    progress, done = Progress(), Future[None]()
    thread = threading.Thread(target=_run, args=(work, progress, done), daemon=True)
    thread.start()
    _look_on(thread, progress, done)
    done.result()


def _run(work: Callable[[Progress], None], progress: Progress, done: Future[None]) -> None:
    progress.clock = time.pthread_getcpuclockid(threading.get_ident())
    progress.begun.set()
    try:
        work(progress)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the one who waits raises it
        done.set_exception(error)
    else:
        done.set_result(None)


def _look_on(thread: threading.Thread, progress: Progress, done: Future[None]) -> None:
    """Watch the feeding thread until it is done. Raises Broken."""
    progress.begun.wait()
    feeds, begun, last, still = -1, 0.0, 0.0, 0
    limit = ENDLESS * loop_time()
    while not _is_done(done):
        try:
            spent = time.clock_gettime(progress.clock)
        except OSError:  # the thread has just ended
            continue
        if progress.feeds != feeds:
            feeds, begun, still = progress.feeds, spent, 0
        still = still + 1 if _sleeps(thread) and spent - last < 0.001 else 0
        last = spent
        if still >= ASLEEP:
            raise Broken(WAITS, progress.capture_text(), NO_WAIT)
        if feeds % 2 and spent - begun > limit:
            _stop(thread)
            raise Broken("expected feed to return, it is in an endless loop", progress.capture_text(), QUICK)


def _is_done(done: Future[None]) -> bool:
    """True if the feeding is done, after waiting a moment."""
    try:
        done.exception(SAMPLE)
    except TimeoutError:
        return False
    return True


def _sleeps(thread: threading.Thread) -> bool:
    """True if the kernel shows the thread as sleeping: it waits for something other than the processor."""
    try:
        stat = Path(f"/proc/self/task/{thread.native_id}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:  # the thread has just ended
        return False
    return stat.rpartition(")")[2].split()[0] == "S"


def _stop(thread: threading.Thread) -> None:
    """Raise SystemExit in the thread at its next Python step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))


def loop_time() -> float:
    """Processor seconds that STEPS steps of an empty loop take on this machine now."""
    return min(_loop() for _ in range(3))


def _loop() -> float:
    begun, mixed = time.thread_time(), 0
    for byte in bytes(STEPS):
        mixed ^= byte
    return time.thread_time() - begun


def check_waits(makes: Watched[Tried], tells: Events[Tried], messages: Sequence[bytes]) -> None:
    """Check that the codec neither waits nor takes too long for any message. Raises Broken."""
    passes = [_feed_messages(makes(), tells, messages) for _ in range(2)]
    _check_spent(messages, passes)
    passes += [_feed_messages(makes(), tells, messages) for _ in range(3)]
    for line, feeds in zip(messages, zip(*passes, strict=True), strict=True):
        if all(waited for waited, _ in feeds):
            raise Broken(WAITS, [line.hex(" ").upper()[:200]], NO_WAIT)


def _feed_messages(
    codec: WatchedCodec[Tried], tells: Events[Tried], messages: Sequence[bytes]
) -> list[tuple[bool, float]]:
    """Feed each message; return for each if the codec waited, and its processor seconds."""
    feeds = []
    for line in messages:
        switches, begun = _switches(), time.thread_time()
        tells(codec, [line])
        feeds.append((_switches() > switches, time.thread_time() - begun))
    return feeds


def _check_spent(messages: Sequence[bytes], passes: Sequence[Sequence[tuple[bool, float]]]) -> None:
    limit = MOST_LOOPS * loop_time()
    for line, feeds in zip(messages, zip(*passes, strict=True), strict=True):
        times = min(spent for _, spent in feeds) / limit
        if times > 1:
            raise Broken(
                f"expected a message to take the processor no longer than {STEPS * MOST_LOOPS} steps of a bare loop, "
                f"it takes {times:.0f} times as long",
                [line.hex(" ").upper()[:200]],
                QUICK,
            )
