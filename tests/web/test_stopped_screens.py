"""Screens at a fault or a halt: what to do, the cards as they lie, nothing that no longer holds."""

import pytest
from msgspec.structs import replace

from controller.core.clock import SECOND
from controller.core.coded_message import coded
from controller.games import GAMES
from controller.text.faults import Words
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.player import player
from controller.web.screens.table_snapshot import Equipment
from tests.core.bench import START
from tests.core.test_catalogue import RAISE, ROWS
from tests.web.bench_screens import bench_after, bench_look, json_text

DEALT = "open; bet p1 player 10.00; close; card 6H; card 5S; card KC; card 8D; card TC"  # Player 6, Banker 3
SETTLED = f"{DEALT}; press finish"
EXTRA = f"{DEALT}; card 7H"
FULL = coded("disk_out_of_room", path="/var/t1.journal")
WOULD_SAY = ("wins 6 : 3", "WINS", "The table is open", "OPEN BETS", "FINISH", "place your bets")


def stopped_screen(compose, table, language="en", halted=FULL):
    """Return a screen of the table, by default halted by a full disk."""
    return compose(bench_look(table, halted), Words(language))


@pytest.mark.parametrize("compose", [dealer, manager, player])
@pytest.mark.parametrize("script", ["", "open", DEALT, SETTLED, f"{SETTLED}; table close", f"{DEALT}; press manager"])
def test_a_halted_table_shows_no_step_result_or_open_door(compose, script):
    screen = stopped_screen(compose, bench_after(script))
    beside = {dealer: {"keys": (), "words": {}}, manager: {"fault": None}, player: {}}  # texts of a fault still hold
    text = json_text(replace(screen, **beside[compose])).lower()
    roads = {"last", "roads"} & set(screen.__struct_fields__)  # players see earlier results
    for field in roads:
        text = text.replace(json_text(getattr(screen, field)).lower(), "")
    assert [one for one in WOULD_SAY if one.lower() in text] == []
    assert not any(hand.due or hand.result for place in screen.places for hand in place.hands)


@pytest.mark.parametrize("script", ["", "open", DEALT, EXTRA])
def test_keys_of_a_halted_table_are_dark(script):
    shown = dealer(bench_look(bench_after(script), FULL, Equipment()), Words("en")).keys
    assert [key.key for key in shown if key.touch or key.light != "off"] == []


def test_a_halt_precedes_the_fault_and_has_a_clock():
    since = "2026-01-01T00:00:07.000000Z"
    halted = replace(bench_look(bench_after(EXTRA), FULL), halted_at=START + 7 * SECOND)
    stop = dealer(halted, Words("en")).stop
    assert (stop.head, stop.manager, stop.since) == ("Nothing can be recorded.", "The table was halted", since)
    assert [(card.face.card, card.wrong) for card in stop.loose] == [("7H", True)]  # of the fault under the halt
    screen = manager(halted, Words("en"))
    assert (screen.halted_since, screen.life, screen.next.tone) == (since, "halted", "halted")
    assert (screen.fault.head, screen.fault.rulings, screen.acts, screen.last) == ("One card too many", (), (), ())
    assert screen.players == player(halted, Words("en")).notice.text
    assert (screen.fault.calls_at, screen.fault.rule_by, screen.fault.then) == (None, None, "")


def test_a_halted_table_lets_no_betting_clock_run_for_players():
    table = bench_after("open")
    assert player(bench_look(table), Words("en")).clock is not None
    assert stopped_screen(player, table).clock is None


def test_a_full_disk_is_named_in_the_viewers_language():
    texts = [stopped_screen(manager, bench_after(DEALT), language).next.text for language in ("en", "ro")]
    assert texts[0].endswith("For the engineer: /var/t1.journal: the disk is full; make room on it.")
    assert texts[1].endswith("Pentru tehnician: /var/t1.journal: discul este plin; eliberați spațiu pe el.")


@pytest.mark.parametrize(
    "script",
    ["table close", f"{SETTLED}; table close", f"{DEALT}; press manager; rule cancel by anna because x; table close"],
)
def test_a_closed_table_is_never_called_round_over(script):
    closed = manager(bench_look(bench_after(script)), Words("en"))
    assert closed.says == "The table is closed"
    assert manager(bench_look(bench_after(f"{script}; table open")), Words("en")).says != "The table is closed"


def test_a_table_about_to_close_is_not_closed_yet():
    closing = manager(bench_look(bench_after("open; table close")), Words("en"))
    assert (closing.says, closing.open) == ("Bets are open", "The table closes after this round")
    assert manager(bench_look(bench_after("table close")), Words("en")).open == "The table is closed"


BOTH = "The shoe says TIE. The table has: BANKER wins 9 : 2."


@pytest.mark.parametrize(
    ("code", "head", "hands", "loose"),
    [
        ("device_lost", "Shoe not connected", "Draw no card", "Card not in play"),
        ("server_lost", "No line to the game server", "Draw no card", "Card not in play"),
        ("result_mismatch", "The shoe has a different result", "Leave all cards", "Card not in play"),
        ("unread_card", "The card was not read", "Slide it once more", "Lay it apart"),
        ("wrong_place", "The card lies in the wrong place", "Do not move it", "Card in another place"),
        ("extra_card", "One card too many", "Leave it where it is", "Extra card"),
        ("duplicate_card", "One 9♣ too many", "Leave all cards", "One copy too many"),
        ("missing_card", "FINISH was pressed too early", "Draw no card", "Card not in play"),
    ],
)
def test_a_stopped_dealer_reads_which_device_result_or_card(code, head, hands, loose):
    screen = dealer(bench_look(RAISE[code]("baccarat")), Words("en"))
    assert screen.stop.head == head
    assert screen.stop.hands.startswith(hands)
    assert screen.words["loose"] == loose
    assert screen.stop.results == (BOTH if code == "result_mismatch" else "")


def test_a_card_read_the_second_time_lies_there_once():
    table = bench_after("open; close; card 9C; unread")
    table.says("card 8D")
    screen = dealer(bench_look(table), Words("en"))
    assert screen.stop.head == "Read only at the second slide"
    assert screen.stop.hands.startswith("Leave all cards")
    assert ([card.face.card for card in screen.stop.loose], screen.words["loose"]) == (["8D"], "Read now")


def test_a_card_unread_twice_is_still_not_read():
    table = bench_after("open; close; card 9C; unread")
    table.says("unread")
    screen = dealer(bench_look(table), Words("en"))
    assert (screen.stop.head, screen.words["loose"]) == ("Not read at the second slide either", "Card not read")
    assert [card.face.card for card in screen.stop.loose] == [None]  # its slides count as one card


@pytest.mark.parametrize("game", [game for game in GAMES if game != "thirty_two"])
def test_no_result_is_shown_beside_the_hands_of_a_fault(game):
    codes = [row.code for row in ROWS if row.game == game]
    for code in codes:
        screen = dealer(bench_look(RAISE[code](game)), Words("en"))
        assert not any(hand.result or hand.won for place in screen.places for hand in place.hands), code


def test_a_hidden_card_at_fault_is_shown_as_a_back():
    script = "shuffled; open; bet p1 seat1 main 10.00; close; card 9C; card 8D; card 6H; card 5S at seat1"
    table = bench_after(script, "blackjack")
    screen = dealer(bench_look(table), Words("en"))
    (hand,) = (hand for place in screen.places for hand in place.hands if hand.strays)
    assert (hand.place, hand.wrong, hand.strays[0].card) == ("seat1", (2,), None)
    assert "five of spades" not in json_text(screen)
    assert "five of spades" not in json_text(replace(manager(bench_look(table), Words("en")), deck=()))
