"""The dealer's screen: the next step, the hands, the keys, and in a fault what to do."""

import re

import msgspec
import pytest

from controller.games import GAMES
from controller.text.faults import LANGUAGES, Words
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.player import player
from tests.core.bench import Bench
from tests.core.test_catalogue import played
from tests.web.bench_screens import (
    BLACKJACK,
    BOARD,
    HOLDEM,
    UP_AND_DOWN,
    bench_after,
    bench_look,
    dealer_screen,
    hand_at,
    json_text,
    player_screen,
)

# ── the next step ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "script", "head", "text"),
    [
        ("baccarat", "", "OPEN BETS", "for the next round"),
        ("baccarat", "open", "BETS ARE OPEN", "NO MORE BETS when the time is up"),
        ("baccarat", "open; close", "PLAYER", "first card"),
        ("baccarat", "open; close; card 2C; card 3D; card 2H; card 4S", "PLAYER", "third card"),
        ("baccarat", "open; close; card 9C; card 2D; card KD; card 3H", "FINISH", "to confirm the result"),
        ("baccarat", "shoe change", "SHOE CHANGE", "cut the new cards, then press CUT"),
        ("baccarat", "shoe change; shoe cut", "SHOE CHANGE", "put in the full shoe, then press SHOE READY"),
        ("baccarat", "cut", "CHANGE SHOE", "the cut card is out"),
        ("baccarat", "lost shoe", "NO SHOE", "connect the shoe"),
        ("baccarat", "dealer -", "NO DEALER", "the shift manager signs a dealer on"),
        ("baccarat", "table close", "TABLE CLOSED", "the shift manager opens it"),
        ("thirty_two", "", "SHUFFLE", "a fresh deck, then press SHUFFLED"),
        ("thirty_two", "shuffled; open; close; card 6C", "PLAYER 9", "first card"),
        ("thirty_two", "shuffled; open; close; card 9C; card 8C; card 6C; card 6D", "PLAYER 8", "second card, redraw"),
        ("casino_holdem", HOLDEM, "BOARD", "flop, first card"),
        ("casino_holdem", HOLDEM + BOARD, "PLAYERS DECIDE", "call or fold?"),
        ("casino_holdem", HOLDEM + BOARD + "decide p1 call; decide p2 fold", "BOARD", "turn"),
        ("blackjack", BLACKJACK + "card 6C", "DEALER", "second card, face down"),
        ("blackjack", BLACKJACK + UP_AND_DOWN, "SEAT 2", "hit, stand, double or split?"),
        ("blackjack", BLACKJACK + UP_AND_DOWN + "decide seat2 split; card 2C", "SEAT 2, hand 2", "second card"),
    ],
)
def test_the_next_step_says_where_and_what(game, script, head, text):
    step = dealer_screen(game, script).next
    assert (step.head, step.text) == (head, text)


@pytest.mark.parametrize(
    ("script", "burn", "tone"),
    [
        ("lost shoe", "free", "wait"),
        ("shoe change", "one", "press"),
        ("shoe change; shoe cut", "one", "deal"),
        ("shoe change; shoe cut; card 9C", "one", "press"),
        ("shoe change; shoe cut; lost shoe", "free", "deal"),
        ("press leave", "free", "wait"),
    ],
)
def test_a_step_has_a_keys_colour_only_with_a_key(script, burn, tone):
    assert dealer_screen(script=script, burn=burn).next.tone == tone


def test_a_waiting_reveal_asks_for_finish_and_lights_the_key():
    script = HOLDEM + BOARD + "decide p1 call; decide p2 fold; card 3C; card 4D"
    shown = dealer_screen("casino_holdem", script, reveal="dealer")
    assert (shown.next.head, shown.next.text) == ("DEALER", "turn the cards over, then press FINISH")
    assert next(key.light for key in shown.keys if key.key == "finish") == "on"


def test_the_shoes_confirmation_is_awaited_unless_it_lost_track():
    done = "open; close; card 9C; card 2D; card KD; card 3H"
    assert dealer_screen(script=done, confirm="shoe").next.text == "the shoe confirms the result"
    fault = "open; close; press manager; rule resume by anna because x; card 9C; card 2D; card KD; card 3H"
    assert dealer_screen(script=fault, confirm="shoe").next.head == "FINISH"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_every_game_is_shown_in_every_language(game, language):
    steps = []

    def shown(step) -> bool:
        steps.append(step)
        return step is None

    table = played(game, shown)
    for audience in (dealer, player):
        screen = msgspec.to_builtins(audience(bench_look(table), Words(language)))
        assert not re.search(r"\{\w", str({**screen, "words": None}))  # a placeholder that was not filled in
    assert len(steps) > 2


CANCELLED = "open; close; card 2C; card 3D; press manager; rule cancel by anna because x"
SHUFFLED_CANCELLED = "shuffled; open; close; card 6C; press manager; rule cancel by anna because x"


@pytest.mark.parametrize(
    ("game", "script", "text", "then"),
    [
        ("baccarat", CANCELLED, "then press OPEN BETS", "OPEN BETS"),
        ("baccarat", f"{CANCELLED}; restart", "then press OPEN BETS", "OPEN BETS"),
        ("baccarat", f"{CANCELLED}; dealer d2", "then press OPEN BETS", "OPEN BETS"),
        ("baccarat", f"{CANCELLED}; press manager; rule resume by anna because x", "then press OPEN BETS", "OPEN BETS"),
        ("baccarat", f"{CANCELLED}; cut", "then press CHANGE SHOE", "CHANGE SHOE"),
        ("baccarat", f"{CANCELLED}; table close", "", "TABLE CLOSED"),
        ("thirty_two", SHUFFLED_CANCELLED, "then press SHUFFLED", "SHUFFLE"),
    ],
)
def test_after_a_cancel_the_cards_are_to_be_cleared_first(game, script, text, then):
    shown = dealer_screen(game, script)
    assert (shown.next.head, shown.next.text, shown.then.head) == ("CLEAR THE CARDS", text, then)


@pytest.mark.parametrize(
    ("game", "script", "head"),
    [
        ("baccarat", f"{CANCELLED}; open", "BETS ARE OPEN"),  # opening a round means: the cards are cleared
        ("baccarat", f"{CANCELLED}; shoe change; shoe ready", "OPEN BETS"),
        ("thirty_two", f"{SHUFFLED_CANCELLED}; shuffled", "OPEN BETS"),
        (
            "baccarat",
            "open; card 5H; rule burn by anna because x; press manager; rule cancel by anna because x",
            "OPEN BETS",
        ),
        ("baccarat", "open; press manager; rule cancel by anna because x", "OPEN BETS"),
        ("blackjack", "shuffled; open; close", "SHUFFLE"),  # nobody took a seat
    ],
)
def test_a_cancelled_round_without_cards_asks_for_no_clearing(game, script, head):
    shown = dealer_screen(game, script)
    assert (shown.next.head, shown.then) == (head, None)


def test_the_open_key_is_lit_while_cards_are_cleared():
    lights = {key.key: key.light for key in dealer_screen(script=CANCELLED).keys}
    assert lights["open"] == "on"


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_hands_of_a_split_are_both_on_their_seat():
    shown = dealer_screen("blackjack", BLACKJACK + UP_AND_DOWN + "decide seat2 split; card 2C; card 3C")
    seat = next(place for place in shown.places if place.place == "seat2")
    assert [([face.card for face in one.cards], one.total) for one in seat.hands] == [
        (["8C", "2C"], "10"),
        (["8D", "3C"], "11"),
    ]
    assert [one.asked for one in seat.hands] == [True, False]


def test_all_seats_are_shown_and_seats_with_bets_marked():
    shown = dealer_screen("blackjack", "shuffled; open; bet p1 seat2 main 10.00")
    assert [(place.place, place.taken) for place in shown.places if place.seat] == [
        (f"seat{number}", number == 2) for number in range(1, 8)
    ]


def test_a_place_keeps_its_room_whatever_lies_there():
    rooms = {
        tuple(place.room for place in dealer_screen(script=script).places) for script in ("", "open; close; card 9C")
    }
    assert rooms == {(3, 3)}


def test_points_that_come_with_a_place_are_in_its_total():
    assert hand_at(dealer_screen("thirty_two", "shuffled; open; close; card 6C"), "player8").total == "14"


def test_players_still_to_decide_come_first():
    shown = dealer_screen("casino_holdem", HOLDEM + BOARD + "decide p1 call")
    assert [(person.name, person.said) for person in shown.people] == [("p2", ""), ("p1", "call")]
    assert shown.decided == "1 of 2 have decided"


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def touched(shown) -> set[str]:
    return {key.key for key in shown.keys if key.touch}


def test_a_key_can_be_touched_where_the_panel_has_none():
    shown = dealer_screen("casino_holdem", HOLDEM)
    assert touched(shown) == {"dropped", "exposed"}  # the panel has no key for these


def test_with_the_panel_lost_every_lit_key_can_be_touched():
    shown = dealer_screen(script="lost panel; open; close; card 9C")
    assert touched(shown) == {"dropped", "manager"}
    assert shown.flags[0].text == "Panel not connected: use the keys on this screen"


def test_the_key_that_closes_early_is_outlined_and_dark():
    key = next(key for key in dealer_screen(script="lost panel; open").keys if key.key == "close")
    assert (key.kind, key.light, key.touch) == ("early", "off", True)
    key = next(key for key in dealer_screen(script="lost panel").keys if key.key == "close")
    assert (key.kind, key.light, key.touch) == ("step", "off", False)


def test_a_dark_key_cannot_be_touched():
    assert "finish" not in touched(dealer_screen(script="lost panel; open"))


def test_the_shoe_keys_appear_only_when_needed():
    assert "change" not in {key.key for key in dealer_screen().keys}
    assert "change" in touched(dealer_screen(script="cut"))
    assert "ready" not in {key.key for key in dealer_screen(script="shoe change").keys}
    assert "ready" in touched(dealer_screen(script="shoe change; shoe cut"))


# ── flags, clock, shoe ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_closes_plays_its_round_to_the_end():
    shown = dealer_screen(script="open; table close")
    assert [flag.text for flag in shown.flags] == ["LAST ROUND: the table is closed after it"]
    assert player_screen(script="table close").says == "The table is closed"


def test_a_halted_table_says_what_to_do_with_the_hands():
    table = Bench("baccarat")
    stop = dealer(bench_look(table, halted="disk full"), Words("en")).stop
    assert stop.head == "Nothing can be recorded."
    assert "Leave all cards as they lie" in stop.hands
    assert "disk" not in json_text(stop)


def test_after_a_second_slide_the_dealer_must_leave_the_cards():
    script = "open; close; card 9C; unread"
    text = "Slide it once more, then lay it apart, read or not. Wait for the shift manager."
    assert dealer_screen("baccarat", script).stop.hands == text
    slid = dealer_screen("baccarat", f"{script}; card 5D").stop
    assert slid.hands == "Leave all cards as they lie and wait for the shift manager."


@pytest.mark.parametrize("comes", ["card 5D", "unread"])
@pytest.mark.parametrize(
    ("missed", "order"), [("wait 31s", "If it lies there, leave it"), ("press finish", "Draw no card")]
)
def test_a_late_card_that_has_come_is_not_dealt_again(missed, order, comes):
    late = f"open; close; card 9C; {missed}"
    assert dealer_screen("baccarat", late).stop.hands.startswith(order)
    come = dealer_screen("baccarat", f"{late}; {comes}").stop
    assert come.hands == "Leave all cards as they lie and wait for the shift manager."
    assert (come.head == "The card has come late") is (comes != "unread")
    assert "a card is due" not in json_text(come)


def test_the_clock_counts_to_the_deadline_and_stops_while_paused():
    clock = dealer_screen(script="open").clock
    assert (clock.seconds, clock.until, clock.left) == (15, "2026-01-01T00:00:15.000000Z", None)
    paused = dealer_screen(script="open; wait 5s; press manager").clock
    assert (paused.seconds, paused.until, paused.left) == (15, None, 10.0)


def test_cards_are_named_in_the_language_of_the_screen():
    script = "open; close; card 9H"
    assert hand_at(dealer_screen(script=script), "player").cards[0].name == "nine of hearts"
    assert hand_at(dealer_screen(script=script, language="ro"), "player").cards[0].name == "nouă de cupă"


TOUCHED = (
    "shuffled; open; bet p1 seat1 main 10.00; bet p2 seat2 main 10.00; bet p3 seat3 main 10.00; close; "
    "card TC; card 8C; card 9C; card 2D; card 5H; card 6H; card 6S; card TH; "
    "decide seat1 stand; decide seat2 double; card TD; press manager; rule correct 7 9S by anna because misread"
)


def test_after_a_ruling_the_screen_shows_cards_to_take_off():
    table = bench_after(TOUCHED, "blackjack")
    shown = dealer(bench_look(table), Words("en"))
    assert (shown.next.head, shown.next.text) == ("TAKE THESE OFF", "ten of diamonds")
    assert (shown.then.head, shown.clears) == ("SEAT 1", "1: 9 burnt")
    assert (
        manager(bench_look(table), Words("en")).next.head == "SEAT 1"
    )  # the page of the shift manager asks for no clearing
    table.says("decide seat1 stand; decide seat2 hit; card 3D")
    shown = dealer(bench_look(table), Words("en"))
    assert (shown.next.head, shown.then) == ("SEAT 2", None)  # another card was dealt, so the clearing is done


def test_a_burnt_surplus_card_is_to_be_taken_off():
    table = bench_after(
        "open; close; card 9C; press manager; rule resume by anna because x; card 2D at player", "baccarat"
    )
    assert table.fault == "wrong_place"
    assert dealer(bench_look(table), Words("en")).then is None
    table.says("rule burn by anna because x")
    shown = dealer(bench_look(table), Words("ro"))
    assert (shown.next.head, shown.then.head) == ("RIDICAȚI ACESTE CĂRȚI", "BANCĂ")


@pytest.mark.parametrize(
    ("game", "script", "says"),
    [
        ("baccarat", "open", "Place your bets, please."),
        ("baccarat", "open; close", "No more bets."),
        ("baccarat", "open; close; card 2C", ""),
        ("baccarat", "open; close; card 2C; card 3D; card 2D; card AS", "PLAYER draws."),
        ("baccarat", "open; close; card 2C; card 3D; card 2D; card AS; card 4H", "BANKER draws."),
        ("thirty_two", "shuffled; open; close; card KC; card QC; card JC; card TC", "PLAYER 8 draws."),
        ("blackjack", TOUCHED.partition("; decide")[0], "SEAT 1, your decision, please."),
        ("baccarat", "open; close; card 2C; press manager", ""),
    ],
)
def test_what_the_dealer_says_aloud_follows_from_the_step(game, script, says):
    assert dealer_screen(game, script).announce == says


@pytest.mark.parametrize(
    ("game", "script", "says"),
    [
        ("baccarat", "", "Cards left: 312 · change in 272"),
        ("baccarat", "open; close; card 2C", "Cards left: 311 · change in 271"),
        ("baccarat", "cut", "Cards left: 312 · cut card out"),
        ("baccarat", "shoe change", ""),
        ("casino_holdem", "shuffled", "Cards left: 52"),
    ],
)
def test_the_screen_shows_cards_left_and_cards_until_change(game, script, says):
    assert dealer_screen(game, script).shoe == says


def test_the_keys_that_stop_the_round_come_last():
    shown = dealer_screen("casino_holdem", "shuffled; open")
    assert [(key.key, key.kind) for key in shown.keys][-3:] == [
        ("dropped", "call"), ("exposed", "call"), ("manager", "call"),
    ]  # fmt: skip
    assert [key.key for key in shown.keys if key.kind != "call" and key.light == "on"] == []


def changes(script="", **terms):
    return [
        (one.step, one.done, one.text) for one in dealer_screen("baccarat", f"shoe change; {script}", **terms).steps
    ]


def test_a_change_of_the_shoe_is_led_step_by_step():
    assert dealer_screen("baccarat").steps == ()
    assert [step for step, *_ in changes()] == ["away", "cut", "ready"]
    assert [step for step, *_ in changes(burn="one", count_in=True)] == ["away", "cut", "load", "burn", "count"]
    assert dealer_screen("baccarat", "shoe change", language="ro").steps[1].label == "TĂIAȚI"
    assert dealer_screen("baccarat", "shoe change; shoe ready").steps == ()


def test_a_cut_is_shown_until_the_next_shoe_change():
    assert [done for _, done, _ in changes("shoe cut")] == [True, True, False]
    assert changes("shoe cut; shoe ready; shoe change")[1][1] is False


@pytest.mark.parametrize("script", ["", "shoe cut", "shoe cut; card 2C", "shoe cut; card 2C; card 9D; card KS"])
@pytest.mark.parametrize("terms", [{}, {"burn": "one"}, {"burn": "first_card", "count_in": True}])
def test_only_the_due_step_of_a_change_has_keys(terms, script):
    shown = dealer_screen("baccarat", f"shoe change; {script}", **terms)
    (due,) = [step for step in shown.steps if step.due]
    assert not due.done
    assert [step.step for step in shown.steps if step.label or step.skip] in ([due.step], [])
    lit = {key.key for key in shown.keys if key.light == "on"} & {"ready"}
    assert lit == {due.step} & {"ready"}


def test_a_skipped_cut_shows_its_reason():
    assert changes("shoe uncut because late")[1] == ("cut", True, "Not cut: late")


@pytest.mark.parametrize(
    ("before", "change", "says"),
    [
        ("open; close; card 9C; card 2D; card KC; card 3D; press finish;", "shoe change", "308 left, not counted"),
        ("", "shoe change left 312", "counted as left 312"),
        ("", "shoe readout; card 2C; shoe change", "read out 1"),
    ],
)
def test_the_screen_says_how_the_old_shoe_ended(before, change, says):
    steps = dealer_screen("baccarat", f"{before} {change}").steps
    assert steps[0].text == f"The old shoe is out: {says}"


def test_the_screen_counts_the_cards_burnt_from_a_new_shoe():
    burn = "Burn the first card, and as many as it counts"
    assert changes(burn="first_card")[3] == ("burn", False, f"{burn}: 0 of …")
    assert changes("shoe cut; card 2C", burn="first_card")[3] == ("burn", False, f"{burn}: 1 of 3")
    assert changes("shoe cut; card 2C; card 9D; card KS", burn="first_card")[3] == ("burn", True, f"{burn}: 3 of 3")
    assert changes("shoe cut; card 2C", burn="one")[3] == ("burn", True, "Burn one card: 1 of 1")


def test_an_unread_first_card_is_to_be_looked_at():
    unread = "The first card was not read: look at it, and burn as many more as it counts. Burnt"
    assert changes("shoe cut; unread", burn="first_card")[3] == ("burn", False, f"{unread}: 1")
    assert changes("shoe cut; unread; card 9D", burn="first_card")[3] == ("burn", True, f"{unread}: 2")
    many = "; ".join(["shoe cut", *["unread"] * 12])
    assert changes(many, burn="first_card")[3][2].startswith("More cards are out")


def test_cards_burnt_as_the_dealer_likes_are_counted():
    assert [step for step, *_ in changes("shoe cut", burn="free")] == ["away", "cut", "ready"]
    assert changes("shoe cut; card 2C; card 9D", burn="free")[2] == ("burn", True, "Burnt: 2")
    assert changes("shoe cut; card 2C", burn="none")[2][2].startswith("More cards are out")
