"""Streams of the bus: created by `tablectl bus init`, verified by `tablectl bus check`."""

from collections.abc import Iterator
from typing import NamedTuple

from nats.aio.client import Client
from nats.js.api import DiscardPolicy, StreamConfig, StreamInfo
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from ..config.bus import BusLine
from .line import FAILED, once, words_of
from .names import CLAIMS, DOCUMENT, EVENT, EVENTS, HEAD, HEADS, KEYS, LARGEST, ROSTER, STATUS, Place, roster_of
from .permissions import AUDIENCES
from .roster import publish
from .studio import Studio

SOUND = ((2, 12, 12), (2, 14, 3))  # oldest safe server versions, of two release lines
WINDOW = 600.0  # seconds in which a repeated message is recognised
GB, DAY = 10**9, 86_400.0


HALF = 2  # one table's events take at most half of the stream
NEARLY = 0.8  # share of its bytes from which a stream counts as nearly full
HEADERS = 1024  # bytes beside a body


class Keeping(NamedTuple):
    """Retention settings of the streams: days, size and number of replicas."""

    studio: str
    replicas: int = 1
    days: float = 7  # of events; a table's newest heads and statuses have no age
    events_gb: float = 12

    @property
    def events(self) -> int:
        """Number of events kept for each table and audience, computed for events of the largest size."""
        return max(1, round(self.events_gb * GB) // (HALF * len(AUDIENCES) * (EVENT + HEADERS)))


class StreamLimits(NamedTuple):
    """Limits of a stream: bytes of one body, and number of newest messages kept for each subject."""

    size: int
    messages: int


BOUNDS = {
    HEADS: StreamLimits(HEAD, 32),  # of each of a table's eight subjects
    f"KV_{STATUS}": StreamLimits(LARGEST, 3),
    f"KV_{CLAIMS}": StreamLimits(DOCUMENT, 5),
    f"KV_{KEYS}": StreamLimits(ROSTER, 5),
}
CLAIMS_BYTES = 256_000_000  # limit of all floors' documents together; beyond it writes are refused


def streams(keep: Keeping) -> Iterator[StreamConfig]:
    """Configuration of every stream, by the retention settings."""
    below = f"tablectl.{keep.studio}.*"
    for config in (
        StreamConfig(
            EVENTS,
            subjects=[f"{below}.event.*"],
            max_age=keep.days * DAY,
            max_bytes=round(keep.events_gb * GB),
            max_msg_size=EVENT + HEADERS,
            max_msgs_per_subject=keep.events,
            duplicate_window=WINDOW,
            deny_delete=True,
        ),
        _bounded(HEADS, *Place(keep.studio, "*").heads),
        _bounded(f"KV_{STATUS}", f"$KV.{STATUS}.>"),
        _bounded(f"KV_{CLAIMS}", f"$KV.{CLAIMS}.>").evolve(max_bytes=CLAIMS_BYTES, discard=DiscardPolicy.NEW),
        _bounded(f"KV_{KEYS}", roster_of(keep.studio)),
    ):
        config.deny_purge, config.allow_direct = True, True
        config.allow_rollup_hdrs = False  # with it, a key that may store one entry could empty the bucket
        config.num_replicas = keep.replicas
        yield config


def _bounded(name: str, *subjects: str) -> StreamConfig:
    """Configuration of a stream that keeps the newest messages of each subject.

    Each table writes only under its own subjects, so this limits its share. Only the admin's key can delete junk
    (`tablectl bus mend`).
    """
    size, messages = BOUNDS[name]
    return StreamConfig(
        name, subjects=[*subjects], max_msg_size=size + HEADERS, max_msgs_per_subject=messages, deny_delete=False
    )


async def made(section: BusLine, keep: Keeping, studio: Studio) -> list[str]:
    """Connect with the admin's key, create or update streams, and sign the roster.

    Returns the names of the streams that are new. Raises BusFailed, Unusable.
    """
    async with once(section, "_INBOX_admin") as client:
        new = await make(client, keep)
        await publish(client, studio)
        return new


async def make(client: Client, keep: Keeping) -> list[str]:
    """Create or update all streams. Returns the names of those that are new. Raises nats' errors."""
    stream, made = client.jetstream(timeout=10), list[str]()
    for config in streams(keep):
        try:
            was = (await stream.stream_info(str(config.name))).config
            config.deny_delete = (
                config.deny_delete or was.deny_delete
            )  # a stream of an earlier version keeps its setting
            await stream.update_stream(config)
        except NotFoundError:
            await stream.add_stream(config)
            made.append(str(config.name))
    return made


def is_same(was: StreamInfo, now: StreamInfo) -> bool:
    """True if `now` describes the same stream as `was`: neither recreated nor restored from an older copy."""
    return was.created == now.created and now.state.last_seq >= was.state.last_seq


async def wrong(client: Client, studio: str) -> list[str]:
    """Check server version and streams; return one line for each defect."""
    found = list(_version(client))
    for config in streams(Keeping(studio)):
        try:
            info = await _info(client.jetstream(timeout=2), str(config.name))
        except NotFoundError:
            found.append(f"there is no stream {config.name}: `tablectl bus init`, with the admin's key")
        except FAILED as error:
            found.append(f"stream {config.name} cannot be looked at: {words_of(error)}")
        else:
            found += _differs(config, info)
    return found


async def _info(stream: JetStreamContext, name: str) -> StreamInfo:
    return await stream.stream_info(name)


def _version(client: Client) -> Iterator[str]:
    there = client.connected_server_version
    numbers = there.major, there.minor, there.patch
    if not any(numbers >= floor and (floor is SOUND[-1] or numbers[:2] == floor[:2]) for floor in SOUND):
        says = ".".join(map(str, numbers))
        yield f"the server is {says}: expected 2.14.3 or later, or 2.12.12 of its line; others have known holes"


def _differs(wanted: StreamConfig, info: StreamInfo) -> Iterator[str]:
    there, name = info.config, wanted.name
    if there.subjects != wanted.subjects:
        yield f"stream {name}: expected subjects {wanted.subjects}, it has {there.subjects}"
    for key in ("deny_delete", "deny_purge"):
        if getattr(wanted, key) and not getattr(there, key):
            yield f"stream {name}: expected {key}, it can be emptied: make it anew"
    if there.allow_rollup_hdrs:
        yield f"stream {name}: expected no allow_rollup_hdrs, whoever writes there can empty it: `tablectl bus init`"
    if name == EVENTS and (there.duplicate_window or 0) < WINDOW:
        yield f"stream {name}: expected to know a message again for {WINDOW:g} s, not {there.duplicate_window or 0:g}"
    yield from _share(wanted, there) if name == EVENTS else _forgets(wanted, there)
    yield from _full(info)
    yield from _alone(info)


def _share(wanted: StreamConfig, there: StreamConfig) -> Iterator[str]:
    """Check that one table can take at most half of the events stream. The total is the studio's choice."""
    name, messages, size = wanted.name, there.max_msgs_per_subject or 0, there.max_msg_size or 0
    if (there.max_bytes or 0) <= 0 or not there.max_age:
        yield f"stream {name}: expected bounds of age and bytes: `tablectl bus init`"
    elif not 0 < size <= (wanted.max_msg_size or 0):
        yield f"stream {name}: expected max_msg_size {wanted.max_msg_size}, it is {size}: `tablectl bus init`"
    elif not 0 < messages * size * len(AUDIENCES) * HALF <= (there.max_bytes or 0):
        yield f"stream {name}: one table can take more than half of it: `tablectl bus init`"


def _forgets(wanted: StreamConfig, there: StreamConfig) -> Iterator[str]:
    """Check that a stream keeps the newest messages of each subject, without a limit of age."""
    for key in ("max_age", "max_msgs", "max_bytes", "max_msgs_per_subject", "max_msg_size"):
        limit, right = (max(getattr(one, key) or 0, 0) for one in (there, wanted))
        if limit != right:
            expected = f"{key} {right:g}" if right else f"no {key}"
            yield f"stream {wanted.name}: expected {expected}, it is {limit:g}: `tablectl bus init`"


def _full(info: StreamInfo) -> Iterator[str]:
    """Warn if a stream that refuses new messages when full is nearly full."""
    config, most = info.config, info.config.max_bytes or 0
    if config.discard == DiscardPolicy.NEW and 0 < most * NEARLY < info.state.bytes:
        yield f"stream {config.name}: {info.state.bytes} of {most} bytes are used: `tablectl bus mend`"


def _alone(info: StreamInfo) -> Iterator[str]:
    """Report missing replicas: a stream on a single server, or servers that are offline or behind."""
    name, cluster = info.config.name, info.cluster
    if cluster is not None and cluster.name and info.config.num_replicas == 1:
        yield f"stream {name}: expected 3 replicas in a cluster, it is on one server alone: `tablectl bus init`"
    for peer in (cluster.replicas if cluster else None) or ():
        if peer.offline or not peer.current:
            yield f"stream {name}: server {peer.name} is {'away' if peer.offline else 'behind'}"
