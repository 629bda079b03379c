"""The people of a demo (dealer, shift manager, players) play and rule at a table in this process."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner
from rich.console import Console

from controller.cli import main
from controller.core import events as e
from controller.core.house import House
from controller.core.records import Record
from controller.games import GAMES
from controller.journal import Journal, read
from controller.lab.commands.demo_results import DemoCounter
from controller.lab.demo import Demo, Plan, StuckDemo, players
from controller.lab.demo.purses import PlayerPurses
from controller.lab.demo.screen import Screen
from controller.reports.event_lines import lines
from controller.script.play import Play
from controller.station.ownership import OtherTable
from controller.table.loop import Table
from controller.text.naming import card_sign
from drivers.emulators.xkeys import EmulatedXK24
from drivers.usb_device import UsbDevice
from tests.patience import PATIENCE, turns, until


class PlanWithErrors(Plan, frozen=True):
    """Plan with a given error for each round; None: no error."""

    mistakes: tuple[str | None, ...] = ()

    def errors(self) -> Iterator[str | None]:
        return iter(self.mistakes)


def plan(game: str, *mistakes: str | None, seed: int = 1) -> PlanWithErrors:
    return PlanWithErrors(len(mistakes), 1000, seed, game=game, mistakes=mistakes)


class FinishedDemo:
    """Demo that has run to its end, and its records. `top`: the first cards of its shoe."""

    def __init__(self, folder: Path, plan: Plan, *watchers, top: Sequence[str] = ()) -> None:
        folder.mkdir(exist_ok=True)
        with closing(Journal(folder / "demo.journal")) as journal:
            self.demo = Demo(plan, journal)
            for watcher in watchers:
                self.demo.table.subscribe(watcher)
            for card in reversed(top):
                self.demo.shoe.device.put_on_top(card)
            asyncio.run(self.demo.run())
        self.records: list[Record] = list(read(folder / "demo.journal"))

    def of(self, *kinds: str) -> list:
        return [record.what for record in self.records if record.kind in kinds]


def absent(monkeypatch, absence: str | None) -> None:
    """Make a player absent in this way in every round; None: nobody is ever absent."""
    monkeypatch.setattr(players, "ABSENCES", {absence: 1})
    monkeypatch.setattr(players, "SITS_OUT", 0)


# ── the dealer and the shift manager ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", sorted(GAMES))
def test_only_a_card_too_early_costs_the_round(tmp_path, monkeypatch, game):
    absent(monkeypatch, None)
    played = FinishedDemo(tmp_path, plan(game, "misread", "overdraw", "early", "unread"))
    assert [what.ruling for what in played.of("ruled")] == ["correct", "burn", "cancel", "rescan"]
    assert [what.code for what in played.of("faulted")][1:] == ["extra_card", "card_before_close", "unread_card"]
    ends = [record.kind for record in played.records if record.kind in ("settled", "cancelled")]
    assert ends == ["settled", "settled", "cancelled", "settled"]
    assert played.of("ruling_refused") == []


def test_a_card_misread_as_a_dealt_one_is_corrected(tmp_path):
    played = FinishedDemo(tmp_path, plan("thirty_two", *["misread"] * 8, seed=8))
    codes = [what.code for what in played.of("faulted")]
    assert set(codes) == {"dealer_call", "duplicate_card"}
    assert [what.ruling for what in played.of("ruled")] == ["correct"] * 8
    assert len(played.of("settled")) == 8
    others = [what for what in played.of("ignored") if what.reason != "press_again"]  # the first of two presses
    assert others == []  # the shift manager is there already and is not called again


def test_a_card_misread_as_a_seventh_copy_is_corrected(tmp_path):
    top = [*["9D"] * 4, *["8D"] * 4, *["9D"] * 2, "9C", "9C"]  # one of the two 9C is read as another 9D
    played = FinishedDemo(tmp_path, plan("baccarat", None, None, "misread", None), top=top)
    assert [(what.code, what.draw) for what in played.of("faulted")] == [("duplicate_card", 4)]
    assert [what.ruling for what in played.of("ruled")] == ["correct"]
    assert len(played.of("settled")) == 4


def test_no_key_is_pressed_before_the_panel_is_found(tmp_path, monkeypatch):
    write, may_ask = UsbDevice._write, Event()

    def late(*what) -> None:
        assert may_ask.wait(PATIENCE)
        write(*what)

    async def run(demo: Demo) -> None:
        running = asyncio.create_task(demo.run())
        await until(lambda: demo.bus.is_plugged(demo.panel) and demo.bus.port(demo.panel).claimed)
        await turns()
        may_ask.set()  # let the panel report held keys: any key pressed before counts as held
        await running

    monkeypatch.setattr(UsbDevice, "_write", late)
    with closing(Journal(tmp_path / "demo.journal")) as journal:
        asyncio.run(run(Demo(plan("casino_holdem", None), journal)))
    assert [record.kind for record in read(tmp_path / "demo.journal")].count("settled") == 1


@pytest.mark.parametrize("error", ["unread", "overdraw"])
def test_a_fault_that_somebody_else_ruled_on_is_left_alone(tmp_path, error):
    def first(table: Table, records: Sequence[Record]) -> None:
        for record in records:
            if record.kind == "faulted":
                ruling = "burn" if record.what.code == "extra_card" else "cancel"
                event = e.Rule(ruling, "anna", "at the command line", fault=record.seq)
                asyncio.get_running_loop().call_later(0, table.take, event)  # after the demo's people saw the fault

    played = FinishedDemo(tmp_path, plan("baccarat", error, None), first)
    assert [what.by for what in played.of("ruled")] == ["anna"]
    assert (len(played.of("faulted")), played.of("ruling_refused")) == (1, [])


def test_the_same_seed_repeats_rounds_and_another_changes_them(tmp_path):
    def rounds(name: str, seed: int) -> list[str]:
        played = FinishedDemo(tmp_path / name, Plan(3, 1000, seed, faults=True, game="blackjack"))
        events = played.of("bet_accepted", "dealt", "drawn", "decided", "faulted", "paid")
        return [re.sub(r"\w{26}\.", "", str(what)) for what in events]  # without the ids, which differ in every run

    first, again, other = rounds("first", 5), rounds("again", 5), rounds("other", 6)
    assert first == again != other
    assert len(first) > 30


def test_any_seed_shows_both_faults_within_its_first_rounds(tmp_path):
    for seed in (1, 2, 3):
        played = FinishedDemo(tmp_path / str(seed), Plan(2, 1000, seed, faults=True))
        assert {what.code for what in played.of("faulted")} == {"card_before_close", "unread_card"}


def test_a_shoe_that_stays_is_changed_when_cards_run_low(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.lab.demo.shoes.CUT_AT", 297)  # of 312
    played = FinishedDemo(tmp_path, plan("baccarat", *[None] * 7))
    kinds = Counter(record.kind for record in played.records)
    assert kinds["shoe_change"] == kinds["cut_card"] >= 1
    assert kinds["shoe_ready"] == kinds["shoe_change"] + 1  # the first was full at the start
    assert (kinds["settled"], kinds["faulted"]) == (7, 0)


def test_a_demo_on_an_earlier_record_begins_with_another_shoe(tmp_path):
    first, second = (FinishedDemo(tmp_path, plan("baccarat", None, seed=seed)).records for seed in (1, 2))
    kinds = [record.kind for record in second[len(first) :]]
    assert kinds.index("shoe_change") < kinds.index("shoe_ready") < kinds.index("opened")
    assert [record.what.cards for record in second if record.kind == "shoe_ready"] == [312, 312]
    assert kinds.count("settled") == 1


def test_a_deck_of_the_game_is_shuffled_before_each_round(tmp_path):
    played = FinishedDemo(tmp_path, plan("thirty_two", *[None] * 4))
    assert [record.kind for record in played.records if record.kind in ("shuffled", "opened")] == [
        "shuffled", "opened"
    ] * 4  # fmt: skip
    first = [record.what.card for record in played.records if record.kind == "dealt" and record.what.draw == 1]
    assert len(set(first)) > 1
    assert {card[0] for card in (what.card for what in played.of("dealt"))} <= set("6789TJQK")


def test_a_demo_refuses_the_record_of_another_game(tmp_path):
    journal = Journal(tmp_path / "demo.journal")
    Play(House(GAMES["baccarat"], GAMES["baccarat"].settings(), table="demo"), journal)
    journal.close()
    with pytest.raises(OtherTable, match="expected a record of thirty_two, this is one of baccarat"):
        FinishedDemo(tmp_path, plan("thirty_two", None))


def test_a_lost_player_is_back_when_the_demo_continues(tmp_path):
    journal = Journal(tmp_path / "demo.journal")
    play = Play(House(GAMES["baccarat"], GAMES["baccarat"].settings(), table="demo"), journal)
    play.take(e.LineCut("p1"))
    journal.close()
    played = FinishedDemo(tmp_path, plan("baccarat", None))
    assert next(what.player for what in played.of("player_back")) == "p1"
    assert "p1" in {what.player for what in played.of("paid")}


# ── the players ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_silent_player_is_decided_for_and_answers_too_late(tmp_path, monkeypatch):
    absent(monkeypatch, players.SILENT)
    played = FinishedDemo(tmp_path, plan("casino_holdem", None))
    assert [(what.decision, what.by) for what in played.of("decided") if what.by == "table"] == [("fold", "table")]
    (refused,) = played.of("decision_refused")
    assert (refused.who, refused.reason) == (
        next(one.who for one in played.of("decided") if one.by == "table"),
        "too_late",
    )
    assert played.of("player_gone") == []


def test_a_player_cut_after_the_close_stays_in(tmp_path, monkeypatch):
    absent(monkeypatch, players.GONE_AFTER)
    played = FinishedDemo(tmp_path, plan("rhum32", None))
    (gone,) = (what.player for what in played.of("player_gone"))
    defaults = {what.who for what in played.of("decided") if what.by == "table"}
    assert defaults == {what.market.split()[0] for what in played.of("bet_accepted") if what.player == gone}
    assert gone in {what.player for what in played.of("paid")}
    assert [what.player for what in played.of("player_back")] == [gone]


def test_a_player_cut_before_the_close_is_not_charged(tmp_path, monkeypatch):
    absent(monkeypatch, players.GONE_BEFORE)
    played = FinishedDemo(tmp_path, plan("blackjack", None, None))
    assert len(played.of("player_gone")) == len(played.of("player_back")) == 2
    for number, gone in enumerate((what.player for what in played.of("player_gone")), start=1):
        of_round = [record for record in played.records if record.round == number]
        assert gone not in {record.what.player for record in of_round if record.kind == "paid"}
        assert gone in {record.what.player for record in of_round if record.kind == "bet_withdrawn"}


def test_a_player_with_a_thin_purse_brings_another(tmp_path, monkeypatch):
    monkeypatch.setattr(players, "LEAST", 995_00)
    count = DemoCounter(GAMES["thirty_two"])
    purses = FinishedDemo(tmp_path, plan("thirty_two", None, None, None), count).demo.players.purses
    assert purses.brought["p1"] > 1000_00
    held = sum(purses[player] for player in purses.players)
    back = sum(count.sums[name] for name in ("withdrawn", "paid_out", "refunded"))
    assert held == purses.brought.total() - count.sums["staked"] + back


# ── the terminal ─────────────────────────────────────────────────────────────────────────────────────────────────


class Watching:
    """Listener that checks the terminal's picture after every event for visible face-down cards."""

    def __init__(self) -> None:
        self.named: list[str] = []  # face-down cards with a visible value
        self.backs = 0

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        draws = table.state.round.draws
        hidden = [draw.card for draw in draws if draw.hidden and draw.card]
        if not (hidden and table.state.live):
            return
        picture, text = self._picture(table), " ".join(line.text for line in lines(table.state, records))
        self.backs = max(self.backs, picture.count("▒▒"))
        for card in hidden:
            open_too = sum(draw.card == card and not draw.hidden for draw in draws)
            sign = card_sign(card)
            if picture.count(f" {sign} ") > open_too or card in text or sign in text:
                self.named.append(card)

    def _picture(self, table: Table) -> str:
        console = Console(width=120, height=60)
        with console.capture() as shown:
            console.print(Screen(console, PlayerPurses(players.PLAYERS, table.state)).picture(table))
        return shown.get()


@pytest.mark.parametrize(("game", "backs"), [("blackjack", 1), ("casino_holdem", 2), ("rhum32", 3)])
def test_a_hidden_card_is_a_back_even_when_unread(tmp_path, monkeypatch, game, backs):
    absent(monkeypatch, None)
    watching = Watching()
    played = FinishedDemo(tmp_path, plan(game, "unread", seed=2), watching)
    assert any(what.hidden for what in played.of("drawn"))  # the unread card was a face-down one
    assert watching.backs == backs
    assert watching.named == []


# ── a table that is stuck ─────────────────────────────────────────────────────────────────────────────────


class Impatient(PlanWithErrors, frozen=True):
    """Plan with people who wait only 0.3 seconds for the table."""

    @property
    def patience(self) -> float:
        return 0.3


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_a_demo_that_is_stuck_ends_and_says_where(tmp_path, game):
    def unplug(_table: Table, records: Sequence[Record]) -> None:
        if any(record.kind == "closed" for record in records):
            demo.shoe.device.unplug()

    with closing(Journal(tmp_path / "demo.journal")) as journal:
        demo = Demo(Impatient(2, 1000, 1, game=game, mistakes=(None, None)), journal)
        demo.table.subscribe(unplug)
        with pytest.raises(StuckDemo, match="stays"):
            asyncio.run(demo.run())


def test_a_stuck_demo_is_one_line_and_exit_code_1(tmp_path, monkeypatch):
    monkeypatch.setattr(Plan, "patience", 0.3)
    monkeypatch.setattr(EmulatedXK24, "tap", lambda _panel, _key: None)
    ended = CliRunner().invoke(main, ["demo", "--speed", "1000", "--journal", str(tmp_path)], catch_exceptions=False)
    assert ended.exit_code == 1
    assert ended.stderr == "tablectl: the demo is stuck: round 0 stays idle, expected: no card\n"


def test_an_error_of_the_managers_ends_the_demo_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.lab.demo.manager.RULINGS", None)
    with pytest.raises(AttributeError):
        FinishedDemo(tmp_path, plan("baccarat", "early"))
