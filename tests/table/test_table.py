"""Live table: records are on disk before they are announced, deadlines act, and a halt loses nothing."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

import controller.table.loop
from controller.config.table_file import Config
from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.house import House
from controller.core.records import Record
from controller.core.state import State
from controller.games import GAMES
from controller.journal import Head, Journal, JournalFailed, read, verify
from controller.rules.baccarat_odds import main_bets
from controller.table.loop import Table
from tests.clocks import TableClock
from tests.patience import PATIENCE, on_loop, turns, until

HOUSE = Config().house("dealer", "baccarat")
HOLDEM = House(GAMES["casino_holdem"], GAMES["casino_holdem"].settings())
WINDOWS = House(GAMES["baccarat"], GAMES["baccarat"].settings(betting_windows=3))
NATURAL = ("9C", "2D", "KD", "3H")  # Player 9, Banker 5: nobody draws


class Unreliable:
    """Journal on a disk that refuses every write while `broken` is set."""

    def __init__(self, path: Path) -> None:
        self.book = Journal(path)
        self.broken: str | None = None
        self.refused = 0

    @property
    def head(self) -> Head:
        return self.book.head

    def append(self, records: Sequence[Record]) -> Head:
        if self.broken:
            self.refused += 1
            raise JournalFailed(self.broken)
        return self.book.append(records)

    def recover(self) -> State:
        return self.book.recover()

    def tidy(self) -> bool:
        return self.book.tidy()

    def watch(self) -> None:
        self.book.watch()


class JournaledTable:
    """Table with its journal, and the records that it announced."""

    def __init__(self, path: Path, house: House = HOUSE) -> None:
        self.path = path
        self.journal = Unreliable(path)
        self.clock = TableClock()
        self.table = Table(house, self.journal, self.clock)
        self.announced: list[Record] = []
        self.calls: list[tuple[str | None, int]] = []  # halted, number of records
        self.on_disk_by_then: list[bool] = []
        self._changed = asyncio.Event()
        self.table.subscribe(self._told)

    def _told(self, table: Table, records: Sequence[Record]) -> None:
        self.on_disk_by_then.append(self.recorded()[-len(records) :] == list(records) if records else True)
        self.announced += records
        self.calls.append((table.halted, len(records)))
        self._changed.set()

    def recorded(self) -> list[Record]:
        return list(read(self.path))

    def kinds(self, after: int = 0) -> list[str]:
        return [record.kind for record in self.announced if record.seq > after]

    def take(self, *events: e.Event) -> None:
        for event in events:
            self.table.take(event)

    def deal(self, *cards: str) -> None:
        self.take(*(e.CardOut(card) for card in cards))

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    def put_forward_to_just_before_the_deadline(self) -> None:
        """Let a record restart the timer one millisecond before the deadline, then let that time pass."""
        deadline = self.table.state.deadline
        assert deadline is not None
        self.clock.ahead += deadline - self.clock.now() - 1000
        self.take(e.FoundDevice("beacon"))
        self.clock.ahead += 1000

    async def tried_to_heal(self, times: int = 2) -> None:
        """Wait until the journal has refused so many more writes."""
        before = self.journal.refused
        await until(lambda: self.journal.refused >= before + times)

    def close(self) -> None:
        self.table.stop()
        self.journal.book.close()


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)


async def started(path: Path, house: House = HOUSE, dealer: str | None = "d1") -> JournaledTable:
    rig = JournaledTable(path, house)
    rig.table.start(dealer)
    return rig


# ── recording ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_table_opens_with_shoe_and_dealer(path):
    async def steps():
        rig = await started(path)
        assert rig.kinds() == ["configured", "table_opened", "shoe_ready", "dealer_changed"]
        assert [record.what.by for record in rig.announced[1:3]] == ["config", "config"]
        assert rig.table.state.life == "idle"
        rig.close()

    on_loop(steps)


@pytest.mark.parametrize("stands", range(1, 4))
def test_a_table_killed_during_its_first_records_still_opens(path, tmp_path, stands):
    async def steps():
        first = await started(path)
        first.close()
        cut = tmp_path / "cut.journal"
        book = Journal(cut)
        book.append(first.recorded()[:stands])
        book.close()
        for _ in range(2):  # also at the next start
            rig = await started(cut)
            state = rig.table.state
            rig.close()
            assert (state.open, state.shoes, state.shoe.size - state.shoe.out, state.dealer) == (True, 1, 312, "d1")

    on_loop(steps)


def test_what_is_announced_is_on_disk(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.Close())
        rig.deal(*NATURAL)
        rig.take(e.KeyPressed("finish"))
        assert rig.table.state.life == "settled"
        assert all(rig.on_disk_by_then)
        assert rig.announced == rig.recorded()
        assert verify(path).finding is None
        rig.close()

    on_loop(steps)


def test_an_event_that_leads_to_nothing_is_not_announced(path):
    async def steps():
        rig = await started(path)
        before = len(rig.calls)
        rig.take(e.Tick(), e.ShoeStandsBy())
        assert len(rig.calls) == before
        rig.close()

    on_loop(steps)


# ── halted ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_while_the_journal_fails_nothing_is_announced_and_nothing_changes(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.Close())
        before, count = rig.table.state, len(rig.announced)
        rig.journal.broken = "the disk is full"
        rig.deal(*NATURAL)
        await rig.tried_to_heal()
        assert rig.table.halted == "the disk is full"
        assert rig.table.state is before
        assert len(rig.announced) == count
        assert len(rig.recorded()) == before.seq
        rig.close()

    on_loop(steps)


def test_listeners_are_told_without_records_that_the_table_has_halted(path):
    async def steps():
        rig = await started(path)
        rig.journal.broken = "the disk is full"
        rig.take(e.Open())
        assert rig.calls[-1] == ("the disk is full", 0)
        rig.take(e.Close())
        assert rig.calls[-1] == ("the disk is full", 0)
        rig.close()

    on_loop(steps)


def test_a_halts_failure_is_recorded_before_the_waiting_events(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.Close())
        seq = rig.table.state.seq
        rig.journal.broken = "the disk is full"
        rig.deal("9C", "2D")
        rig.take(e.LostDevice("panel"))
        rig.deal("KD")
        rig.journal.broken = None
        await rig.until(lambda: rig.table.halted is None and len(rig.announced) == seq + 5)
        assert rig.kinds(seq) == ["faulted", "drawn", "drawn", "device_lost", "drawn"]
        fault = rig.announced[seq].what
        assert (fault.code, fault.came) == ("journal_failed", e.JournalBack("the disk is full"))
        assert [record.what.card for record in rig.announced if record.kind == "drawn"] == ["9C", "2D", "KD"]
        assert rig.table.state.life == "paused"
        assert rig.announced == rig.recorded()
        rig.close()

    on_loop(steps)


def test_a_halted_round_continues_with_the_waiting_cards(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.Close())
        rig.journal.broken = "the disk is full"
        rig.deal(*NATURAL)
        rig.journal.broken = None
        await rig.until(lambda: len(rig.table.state.loose_draws) == 4)
        rig.take(e.Rule("resume", "manager1", "the disk has room again"))
        assert rig.table.state.life == "complete"
        rig.take(e.KeyPressed("finish"))
        assert rig.table.state.life == "settled"
        assert rig.table.state.round.outcome["winner"] == "player"
        rig.close()

    on_loop(steps)


def test_after_a_halt_between_rounds_nothing_is_faulted(path):
    async def steps():
        rig = await started(path)
        seq = rig.table.state.seq
        rig.journal.broken = "the disk is full"
        rig.take(e.Open())
        rig.journal.broken = None
        await rig.until(lambda: len(rig.announced) == seq + 2)
        assert rig.kinds(seq) == ["ignored", "opened"]
        rig.close()

    on_loop(steps)


def test_a_table_that_starts_halted_opens_once_writable(path):
    async def steps():
        rig = JournaledTable(path)
        rig.journal.broken = "the disk is full"
        rig.table.start("d1")
        assert rig.table.halted
        assert rig.announced == []
        rig.journal.broken = None
        await rig.until(lambda: len(rig.announced) == 4)
        assert rig.kinds() == ["configured", "table_opened", "shoe_ready", "dealer_changed"]
        rig.close()

    on_loop(steps)


def test_no_deadline_passes_while_the_table_is_halted(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        rig.journal.broken = "the disk is full"
        rig.take(e.LostDevice("panel"))
        rig.clock.ahead += 3600 * SECOND
        await rig.tried_to_heal()
        rig.journal.broken = None
        await rig.until(lambda: rig.table.state.life == "paused")
        assert rig.table.state.fault.code == "journal_failed"
        assert "closed" not in rig.kinds()
        rig.close()

    on_loop(steps)


def test_a_second_failure_after_a_halt_halts_again(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        for _ in range(3):
            rig.journal.broken = "the disk is full"
            rig.take(e.LostDevice("panel"), e.FoundDevice("panel"))
            assert rig.table.halted
            rig.journal.broken = None
            await rig.until(lambda: rig.table.halted is None and rig.kinds()[-1] == "device_found")
        assert rig.kinds().count("device_lost") == rig.kinds().count("device_found") == 3
        assert rig.announced == rig.recorded()
        rig.close()

    on_loop(steps)


# ── deadlines ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_betting_closes_by_itself_at_its_deadline(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        deadline = rig.table.state.deadline
        rig.put_forward_to_just_before_the_deadline()
        assert rig.table.state.life == "betting"
        await rig.until(lambda: rig.table.state.life == "dealing")
        closed_ = rig.announced[-1]
        assert (closed_.kind, closed_.what.by, closed_.at) == ("closed", "clock", deadline)
        rig.close()

    on_loop(steps)


def test_the_table_decides_for_a_silent_player_at_the_deadline(path):
    async def steps():
        rig = await started(path, HOLDEM)
        rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000), e.Close())
        rig.deal("2C", "3D", "9H", "TD", "KC", "7S", "8H")
        assert rig.table.state.life == "deciding"
        rig.put_forward_to_just_before_the_deadline()
        await rig.until(lambda: "decided" in rig.kinds())
        decided = next(record.what for record in rig.announced if record.kind == "decided")
        assert (decided.who, decided.decision, decided.by) == ("p1", "fold", "table")
        rig.close()

    on_loop(steps)


def test_a_resume_continues_the_deadline_with_the_time_left(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.KeyPressed("manager"))
        left = rig.table.state.left
        assert rig.table.state.deadline is None
        rig.clock.ahead += 3600 * SECOND
        await turns()
        rig.take(e.Rule("resume", "manager1", "all is well"))
        assert rig.table.state.life == "betting"
        assert rig.table.state.deadline == rig.announced[-1].at + left
        rig.put_forward_to_just_before_the_deadline()
        await rig.until(lambda: rig.table.state.life == "dealing")
        rig.close()

    on_loop(steps)


def test_a_card_after_the_deadline_follows_the_close(path):
    """The loop was too busy for the timer: the time of the event itself decides that betting has closed."""

    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        rig.clock.ahead += 16 * SECOND
        rig.deal("9C")
        assert rig.kinds()[-2:] == ["closed", "dealt"]
        rig.close()

    on_loop(steps)


def test_a_stopped_table_does_nothing_more_by_itself(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        rig.put_forward_to_just_before_the_deadline()
        count = len(rig.announced)
        rig.table.stop()
        (path.parent / "beside").mkdir()
        other = await started(path.parent / "beside" / "table.journal")
        other.take(e.Open())
        other.put_forward_to_just_before_the_deadline()
        await other.until(lambda: other.table.state.life == "dealing")  # the stopped one would have closed, too
        other.close()
        assert len(rig.announced) == count == len(rig.recorded())
        assert rig.table.state.life == "betting"
        rig.journal.book.close()

    on_loop(steps)


# ── idle moments ─────────────────────────────────────────────────────────────────────────────────────────────────


def computed() -> int:
    """Return how often odds were computed so far."""
    return main_bets.cache_info().misses


def test_no_window_waits_for_its_odds(path):
    """Odds are computed in idle moments before a window opens, for every card that may open one."""

    async def steps():
        main_bets.cache_clear()
        rig = await started(path, WINDOWS)
        for event in (e.Open(), e.Close(), e.CardOut("9C"), e.Close(), e.CardOut("2D"), e.Close()):
            await turns()
            before = computed()
            rig.take(event)
            assert computed() == before, event
        rig.deal("KD", "3H")
        assert rig.table.state.life == "settled"
        await turns()
        before = computed()
        rig.take(e.Open())
        assert computed() == before
        assert rig.kinds().count("window_opened") == 2
        rig.close()

    on_loop(steps)


def test_odds_do_not_depend_on_idle_time(path, tmp_path):
    async def steps():
        odds = []
        (tmp_path / "2").mkdir()
        second = tmp_path / "2" / path.name
        for rig, pause in ((await started(path, WINDOWS), turns), (await started(second, WINDOWS), None)):
            main_bets.cache_clear()
            for event in (e.Open(), e.Close(), e.CardOut("9C"), e.Close(), e.CardOut("2D")):
                if pause:
                    await pause()
                rig.take(event)
            odds.append([record.what.odds for record in rig.announced if record.kind in ("opened", "window_opened")])
            rig.close()
        assert odds[0] == odds[1]
        assert len(odds[0]) == 3

    on_loop(steps)


def test_a_stopped_table_computes_no_odds(path):
    async def steps():
        main_bets.cache_clear()
        rig = await started(path, WINDOWS)
        rig.close()
        await turns()
        assert computed() == 0

    on_loop(steps)


# ── restart ──────────────────────────────────────────────────────────────────────────────────────────────────────


BETTING: tuple[e.Event, ...] = (e.Open(), e.PlaceBet("p1", "banker", 1000))
DEALING = (*BETTING, e.Close(), e.CardOut("9C"), e.CardOut("2D"))
COMPLETE = (*DEALING, e.CardOut("KD"), e.CardOut("3H"))
SETTLED = (*COMPLETE, e.KeyPressed("finish"))
PAUSED = (*DEALING, e.CardOut(None))
CANCELLED = (*PAUSED, e.Rule("cancel", "manager1", "no card"))
CARD_AT_REST = (*SETTLED, e.CardOut("4C"))


async def played(path: Path, events: Sequence[e.Event]) -> State:
    rig = await started(path)
    rig.take(*events)
    rig.close()
    return rig.table.state


@pytest.mark.parametrize("events", [BETTING, DEALING, COMPLETE], ids=["betting", "dealing", "complete"])
def test_a_live_round_is_paused_by_a_restart(path, events):
    async def steps():
        before = await played(path, events)
        rig = await started(path)
        assert rig.kinds() == ["configured", "faulted"]
        state = rig.table.state
        assert (state.life, state.fault.code, state.paused_from) == ("paused", "restarted", before.life)
        assert (state.round.draws, state.round.bets) == (before.round.draws, before.round.bets)
        rig.take(e.Rule("resume", "manager1", "nothing happened meanwhile"))
        assert rig.table.state.life == before.life
        rig.close()

    on_loop(steps)


@pytest.mark.parametrize(
    "events", [(), SETTLED, CANCELLED, PAUSED, CARD_AT_REST], ids=["idle", "settled", "cancelled", "paused", "at rest"]
)
def test_a_restart_leaves_what_is_not_running_as_it_was(path, events):
    async def steps():
        before = await played(path, events)
        rig = await started(path)
        now = rig.table.state.at
        if before.fault is None:
            assert rig.kinds() == ["configured"]
            assert rig.table.state == replace(before, seq=before.seq + 1, at=now)
        else:  # only the time limits of the fault start again
            assert rig.kinds() == ["configured", "restarted"]
            fault = replace(before.fault, restarted=now)
            assert rig.table.state == replace(before, fault=fault, seq=before.seq + 2, at=now)
        rig.close()

    on_loop(steps)


def test_a_table_that_restarts_again_and_again_is_paused_once(path):
    async def steps():
        await played(path, DEALING)
        for _ in range(4):
            rig = await started(path)
            rig.close()
        assert [record.what.code for record in read(path) if record.kind == "faulted"] == ["restarted"]

    on_loop(steps)


def test_a_restart_signs_on_another_dealer_only_between_rounds(path):
    async def steps():
        await played(path, DEALING)
        rig = await started(path, dealer="d2")
        assert rig.table.state.dealer == "d1"
        rig.take(e.Rule("cancel", "manager1", "start anew"))
        rig.close()
        rig = await started(path, dealer="d2")
        assert rig.kinds() == ["configured", "dealer_changed"]
        rig.close()

    on_loop(steps)
