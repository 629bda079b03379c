"""No refusal, fault or hidden text tells a manager whether a guess at a face-down card is right."""

import pytest

from controller.core.faults import due_of
from controller.core.odds import count_unseen, open_cards
from controller.core.views import view
from controller.rules.cards import FULL_DECK
from controller.rules.procedure import Ask

from .bench import Bench, kinds
from .test_views import HIDDEN, OTHERS

DEALT = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D"  # next: the dealer's two cards, face down
FLOP = "card 2H; card 3H; card 4S"
STREETS = f"{FLOP}; decide p1 call; card 9C; card 9S"
SEATED = "shuffled; open; bet p1 seat1 main 1.00; close; card 9C; card 7D"  # next: the dealer's cards, one up, one down


def bench_after(game, *says):
    table = Bench(game, {"decks": 1} if game == "blackjack" else None)
    for line in says:
        table.says(line)
    return table


def holdem(*says):
    return bench_after("casino_holdem", *says)


def blackjack(*says):
    return bench_after("blackjack", SEATED, *says)


def views_of(records, audience="manager"):
    return [view(record, audience) for record in records]


# ── guesses ──────────────────────────────────────────────────────────────────────────────────────────────────────


def half_deck_previews(card):
    """Return what a manager sees of six rulings that each name half of the deck; `card` lies face down."""
    table, views = holdem(f"{DEALT}; card {card}"), []
    for bit in range(6):
        named = " ".join(name for number, name in enumerate(FULL_DECK) if number >> bit & 1)
        views += views_of(table.says(f'press manager; rule resume by anna because "{named}"'))
    return views


def test_six_rulings_that_name_half_the_deck_each_learn_nothing():
    assert half_deck_previews("KS") == half_deck_previews("2C") == half_deck_previews("9H")


@pytest.mark.parametrize("card", ["KS", "5D"])
def test_an_extra_open_card_is_named_for_any_hidden_card(card):
    table = holdem(f"{HIDDEN}; {FLOP}")
    drawn, faulted = views_of(table.says(f"card {card}"))
    assert (drawn["card"], faulted["code"], faulted["got"]) == (card, "extra_card", card)


@pytest.mark.parametrize("card", ["KS", "5D"])
def test_a_face_up_card_is_dealt_for_any_hidden_card(card):
    (dealt,) = views_of(holdem(HIDDEN).says(f"card {card}"))
    assert (dealt["card"], dealt["to"]) == (card, "board")


@pytest.mark.parametrize("card", ["KS", "2C", "AC"])
def test_hidden_card_corrections_look_alike_for_any_new_card(card):
    table = holdem(f"{HIDDEN}; press manager")
    records = table.says(f"rule correct 3 {card} by anna because misread")
    assert kinds(records) == ["ruled", "dealt", "resumed"]
    assert views_of(records) == views_of(
        holdem(f"{HIDDEN}; press manager").says("rule correct 3 5D by anna because misread")
    )


def test_a_card_that_lies_open_cannot_be_corrected_to_itself():
    table = holdem(f"{HIDDEN}; press manager; rule correct 1 AC by anna because misread")
    assert table.facts("ruling_refused")[0].reason == "no_change"


@pytest.mark.parametrize("card", ["KS", "5D"])
def test_a_card_is_entered_whatever_lies_face_down(card):
    table = holdem(f"{HIDDEN}; unread; rule enter {card} by anna because manual")
    assert table.cards_on("board") == [card]


@pytest.mark.parametrize("card", ["AC", "5D"])
def test_a_card_entered_face_down_may_match_an_open_card(card):
    table = holdem(f"{DEALT}; unread; rule enter {card} by anna because manual")
    assert (table.cards_on("dealer"), table.life) == ([card], "dealing")


@pytest.mark.parametrize("audience", ["manager", "overlay"])
def test_an_open_card_entered_before_a_hidden_one_is_shown(audience):
    unread = "shuffled; open; bet p1 ante 1.00; close; card AC; unread"  # next: the dealer's cards
    records = holdem(unread).says("rule enter 7D by anna because manual")
    ruled, dealt = (one for one in views_of(records, audience) if one["kind"] in ("ruled", "dealt"))
    assert (ruled["after"]["card"], dealt["card"]) == ("7D", "7D")


def test_the_dealers_open_card_is_shown_as_entered():
    ruled, dealt, *_ = views_of(blackjack("unread").says("rule enter 6C by anna because manual"))
    assert (ruled["after"]["card"], dealt["card"], dealt["to"]) == ("6C", "6C", "dealer")


@pytest.mark.parametrize("card", ["AC", "5D", "JOKER"])
def test_moving_a_hidden_card_into_the_open_is_never_refused(card):
    table = holdem(f"{DEALT}; card {card} at board; rule burn 2 by anna because bent")
    assert table.fault == "wrong_place"
    table.says("rule move 3 player by anna because mislaid")
    assert not table.facts("ruling_refused")
    assert table.cards_on("player") == (["AC", "5D"] if card == "5D" else ["AC"])


def test_a_hidden_card_cannot_open_the_next_round():
    table = Bench("blackjack", {"every_round": False})
    table.says(f"{SEATED}; card 6C; press manager; card 5D; card 6D; rule resume by anna because x")
    assert (table.fault, [draw.hidden for draw in table.state.loose_draws]) == ("extra_card", [True])
    assert "carry" not in table.state.fault.rulings


# ── its own turn ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("card", "code"), [("AC", "duplicate_card"), ("JOKER", "foreign_card")])
def test_a_wrong_hidden_card_is_a_fault_when_turned_over(card, code):
    table = holdem(f"{DEALT}; card {card}; card QS")
    assert table.life == "dealing"
    faulted = views_of(table.says(STREETS))[-1]
    assert (faulted["code"], faulted["draw"], faulted["got"]) == (code, 3, card)
    assert not table.facts("revealed") + table.facts("completed")
    table.says("rule correct 3 KS by anna because misread")
    assert (table.life, table.facts("revealed")[0].cards) == ("settled", ("KS", "QS"))


def test_two_identical_hidden_cards_are_a_fault_when_turned_over():
    table = holdem(f"{DEALT}; card KS; card KS; {STREETS}")
    assert (table.fault, table.state.fault.draw) == ("duplicate_card", 4)


def test_an_open_copy_of_a_hidden_card_faults_the_latter():
    table = holdem(f"{HIDDEN}; card KS; card 3H; card 4S; decide p1 call; card 9C; card 9S")
    assert (table.fault, table.state.fault.draw, table.state.fault.rulings) == (
        "duplicate_card", 3, ("void", "correct", "burn", "cancel"),
    )  # fmt: skip
    table.says("rule correct 5 2H touched stand by anna because misread")
    assert (table.life, table.cards_on("board")[0]) == ("settled", "2H")


def test_a_wrong_hidden_card_never_revealed_faults_before_settlement():
    table = holdem(f"{DEALT}; card AC; card QS; {FLOP}; decide p1 fold")
    assert (table.fault, table.facts("completed"), table.facts("settled")) == ("duplicate_card", [], [])
    table.says("rule correct 3 KS by anna because misread")
    assert table.life == "settled"


def test_a_wrong_hidden_card_faults_when_the_dealer_presses_finish():
    table = Bench("casino_holdem", reveal="dealer")
    table.says(f"{DEALT}; card AC; card QS; {STREETS}; press finish")
    assert table.fault == "duplicate_card"
    table.says("rule correct 3 KS by anna because misread; press finish")
    assert table.life == "settled"


def test_a_foreign_hidden_card_is_burnt_and_replaced_when_revealed():
    table = blackjack("card 6C; card JOKER; decide seat1 stand")
    assert (table.fault, table.state.fault.draw) == ("foreign_card", 4)
    table.says("rule burn 4 by anna because foreign; card 5D; decide seat1 stand; card 9D")
    assert (table.cards_on("dealer"), table.life) == (["6C", "5D", "9D"], "settled")


@pytest.mark.parametrize("up", ["AC", "TC"])
def test_a_foreign_hole_card_makes_no_dealer_blackjack(up):
    table = blackjack(f"card {up}; card JOKER", *(["decide seat1 decline"] if up == "AC" else []))
    assert due_of(table.state, table.due) == Ask(("seat1",), ("hit", "stand", "double"), "stand")


def test_a_foreign_hidden_card_is_a_fault_after_a_restart():
    table = holdem(f"{DEALT}; card JOKER; card QS; restart; rule resume by anna because seen; {STREETS}")
    assert table.fault == "foreign_card"


def test_revealed_cards_that_a_correction_makes_alike_are_a_fault():
    table = Bench("casino_holdem", confirm="dealer")
    table.says(f"{HIDDEN}; {STREETS}; press manager; rule correct 3 QS by anna because misread")
    assert table.fault == "duplicate_card"


# ── reasons ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", ["I saw the KS", "as on camera"])
def test_dealers_read_ruling_reasons_after_the_round_players_never(text):
    ruled = holdem(f"{HIDDEN}; press manager").says(f'rule resume by anna because "{text}"')[0]
    assert [view(ruled, audience)["because"] for audience in ("auditor", "manager", "dealer", "server")] == [
        text, text, "", "",
    ]  # fmt: skip
    assert {view(ruled, audience, over=True)["because"] for audience in OTHERS if audience != "player"} == {text}
    assert "because" not in view(ruled, "player", over=True)


# ── odds ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_hidden_card_is_not_listed_or_counted_as_seen():
    table = holdem(HIDDEN)
    assert open_cards(table.state) == ["AC", "7D"]
    assert count_unseen(table.state, table.house.deck)["KS"] == 1
