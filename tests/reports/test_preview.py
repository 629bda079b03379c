"""Previews of rulings: the previewed effect is the real one, and nothing hidden is revealed."""

import random

import msgspec
import pytest

from controller.core import events as e
from controller.core.blind import possible_states
from controller.core.position import Position
from controller.games import GAMES
from controller.reports.preview import CardFate, DrawChange, PreviewRefused, Refunds, RulingEffect, foresee
from controller.rules.cards import RANKS
from controller.text.faults import LANGUAGES, Words
from controller.web.screens.manager_words import ManagerWords
from tests.chance import SEED
from tests.core.bench import Bench
from tests.core.test_catalogue import EVERY, RAISE, ruling_on

HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS"  # the dealer's two face down
HOLDEM_2 = HOLDEM.replace("card KS; card QS", "card 2C; card 3H")
BLACKJACK = "shuffled; open; bet p1 seat1 main 1.00; close; card 9C; card 7D; card KS"


def foreseen(table, ruling):
    return foresee(table.house, table.state, ruling, table.now)


def sentence(table, ruling):
    return in_words(table.state, ruling, foreseen(table, ruling))


def in_words(state, ruling, end, language="en"):
    return ManagerWords(Words(language)).preview_sentence(ruling, end, state)


def real_effect(table, records, before):
    """Return the real effect of a ruling, in the form of a preview."""
    faulted = [record.what for record in records if record.kind == "faulted"]
    refunds = [what.what.stake for what in records if what.kind == "refunded"]
    state = table.state
    return {
        "life": state.life,
        "outcome": state.round.outcome,
        "next": faulted[-1].code if faulted else None,
        "refunds": Refunds(len(refunds), sum(refunds), "EUR") if state.life == "cancelled" else None,
        "manual": state.round.manual,
        "fates": {draw.number: (draw.fate, draw.place) for draw in state.round.draws if was(before, draw) != draw},
    }


def was(before, draw):
    draws = before.round.draws
    return draws[draw.number - 1] if draw.number <= len(draws) else None


@pytest.mark.parametrize(("code", "game", "ruling"), EVERY)
def test_a_preview_is_a_sentence_and_matches_the_ruling(code, game, ruling):
    table = RAISE[code](game)
    event = ruling_on(table, ruling)
    before, recorded = table.state, len(table.records)
    end = foreseen(table, event)
    assert isinstance(end, RulingEffect)
    assert (table.state, len(table.records)) == (before, recorded)
    happened = real_effect(table, table.do(event), before)
    assert end.open is False or any(draw.hidden for draw in before.round.draws)
    for name in ("life", "outcome", "refunds", "manual"):
        value = getattr(end, name)
        assert value == happened[name] or (end.open and not value), name
    assert (end.next and end.next.code) == happened["next"] or end.open
    changed = {change.draw: (change.after.fate, change.after.place) for change in end.cards}
    assert changed.items() <= happened["fates"].items()
    assert end.open or all(n in changed for n, fate in happened["fates"].items() if is_moved(before, n, fate))
    for language in LANGUAGES:
        text = in_words(before, event, end, language)
        assert text.endswith(".")
        assert "None" not in text
        assert "{" not in text


def is_moved(before, number, fate):
    draws = before.round.draws
    return number > len(draws) or (draws[number - 1].fate, draws[number - 1].place) != fate


def test_a_burnt_extra_card_is_previewed_in_one_sentence():
    table = Bench("baccarat", confirm="dealer")
    table.says("open; close; card 9C; card 2D; card KD; card 3H; card 5H")
    ruling = e.Rule("burn", "anna", "x", fault=table.state.fault.seq)
    end = foreseen(table, ruling)
    assert end.cards == (DrawChange(5, CardFate("5H", "loose", None), CardFate("5H", "burnt", None)),)
    assert sentence(table, ruling) == "Draw 5 is burnt; the round is settled: PLAYER wins 9 : 5."


def test_a_correction_shows_the_next_fault():
    table = Bench("baccarat", confirm="dealer", carry=True)
    table.says("open; close; card 9C; card 2D; card KD; card 3H; press manager")
    ruling = e.Rule("correct", "anna", "x", 1, "5C")
    assert sentence(table, ruling) == "Draw 1 is 5♣; PLAYER has 5, not 9; waiting for a card to PLAYER."
    table.says("rule correct 1 5C by anna because x; card 6S; card 2S")
    table.says("press manager")
    end = foreseen(table, e.Rule("correct", "anna", "x", 1, "9C"))
    assert (end.life, end.next.code, end.next.came) == ("paused", "extra_card", e.CardOut("6S", "player"))
    assert end.next.rulings == ("burn", "carry", "correct", "void", "cancel")


def test_the_preview_of_a_cancel_shows_the_refunds():
    table = Bench("baccarat")
    table.says("open; bet p1 banker 10.00; bet p2 tie 5.00; card 5H")
    ruling = e.Rule("cancel", "anna", "x")
    assert foreseen(table, ruling).refunds == Refunds(2, 1500, "EUR")
    assert sentence(table, ruling) == "The round is cancelled; bets returned: 2, 15.00 in all."


@pytest.mark.parametrize(
    ("ruling", "reason"),
    [
        (e.Rule("burn", "anna", "x", fault=1), "stale_fault"),
        (e.Rule("burn", "dealer", "x"), "own_round"),
        (e.Rule("resume", "anna", "x"), "not_allowed"),
        (e.Rule("burn", "anna", "x", draw=9), "bad_draw"),
    ],
)
def test_the_preview_of_a_refused_ruling_gives_the_reason(ruling, reason):
    table = Bench("baccarat")
    table.says("open; card 5H")
    assert foreseen(table, ruling) == PreviewRefused(reason)


# ── cards that lie face down ─────────────────────────────────────────────────────────────────────────────────────


def paused(text, game):
    table = Bench(game, {"decks": 1} if game == "blackjack" else None, reveal="auto")
    table.says(text)
    table.says("press manager")
    assert any(draw.hidden for draw in table.state.round.draws)
    return table


def previews(table, cards):
    """Yield a correction of every draw to each of these cards, and one resume."""
    draws = range(1, len(table.state.round.draws) + 1)
    yield from (e.Rule("correct", "anna", "x", draw, card) for draw in draws for card in cards)
    yield e.Rule("resume", "anna", "x")


LATER = "; card 8D"  # dealt after the hidden cards: may be the double of one, which no preview may show
HIT = "; decide seat1 hit; card 2D"
WORLDS = pytest.mark.parametrize(
    ("game", "one", "other", "cards"),
    [
        pytest.param("casino_holdem", HOLDEM + LATER, HOLDEM_2 + LATER, ("KS", "2C"), id="holdem"),
        pytest.param(
            "blackjack", f"{BLACKJACK}; card 5C{HIT}", f"{BLACKJACK}; card 6C{HIT}", ("5C", "6C"), id="blackjack"
        ),
    ],
)


def told_apart(game, one, other, cards):
    """Return the rulings whose previews differ between two tables that differ in hidden cards only."""
    a, b = paused(one, game), paused(other, game)
    return [ruling for ruling in previews(a, cards) if foreseen(a, ruling) != foreseen(b, ruling)]


@WORLDS
def test_no_preview_depends_on_a_hidden_card(game, one, other, cards):
    """The corrections name cards that lie face down at only one of the two tables."""
    assert told_apart(game, one, other, cards) == []


@pytest.mark.proof
@WORLDS
def test_no_preview_of_any_rank_depends_on_a_hidden_card(game, one, other, cards):
    suits = random.Random(SEED).choices("CDHS", k=len(RANKS))
    assert told_apart(game, one, other, [f"{rank}{suit}" for rank, suit in zip(RANKS, suits, strict=True)]) == []


def test_a_preview_hides_cards_that_the_ruling_reveals():
    table = Bench("casino_holdem", confirm="dealer")
    table.says(f"{HOLDEM}; card 2C; card 3C; card 4C; decide p1 call; card 5C; unread")
    ruling = e.Rule("enter", "anna", "x", card="6H")
    end = foreseen(table, ruling)
    assert end.open
    assert end.outcome is None
    assert not {"KS", "QS"} & set(msgspec.json.encode(end).decode().replace('"', " ").split())
    table.do(ruling)
    assert table.state.round.outcome


def test_a_preview_shows_consequences_independent_of_hidden_cards():
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM}; unread")
    ruling = e.Rule("enter", "anna", "x", card="2C")
    assert foreseen(table, ruling).open is False
    assert sentence(table, ruling) == "2♣ is entered; draw 5 goes to BOARD; waiting for a card to BOARD."


def test_without_hidden_cards_only_the_real_state_is_possible():
    table = RAISE["extra_card"]("baccarat")
    assert possible_states(Position(GAMES), table.state) == [table.state]


def test_guesses_at_hidden_cards_fit_what_everybody_has_seen():
    """A dealer who looked under a ten and played on holds no ace."""
    table = paused(f"{BLACKJACK}; card 5C", "blackjack")
    guesses = possible_states(Position(GAMES), table.state)
    holes = {draw.card[0] for guess in guesses for draw in guess.round.draws if draw.hidden}
    assert len(holes) > 5
    assert all(Position(GAMES).due(guess) == table.due for guess in guesses)


@pytest.mark.parametrize("card", ["KS", "2C"])
def test_a_card_that_lies_face_down_is_entered_as_foreseen(card):
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM}; unread")
    ruling = e.Rule("enter", "anna", "x", card=card)  # the dealer holds the king
    assert foreseen(table, ruling).open is False
    table.do(ruling)
    assert table.cards_on("board") == [card]


def test_every_ruling_of_the_catalogue_is_previewed():
    assert {ruling for _, _, ruling in EVERY} == {
        "resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "void_hand", "cancel",
    }  # fmt: skip
