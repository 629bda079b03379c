"""What the bus keeps: its streams, as `tablectl bus init` makes them and `tablectl bus check` wants them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig, StreamInfo
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from ..config.bus import BusSection
from .line import FAILED, once, words_of
from .names import CLAIMS, EVENTS, HEADS, STATUS
from .permissions import consumer_of

SOUND = ((2, 12, 12), (2, 14, 3))  # the oldest servers, of two lines, without known holes in what is used here
WINDOW = 600.0  # seconds in which a message that comes twice is known again
GB, DAY = 10**9, 86_400.0


class Keeping(NamedTuple):
    """How much is kept, and how often."""

    studio: str
    replicas: int = 1
    days: float = 7  # of events; heads are kept for ever
    events_gb: float = 4


def streams(keep: Keeping) -> Iterator[StreamConfig]:
    """All there are."""
    below = f"tablectl.{keep.studio}.*"
    for config in (
        StreamConfig(
            EVENTS,
            subjects=[f"{below}.event.*"],
            max_age=keep.days * DAY,
            max_bytes=round(keep.events_gb * GB),
            duplicate_window=WINDOW,
        ),
        StreamConfig(HEADS, subjects=[f"{below}.head.*"]),
        _bucket(STATUS, 1),
        _bucket(CLAIMS, 5),
    ):
        config.deny_delete, config.deny_purge, config.allow_direct = True, True, True
        config.allow_rollup_hdrs = False  # who may put one key could empty the bucket with a header
        config.num_replicas = keep.replicas
        yield config


def _bucket(name: str, history: int) -> StreamConfig:
    return StreamConfig(f"KV_{name}", subjects=[f"$KV.{name}.>"], max_msgs_per_subject=history)


async def made(section: BusSection, keep: Keeping, platforms: Sequence[str]) -> list[str]:
    """Have them, with the admin's key. Raises BusFailed, Unusable."""
    async with once(section, "_INBOX_admin") as client:
        return await make(client, keep, platforms)


async def make(client: Client, keep: Keeping, platforms: Sequence[str]) -> list[str]:
    """Have them, and each platform's place in the events. What was made. Raises nats' errors."""
    stream, made = client.jetstream(timeout=10), list[str]()
    for config in streams(keep):
        try:
            await stream.stream_info(str(config.name))
            await stream.update_stream(config)
        except NotFoundError:
            await stream.add_stream(config)
            made.append(str(config.name))
    for name in platforms:
        wanted = ConsumerConfig(
            durable_name=consumer_of(name),
            filter_subject=f"tablectl.{keep.studio}.*.event.server",
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=30,
        )
        await stream.add_consumer(EVENTS, wanted)
    return made


def is_same(was: StreamInfo, now: StreamInfo) -> bool:
    """Whether a stream is not another one, nor an older copy of it."""
    return was.created == now.created and now.state.last_seq >= was.state.last_seq


async def wrong(client: Client, studio: str) -> list[str]:
    """What is wrong there, a line each."""
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
    if name != EVENTS:
        yield from _forgets(wanted, there)
    yield from _alone(info)


def _forgets(wanted: StreamConfig, there: StreamConfig) -> Iterator[str]:
    """What is kept for ever has no limit."""
    for key in ("max_age", "max_msgs", "max_bytes", "max_msgs_per_subject"):
        limit = getattr(there, key) or 0
        if limit > 0 and limit != getattr(wanted, key):
            yield f"stream {wanted.name}: expected no {key}, it is {limit:g}: somebody has changed it"


def _alone(info: StreamInfo) -> Iterator[str]:
    """Which of the servers that keep it do not."""
    name, cluster = info.config.name, info.cluster
    if cluster is not None and cluster.name and info.config.num_replicas == 1:
        yield f"stream {name}: expected 3 replicas in a cluster, it is on one server alone: `tablectl bus init`"
    for peer in (cluster.replicas if cluster else None) or ():
        if peer.offline or not peer.current:
            yield f"stream {name}: server {peer.name} is {'away' if peer.offline else 'behind'}"
