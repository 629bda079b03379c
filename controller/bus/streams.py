"""Streams of the bus: created by `tablectl bus init`, verified by `tablectl bus check`."""

from collections.abc import Iterator
from typing import NamedTuple

from nats.aio.client import Client
from nats.js.api import DiscardPolicy, StreamConfig, StreamInfo
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from ..bus.bus_client import reason_of
from ..config.bus import BusLine
from ..core.coded_message import CodedMessage, coded
from .bus_client import FAILED, connect_once
from .names import CLAIMS, DOCUMENT, EVENT, EVENTS, HEAD, HEADS, KEYS, LARGEST, ROSTER, STATUS, TableNames, roster_of
from .permissions import AUDIENCES
from .roster import publish
from .studio import Studio

SOUND = ((2, 12, 12), (2, 14, 3))  # oldest server versions without known vulnerabilities, of two release lines
WINDOW = 600.0  # seconds in which a repeated message is recognised
GB, DAY = 10**9, 86_400.0


HALF = 2  # one table's events take at most half of the stream
NEARLY = 0.8  # share of its bytes from which a stream counts as nearly full
HEADERS = 1024  # bytes reserved for the headers of a message


class Retention(NamedTuple):
    """Retention settings of the streams: days, size and number of replicas."""

    studio: str
    replicas: int = 1
    days: float = 7  # age limit of events; a table's newest heads and statuses have none
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


def streams(retention: Retention) -> Iterator[StreamConfig]:
    """Configuration of every stream, by the retention settings."""
    below = f"tablectl.{retention.studio}.*"
    for config in (
        StreamConfig(
            EVENTS,
            subjects=[f"{below}.event.*"],
            max_age=retention.days * DAY,
            max_bytes=round(retention.events_gb * GB),
            max_msg_size=EVENT + HEADERS,
            max_msgs_per_subject=retention.events,
            duplicate_window=WINDOW,
            deny_delete=True,
        ),
        _bounded_stream(HEADS, *TableNames(retention.studio, "*").heads),
        _bounded_stream(f"KV_{STATUS}", f"$KV.{STATUS}.>"),
        _bounded_stream(f"KV_{CLAIMS}", f"$KV.{CLAIMS}.>").evolve(max_bytes=CLAIMS_BYTES, discard=DiscardPolicy.NEW),
        _bounded_stream(f"KV_{KEYS}", roster_of(retention.studio)),
    ):
        config.deny_purge, config.allow_direct = True, True
        config.allow_rollup_hdrs = False  # with it, a key that may store one entry could empty the bucket
        config.num_replicas = retention.replicas
        yield config


def _bounded_stream(name: str, *subjects: str) -> StreamConfig:
    """Configuration of a stream that keeps the newest messages of each subject.

    Each table writes only under its own subjects, so this limits its share. Only the admin's key can delete junk
    (`tablectl bus mend`).
    """
    size, messages = BOUNDS[name]
    return StreamConfig(
        name, subjects=[*subjects], max_msg_size=size + HEADERS, max_msgs_per_subject=messages, deny_delete=False
    )


async def make_streams(section: BusLine, retention: Retention, studio: Studio) -> list[str]:
    """Connect with the admin's key, create or update streams, and sign the roster.

    Returns the names of the streams that are new. Raises BusFailed, Unusable.
    """
    async with connect_once(section, "_INBOX_admin") as client:
        new = await make(client, retention)
        await publish(client, studio)
        return new


async def make(client: Client, retention: Retention) -> list[str]:
    """Create or update all streams. Returns the names of those that are new. Raises nats' errors."""
    stream, names = client.jetstream(timeout=10), list[str]()
    for config in streams(retention):
        try:
            was = (await stream.stream_info(str(config.name))).config
            config.deny_delete = (
                config.deny_delete or was.deny_delete
            )  # NATS does not allow to remove this setting from an existing stream
            await stream.update_stream(config)
        except NotFoundError:
            await stream.add_stream(config)
            names.append(str(config.name))
    return names


def is_same(was: StreamInfo, now: StreamInfo) -> bool:
    """True if `now` describes the same stream as `was`: neither recreated nor restored from an older copy."""
    return was.created == now.created and now.state.last_seq >= was.state.last_seq


async def find_defects(client: Client, studio: str) -> list[CodedMessage]:
    """Check server version and streams; return one message for each defect."""
    defects = list(_version(client))
    for config in streams(Retention(studio)):
        try:
            info = await _info(client.jetstream(timeout=2), str(config.name))
        except NotFoundError:
            defects.append(coded("stream_absent", name=str(config.name)))
        except FAILED as error:
            defects.append(coded("stream_unseen", name=str(config.name), reason=reason_of(error)))
        else:
            defects += _differs(config, info)
    return defects


async def _info(stream: JetStreamContext, name: str) -> StreamInfo:
    return await stream.stream_info(name)


def _version(client: Client) -> Iterator[CodedMessage]:
    version = client.connected_server_version
    numbers = version.major, version.minor, version.patch
    if not any(numbers >= floor and (floor is SOUND[-1] or numbers[:2] == floor[:2]) for floor in SOUND):
        says = ".".join(map(str, numbers))
        yield coded("server_version", said=says)


def _differs(spec: StreamConfig, info: StreamInfo) -> Iterator[CodedMessage]:
    config, name = info.config, spec.name
    if config.subjects != spec.subjects:
        yield coded("stream_subjects", name=str(name), right=str(spec.subjects), said=str(config.subjects))
    for key in ("deny_delete", "deny_purge"):
        if getattr(spec, key) and not getattr(config, key):
            yield coded("stream_emptied", name=str(name), key=key)
    if config.allow_rollup_hdrs:
        yield coded("stream_rollup", name=str(name))
    if name == EVENTS and (config.duplicate_window or 0) < WINDOW:
        yield coded("stream_window", name=str(name), seconds=WINDOW, limit=config.duplicate_window or 0)
    yield from _share(spec, config) if name == EVENTS else _forgets(spec, config)
    yield from _warn_if_full(info)
    yield from _missing_replicas(info)


def _share(spec: StreamConfig, config: StreamConfig) -> Iterator[CodedMessage]:
    """Check that one table can take at most half of the events stream. The total is the studio's choice."""
    name, messages, size = spec.name, config.max_msgs_per_subject or 0, config.max_msg_size or 0
    if (config.max_bytes or 0) <= 0 or not config.max_age:
        yield coded("stream_unbounded", name=str(name))
    elif not 0 < size <= (spec.max_msg_size or 0):
        yield coded("stream_setting", name=str(name), right=f"max_msg_size {spec.max_msg_size}", said=str(size))
    elif not 0 < messages * size * len(AUDIENCES) * HALF <= (config.max_bytes or 0):
        yield coded("stream_share", name=str(name))


def _forgets(spec: StreamConfig, config: StreamConfig) -> Iterator[CodedMessage]:
    """Check that a stream keeps the newest messages of each subject, without a limit of age."""
    for key in ("max_age", "max_msgs", "max_bytes", "max_msgs_per_subject", "max_msg_size"):
        limit, right = (max(getattr(one, key) or 0, 0) for one in (config, spec))
        if limit != right:
            expected = f"{key} {right:g}" if right else f"no {key}"
            yield coded("stream_setting", name=str(spec.name), right=expected, said=f"{limit:g}")


def _warn_if_full(info: StreamInfo) -> Iterator[CodedMessage]:
    """Warn if a stream that refuses new messages when full is nearly full."""
    config, most = info.config, info.config.max_bytes or 0
    if config.discard == DiscardPolicy.NEW and 0 < most * NEARLY < info.state.bytes:
        yield coded("stream_full", name=str(config.name), bytes=info.state.bytes, limit=most)


def _missing_replicas(info: StreamInfo) -> Iterator[CodedMessage]:
    """Report missing replicas: a stream on a single server, or servers that are offline or behind."""
    name, cluster = info.config.name, info.cluster
    if cluster is not None and cluster.name and info.config.num_replicas == 1:
        yield coded("stream_alone", name=str(name))
    for peer in (cluster.replicas if cluster else None) or ():
        if peer.offline or not peer.current:
            state = "away" if peer.offline else "behind"
            yield coded("stream_server", name=str(name), host=str(peer.name), said=state)
