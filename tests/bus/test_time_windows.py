"""Time limits of commands and floor heartbeats, just inside and outside, for several senders at once."""

import msgspec
import pytest

from controller.bus import signed_commands as signing
from controller.bus.floor_beats import FloorBeat, FloorBeats, beat, subject_of
from controller.bus.keys import new_seed, public_of, sign
from controller.bus.signed_commands import LATE, CommandVerifier, Unsigned, signed_headers
from controller.outputs.hold import SILENT
from tests.clocks import PcClocks

HALL, ANNEX = new_seed(), new_seed()
SUBJECT, NOW, TICK = "tablectl.main.t1.command.floor", 10_000.0, 0.001
AROUND = [(-LATE - TICK, False), (-LATE, True), (0.0, True), (LATE, True), (LATE + TICK, False)]


@pytest.fixture
def clock() -> PcClocks:
    return PcClocks(NOW)


@pytest.fixture
def gate(clock) -> CommandVerifier:
    keys = {"floor": {"hall": public_of(HALL)}, "platform": {"game": public_of(ANNEX)}}
    verifier = CommandVerifier(keys, lambda: clock.now, lambda: clock.up)
    clock.later(1000)
    return verifier


def command(at: float) -> dict[str, str]:
    """Return the headers of a floor's signed command made at this time."""
    return signed_headers(HALL, SUBJECT, "E", "/x", b"{}", at)


def why_not(gate: CommandVerifier, headers: dict[str, str]) -> str | None:
    """Return the reason why the gate refuses the command, None if it accepts."""
    try:
        gate.verify(SUBJECT, "E", headers, b"{}")
    except Unsigned as refused:
        return str(refused)
    return None


@pytest.mark.parametrize(("off", "taken"), AROUND)
def test_a_command_may_be_a_minute_early_or_late(gate, clock, off, taken):
    assert (why_not(gate, command(clock.now + off)) is None) is taken


@pytest.mark.parametrize("ahead", [-LATE, 0.0, LATE])
@pytest.mark.parametrize("others", [0, 1, 3])
def test_a_command_is_never_accepted_a_second_time(gate, clock, ahead, others):
    """A command is refused a second time whatever its date, and whatever commands follow."""
    first = command(clock.now + ahead)
    assert why_not(gate, first) is None
    for _ in range(others):
        assert why_not(gate, command(clock.now)) is None
    for _ in range(12):
        assert why_not(gate, first) is not None
        assert why_not(gate, command(clock.now)) is None  # each new command makes the gate forget old ones
        clock.later(LATE / 4)


def test_too_many_commands_are_refused_until_old_ones_are_forgotten(gate, clock, monkeypatch):
    monkeypatch.setattr(signing, "MOST", 3)
    for _ in range(3):
        assert why_not(gate, command(clock.now)) is None
        clock.later(1)
    assert "too many" in why_not(gate, command(clock.now))
    clock.later(2 * LATE - 3)
    assert "too many" in why_not(gate, command(clock.now))
    clock.later(1)
    assert why_not(gate, command(clock.now)) is None
    assert "too many" in why_not(gate, command(clock.now))


def test_a_clock_that_jumps_and_returns_accepts_no_repeated_command(gate, clock):
    """The PC's clock is three minutes ahead for a moment: a command from before is still refused."""
    first = command(clock.now)
    assert why_not(gate, first) is None
    clock.now += 3 * LATE
    assert why_not(gate, command(clock.now)) is None
    clock.now -= 3 * LATE
    clock.later(LATE / 6)
    assert "taken already" in why_not(gate, first)


def test_a_clock_set_back_leaves_a_sender_its_places(gate, clock, monkeypatch):
    """Commands counted while the clock was an hour ahead are forgotten in time, and free their places."""
    monkeypatch.setattr(signing, "MOST", 3)
    clock.now += 3600
    for _ in range(3):
        assert why_not(gate, command(clock.now)) is None
    clock.now -= 3600
    assert "too many" in why_not(gate, command(clock.now))
    clock.later(2 * LATE + 1)
    for _ in range(3):
        assert why_not(gate, command(clock.now)) is None


@pytest.fixture
def beats(clock) -> FloorBeats:
    verifier = FloorBeats(
        {"hall": public_of(HALL), "annex": public_of(ANNEX)}, lambda *_: None, lambda: clock.now, lambda: clock.up
    )
    clock.later(1000)
    return verifier


def accepts_heartbeat(beats: FloorBeats, name: str, at: float) -> bool:
    """Send a floor's heartbeat made at `at`; return True if it is accepted."""
    subject = subject_of("main", name)
    body, headers = beat({"hall": HALL, "annex": ANNEX}[name], subject, calls=True, now=at)
    return beats.take(subject, headers, body)


@pytest.mark.parametrize(("off", "taken"), AROUND)
def test_a_floor_is_heard_within_a_minute_early_or_late(beats, clock, off, taken):
    assert accepts_heartbeat(beats, "hall", clock.now + off) is taken


def test_each_floor_is_judged_by_its_own_clock(beats, clock):
    """One floor's clock is 30 seconds ahead, another's 30 seconds behind: both are accepted."""
    for _ in range(5):
        assert accepts_heartbeat(beats, "hall", clock.now + 30)
        assert accepts_heartbeat(beats, "annex", clock.now - 30)
        clock.later(1)


@pytest.mark.parametrize(("late", "taken"), [(SILENT, True), (SILENT + 0.01, False)])
def test_a_heartbeat_kept_back_beyond_the_silence_is_ignored(beats, clock, late, taken):
    assert accepts_heartbeat(beats, "hall", clock.now)
    clock.later(20)
    assert accepts_heartbeat(beats, "hall", clock.now - late) is taken
    assert accepts_heartbeat(beats, "hall", clock.now)


@pytest.mark.parametrize("back", [SILENT + 1, LATE])
def test_a_floor_whose_clock_was_set_back_is_heard_again(beats, clock, back):
    """All are accepted from two minutes after the clock has passed the last heartbeat before the change."""
    assert accepts_heartbeat(beats, "hall", clock.now + back)
    results = []
    for _ in range(600):
        clock.later(1)
        results.append(accepts_heartbeat(beats, "hall", clock.now))
    assert all(results[int(back + 2 * LATE) + 2 :])


def test_a_floors_slow_clock_is_heard_without_a_gap(beats, clock):
    """A clock that loses one second in 100 drifts by more than the silence limit in the test."""
    began = clock.now
    for _ in range(3000):
        clock.later(1)
        assert accepts_heartbeat(beats, "hall", clock.now - (clock.now - began) / 100)


def test_a_floor_speaks_in_no_other_floors_name(beats, clock):
    subject = subject_of("main", "hall")
    body = msgspec.json.encode(FloorBeat("annex", round(clock.now * 1000), calls=True))
    signature = sign(HALL, subject.encode() + b"\n" + body).decode()
    assert not beats.take(subject, {"Tablectl-Signature": signature}, body)
