"""Heartbeats in which a floor says that it calls the shift manager: a table accepts only sound ones.

Accepted: signed by that floor, of this moment, and received for the first time.
"""

import msgspec
import pytest

from controller.bus.floor_beats import FloorBeats, Process, Twins, beat, subject_of
from controller.bus.keys import new_seed, public_of, sign
from controller.bus.names import SIGNATURE
from controller.outputs.hold import SILENT
from tests.clocks import PcClocks

SEED, OTHER = new_seed(), new_seed()
SUBJECT = subject_of("main", "hall")
NOW = 1_000_000.0


@pytest.fixture
def clock() -> PcClocks:
    return PcClocks(NOW, 50.0)


@pytest.fixture
def heard() -> list[tuple[str, bool]]:
    """List of the accepted heartbeats: the floor's name and whether it calls."""
    return []


@pytest.fixture
def beats(clock, heard) -> FloorBeats:
    keys = {"hall": public_of(SEED), "annex": public_of(OTHER)}
    verifier = FloorBeats(keys, lambda *pair: heard.append(pair), lambda: clock.now, lambda: clock.up)
    clock.later(100)
    return verifier


def heartbeat(clock, subject=SUBJECT, seed=SEED, calls=True, ago=0.0):
    """Return subject, headers and body of a floor's heartbeat. `ago`: its age in seconds."""
    body, headers = beat(seed, subject, calls=calls, now=clock.now - ago)
    return subject, headers, body


def test_floor_heartbeats_are_heard_with_their_calling_flag(beats, clock, heard):
    assert beats.take(*heartbeat(clock))
    clock.later(1)
    assert beats.take(*heartbeat(clock, calls=False))
    assert beats.take(*heartbeat(clock, subject_of("main", "annex"), OTHER))
    assert heard == [("hall", True), ("hall", False), ("annex", True)]


@pytest.mark.parametrize(
    "forged",
    [
        lambda clock: heartbeat(clock, seed=OTHER),  # another floor's key
        lambda clock: heartbeat(clock, subject_of("main", "nobody")),
        lambda clock: (subject_of("main", "annex"), *heartbeat(clock)[1:]),
        lambda clock: (subject_of("siteb", "hall"), *heartbeat(clock)[1:]),
        lambda clock: (SUBJECT, None, heartbeat(clock)[2]),
        lambda clock: (SUBJECT, {"Tablectl-Signature": "AAAA"}, heartbeat(clock)[2]),
        lambda clock: (SUBJECT, heartbeat(clock)[1], heartbeat(clock, calls=False)[2]),
        lambda clock: (SUBJECT, heartbeat(clock)[1], b""),
        lambda clock: heartbeat(clock, ago=61),
        lambda clock: heartbeat(clock, ago=-61),
    ],
)
def test_forged_or_mistimed_floor_heartbeats_are_refused(beats, clock, heard, forged):
    assert not beats.take(*forged(clock))
    assert heard == []


def test_a_replayed_floor_heartbeat_counts_once(beats, clock, heard):
    one, two = heartbeat(clock), heartbeat(clock, ago=-1)
    assert beats.take(*one)
    assert not beats.take(*one)
    assert beats.take(*two)
    assert not beats.take(*one)
    assert len(heard) == 2


def test_a_delayed_floor_heartbeat_is_refused(beats, clock, heard):
    """A new heartbeat is refused if it arrives later after its creation than earlier ones did."""
    assert beats.take(*heartbeat(clock, ago=20))  # the floor's clock is 20 seconds behind
    message = heartbeat(clock, ago=19)
    clock.later(7)
    assert not beats.take(*message)
    assert beats.take(*heartbeat(clock, ago=20))


@pytest.mark.parametrize(("seconds", "accepted"), [(60, False), (61, False), (120, False), (121, True)])
def test_a_floors_clock_counts_for_two_minutes(beats, clock, seconds, accepted):
    """Within them a heartbeat that is 20 seconds older came late; after them the floor's clock may be set back."""
    assert beats.take(*heartbeat(clock))
    clock.later(seconds)
    assert beats.take(*heartbeat(clock, ago=20)) is accepted


def test_heartbeats_made_before_the_table_started_are_refused(clock, heard):
    """A table that runs for two seconds refuses a heartbeat made three seconds ago."""
    fresh = FloorBeats({"hall": public_of(SEED)}, lambda *pair: heard.append(pair), lambda: clock.now, lambda: clock.up)
    clock.later(2)
    assert not fresh.take(*heartbeat(clock, ago=3))
    assert fresh.take(*heartbeat(clock, ago=1))


@pytest.mark.parametrize(("more", "accepted"), [({}, True), ({"more": 1}, False)])
def test_a_signed_heartbeat_with_an_unknown_field_is_refused(beats, clock, heard, more, accepted):
    """The floor signed it, so only the field of a later version can be the reason."""
    body = msgspec.json.encode({"name": "hall", "at": round(clock.now * 1000), "calls": True, **more})
    headers = {SIGNATURE: sign(SEED, SUBJECT.encode() + b"\n" + body).decode()}
    assert beats.take(SUBJECT, headers, body) is accepted
    assert heard == [("hall", True)] * accepted


def test_another_process_of_the_same_floor_is_a_twin(clock):
    """A signed heartbeat of another process of this floor counts as a twin until it is silent too long."""
    own, other = Process("pc1", "a"), Process("pc2", "b")
    twins, observer = (Twins("hall", public_of(SEED), process, lambda: clock.up) for process in (own, None))

    def says(process, seed=SEED, subject=SUBJECT, ago=0.0):
        body, headers = beat(seed, subject, calls=True, now=clock.now - ago, process=process)
        for one in (twins, observer):
            one.take(subject, headers, body)

    says(own)
    says(other, seed=OTHER)
    says(other, OTHER, subject_of("main", "annex"))
    assert (twins.live_processes, observer.live_processes) == ([], [own])
    says(other, ago=3600)  # the other PC's clock is an hour behind
    assert (twins.live_processes, observer.live_processes) == ([other], [own, other])
    third = Process("pc0", "c")
    says(third)
    assert (twins.live_processes, observer.live_processes) == ([third, other], [third, own, other])
    clock.later(SILENT)
    assert twins.live_processes == []
