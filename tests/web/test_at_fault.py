"""Marks of a fault on the table: its cards where they lie, the place that still waits for one; never for players."""

import pytest
from msgspec.structs import replace

from controller.games import GAMES
from controller.rules.procedure import Deal
from controller.text.faults import Words
from controller.web.screens.at_fault import TO_BE_DEALT, at_fault
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.player import player
from tests.core.test_catalogue import RAISE, ROWS
from tests.web.composed import after, look

EN = Words("en")
FAULTS = [(row.code, row.game) for row in ROWS]
DUPLICATE = "shuffled; open; bet p1 ante 10.00; close; card 9C; card 6D; card {hidden}; card 8S; card 9C"


def hands_of(screen):
    return {hand.place: hand for place in screen.places for hand in place.hands}


def marked(screen):
    """Faces marked on the dealer's screen: in the hands, among the strays, apart."""
    lying = [[(*hand.cards, *hand.strays)[index] for index in hand.wrong] for hand in hands_of(screen).values()]
    return [face for faces in lying for face in faces] + [one.face for one in screen.stop.loose if one.wrong]


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_each_card_of_a_fault_is_marked_once(code, game):
    table = look(RAISE[code](game))
    screen, about = dealer(table, EN), at_fault(table).draws
    assert len(marked(screen)) == len(about)
    assert set(manager(table, EN).fault.cards) == about
    if table.state.fault.draw is not None:
        assert table.state.fault.draw in about


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_only_a_fault_waiting_for_a_card_marks_its_place(code, game):
    table = look(RAISE[code](game))
    for screen in (dealer(table, EN), manager(table, EN)):
        due = [place for place, hand in hands_of(screen).items() if hand.due]
        waits = code in TO_BE_DEALT and isinstance(table.due, Deal)
        assert due == ([table.due.to] if waits else [])


@pytest.mark.parametrize(("code", "game"), FAULTS)
def test_players_see_no_mark_of_a_fault(code, game):
    screen = player(look(RAISE[code](game)), EN)
    assert not any(hand.due or hand.strays or hand.wrong for hand in hands_of(screen).values())


@pytest.mark.parametrize("game", [row.game for row in ROWS if row.code == "wrong_place"])
def test_a_misplaced_card_lies_where_it_was_seen(game):
    table = RAISE["wrong_place"](game)
    seen, screen = table.state.fault.came.place, dealer(look(table), EN)
    hand = hands_of(screen)[seen]
    assert [face.card for face in hand.strays] == [table.state.loose[0].card]
    assert (hand.wrong, screen.stop.loose) == ((len(hand.cards),), ())
    (loose,) = manager(look(table), EN).loose
    assert (loose.draw, loose.place, loose.at.replace(" ", "").lower()) == (table.state.fault.draw, seen, seen)


def test_a_seen_place_is_named_in_the_viewers_language():
    table = after("open; close; card 9C")
    table.says("card 5D at player")
    assert manager(look(table), Words("ro")).loose[0].at == "JUCĂTOR"


def test_a_card_seen_at_no_shown_place_lies_apart():
    table = after("open; close; card 9C")
    table.says("card 5D at player")
    state = table.state
    elsewhere = replace(state.round.draws[-1], place="seat2")
    moved = replace(state, round=replace(state.round, draws=(*state.round.draws[:-1], elsewhere)))
    screen = dealer(replace(look(table), state=moved), EN)
    assert [(one.face.card, one.wrong, one.seen) for one in screen.stop.loose] == [("5D", True, "SEAT 2")]
    assert not any(hand.strays for hand in hands_of(screen).values())


def test_a_dropped_card_is_marked_in_its_hand():
    table = after("open; close; card 9C; card 5D; press dropped")
    assert {place: hand.wrong for place, hand in hands_of(dealer(look(table), EN)).items()} == {
        "player": (),
        "banker": (0,),
    }


def test_a_second_copy_is_marked_beside_the_first():
    table = RAISE["duplicate_card"]("baccarat")
    assert [face.card for face in marked(dealer(look(table), EN))] == ["9C", "9C"]


def test_a_mark_does_not_tell_which_card_lies_face_down():
    marks = []
    for hidden in ("7S", "9C"):
        table = after(DUPLICATE.format(hidden=hidden), "casino_holdem")
        assert (table.state.fault.code, table.state.round.draws[2].hidden) == ("duplicate_card", True)
        marks.append([hand.wrong for hand in hands_of(dealer(look(table), EN)).values()])
    assert marks[0] == marks[1]


def test_all_cards_that_lie_face_down_are_marked_as_seen():
    for game in GAMES:
        if "hidden_card_exposed" not in {code for code, one in FAULTS if one == game}:
            continue
        table = RAISE["hidden_card_exposed"](game)
        hidden = {draw.number for draw in table.state.round.draws if draw.hidden and draw.fate == "placed"}
        assert at_fault(look(table)).draws == hidden != set()


@pytest.mark.parametrize("code", ["unread_card", "stalled"])
def test_a_halted_table_marks_no_place_as_due(code):
    table = look(RAISE[code]("baccarat"), halted="the disk is full")
    for screen in (dealer(table, EN), manager(table, EN)):
        assert not any(hand.due for hand in hands_of(screen).values())


def test_a_burnt_card_is_followed_only_where_one_is_due():
    def means(code):
        return {one.ruling: one.means for one in manager(look(RAISE[code]("baccarat")), EN).fault.rulings}["burn"]

    assert means("unread_card") == "The card is out of play; the next one takes its turn."
    assert means("extra_card") == means("card_before_close") == "The card is out of play."


def test_an_unread_card_is_slid_again_before_any_ruling():
    table = RAISE["unread_card"]("baccarat")
    fault = manager(look(table), EN).fault
    assert fault.first == "First have the card slid again: then its second reading can be taken."
    assert "rescan" not in {one.ruling for one in (*fault.rulings, *fault.not_now)}
    table.says("card 8D")
    fault = manager(look(table), EN).fault
    assert (fault.first, fault.rulings[0].ruling) == ("", "rescan")
