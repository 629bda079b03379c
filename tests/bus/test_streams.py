"""Rights and streams of the bus as a whole, and each difference that `bus check` reports for a stream."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from nats.js.api import ClusterInfo, DiscardPolicy, PeerInfo, StreamInfo, StreamState

from controller.bus import permissions, streams
from controller.bus.streams import BOUNDS, Retention
from controller.text.coded import render
from tests.kept_files import is_kept

HERE = Path(__file__).parent / "kept"
KEYS = {"table": "t1", "floor": "main", "platform": "one", "site": "afar"}
WANTED = {str(config.name): config for config in streams.streams(Retention("main"))}
EVENTS, CLAIMS = streams.EVENTS, f"KV_{streams.CLAIMS}"
NUMBERS = ("major", "minor", "patch")


def rights() -> Iterator[str]:
    """Yield the accounts of a studio, with the rights of each kind of key."""
    clients = [
        (f"{kind} {name}", kind.upper(), getattr(permissions, kind)("main", name)) for kind, name in KEYS.items()
    ]
    keepers = [("admin", "ADMIN", permissions.EVERYTHING), ("site afar", "SITE", permissions.site("main", "afar"))]
    yield permissions.accounts("main", keepers, clients, "SYSTEM")


def configured() -> Iterator[str]:
    """Yield the configuration of each stream of two studios as JSON."""
    for keep in (Retention("main"), Retention("other", replicas=3, days=1, events_gb=1.5)):
        for config in streams.streams(keep):
            yield msgspec.json.format(msgspec.json.encode(config.as_dict()), indent=1).decode()


def info(name: str, *, used: int = 0, cluster: ClusterInfo | None = None, **differs: Any) -> StreamInfo:
    """Return a stream's info: its wanted configuration, but for what `differs`."""
    state = StreamState(0, used, 0, 0, 0)
    return StreamInfo(WANTED[name].evolve(**differs), state, cluster=cluster)


def differences(stream: StreamInfo) -> list[str]:
    """Return the differences that the check reports for this stream."""
    return [render(one) for one in streams._differs(WANTED[str(stream.config.name)], stream)]


def test_the_rights_of_every_key_are_as_they_were_kept():
    assert is_kept(HERE / "rights.txt", "\n".join(rights()))


def test_the_streams_of_a_studio_are_as_they_were_kept():
    assert is_kept(HERE / "streams.txt", "\n".join(configured()))


@pytest.mark.parametrize(
    ("version", "sound"),
    [
        ((2, 12, 11), False), ((2, 12, 12), True), ((2, 12, 13), True), ((2, 13, 9), False), ((2, 14, 2), False),
        ((2, 14, 3), True), ((2, 15, 0), True), ((3, 0, 0), True), ((1, 99, 99), False), ((2, 11, 99), False),
    ],
)  # fmt: skip
def test_a_server_with_known_holes_is_named_with_its_version(version, sound):
    client: Any = SimpleNamespace(connected_server_version=SimpleNamespace(**dict(zip(NUMBERS, version, strict=True))))
    (says,) = [render(one) for one in streams._version(client)] or [""]
    assert (says == "") is sound
    assert sound or says.startswith(f"the server is {'.'.join(map(str, version))}: expected 2.14.3")


@pytest.mark.parametrize("name", WANTED)
def test_a_stream_as_it_was_made_has_nothing_wrong(name):
    assert differences(info(name)) == []


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("key", ["max_age", "max_msgs", "max_bytes", "max_msgs_per_subject", "max_msg_size"])
@pytest.mark.parametrize("change", [-1, 1])
def test_a_bounded_stream_with_another_limit_is_named(name, key, change):
    limit = max(getattr(WANTED[name], key) or 0, 0)
    value = limit + change if limit else 7
    expected = f"{key} {limit:g}" if limit else f"no {key}"
    assert differences(info(name, **{key: value})) == [
        f"stream {name}: expected {expected}, it is {value:g}: `tablectl bus init`"
    ]


@pytest.mark.parametrize("name", WANTED)
def test_each_stream_that_can_be_emptied_is_named(name):
    (says,) = differences(info(name, deny_purge=False))
    assert says == f"stream {name}: expected deny_purge, it can be emptied: make it anew"
    (says,) = differences(info(name, allow_rollup_hdrs=True))
    assert says.startswith(f"stream {name}: expected no allow_rollup_hdrs")
    (says,) = differences(info(name, subjects=["elsewhere"]))
    assert says == f"stream {name}: expected subjects {WANTED[name].subjects}, it has ['elsewhere']"


def test_the_events_may_not_be_deleted_and_other_streams_may():
    for name, config in WANTED.items():
        other = info(name, deny_delete=not config.deny_delete)
        wrong = [f"stream {name}: expected deny_delete, it can be emptied: make it anew"] if config.deny_delete else []
        assert differences(other) == wrong
    assert [name for name, config in WANTED.items() if config.deny_delete] == [EVENTS]


@pytest.mark.parametrize(("window", "short"), [(599.0, True), (600.0, False), (601.0, False), (None, True)])
def test_the_window_of_known_messages_may_only_be_longer(window, short):
    """The server must detect repeated messages for at least 600 seconds."""
    (says,) = differences(info(EVENTS, duplicate_window=window)) or [""]
    message = f"stream {EVENTS}: expected a duplicate window of 600 s, it is {window or 0:g}"
    assert says == (message if short else "")


def test_one_table_fills_at_most_half_of_the_events():
    config = WANTED[EVENTS]
    of_one = config.max_msgs_per_subject * config.max_msg_size * 3 * 2
    assert 0.99 < of_one / config.max_bytes <= 1
    assert differences(info(EVENTS, max_bytes=of_one)) == []
    assert "more than half" in differences(info(EVENTS, max_bytes=of_one - 1))[0]
    assert "more than half" in differences(info(EVENTS, max_msgs_per_subject=0))[0]
    assert differences(info(EVENTS, max_msg_size=config.max_msg_size - 1)) == []
    for size in (config.max_msg_size + 1, 0, -1):
        assert (
            f"expected max_msg_size {config.max_msg_size}, it is {size}"
            in differences(info(EVENTS, max_msg_size=size))[0]
        )
    for key, none in (("max_bytes", 0), ("max_bytes", -1), ("max_age", 0)):
        assert "expected bounds of age and bytes" in differences(info(EVENTS, **{key: none}))[0]


@pytest.mark.parametrize(("used", "full"), [(0, False), (0.8, False), (0.81, True), (1, True)])
def test_a_stream_is_named_above_four_fifths_of_its_bytes(used, full):
    most = WANTED[CLAIMS].max_bytes
    (says,) = differences(info(CLAIMS, used=round(used * most))) or [""]
    assert says == (
        f"stream {CLAIMS}: {round(used * most)} of {most} bytes are used: `tablectl bus mend`" if full else ""
    )
    assert differences(info(EVENTS, used=round(WANTED[EVENTS].max_bytes * used))) == []  # drops its oldest messages
    assert WANTED[CLAIMS].discard is DiscardPolicy.NEW


def test_a_stream_names_each_replica_that_is_away_or_behind():
    peers = [PeerInfo("a", current=True), PeerInfo("b", current=True, offline=True), PeerInfo("c", current=False)]
    here = info(EVENTS, num_replicas=3, cluster=ClusterInfo(leader="n0", name="east", replicas=peers))
    assert differences(here) == [f"stream {EVENTS}: server b is away", f"stream {EVENTS}: server c is behind"]
    alone = info(EVENTS, num_replicas=1, cluster=ClusterInfo(leader="n0", name="east"))
    assert differences(alone) == [
        f"stream {EVENTS}: expected 3 replicas in a cluster, it is on one server alone: `tablectl bus init`"
    ]
    assert differences(info(EVENTS, num_replicas=1, cluster=ClusterInfo(leader="n0"))) == []
