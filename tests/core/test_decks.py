"""Decks and shoes: counting, burning, cutting, the account at the end, evidence of missing cards."""

import random
from collections import Counter

import pytest

from controller.core import events as e
from controller.core.deck_account import overdue_cards, with_round
from controller.core.shoe import DeckPast
from controller.core.views import view
from controller.games import GAMES
from controller.outputs.alert_text import alert
from controller.rules.cards import FULL_DECK, Deck
from controller.text.records import sentence

from .bench import Bench, kinds

ONE_DECK = Deck(FULL_DECK, every_round=True)
ROUND = "open; close; card 9C; card 2D; card KC; card 3D"  # player 9, banker 5: done after four cards
DECIDING = "shuffled; open; bet p1 ante 10.00; close; card AH; card KD; card 2S; card 3S; card 7D; card 8C; card 9C"


def refused(table):
    return [refused.reason for refused in table.facts("start_refused")]


# ── a second open copy ───────────────────────────────────────────────────────────────────────────────────────────


def test_any_fault_with_a_second_open_copy_is_suspect():
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D")
    assert (table.fault, table.state.fault.suspect) == ("extra_card", True)
    assert "the deck is suspect" in sentence(view(table.records[-1], "manager"))
    assert "the deck may not be whole" in alert(table.records[-1], []).body
    other = Bench("casino_holdem")
    other.says(f"{DECIDING}; card 6D")
    assert (other.fault, other.state.fault.suspect) == ("extra_card", False)


def test_with_a_second_open_copy_the_deck_must_be_checked():
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D; rule burn by m because x")
    assert [refused.reason for refused in table.facts("ruling_refused")] == ["deck_unchecked"]
    table.says("rule burn checked deck by m because counted")
    assert (table.life, table.facts("ruled")[-1].checked) == ("deciding", "deck")


def test_a_ruling_that_removes_the_second_copy_needs_no_check():
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D; rule correct 8 6D by m because misread; rule burn by m because x")
    assert (table.life, table.facts("ruling_refused")) == ("deciding", [])


def test_a_cancel_needs_no_deck_check():
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D; rule cancel by m because x")
    assert table.life == "cancelled"


@pytest.mark.parametrize("end", ["rule cancel by m because x", "rule burn checked deck by m because x; decide p1 fold"])
def test_a_suspect_deck_opens_no_round_until_another_deck_comes(end):
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D; {end}; shuffled; open; restart; shuffled; open")
    assert [(one.deck, one.double) for one in table.facts("deck_suspect")] == [("1", ("7D",))]
    assert refused(table) == ["deck_suspect"] * 2
    table.says("shuffled deck B; open")
    assert table.life == "betting"


def test_a_returned_deck_stays_suspect_until_counted_in_anew():
    table = Bench("casino_holdem")
    table.says(f"{DECIDING}; card 7D; rule cancel by m because x; shuffled deck B; shuffled deck 1; open")
    assert refused(table) == ["deck_suspect"]
    table.says("shoe ready 1 52; shuffled; open")
    assert table.life == "betting"


def test_a_shoe_that_stays_is_suspect_until_it_is_changed():
    table = Bench("baccarat", {"decks": 1, "change_below": 6})
    table.says("open; close; card 9C; card 9C; rule cancel by m because x; open; shoe change; shoe ready; open")
    assert (refused(table), table.life) == (["deck_suspect"], "betting")


# ── count-in, burn, cut card ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("S1", "not_counted"),
        ("S1 312", "not_counted"),
        ("S1 312 with dealer", "not_counted"),  # the dealer reports the count and is no second person
        ("S1 311 receipt R9", "not_full"),
        ("S1 312 receipt R9", None),
        ("S1 312 with ben", None),
    ],
)
def test_a_counted_in_shoe_needs_a_receipt_or_two_people(said, reason):
    table = Bench(count_in=True)
    table.says(f"shoe change; shoe ready {said}")
    assert (table.facts("ignored")[-1].reason if reason else None) == reason
    assert table.state.shoe.changing is (reason is not None)


@pytest.mark.parametrize(
    ("policy", "cards", "ready"),
    [
        ("free", 0, True), ("free", 3, True), ("none", 0, True), ("none", 1, False), ("one", 0, False),
        ("one", 1, True), ("one", 2, False), ("first_card", 0, False), ("first_card", 4, True),
        ("first_card", 3, False), ("first_card", 5, False),
    ],
)  # fmt: skip
def test_a_new_shoe_is_ready_only_after_the_set_burn(policy, cards, ready):
    table = Bench(burn=policy)
    at_first = len(table.facts("ignored"))  # of the bench's first shoe, for which no card was burnt
    table.says("shoe change")
    table.do(*map(e.CardOut, ["3C", "KD", "9H", "2S", "5D"][:cards]), e.LoadShoe())  # first_card: 3, then three more
    assert table.state.shoe.changing is not ready
    assert [one.reason for one in table.facts("ignored")[at_first:]] == ([] if ready else ["not_burnt"])


def test_a_second_ready_does_not_count_the_burn_again():
    table = Bench(burn="one")
    table.says("shoe change")
    table.do(e.CardOut("3C"), e.LoadShoe(), e.LoadShoe())
    assert [one.reason for one in table.facts("ignored")][-1:] == ["not_burnt"]


@pytest.mark.parametrize(("first", "more"), [("AC", 1), ("9C", 9), ("TC", 10), ("KC", 10)])
def test_the_first_burnt_card_says_how_many_follow(first, more):
    table = Bench(burn="first_card")
    table.says("shoe change")
    table.do(e.CardOut(first), *[e.CardOut(None)] * more, e.LoadShoe())
    assert (table.state.shoe.changing, table.state.shoe.burnt) == (False, more + 1)


@pytest.mark.parametrize(("terms", "more"), [({}, 0), ({"cut_card": "one_more"}, 1)])
def test_after_the_cut_card_only_the_set_rounds_are_played(terms, more):
    table = Bench(**terms)
    table.says("open; cut; close; card 9C; card 2D; card KC; card 3D")
    for _ in range(more):
        table.says(ROUND)
    table.says("restart; open")
    assert (len(table.facts("settled")), refused(table)) == (1 + more, ["cut_card_out"])


# ── the account of a shoe ────────────────────────────────────────────────────────────────────────────────────────


def shoe(*without, **instead):
    """Return a shoe of 416 cards in a fixed random order, less `without`, plus `instead`."""
    cards = Counter(list(FULL_DECK) * 8)
    cards.subtract(without)
    cards.update(instead)
    cards = list(cards.elements())
    random.Random(7).shuffle(cards)
    return cards


def through(cards):
    """Deal `cards` until a fault or until the shoe must be changed; return the table and the cards left."""
    table = Bench("baccarat", {"decks": 8})
    left, deck = list(cards), GAMES["baccarat"].settings(decks=8)
    table.says("shoe change; shoe ready S1 416")
    while table.fault is None and len(left) >= GAMES["baccarat"].deck(deck).change_below:
        table.says("open; close")
        while table.life not in ("settled", "paused"):
            table.do(e.CardOut(left.pop(0)))
    return table, left


def ended(table):
    return table.facts("shoe_ended")[-1]


FIVE = ("2C", "7D", "7D", "KS", "AH")


def test_counting_the_rest_gives_the_number_of_missing_cards():
    table, left = through(shoe(*FIVE))
    table.says(f"shoe change left {len(left)}")
    account = ended(table)
    assert (account.cards, account.unaccounted, account.missing) == (416, 5, {})
    assert account.dealt + account.left + account.unaccounted == 416


def test_reading_out_the_rest_names_each_missing_card():
    table, left = through(shoe(*FIVE))
    table.says("shoe readout")
    table.do(*map(e.CardOut, left), e.ChangeShoe())
    assert (ended(table).missing, ended(table).unaccounted) == (dict(sorted(Counter(FIVE).items(), key=by_deck)), 5)
    assert ended(table).read_out == len(left)


def by_deck(item):
    return FULL_DECK.index(item[0])


def test_the_rest_of_an_uncounted_shoe_is_unaccounted_for():
    table, left = through(shoe())
    table.says("shoe change")
    assert (ended(table).unaccounted, ended(table).left) == (len(left), None)


def test_a_whole_shoe_read_out_has_nothing_missing_or_surplus():
    table, left = through(shoe())
    table.says("shoe readout; restart")
    table.do(*map(e.CardOut, left), e.LoadShoe())
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == ({}, {}, 0)
    assert table.state.shoe.out == 0  # cards read out do not count for the new shoe


def test_a_repeated_readout_continues_with_the_same_shoe():
    table, left = through(shoe())
    again = e.ChangeShoe(reading=True)
    records = table.do(again, *map(e.CardOut, left[:9]), again, *map(e.CardOut, left[9:]), e.LoadShoe())
    assert (kinds(records).count("shoe_ended"), ended(table).missing, ended(table).read_out) == (1, {}, len(left))


def test_a_swapped_card_is_one_missing_and_one_surplus():
    table, left = through(shoe("2C", KS=1))
    assert table.fault == "duplicate_card"
    table.says("rule cancel by m because x; shoe readout")
    table.do(*map(e.CardOut, left), e.ChangeShoe())
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == ({"2C": 1}, {"KS": 1}, 0)


def test_a_double_is_a_fault_at_the_ninth_copy():
    table, left = through(shoe(KS=1))
    assert (table.fault, table.state.fault.suspect) == ("duplicate_card", True)
    assert (table.state.round.draws[-1].card, left.count("KS")) == ("KS", 0)


def test_a_double_not_dealt_is_named_at_the_shoes_end():
    table, left = through([*shoe(), "KS"])
    assert table.fault is None
    table.says("shoe readout")
    table.do(*map(e.CardOut, left), e.ChangeShoe())
    assert (ended(table).surplus, ended(table).unaccounted) == ({"KS": 1}, -1)


def test_burnt_cards_are_counted_apart_from_dealt_cards():
    table = Bench()
    table.says(
        f"shoe change; card 2C; card 3C; shoe ready; {ROUND}; card KD; rule burn by m because x; shoe change left 305"
    )
    assert (ended(table).burnt, ended(table).dealt, ended(table).unaccounted) == (3, 4, 0)


def test_many_missing_faces_are_reported_as_a_count():
    table = Bench()
    (_, ended_, *_) = [*table.says("shoe readout"), *table.says("shoe change")]
    assert sentence(view(ended_, "manager")).endswith("missing 312 cards of 52 faces; 312 not accounted for")


def test_a_card_read_out_faults_nothing_and_is_not_dealt():
    table = Bench()
    table.says(f"{ROUND}; shoe readout; card 9C; unread; card JOKER; shoe ready")
    assert (table.fault, [one.card for one in table.facts("read_out")]) == (None, ["9C", None, "JOKER"])
    assert (ended(table).read_out, ended(table).surplus) == (3, {"JOKER": 1})


# ── a card that stays away ───────────────────────────────────────────────────────────────────────────────────────


def dealt_from(cards, rounds, seed, many=9):
    """Return the round in which a card first counted as lost, and the lost cards; (None, []) if none did."""
    dice, past = random.Random(seed), DeckPast()
    for number in range(1, rounds + 1):
        past = with_round(past, dict.fromkeys(dice.sample(cards, many), 1), 52)
        if missing := list(overdue_cards(past, ONE_DECK)):
            return number, missing
    return None, []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("missing", ["AS", "7D"])
def test_a_missing_card_is_found_within_100_nine_card_rounds(missing, seed):
    number, named = dealt_from([card for card in FULL_DECK if card != missing], 100, seed)
    assert (number, named) == (97, [missing])


def test_a_card_lost_later_is_found_a_hundred_rounds_after():
    dice, past, rest = random.Random(3), DeckPast(), [card for card in FULL_DECK if card != "AS"]
    for number in range(600):
        past = with_round(past, dict.fromkeys(dice.sample(FULL_DECK if number < 500 else rest, 9), 1), 52)
        assert number >= 500 or not list(overdue_cards(past, ONE_DECK))
    assert list(overdue_cards(past, ONE_DECK)) == ["AS"]


def test_whole_decks_are_not_held_to_lack_a_card():
    assert [dealt_from(FULL_DECK, 300, seed)[0] for seed in range(30)] == [None] * 30


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_at_most_2_of_2000_whole_decks_are_falsely_suspected():
    """At most 0.2 false suspicions are expected (1 in 10,000); three or more have a chance of 1 in 800."""
    assert sum(dealt_from(FULL_DECK, 1000, seed)[0] is not None for seed in range(2000)) <= 2


def test_a_deck_that_never_deals_a_card_opens_no_round():
    table, dice = Bench("casino_holdem"), random.Random(5)
    rest = [card for card in FULL_DECK if card != "QH"]
    while not table.facts("deck_suspect"):
        table.says("shuffled; open; bet p1 ante 10.00; close")
        for card in dice.sample(rest, 7):
            table.do(e.CardOut(card))
        table.says("decide p1 call")
        cards = {draw.card for draw in table.state.round.draws}
        table.do(*map(e.CardOut, dice.sample([card for card in rest if card not in cards], 2)))
        assert table.life == "settled"
    (suspect,) = table.facts("deck_suspect")
    assert (suspect.deck, suspect.missing, suspect.rounds) == ("1", ("QH",), 97)
    table.says("restart; shuffled; open")
    assert refused(table) == ["deck_suspect"]
