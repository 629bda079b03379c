"""Outputs at a second halt, pause, loss, plugging, secret and target: handled like the first."""

import asyncio
import re
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.config.alerts import Target
from controller.core import records as r
from controller.core.causes import NoCard
from controller.core.clock import SECOND
from controller.core.open_fault import Fault
from controller.core.state import State
from controller.outputs import halt_alert
from controller.outputs.beacon import CALLING, ESCALATED, SEEN, Beacon, signal
from controller.outputs.counts import TableCounts
from controller.outputs.delivery import MASKED, _mask_address
from controller.outputs.halt_alert import HaltAlert
from drivers.beacons import DARK, Light, Signal
from drivers.events import Found
from tests.patience import on_loop

# ── secrets in reasons ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("mailtos://anna:pass%2Fword@host.example/box", ("anna", "pass%2Fword", "pass/word", "host.example")),
        ("json://operator:4711@10.0.0.9/?key=token-of-chat", ("operator", "4711", "10.0.0.9", "token-of-chat")),
        ("tgram://token/token-of-chat/tok%65n-two", ("token", "token-of-chat", "token-two", "tok%65n-two")),
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#chan", ("T1JJ3T3L2", "TIiajkdnlazkcOXrIdevi7FQ")),
    ],
)
def test_no_part_of_an_address_is_in_a_reason(url, secrets):
    """Secrets may be encoded or decoded, repeated, or the beginning of another secret."""
    text = "; ".join(f"{secret} and {secret} were refused" for secret in secrets)
    masked = _mask_address(f"{text} by {url}", url)
    assert [secret for secret in secrets if secret in masked] == []
    assert masked.count("were refused") == len(secrets)
    assert not {"of-chat", "two", "word"} & set(re.findall(r"[a-z]+(?:-[a-z]+)?", masked))


def test_a_longer_secret_is_masked_before_its_parts():
    assert _mask_address("refused secretword", "json://abcd@h/secretword/secret") == "refused ***"


@pytest.mark.parametrize(("length", "masked"), [(MASKED - 1, False), (MASKED, True)])
def test_only_parts_of_four_characters_and_more_are_masked(length, masked):
    secret = "x7q9"[:length]
    assert (secret not in _mask_address(f"refused {secret}", f"json://{secret}@h/")) is masked


# ── the record cannot be written ─────────────────────────────────────────────────────────────────────────────────


class Halting:
    """Table that halts and recovers, with its alert. `sent`: messages as `(target, subject)`."""

    def __init__(self, monkeypatch) -> None:
        self.sent: list[tuple[str, str]] = []
        monkeypatch.setattr(halt_alert, "send", self._send)
        targets = {name: Target(url=f"json://{name}", level=level) for name, level in (("a", 1), ("b", 1), ("c", 2))}
        self.alert = HaltAlert(targets)
        self.table = SimpleNamespace(halted=None, house=SimpleNamespace(table="t1"))

    async def _send(self, message, _: float) -> None:
        self.sent.append((message.target.url[-1], message.title))

    async def says(self, halted: str | None) -> list[str]:
        """Halt or recover; return what was sent after some turns of the loop."""
        self.table.halted = halted
        self.alert.hear(self.table, ())
        self.sent.clear()
        for _ in range(20):
            await asyncio.sleep(0)
        return [f"{name} {title.split()[-1]}" for name, title in sorted(self.sent)]


CALLED, WELL = ["a halted", "b halted"], ["a again", "b again"]


def test_each_halt_and_each_recovery_is_sent_once(monkeypatch):
    monkeypatch.setattr(halt_alert, "GRACE", 0.0)

    async def steps():
        table = Halting(monkeypatch)
        for reason in ("the disk is full", "the disk is gone"):
            assert await table.says(reason) == CALLED
            assert await table.says(reason) == []
            assert await table.says("another reason") == []
            assert await table.says(None) == WELL
            assert await table.says(None) == []
        await table.alert.stop()

    on_loop(steps)


def test_halts_that_end_within_the_grace_time_send_nothing(monkeypatch):
    monkeypatch.setattr(halt_alert, "GRACE", 0.005)

    async def steps():
        table = Halting(monkeypatch)
        for _ in range(2):
            table.table.halted = "the disk is full"
            table.alert.hear(table.table, ())
            assert await table.says(None) == []
        grace = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(2 * halt_alert.GRACE, grace.set_result, None)
        await grace
        assert table.sent == []

    on_loop(steps)


def test_a_second_halt_that_ends_in_time_sends_nothing(monkeypatch):
    async def steps():
        table = Halting(monkeypatch)
        monkeypatch.setattr(halt_alert, "GRACE", 0.0)
        assert await table.says("the disk is full") == CALLED
        assert await table.says(None) == WELL
        monkeypatch.setattr(halt_alert, "GRACE", 60.0)
        assert await table.says("the disk is full") == []
        assert await table.says(None) == []
        await table.alert.stop()

    on_loop(steps)


# ── the beacon ───────────────────────────────────────────────────────────────────────────────────────────────────

FAULT = Fault(5, "stalled", "card to player", "nothing", ("resume",))
RESTING = State(open=True, dealer="d")


@pytest.mark.parametrize(
    ("lost", "shown"),
    [
        ((), Signal(white=Light.ON)),
        (("beacon",), Signal(white=Light.ON)),
        (("panel",), Signal(yellow=Light.FLASH)),
        (("beacon", "panel"), Signal(yellow=Light.FLASH)),
        (("panel", "shoe"), Signal(yellow=Light.FLASH)),
    ],
)
def test_any_lost_device_but_the_beacon_itself_is_shown(lost, shown):
    assert signal(replace(RESTING, lost=dict.fromkeys(lost, ""))) == shown


@pytest.mark.parametrize(
    ("seen_by", "escalations", "shown"),
    [(None, 0, CALLING), (None, 1, ESCALATED), (None, 2, ESCALATED), ("eva", 0, SEEN), ("eva", 2, SEEN)],
)
def test_a_fault_calls_until_seen_and_urgently_when_late(seen_by, escalations, shown):
    fault = replace(FAULT, seen_by=seen_by, escalations=escalations)
    assert signal(replace(RESTING, life="paused", fault=fault)) == shown


class RepeatingBeacon:
    """Codec of a beacon that needs a repeated message."""

    every_s = 0.001

    def show(self, shown: Signal) -> bytes:
        return b"dark" if shown == DARK else b"lit"

    def recurring(self) -> bytes:
        return b"again"


def test_a_beacon_plugged_in_twice_keeps_its_usual_pace():
    """Each plugging-in replaces the timer of the repeated message, and the end stops the last one."""

    async def steps():
        sent: list[bytes] = []
        beacon = Beacon(RepeatingBeacon(), sent.append)
        timers = []
        for _ in range(3):
            beacon.hear(Found("usb 1-1"))
            timers.append(beacon._next)
        assert [timer.cancelled() for timer in timers] == [True, True, False]
        beacon.clear()
        assert timers[-1].cancelled()
        assert sent == [b"dark", b"again"] * 3 + [b"dark"]

    on_loop(steps)


# ── counters ─────────────────────────────────────────────────────────────────────────────────────────────────────


def record(what: r.What, seq: int, at: int, *, training: bool = False) -> r.Record:
    """Return a record of round 1 at this second."""
    return r.Record(seq=seq, at=at * SECOND, table="t1", what=what, round=1, training=training)


def test_time_paused_is_the_sum_of_all_pauses():
    counts = TableCounts("t1", RESTING, 0)
    fault = r.Faulted("stalled", None, NoCard(9), ("resume",))
    for start, end in ((10, 13), (20, 25), (40, 41)):
        for what, at in ((fault, start), (fault, start + 1), (r.Resumed("dealing"), end), (r.CutCardDrawn(), end + 1)):
            counts.hear([record(what, at, at)])
    assert counts.pause_time(50 * SECOND) == 9 * SECOND
    counts.hear([record(fault, 60, 60)])
    assert counts.pause_time(50 * SECOND) == 9 * SECOND  # the clock was set back


def test_each_fault_is_acknowledged_and_ruled_on_once():
    counts = TableCounts("t1", RESTING, 0)
    fault = r.Faulted("stalled", None, NoCard(9), ("resume",))
    for start, seq in ((10, 5), (100, 8)):
        records = [
            record(fault, seq, start),
            record(r.Acknowledged(seq, "eva"), seq + 1, start + 2),
            record(r.Acknowledged(seq, "bo"), seq + 2, start + 3),
            record(r.Acknowledged(1, "bo"), seq + 2, start + 4),
        ]
        counts.hear(records)
    values = {one.name: one.value for family in counts.waits["acknowledgement"].collect() for one in family.samples}
    assert (
        values["tablectl_fault_acknowledgement_seconds_count"],
        values["tablectl_fault_acknowledgement_seconds_sum"],
    ) == (
        2,
        4,
    )
