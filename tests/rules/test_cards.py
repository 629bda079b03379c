"""Cards: which text is a card, and what a deck contains."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.cards import FULL_DECK, JOKER, BadCard, Deck, parse_card


def test_a_full_deck_is_52_different_cards_rank_then_suit():
    assert len(set(FULL_DECK)) == 52
    assert {"AS", "TD", "9H", "KC"} <= set(FULL_DECK)
    assert JOKER not in FULL_DECK


@pytest.mark.parametrize("card", [*FULL_DECK, JOKER])
def test_every_card_is_read_by_its_name_in_either_case(card):
    assert parse_card(card) == parse_card(card.lower()) == parse_card(f" {card} ") == card


@pytest.mark.parametrize("suit", "CDHS")
def test_ten_may_be_written_in_digits(suit):
    assert parse_card(f"10{suit}") == f"T{suit}"


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "AX", "ASS", "10", "100H", "SA", "joke", "A S", "♠A", "0H"])
def test_any_other_text_is_refused_and_shown_in_the_error(text):
    with pytest.raises(BadCard, match="expected a card such as 9H, TD or AS") as error:
        parse_card(text)
    assert repr(text) in str(error.value)


@given(st.text(max_size=6))
def test_arbitrary_text_is_a_card_or_a_bad_card(text):
    with suppress(BadCard):
        assert parse_card(text) in {*FULL_DECK, JOKER}


def test_a_shoe_of_six_decks_holds_312_cards():
    assert Deck(FULL_DECK, copies=6).size == 312
