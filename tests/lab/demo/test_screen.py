"""Screen of the demo: the picture of the table, and the lines of events."""

from functools import cached_property
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from controller.core.position import Position
from controller.core.state import State
from controller.games import GAMES
from controller.lab.demo.purses import PlayerPurses
from controller.lab.demo.screen import Lines, Screen
from controller.reports.event_lines import EventLine, lines
from controller.script.play import Play
from controller.script.reader import parse
from tests.games.table_scripts import cards, table

BLACKJACK = "shuffled · open · bet p1 seat2 main 10.00 · bet p2 seat5 main 5.00 · close\n" + cards("8C 8D TC 9D 6C 5H")


class ShownScript:
    """Script played at a table and shown by the demo. `lines`: the lines of its events."""

    def __init__(self, game: str, script: str, height: int = 60, rule_at: str = "") -> None:
        self.console = Console(width=100, height=height)
        self.lines: list[EventLine] = []
        play = table(GAMES[game], "")
        self.purses = PlayerPurses(("p1", "p2"), State())
        with Screen(
            Console(file=StringIO(), width=100, height=height, force_terminal=True), self.purses, rule_at
        ) as self.screen:
            for _, event in parse(script.replace(" · ", "\n")):
                self._show(play, play.take(event))

    def _show(self, play: Play, records: list) -> None:
        self.purses(None, records)
        self.lines += lines(play.state, records)
        due = Position(GAMES).due(play.state) if play.state.live else None
        self._shown = SimpleNamespace(state=play.state, due=due, house=play.house, halted=None)
        self.screen(self._shown, records)

    @cached_property
    def picture(self) -> list[list[str]]:
        """Words of each line of the last picture."""
        with self.console.capture() as picture:
            self.console.print(self.screen.picture(self._shown))
        return [line.strip("│ ").split() for line in picture.get().splitlines()]

    def row(self, name: str) -> list[str]:
        """Return the words of the row that begins with this name."""
        return next(words for words in self.picture if words[:1] == [name])

    def told(self, start: str) -> list[str]:
        """Return the lines that begin with this text."""
        return [line.text for line in self.lines if line.text.startswith(start)]


# ── the picture ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_taken_seats_are_shown():
    view = ShownScript("blackjack", BLACKJACK)
    assert view.row("SEAT2") == ["SEAT2", "8♣", "8♦", "16"]
    assert view.row("SEAT5") == ["SEAT5", "10♣", "9♦", "19"]
    assert not any(words[:1] == ["SEAT1"] for words in view.picture)


def test_the_hands_of_a_split_lie_one_under_the_other():
    view = ShownScript("blackjack", BLACKJACK + "decide seat2 split\n" + cards("2C 3C"))
    assert view.row("SEAT2") == ["SEAT2", "8♣", "2♣", "10", "split"]
    assert view.picture[view.picture.index(view.row("SEAT2")) + 1] == ["SEAT2.2", "8♦", "3♣", "11"]


def test_a_hidden_card_shows_a_back_and_no_total():
    assert ShownScript("blackjack", BLACKJACK).row("DEALER") == ["DEALER", "6♣", "▒▒"]


def test_a_cancelled_round_shows_void_hands_and_clear_first():
    view = ShownScript("blackjack", BLACKJACK + "press manager · rule cancel by anna because x")
    assert view.row("SEAT2") == ["SEAT2", "8♣", "8♦", "VOID"]
    assert view.row("next:") == ["next:", "CLEAR", "THE", "CARDS"]


def test_what_is_due_next_says_who_has_still_to_decide():
    script = "shuffled · open · bet p1 ante 10.00 · bet p2 ante 10.00 · close\n"
    view = ShownScript("casino_holdem", script + cards("2C 3D 4C 5C 6C 7C 8H") + "decide p1 call")
    assert view.row("next:") == ["next:", "P2:", "CALL", "OR", "FOLD?"]
    assert view.row("p1")[-1] == "call"


@pytest.mark.parametrize(
    ("game", "script", "told"),
    [("baccarat", "", "OPEN BETS"), ("thirty_two", "", "SHUFFLE"), ("thirty_two", "shuffled", "OPEN BETS"),
     ("baccarat", "open", "NO MORE BETS"), ("baccarat", "open · close", "CARD TO PLAYER")],
)  # fmt: skip
def test_what_is_due_next_is_what_the_dealer_does(game, script, told):
    assert ShownScript(game, f"{script} · gone p1").row("next:") == ["next:", *told.split()]


def test_a_players_row_is_purse_stakes_and_what_came_back():
    view = ShownScript("blackjack", BLACKJACK + "decide seat2 split\n")
    assert view.row("p1") == ["p1", "980.00", "seat2", "main", "10.00", "split", "10.00"]
    view = ShownScript("baccarat", "open · bet p1 player 10.00 · bet p2 tie 1.00 · close\n" + cards("9C 2D KH 3S"))
    assert view.row("p1") == ["p1", "1010.00", "player", "10.00", "back", "20.00", "(+10.00)"]
    assert view.row("p2") == ["p2", "999.00", "tie", "1.00", "back", "0.00", "(-1.00)"]


def test_a_holdem_hand_is_named_together_with_the_board():
    script = "shuffled · open · bet p1 ante 10.00 · close\n" + cards("AC AD 4C 5C 6C 7C 8H")
    assert ShownScript("casino_holdem", script).row("PLAYER") == ["PLAYER", "A♣", "A♦", "1", "Pair"]


def test_the_board_of_a_holdem_round_has_no_name():
    script = "shuffled · open · bet p1 ante 10.00 · close\n" + cards("AC AD 4C 5C 6C 7C 8H")
    view = ShownScript("casino_holdem", script + "decide p1 call\n" + cards("9D TS"))
    assert view.row("BOARD") == ["BOARD", "6♣", "7♣", "8♥", "9♦", "10♠"]


def test_the_result_of_each_hand_stands_beside_it():
    script = BLACKJACK + "decide seat2 stand · decide seat5 stand · card 7D"
    view = ShownScript("blackjack", script)
    assert view.row("SEAT2")[-2:] == ["stand", "LOSE"]
    assert view.row("SEAT5")[-2:] == ["stand", "WIN"]


@pytest.mark.parametrize("height", [24, 40])
def test_the_picture_fits_the_terminal_with_the_latest_events(height):
    view = ShownScript("blackjack", BLACKJACK + "decide seat2 hit · card KD · card KH", height)
    assert len(view.picture) <= height
    assert view.picture[-2][1:3] == ["FAULT", "extra_card:"]
    count = sum(words[0][:1].isdigit() for words in view.picture if words)
    assert count == {24: 9, 40: 12}[height]


# ── the lines ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stakes_and_pay_outs_are_one_line_each():
    script = "open · bet p1 player 10.00 · bet p1 tie 1.00 · bet p2 banker 5.00 · close\n" + cards("9C 2D KH 3S")
    view = ShownScript("baccarat", script)
    assert view.told("stakes") == ["stakes: p1 player 10.00 tie 1.00, p2 banker 5.00"]
    assert view.told("paid") == ["paid: p1 +9.00, p2 -5.00"]
    assert not view.told("p1 bets") + view.told("p1 gets")


def test_a_seat_is_named_once_in_a_players_stakes():
    view = ShownScript("rhum32", "shuffled · open · bet p1 seat1 ante 10.00 · bet p1 seat1 tie 5.00 · close")
    assert view.told("stakes") == ["stakes: p1 seat1 ante 10.00 tie 5.00"]


def test_the_refunds_of_a_cancelled_round_are_one_line():
    view = ShownScript("baccarat", "open · bet p1 player 10.00 · bet p1 tie 1.00 · press manager · rule cancel by m1")
    assert view.told("refunded") == ["refunded: p1 11.00"]


def test_without_bets_no_line_is_about_money():
    view = ShownScript("baccarat", "open · close\n" + cards("9C 2D KH 3S"))
    assert [line for line in view.lines if line.kind == "money"] == []


def test_a_decision_and_its_stake_are_one_line():
    view = ShownScript("blackjack", BLACKJACK + "decide seat2 split")
    assert view.told("seat2") == ["seat2: split, 10.00 on seat2 split"]


def test_a_settlement_lists_hands_with_points_and_results():
    view = ShownScript("blackjack", BLACKJACK + "decide seat2 stand · decide seat5 stand · card 7D")
    assert view.told("round 1 settled") == ["round 1 settled: dealer 18, hands seat2 16 lose, seat5 19 win"]


AT = "http://127.0.0.1:8032/manager, sign in as manager1, PIN 2580"


@pytest.mark.parametrize("rule_at", ["", AT])
def test_at_a_fault_the_picture_says_where_to_rule(rule_at):
    view = ShownScript("baccarat", "open · card 9C", rule_at=rule_at)
    assert ([*["rule", "on", "it:", "go", "to"], *AT.split()] in view.picture) is bool(rule_at)


def test_without_a_terminal_a_line_says_where_to_rule():
    play, out = table(GAMES["baccarat"], ""), StringIO()
    printer = Lines(Console(file=out, width=40), AT)
    for _, event in parse("open\ncard 9C"):
        records = play.take(event)
        printer(SimpleNamespace(state=play.state, halted=None), records)
    assert out.getvalue().splitlines()[-1] == f"rule on it: go to {AT}"
    printer(SimpleNamespace(state=play.state, halted=f"{'/long' * 10}: no space left on device"), [])
    assert out.getvalue().splitlines()[-1] == f"HALTED: {'/long' * 10}: no space left on device"
