"""Offered rulings: only those that can work; the others are listed with the reason why not."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide import decide
from controller.core.offers import blocked_rulings, possible_rulings
from controller.core.position import Position
from controller.games import GAMES

from .chance import Judge
from .test_rulings import FLOP, NATURAL, PLAYER_DUE, bench, holdem, reason, rule


def look(table):
    return possible_rulings(table.state, table.due), blocked_rulings(table.state, table.due)


def test_rescan_is_offered_only_after_a_second_reading():
    table = bench(f"{PLAYER_DUE}; unread")
    assert look(table) == (("enter", "burn", "void", "cancel"), {"rescan": "does_not_fit"})
    table.says("card 9H")
    assert look(table) == (("rescan", "burn", "void", "cancel"), {"enter": "does_not_fit"})


@pytest.mark.parametrize("device", ["shoe", "panel"])
def test_resume_is_not_offered_while_the_device_is_lost(device):
    table = bench(f"{PLAYER_DUE}; lost {device}", panel_loss="fault")
    assert look(table) == (("enter", "burn", "void", "cancel"), {"resume": "device_still_lost"})
    table.says(f"found {device}")
    assert look(table)[0][0] == "resume"


def test_a_restart_during_betting_offers_no_enter_or_correct():
    table = bench("open; restart")
    assert look(table) == (
        ("resume", "cancel"),
        {
            "enter": "does_not_fit",
            "correct": "bad_draw",
            "burn": "bad_draw",
            "void": "bad_draw",
        },
    )


def test_an_unread_card_in_a_decision_window_is_not_correctable():
    table = holdem(f"{FLOP}; unread")
    assert look(table) == (("burn", "void", "cancel"), {"correct": "bad_draw"})


def test_without_a_dealt_card_correct_and_burn_are_not_offered():
    none = dict.fromkeys(("burn", "void"), "bad_draw")
    assert look(bench("open; close; press manager")) == (("resume", "cancel"), {"correct": "bad_draw", **none})
    table = bench("open; close; shoe error 7")
    assert look(table) == (("resume", "enter", "cancel"), none)


def test_the_fault_records_rulings_offered_and_not_offered_with_reasons():
    (faulted,) = bench(f"{PLAYER_DUE}; lost shoe").facts("faulted")
    assert (faulted.rulings, faulted.not_now) == (("enter", "burn", "void", "cancel"), {"resume": "device_still_lost"})


def test_a_card_is_not_corrected_to_itself():
    assert reason(bench(f"{PLAYER_DUE}; press manager"), "correct", "1", "2C") == "no_change"


def test_correcting_a_face_down_card_to_itself_is_not_refused():
    table = holdem(f"{FLOP}; press manager")
    rule(table, "correct", "3", "KS")
    assert table.facts("ruling_refused") == []


def test_rescanning_an_impossible_card_is_the_next_fault():
    table = bench("open; close; card KC; unread; card KC", settings={"decks": 1, "change_below": 6})
    rule(table, "rescan")
    assert (table.fault, table.state.fault.draw, table.fates) == ("duplicate_card", 3, ["placed", "void", "loose"])


class Offers(Judge):
    """An offered ruling is possible with some card, draw or place, unless a card was seen too early.

    A ruling listed as not possible now is refused for the listed reason.
    """

    def look(self, before, event, records, after):
        if after.life != "paused" or after.seq % 3:
            return
        due = self.bench.due
        for ruling in possible_rulings(after, due):
            assert any(self.reason(after, one) in (None, "knowledge") for one in self.tries(after, due, ruling)), ruling
        for ruling, reason_ in blocked_rulings(after, due).items():
            assert {self.reason(after, one) for one in self.tries(after, due, ruling)} == {reason_}, ruling

    def reason(self, state, event):
        event = replace(event, second="beside")  # the second person that rulings on much money need
        records = decide(self.bench.house, Position(GAMES), state, event, self.bench.now).records
        refused = [record.what.reason for record in records if record.kind == "ruling_refused"]
        return refused[0] if refused else None

    def tries(self, state, due, ruling):
        draws = [None, *(draw.number for draw in state.round.draws[::-1])]
        cards = [*(draw.card for draw in state.round.draws if draw.card), *self.bench.house.deck.cards]
        places = [getattr(due, "to", None), *self.bench.house.game.places]
        match ruling:
            case "enter":
                return (e.Rule(ruling, "m", "x", card=card, checked="deck") for card in dict.fromkeys(cards[::-1]))
            case "correct":
                return (
                    e.Rule(ruling, "m", "x", draw, card, checked="deck")
                    for draw in draws
                    for card in (*cards[:1], *self.bench.house.deck.cards[:2])
                )
            case "void_hand":
                return (e.Rule(ruling, "m", "x", place=place) for place in self.bench.house.game.places)
            case "move":
                return (e.Rule(ruling, "m", "x", None, None, place, checked="deck") for place in places)
        return (e.Rule(ruling, "m", "x", draw, checked="deck", seen=False) for draw in draws)


def test_an_extra_card_after_settlement_offers_burn_carry_and_void():
    assert look(bench(f"{NATURAL}; card 7H", carry=True)) == (("burn", "carry", "void"), {})
