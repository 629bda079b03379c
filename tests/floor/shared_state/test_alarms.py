"""Alarms: each asks for an act, is raised once, and is held until it has ended and is acknowledged."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from controller.core.clock import SECOND, to_text
from controller.core.coded_message import coded
from controller.floor.shared_state.alarms import QUIET, View, causes, is_held, kind_of, update_alarms
from controller.floor.shared_state.documents import AlarmAcknowledgement, Alarms, Shelving
from controller.text import floor_texts
from tests.floor.statuses import START, calling_status, status

DOCUMENT = Path(__file__).parents[3] / "docs" / "floor.md"

# ── kinds of alarm ───────────────────────────────────────────────────────────────────────────────────────────────

GIVEN = {
    "unheard": (status(), {"heard": False}),
    "lost": (status(lost=("panel",)), {}),
    "trouble": (status(troubles=("the disk is full: 12 MB left",)), {}),
    "waiting": (replace(calling_status(), waiting=2), {}),
    "case": (status(cases=(7,)), {}),
    "no_dealer": (status(bars=("no_dealer",)), {}),
    "rules_mismatch": (status(bars=("rules_mismatch",)), {}),
    "deck_suspect": (status(bars=("deck_suspect",)), {}),
    "shoe_ends": (status(ends=True), {}),
    "misreads": (status(), {"misreads": 3}),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_each_alarm_of_a_table_asks_for_an_act(kind):
    one, how = GIVEN[kind]
    assert [cause.kind for cause in causes(one, **{"heard": True, "misreads": 0, **how})] == [kind]
    assert floor_texts.HEADS[kind]
    assert floor_texts.ACTS[kind]


def test_every_alarm_with_texts_has_a_cause():
    assert set(GIVEN) == set(floor_texts.HEADS) == set(floor_texts.ACTS)


@pytest.mark.parametrize("life", ["betting", "dealing", "paused"])
def test_silence_in_a_tables_last_round_is_an_alarm(life):
    closing = status(open=False, life=life, bars=("no_dealer",), ends=True)
    assert [cause.kind for cause in causes(closing, heard=False, misreads=None)] == ["unheard"]


@pytest.mark.parametrize("about", [{"open": False, "life": "settled"}, {"training": True}])
def test_a_closed_table_raises_no_alarm_for_silence_or_dealer(about):
    resting = status(bars=("no_dealer",), ends=True, **about)
    assert list(causes(resting, heard=False, misreads=None)) == []


def test_a_trouble_with_other_figures_is_the_same_alarm():
    first, then = (
        {cause.key for cause in causes(status(troubles=(says,)), heard=True, misreads=None)}
        for says in ("the clock is 1.2 s off", "the clock is 3.4 s off")
    )
    assert first == then


# ── held alarms ──────────────────────────────────────────────────────────────────────────────────────────────────

KEY = "t1:lost:panel"
ANNA = AlarmAcknowledgement("7", "Anna Pop", to_text(START))


def view(*keys: str, seq: int = 1, after: int = 0, **about: object) -> View:
    """Return what a floor sees `after` so many seconds: the causes `keys`."""
    base = View(dict.fromkeys(keys, ""), frozenset(), {"t1": seq}, complete=True, now=START + after * SECOND)
    return base._replace(**about)


def test_an_alarm_is_raised_once():
    first = update_alarms({}, view(KEY))
    assert (first.raised, list(first.alarms)) == ((KEY,), [KEY])
    again = update_alarms(first.alarms, view(KEY, after=100))
    assert again.alarms is first.alarms
    assert again.raised == ()


def test_an_alarm_keeps_the_code_of_what_it_is_about():
    full = coded("disk_out_of_room", path="/var/t1.journal")
    held = update_alarms({}, view(KEY, messages={KEY: full})).alarms
    assert held[KEY].message == full


def test_an_ended_alarm_is_held_until_it_is_acknowledged():
    held = update_alarms({}, view(KEY)).alarms
    over = update_alarms(held, view(seq=2))
    assert (over.cleared, is_held(over.alarms[KEY])) == ((KEY,), True)
    assert update_alarms(over.alarms, view(seq=2, after=100_000)).alarms is over.alarms
    alarms = {KEY: replace(over.alarms[KEY], acknowledged=ANNA)}
    assert update_alarms(alarms, view(seq=2, after=100_000)).alarms == {}


def test_an_acknowledged_alarm_is_held_while_its_cause_lasts():
    alarms = {KEY: replace(update_alarms({}, view(KEY)).alarms[KEY], acknowledged=ANNA)}
    assert update_alarms(alarms, view(KEY, after=100_000)).alarms is alarms


def test_an_alarm_that_returns_unseen_is_the_same_alarm():
    held = update_alarms(update_alarms({}, view(KEY)).alarms, view(seq=2, after=1)).alarms
    again = update_alarms(held, view(KEY, seq=3, after=2))
    assert (again.raised, again.alarms[KEY].since, again.alarms[KEY].over) == ((), to_text(START), None)


def test_a_cause_that_returns_after_acknowledgement_raises_again():
    held = update_alarms(update_alarms({}, view(KEY)).alarms, view(seq=2, after=1)).alarms
    full = coded("disk_out_of_room", path="/var/t1.journal")
    now = view(KEY, seq=3, after=2, messages={KEY: full})
    again = update_alarms({KEY: replace(held[KEY], acknowledged=ANNA)}, now)
    assert (again.raised, again.alarms[KEY].acknowledged, again.alarms[KEY].message) == ((KEY,), None, full)


def test_a_shelved_alarm_that_comes_and_goes_stays_shelved():
    until = Shelving(to_text(START + 600 * SECOND), "7", "Anna Pop", "a new one comes")
    held = {KEY: replace(update_alarms({}, view(KEY)).alarms[KEY], acknowledged=ANNA, shelved=until)}
    over = update_alarms(held, view(seq=2, after=100)).alarms
    assert update_alarms(over, view(seq=2, after=200)).alarms is over
    assert update_alarms(over, view(KEY, seq=3, after=300)).alarms[KEY].shelved == until
    assert update_alarms(over, view(seq=2, after=601)).alarms == {}


def test_a_late_floor_neither_ends_nor_raises_alarms_of_others():
    """A floor that has read only earlier statuses changes no alarm of a later status."""
    held = update_alarms({}, view(KEY, seq=5)).alarms
    assert update_alarms(held, view(seq=4)).alarms is held
    over = {KEY: replace(update_alarms(held, view(seq=6)).alarms[KEY], acknowledged=ANNA)}
    assert update_alarms(over, view(KEY, seq=5, after=9)).alarms is over


def test_sequence_numbers_begin_again_in_a_recreated_bucket():
    """After the stream was recreated, lower sequence numbers count again."""
    held = update_alarms({}, view(KEY, seq=500)).alarms
    over = update_alarms(held, view(seq=2, after=1000))
    assert over.cleared == (KEY,)
    alarms = {KEY: replace(over.alarms[KEY], acknowledged=ANNA)}
    assert update_alarms(alarms, view(KEY, seq=3, after=1001)).raised == (KEY,)


def test_a_floor_raises_no_alarm_for_unknown_tables():
    held = update_alarms({}, view(KEY)).alarms
    assert update_alarms(held, view(seqs={}, complete=False)).alarms is held
    assert update_alarms(held, view(unsure=frozenset({KEY}))).alarms is held
    assert update_alarms(held, view(seqs={}, complete=True)).cleared == (KEY,)


def test_alarms_of_a_removed_table_end_after_five_minutes():
    """A removed table has no strip, so nobody could acknowledge its alarms."""
    over = update_alarms(update_alarms({}, view(KEY)).alarms, view(seqs={})).alarms
    assert update_alarms(over, view(seqs={}, after=299)).alarms is over
    assert update_alarms(over, view(seqs={}, after=300)).alarms == {}
    assert update_alarms(over, view(after=100_000)).alarms is over


# ── random orders ────────────────────────────────────────────────────────────────────────────────────────────────

KEYS = ("t1:lost:panel", "t1:shoe_ends", "t2:lost:beacon")


class Sees(NamedTuple):
    """Statuses that a floor has read: the sequence number of the last one of each table."""

    seqs: dict[str, int]


class RandomAlarms:
    """Random causes at tables, two floors that read them late, people's acts, and one shared document."""

    def __init__(self, seed: int) -> None:
        self.chance, self.now = random.Random(seed), START
        self.past: dict[str, list[frozenset[str]]] = {"t1": [frozenset()], "t2": [frozenset()]}
        self.floors = [Sees({}), Sees({})]
        self.held: Alarms = {}
        self.began, self.raised = dict.fromkeys(KEYS, 0), dict.fromkeys(KEYS, 0)

    def run(self) -> None:
        for _ in range(80):
            self.chance.choice((self.change, self.look, self.look, self.settle, self.settle, self.act, self.wait))()
        for _ in range(2):
            self.now += 2 * QUIET
            for number in (0, 1):
                self.see(number, most=None)
                self.settle(number)
        self.check_end()

    def change(self) -> None:
        key = self.chance.choice(KEYS)
        statuses = self.past[key.partition(":")[0]]
        self.began[key] += key not in statuses[-1]
        statuses.append(statuses[-1] ^ {key})

    def look(self) -> None:
        number = self.chance.randrange(2)
        if self.chance.random() < 0.1:
            self.floors[number] = Sees({})  # started anew
        else:
            self.see(number, most=self.chance.choice((1, None)))

    def see(self, number: int, most: int | None) -> None:
        for table, statuses in self.past.items():
            seq, last = self.floors[number].seqs.get(table), len(statuses) - 1
            self.floors[number].seqs[table] = last if seq is None or most is None else min(seq + most, last)

    def settle(self, number: int | None = None) -> None:
        seqs = self.floors[self.chance.randrange(2) if number is None else number].seqs
        texts = {key: "" for table, seq in seqs.items() for key in self.past[table][seq]}
        before = self.held
        done = update_alarms(before, View(texts, frozenset(), seqs, complete=len(seqs) == 2, now=self.now))
        self.held = done.alarms
        for key, entry in before.items():
            if entry.acknowledged is None:
                assert self.held[key].since == entry.since, "one that nobody saw is lost, or doubled"
        for key in done.raised:
            assert key not in before or not is_held(before[key]), "raised twice"
            self.raised[key] += 1

    def act(self) -> None:
        keys = [key for key, entry in self.held.items() if is_held(entry)]
        if not keys:
            return
        key = self.chance.choice(keys)
        if self.chance.random() < 0.7:
            self.held = {**self.held, key: replace(self.held[key], acknowledged=replace(ANNA, at=to_text(self.now)))}
        else:
            until = Shelving(to_text(self.now + 60 * SECOND), "7", "Anna Pop", "known")
            self.held = {**self.held, key: replace(self.held[key], shelved=until)}

    def wait(self) -> None:
        """Let time pass, but never so long that the floors forget what they have not read."""
        seconds = self.chance.choice((1, 2, 30))
        self.now += seconds * SECOND
        for number in (0, 1) if seconds > 2 else ():
            self.see(number, most=None)

    def check_end(self) -> None:
        for key in KEYS:
            stands = key in self.past[key.partition(":")[0]][-1]
            if stands:
                assert self.held[key].over is None
            elif key in self.held:
                assert self.held[key].over is not None
                assert self.held[key].acknowledged is None or self.held[key].shelved is not None
            assert self.raised[key] <= self.began[key], "raised more often than it came"
            assert bool(self.raised[key]) >= stands


@pytest.mark.parametrize("seed", range(40))
def test_no_alarm_is_lost_or_doubled_in_any_order(seed):
    """400 random orders of changes, reads, acts and waits, and a check at the end of each."""
    for part in range(10):
        RandomAlarms(seed * 10 + part).run()


def test_an_alarms_key_contains_its_kind():
    assert [kind_of(key) for key in KEYS] == ["lost", "shoe_ends", "lost"]


def test_every_alarm_and_its_act_is_documented():
    text = DOCUMENT.read_text(encoding="utf-8")
    for kind, head in floor_texts.HEADS.items():
        assert f"| {head.removesuffix(': {text}').removeprefix('{text} ')} |" in text
        assert f"| {floor_texts.ACTS[kind]} |" in text
