"""Marks of a fault on staff screens: its cards, and the place that waits for a card; none for players."""

import pytest
from msgspec.structs import replace

from controller.core.events import Acknowledge
from controller.core.hands import hands
from controller.lab.testing.judge import Judge
from controller.rules.procedure import Deal
from controller.text.faults import LANGUAGES, Words
from controller.text.naming import card_sign, place_name
from controller.web.screens.at_fault import at_fault, has_slid_again, text_code, unplaced_cards
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.manager_fault import question
from controller.web.screens.manager_texts import ASKS, ASKS_WHERE
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.player import player
from controller.web.screens.texts import DUE_AT_FAULT
from tests.core.test_catalogue import RAISE, ROWS
from tests.web.bench_screens import bench_after, bench_look

EN = Words("en")
FAULTS = [(row.code, row.game) for row in ROWS]
HIDING = [game for code, game in FAULTS if code == "hidden_card_exposed"]
DUPLICATE = "shuffled; open; bet p1 ante 10.00; close; card 9C; card 6D; card {hidden}; card 8S; card 9C"


NOTED = {
    ("hidden_card_exposed", game): {"dealer": "one of these"} for game in ("casino_holdem", "rhum32")
}  # games in which several cards lie face down


def hands_of(screen):
    return {hand.place: hand for place in screen.places for hand in place.hands}


def marked(screen):
    """Return the faces marked as wrong on the dealer's screen: in the hands, among strays, apart."""
    lying = [[(*hand.cards, *hand.strays)[index] for index in hand.wrong] for hand in hands_of(screen).values()]
    return [face for faces in lying for face in faces] + [one.face for one in screen.stop.loose if one.wrong]


class EachCardOnce(Judge):
    """Each card on the table is on each screen once, in its hand or apart; a fault's cards are marked."""

    def look(self, before, event, records, after):
        table = bench_look(self.bench)
        on = {draw.number for draw in after.round.draws if draw.fate == "loose"}
        screen, dealer_screen = manager(table, EN), dealer(table, EN)
        shown = hands_of(screen)  # without cards that the sheet itself burns
        on |= {draw.number for place, lying in hands(after.round).items() for draw in lying if place in shown}
        numbered = [number for place, draws in screen.draws.items() for number in draws if place in shown]
        assert sorted([*numbered, *(one.draw for one in screen.loose)]) == sorted(on)
        strays = sum(len(hand.strays) for hand in hands_of(screen).values())
        assert strays <= sum(one.place in hands_of(screen) for one in screen.loose)
        if after.fault is None:
            assert not any(hand.wrong or hand.note or hand.strays for hand in hands_of(dealer_screen).values())
            return
        lying = sum(len(hand.cards) + len(hand.strays) for hand in hands_of(dealer_screen).values())
        assert lying + len(dealer_screen.stop.loose) == len(on) - (len(after.loose_draws) - len(unplaced_cards(after)))
        marks = set(screen.fault.cards)
        assert len(marked(dealer_screen)) == len(marks & {number for number in on if is_shown(after, number)})


def is_shown(state, number):
    """False for a loose card that screens leave out: the first reading of a card slid twice."""
    return number not in {draw.number for draw in state.loose_draws} - {draw.number for draw in unplaced_cards(state)}


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_each_card_of_a_fault_is_marked_once(code, game):
    table = bench_look(RAISE[code](game))
    screen, about = dealer(table, EN), at_fault(table).draws
    assert len(marked(screen)) == len(about)
    assert set(manager(table, EN).fault.cards) == about
    if table.state.fault.draw is not None:
        assert table.state.fault.draw in about


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_only_a_fault_about_a_place_notes_it(code, game):
    table = bench_look(RAISE[code](game))
    for screen in (dealer(table, EN), manager(table, EN)):
        due = [place for place, hand in hands_of(screen).items() if hand.due]
        waits = code in DUE_AT_FAULT and isinstance(table.due, Deal)
        assert due == ([table.due.to] if waits and code == "stalled" else [])  # the card can still be dealt
        notes = {place: hand.note for place, hand in hands_of(screen).items() if hand.note}
        fallen = {table.state.round.draws[-1].place: "off the table?"} if code == "card_dropped" else {}
        assert notes == ({table.due.to: DUE_AT_FAULT[code]} if waits else NOTED.get((code, game), fallen))


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_players_see_no_mark_of_a_fault(code, game):
    screen = player(bench_look(RAISE[code](game)), EN)
    assert not any(hand.due or hand.strays or hand.wrong for hand in hands_of(screen).values())


@pytest.mark.parametrize("game", [row.game for row in ROWS if row.code == "wrong_place"])
def test_a_misplaced_card_lies_where_it_was_seen(game):
    table = RAISE["wrong_place"](game)
    place, screen = table.state.fault.came.place, dealer(bench_look(table), EN)
    hand = hands_of(screen)[place]
    assert [face.card for face in hand.strays] == [table.state.loose_draws[0].card]
    assert (hand.wrong, screen.stop.loose) == ((len(hand.cards),), ())
    (loose,) = manager(bench_look(table), EN).loose
    assert (loose.draw, loose.place, loose.at.replace(" ", "").lower()) == (table.state.fault.draw, place, place)


@pytest.mark.parametrize("code", ["foreign_card", "wrong_place", "duplicate_card"])
def test_a_later_card_is_no_second_slide_of_another_fault(code):
    table = RAISE[code]("baccarat")
    table.says("card 5H")
    state = table.state
    assert len(state.round.draws) > state.fault.draw
    assert (text_code(state, state.fault), has_slid_again(state)) == (code, False)


def test_a_seen_place_is_named_in_the_viewers_language():
    table = bench_after("open; close; card 9C")
    table.says("card 5D at player")
    assert manager(bench_look(table), Words("ro")).loose[0].at == "JUCĂTOR"


@pytest.mark.parametrize(
    ("language", "place", "head", "at_the_shoe"),
    [
        (
            "en",
            "SHOE (NOT IN PLAY)",
            "A card came while the shoe was not in play",
            "end that at the shoe",
        ),
        ("ro", "SABOT (ÎN AFARA JOCULUI)", "A ieșit o carte cât timp sabotul nu era în joc", "încheie asta la sabot"),
    ],
)
def test_a_card_of_a_locked_shoe_names_what_to_do(language, place, head, at_the_shoe):
    table, words = bench_after("open; close; card 9C"), Words(language)
    table.says("card 5D at outside")
    fault, screen = manager(bench_look(table), words).fault, dealer(bench_look(table), words)
    assert (fault.head, screen.stop.head, screen.stop.loose[0].seen) == (head, head, place)
    assert [text for text in ("5♦", place, at_the_shoe) if text not in fault.text] == []
    assert "outside" not in fault.text


@pytest.mark.parametrize("place", ["outside", "first_card", "burn_count"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_that_a_shoe_reports_has_a_name(place, language):
    assert place not in place_name(place, Words(language))


def test_a_card_seen_at_no_shown_place_lies_apart():
    table = bench_after("open; close; card 9C")
    table.says("card 5D at player")
    state = table.state
    elsewhere = replace(state.round.draws[-1], place="seat2")
    moved = replace(state, round=replace(state.round, draws=(*state.round.draws[:-1], elsewhere)))
    screen = dealer(replace(bench_look(table), state=moved), EN)
    assert [(one.face.card, one.wrong, one.seen) for one in screen.stop.loose] == [("5D", True, "SEAT 2")]
    assert not any(hand.strays for hand in hands_of(screen).values())


def test_a_dropped_card_is_marked_in_its_hand():
    table = bench_after("open; close; card 9C; card 5D; press dropped")
    assert {place: hand.wrong for place, hand in hands_of(dealer(bench_look(table), EN)).items()} == {
        "player": (),
        "banker": (0,),
    }


def test_a_second_copy_is_marked_and_the_first_framed():
    table = bench_look(RAISE["duplicate_card"]("baccarat"))
    screen = dealer(table, EN)
    assert [face.card for face in marked(screen)] == ["9C"]
    assert [hand.cards[index].card for hand in hands_of(screen).values() for index in hand.alike] == ["9C"]
    fault = manager(table, EN).fault
    assert (len(fault.cards), len(fault.alike)) == (1, 1)
    assert not {*fault.cards} & {*fault.alike}


def test_a_mark_does_not_tell_which_card_lies_face_down():
    marks = []
    for hidden in ("7S", "9C"):
        table = bench_after(DUPLICATE.format(hidden=hidden), "casino_holdem")
        assert (table.state.fault.code, table.state.round.draws[2].hidden) == ("duplicate_card", True)
        marks.append([(hand.wrong, hand.alike) for hand in hands_of(dealer(bench_look(table), EN)).values()])
    assert marks[0] == marks[1]


@pytest.mark.parametrize("game", HIDING)
def test_all_cards_that_lie_face_down_are_marked_as_seen(game):
    table = RAISE["hidden_card_exposed"](game)
    hidden = {draw.number for draw in table.state.round.draws if draw.hidden and draw.fate == "placed"}
    assert at_fault(bench_look(table)).draws == hidden != set()


@pytest.mark.parametrize("code", ["unread_card", "stalled"])
def test_a_halted_table_marks_no_place_as_due(code):
    table = bench_look(RAISE[code]("baccarat"), halted="the disk is full")
    for screen in (dealer(table, EN), manager(table, EN)):
        assert not any(hand.due for hand in hands_of(screen).values())


@pytest.mark.parametrize(
    ("code", "ruling", "means"),
    [
        ("unread_card", "burn", "The card is out of play; the next card takes its place."),
        ("wrong_place", "burn", "6♦ is out of play; the next card takes its place."),
        ("extra_card", "burn", "7♥ is out of play; the hands stay as they are."),  # no card is due
        ("card_before_close", "burn", "9♣ is out of play; bets are open again."),
        ("wrong_place", "move", "6♦ counts at BANKER; the dealer is told to lay it there."),
        ("result_mismatch", "burn", "One of the cards is out of play; the hands are counted anew."),
        ("result_mismatch", "resume", "The cards decide; the shoe's result does not count."),
        ("unread_card", "void", "The reader was mistaken: no card has left the shoe."),
        ("duplicate_card", "correct", "The right card is entered for 9♣ (#2). Players are told."),
        ("result_mismatch", "correct", "The right card is entered for one of the cards. Players are told."),
    ],
)
def test_a_ruling_names_its_card_and_what_comes_then(code, ruling, means):
    fault = manager(bench_look(RAISE[code]("baccarat")), EN).fault
    assert {one.ruling: one.means for one in fault.rulings}[ruling] == means


@pytest.mark.parametrize("happens", ["press exposed", "press manager", "press dropped", "unread", "lost shoe"])
@pytest.mark.parametrize("game", HIDING)
def test_no_effect_of_a_ruling_names_a_face_down_card(game, happens):
    table = RAISE["hidden_card_exposed"](game)
    table.says(f"rule resume by eva because seen; {happens}")
    hidden = {card_sign(draw.card) for draw in table.state.round.draws if draw.hidden}
    hidden -= {card_sign(draw.card) for draw in table.state.round.draws if not draw.hidden and draw.card}
    effects = [one.means for one in manager(bench_look(table), EN).fault.rulings]
    assert hidden
    assert not [(card, means) for card in hidden for means in effects if card in means]


def test_the_usual_ruling_waits_for_the_second_slide():
    table = RAISE["unread_card"]("baccarat")
    fault = manager(bench_look(table), EN).fault
    assert (fault.usual.ruling, fault.not_now) == ("rescan", ())
    assert fault.usual.why == "Can be made once the dealer has slid the card again."
    table.says("card 8D")
    fault = manager(bench_look(table), EN).fault
    assert (fault.usual, fault.rulings[0].ruling, fault.rulings[0].usual) == (None, "rescan", "the usual ruling")
    assert fault.head == dealer(bench_look(table), EN).stop.head == "Read only at the second slide"


def test_the_time_beside_a_managers_name_is_the_calls():
    table = RAISE["extra_card"]("baccarat")
    assert dealer(bench_look(table), EN).stop.ago == "{time} ago"
    table.do(Acknowledge("anna"))
    stop = dealer(bench_look(table), EN).stop
    assert (stop.manager, stop.ago) == ("anna has seen it", "called {time} ago")


def test_after_two_slides_nobody_waits_for_a_third():
    table = RAISE["unread_card"]("baccarat")
    table.says("unread")
    fault = manager(bench_look(table), EN).fault
    assert (fault.usual, fault.not_now) == (None, ())
    assert (fault.rulings[0].ruling, fault.rulings[0].usual) == ("enter", "the usual ruling")
    assert dealer(bench_look(table), EN).stop.hands.startswith("Leave all cards")


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_at_most_one_ruling_is_called_the_usual_one(code, game):
    fault = manager(bench_look(RAISE[code](game)), EN).fault
    assert sum(bool(one.usual) for one in fault.rulings) + (fault.usual is not None) <= 1
    for one in fault.rulings[1:]:
        assert not one.usual


APART = {
    "unread_card": "If that fails",
    "stalled": "If 9♣ is wrong",
    "dealer_call": "Yes: a card is wrong",
    "result_mismatch": "No: a card is wrong",
    "card_dropped": "If 9♣ is wrong",
    "duplicate_card": "Yes, but play goes on with this deck",
    "device_lost": "If that fails, or if a card is wrong",
}


def question_of(code, table):
    """Return the question of a fault, with its card and the place due where its text has them."""
    draw, due = table.state.fault.draw, table.due
    if code in ASKS_WHERE and isinstance(due, Deal):
        card = card_sign(table.state.round.draws[draw - 1].card)
        return ASKS_WHERE[code].format(card=card, place=place_name(due.to, EN))
    return ASKS.get(code)


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_a_question_is_answered_by_rulings_each_once(code, game):
    table = RAISE[code](game)
    fault = manager(bench_look(table), EN).fault
    answers = [one.answer.split(":")[0] for one in fault.rulings if one.answer]
    assert (fault.asks == question_of(code, table)) is (code in ASKS)
    assert len(set(answers)) == len(answers)
    assert bool(answers) is (code in ASKS)


def test_a_hidden_second_copy_is_not_named_in_its_question():
    table = RAISE["duplicate_card"]("baccarat")
    draw = replace(table.state.round.draws[-1], hidden=True)
    assert question("duplicate_card", draw, table.due, ManagerWords(EN), None) == ASKS["duplicate_card"]


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_rulings_on_a_card_not_at_fault_stand_apart(code, game):
    table = RAISE[code](game)
    fault = manager(bench_look(table), EN).fault
    apart = {one.ruling for one in fault.rulings if one.aside}
    assert "cancel" not in apart
    if fault.usual is None:
        on_a_card = {one.ruling for one in fault.rulings if "draw" in one.needs and not one.answer}
        assert apart == (on_a_card if code in ASKS or table.state.fault.draw is None else set())


def test_rulings_that_stand_apart_have_a_heading():
    headings = {code: manager(bench_look(RAISE[code]("baccarat")), EN).fault.aside for code in APART}
    assert headings == APART


def test_rulings_on_a_second_copy_tell_its_number():
    fault = manager(bench_look(RAISE["duplicate_card"]("baccarat")), EN).fault
    titles = {one.ruling: one.title for one in fault.rulings}
    assert fault.head == "One 9♣ too many"
    assert titles["void"] == "Strike 9♣ (#2): it never came"
    assert titles["correct"] == "Correct 9♣ (#2): it was misread"
    assert titles["burn"] == "Burn 9♣ (#2)"


def test_a_lost_game_server_is_waited_for():
    fault = manager(bench_look(RAISE["server_lost"]("baccarat")), EN).fault
    assert (fault.head, fault.asks) == ("No line to the game server", "Have it connected again")
    assert (fault.usual.ruling, fault.usual.why) == ("resume", "Can be made once it is connected again.")


def test_a_late_card_that_was_read_counts_by_resuming():
    table = RAISE["stalled"]("baccarat")
    assert manager(bench_look(table), EN).fault.asks == ASKS["stalled"]
    table.says("card 5D")
    fault = manager(bench_look(table), EN).fault
    assert (fault.head, fault.asks) == ("The card has come late", "Choose a ruling")
    resume = fault.rulings[0]
    assert (resume.title, resume.answer) == ("Resume", "")
    assert resume.means == "The card that has come counts; play goes on."
    assert (fault.text, fault.not_now) == ("5♦ came late. Expected: a card to BANKER.", ())
    table.says("rule resume by eva because late")
    assert table.state.round.draws[-1].fate == "placed"


def test_a_card_after_an_early_finish_can_be_played():
    table = RAISE["missing_card"]("baccarat")
    assert manager(bench_look(table), EN).fault.rulings[0].title == "Have the card dealt"
    table.says("card 5D")
    fault = manager(bench_look(table), EN).fault
    deal = fault.rulings[0]
    assert (fault.head, fault.loose) == ("The card has come late", "Read now")
    assert (deal.ruling, deal.title) == ("deal", "Play on with this card")
    assert deal.means == "The card that has come counts; play goes on."
    table.says("rule deal by eva because late")
    assert table.state.round.draws[-1].fate == "placed"


# Faults on which `resume` takes up a card that was drawn in the pause; by whether a card is due then.
RESUMED = {
    "shoe_error": True, "telegram_lost": True, "card_dropped": True, "dealer_call": True, "restarted": True,
    "journal_failed": True, "result_mismatch": False, "hidden_card_exposed": False,
}  # fmt: skip


@pytest.mark.parametrize(("code", "game"), [(code, game) for code, game in FAULTS if code in RESUMED])
def test_a_card_drawn_in_a_pause_comes_next(code, game):
    """After `resume` it is the card that was due; where none was due, it is an extra card."""
    table = RAISE[code](game)
    table.says("card 8D")
    fault, (card,) = manager(bench_look(table), EN).fault, table.state.loose_draws
    assert fault.loose == "Drawn in the pause, comes next"
    if code == "dealer_call":
        assert fault.rulings[0].means == "8♦ comes next; play goes on."
    table.says("rule resume by eva because seen")
    fate, found = table.state.round.draws[card.number - 1].fate, table.state.fault
    outcome = (fate, found and (found.code, found.draw))
    assert outcome == (("placed", None) if RESUMED[code] else ("loose", ("extra_card", card.number)))


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_keys_of_rulings_follow_their_order_answers_first(code, game):
    fault = manager(bench_look(RAISE[code](game)), EN).fault
    keys = [one.key for one in fault.rulings]
    assert keys == sorted(set(keys))
    assert [bool(one.answer) for one in fault.rulings] == sorted(
        (bool(one.answer) for one in fault.rulings), reverse=True
    )


def test_where_only_cancelling_is_possible_no_clock_advises_it():
    fault = manager(bench_look(RAISE["replay_failed"]("baccarat")), EN).fault
    assert (fault.asks, fault.then, fault.rule_by) == ("The round can only be cancelled", "", None)


def test_a_card_read_at_the_second_slide_needs_no_entry():
    table = RAISE["unread_card"]("baccarat")
    table.says("card 5D")
    fault = manager(bench_look(table), EN).fault
    assert (fault.text, fault.not_now) == ("5♦ was read at the second slide. Expected: a card to BANKER.", ())


@pytest.mark.parametrize(("comes", "takes"), [("card 5D", "rescan"), ("unread", "enter")])
def test_a_second_slide_asks_whether_it_was_the_same_card(comes, takes):
    table = RAISE["unread_card"]("baccarat")
    table.says(comes)
    fault = manager(bench_look(table), EN).fault
    assert fault.asks == "Was it the same card that was slid again?"
    assert {one.ruling: one.answer.split(":")[0] for one in fault.rulings if one.answer} == {
        takes: "Yes", "burn": "No", "void": "No",
    }  # fmt: skip
    means = {one.ruling: one.means for one in fault.rulings}
    assert means["burn"] == "The first one is out of play; the second comes next."
    table.says("rule burn by eva because two")
    assert table.state.round.draws[1].fate == "burnt"
    if comes != "unread":
        assert table.state.round.draws[2].fate == "placed"
