"""Scripts in, records out: the whole table without a device or a wall clock."""

import msgspec
import pytest

from controller.core import events as e
from controller.core.decide import decide
from controller.core.house import House, Limits, Terms
from controller.core.position import Position
from controller.core.records import Record
from controller.core.state import State
from controller.core.views import view
from controller.games import GAMES
from controller.script.play import Play
from controller.script.reader import parse


def table(*lines: str, game: str = "baccarat", terms: Terms | None = None, **settings: object) -> Play:
    sheet = GAMES[game]
    play = Play(House(sheet, sheet.settings(**settings), terms or Terms()))
    run(play, *lines)
    return play


def run(play: Play, *lines: str) -> list[str]:
    """Run the lines; return the kinds of their records. ` · ` separates lines in short scripts."""
    return [record.kind for record in play.run(parse("\n".join(lines).replace(" · ", "\n")))]


def cards(text: str) -> str:
    return "\n".join(f"card {card}" for card in text.split())


def dealt(text: str) -> tuple[str, ...]:
    return ("open", "close", cards(text))


def to_dict(record: Record) -> dict[str, object]:
    """Return a record as `--json` prints it."""
    return msgspec.json.decode(msgspec.json.encode(view(record, "auditor")))


def of_kind(play: Play, kind: str) -> list[dict[str, object]]:
    return [to_dict(record) for record in play.records if record.kind == kind]


def last(play: Play, kind: str) -> dict[str, object]:
    return of_kind(play, kind)[-1]


def kinds(play: Play) -> list[str]:
    return [record.kind for record in play.records]


def outcome(play: Play) -> dict[str, object]:
    return last(play, "settled")["outcome"]


def due(play: Play) -> object:
    return play.state_line()["due"]


TO_BANKER = {"step": "deal", "to": "banker", "face_up": True}


# ── the opening ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_play_starts_open_with_a_dealer_and_full_shoe():
    play = table()
    assert kinds(play) == ["configured", "table_opened", "dealer_changed", "shoe_ready"]
    assert {record["at"] for record in map(to_dict, play.records)} == {"2026-01-01T00:00:00.000000Z"}
    assert last(play, "dealer_changed")["to"] == "dealer"
    assert last(play, "shoe_ready")["cards"] == 312
    assert play.state_line() == {"kind": "state", "state": "idle", "due": None}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("burn", ["free", "none", "one", "first_card"])
def test_play_starts_with_a_shoe_that_the_house_accepts(game, burn):
    play = table("shuffled", "open", game=game, terms=Terms(burn=burn, count_in=True))
    assert (play.state.life, of_kind(play, "ignored")) == ("betting", [])
    assert last(play, "shoe_ready")["counted"] == play.house.deck.size


def test_every_record_has_its_envelope():
    play = table(*dealt("9C 2D KH 3S"))
    for number, record in enumerate(map(to_dict, play.records), start=1):
        assert record["seq"] == number
        assert record["table"] == "table"
        assert record["kind"]
    opened = [to_dict(record) for record in play.records[4:]]
    assert {(record["round"], record["shoe"], record["dealer"]) for record in opened} == {(1, "1", "dealer")}


def test_rounds_are_numbered_from_1():
    play = table(*dealt("9C 2D KH 3S"), *dealt("9C 2D KH 3S"))
    assert [record["round"] for record in of_kind(play, "opened")] == [1, 2]


def test_opened_pins_the_version_settings_and_odds():
    opened = last(table("open"), "opened")
    assert opened["game"] == "baccarat"
    assert opened["version"]
    assert opened["settings"] == {"decks": 6, "change_below": 40, "betting_windows": 1, "margin": 0.05}
    assert opened["odds"]["banker"] == "1.95"


# ── acceptance: baccarat ─────────────────────────────────────────────────────────────────────────────────────────


def test_banker_4_stands_on_player_third_card_8():
    play = table(*dealt("2C 3D 2D AS 8H"))
    assert play.state_line() == {"kind": "state", "state": "settled", "due": None}
    settled = outcome(play)
    assert (settled["winner"], settled["player"], settled["banker"], settled["cards"]) == ("banker", 2, 4, 5)


def test_with_7_instead_a_card_is_due_to_banker():
    play = table(*dealt("2C 3D 2D AS 7H"))
    assert play.state_line() == {"kind": "state", "state": "dealing", "due": TO_BANKER}


def test_the_last_line_names_reports_that_wait_for_a_ruling():
    play = table(*dealt("9C"), "press manager")
    assert "waiting" not in play.state_line()["fault"]
    run(play, "press dropped")
    assert play.state_line()["fault"]["waiting"] == ["dropped"]


def test_a_card_after_a_natural_is_an_extra_card():
    play = table(*dealt("9C 2D KH 3S"))
    assert outcome(play)["natural"] is True
    assert run(play, "card 4D") == ["drawn", "faulted"]
    fault = last(play, "faulted")
    assert (fault["code"], fault["got"], fault["draw"]) == ("extra_card", "4D", 5)
    assert fault["rulings"] == ["burn", "void"]  # after settlement
    assert play.state_line()["state"] == "paused"
    assert "burnt" in run(play, 'rule burn by manager1 because "second card stuck"')
    assert play.state_line()["state"] == "settled"
    assert kinds(play).count("settled") == 1
    assert (last(play, "burnt")["draw"], last(play, "burnt")["card"]) == (5, "4D")


def corrected(*rulings: str) -> Play:
    terms = Terms(confirm="dealer")
    return table(*dealt("2C 3D 2D AS 8H"), "press manager", *rulings, terms=terms)


def test_with_confirm_dealer_a_complete_round_waits_for_finish():
    play = table(*dealt("2C 3D 2D AS 8H"), terms=Terms(confirm="dealer"))
    assert play.state_line()["state"] == "complete"
    assert run(play, "press finish")[0] == "settled"


def test_dealer_call_stops_the_round():
    play = corrected()
    fault = last(play, "faulted")
    assert (fault["code"], fault["rulings"]) == ("dealer_call", ["resume", "correct", "burn", "void", "cancel"])


def test_correct_5_7h_makes_bankers_card_due():
    play = corrected("rule correct 5 7H by manager1")
    assert play.state_line() == {"kind": "state", "state": "dealing", "due": TO_BANKER}
    ruled = last(play, "ruled")
    assert (ruled["ruling"], ruled["by"]) == ("correct", "manager1")
    assert ruled["before"]["card"] == "8H"
    assert ruled["after"]["card"] == "7H"
    run(play, "card KS", "press finish")
    assert (outcome(play)["player"], outcome(play)["banker"]) == (1, 4)


def test_correcting_to_a_natural_makes_draw_5_an_extra_card():
    play = corrected("rule correct 1 6C by manager1")
    fault = last(play, "faulted")
    assert (fault["code"], fault["draw"]) == ("extra_card", 5)
    assert play.state_line()["state"] == "paused"
    run(play, "rule burn by manager1")
    assert play.state_line()["state"] == "complete"  # the result has changed: FINISH is needed again
    run(play, "press finish")
    settled = outcome(play)
    assert (settled["player"], settled["banker"], settled["natural"], settled["cards"]) == (8, 4, True, 4)
    assert kinds(play).count("settled") == 1


# ── acceptance: Casino Hold'em ───────────────────────────────────────────────────────────────────────────────────

FIRST_ROUND = cards("KS KD 5C 5D 2H 7S 9D")
HOLDEM = ("shuffled", "open", "bet p1 ante 10.00", "bet p2 ante 10.00", "close", FIRST_ROUND)


def holdem(*lines: str) -> Play:
    return table(*HOLDEM, *lines, game="casino_holdem")


def test_the_dealers_cards_are_dealt_face_down():
    face_up = [(record["to"], record["face_up"]) for record in of_kind(holdem(), "dealt")]
    assert face_up == [("player", True)] * 2 + [("dealer", False)] * 2 + [("board", True)] * 3


def test_call_or_fold_is_asked_with_15_s_default_fold():
    event = last(holdem(), "asked")
    assert {name: event[name] for name in ("who", "options", "default", "seconds")} == {
        "who": ["p1", "p2"], "options": ["call", "fold"], "default": "fold", "seconds": 15,
    }  # fmt: skip


def test_the_dealers_cards_are_revealed_after_the_river():
    play = holdem("decide p1 call", "decide p2 fold", cards("JC 3H"))
    assert (last(play, "revealed")["place"], last(play, "revealed")["cards"]) == ("dealer", ["5C", "5D"])
    assert play.state_line()["state"] == "settled"


def test_with_reveal_dealer_the_reveal_waits_for_finish():
    lines = (*HOLDEM, "decide p1 call", "decide p2 call", cards("JC 3H"))
    play = table(*lines, game="casino_holdem", terms=Terms(reveal="dealer"))
    assert play.state_line() == {"kind": "state", "state": "dealing", "due": {"step": "reveal", "place": "dealer"}}
    assert run(play, "press finish")[:3] == ["revealed", "completed", "settled"]


def test_a_card_while_decisions_are_open_is_an_extra_card():
    play = holdem("decide p1 call", "card JC")
    fault = last(play, "faulted")
    assert (fault["code"], fault["expected"]) == ("extra_card", "decisions of 2")
    assert "carry" not in fault["rulings"]  # every round has its own deck
    run(play, "rule burn by manager1", "decide p2 fold")
    assert due(play) == {"step": "deal", "to": "board", "face_up": True}


def test_the_decision_clock_stands_still_while_paused():
    play = holdem("wait 14s", "press manager", "wait 60s", "rule resume by manager1", "decide p1 call")
    assert not of_kind(play, "decision_refused")
    run(play, "wait 1s")
    assert [(one["who"], one["by"]) for one in of_kind(play, "decided")] == [("p1", "player"), ("p2", "table")]


DECISIONS_REFUSED = {
    "before any window": (["decide p1 call"], "not_asked"),
    "by somebody who takes no part": ([*HOLDEM, "decide p3 call"], "not_yours"),
    "a second time": ([*HOLDEM, "decide p1 call", "decide p1 fold"], "not_asked"),
    "no option": ([*HOLDEM, "decide p1 raise"], "not_allowed"),
    "after the deadline": ([*HOLDEM, "wait 15s", "decide p1 call"], "too_late"),
    "after the deadline, with one who was in time": (
        [*HOLDEM, "decide p1 call", "wait 15s", "decide p2 call"], "too_late"
    ),
    "again after the window": ([*HOLDEM, "decide p1 call", "decide p2 fold", "decide p1 fold"], "not_asked"),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "reason"), DECISIONS_REFUSED.values(), ids=DECISIONS_REFUSED)
def test_a_decision_is_refused_with_its_reason_and_changes_nothing(lines, reason):
    play = table(*lines[:-1], game="casino_holdem")
    before = play.state
    assert "decision_refused" in run(play, lines[-1])
    refused = last(play, "decision_refused")
    assert refused["reason"] == reason
    assert refused["who"] == lines[-1].split()[1]
    if "wait" not in lines[-1]:
        assert (play.state.life, play.state.round.bets) == (before.life, before.round.bets)


def test_a_decision_is_too_late_from_the_deadline_on():
    assert last(holdem("wait 15s", "decide p1 call"), "decision_refused")["reason"] == "too_late"
    assert last(holdem("wait 14999ms", "decide p1 call"), "decided")["by"] == "player"


# ── start_refused ────────────────────────────────────────────────────────────────────────────────────────────────

START_REFUSED = {
    "round_live": ["open"],
    "paused": ["open", "press manager"],
    "table_closed": ["table close"],
    "shoe_missing": ["lost shoe"],
    "cut_card_out": ["cut"],
}


@pytest.mark.parametrize(("reason", "lines"), START_REFUSED.items())
@pytest.mark.parametrize("press", ["open", "press open"])
def test_a_round_is_refused_with_its_reason(reason, lines, press):
    play = table(*lines)
    assert run(play, press) == ["start_refused"]
    assert last(play, "start_refused")["reason"] == reason


def test_no_round_starts_while_the_shoe_is_being_changed():
    play = table("shoe change")
    assert run(play, "open") == ["start_refused"]
    assert last(play, "start_refused")["reason"] == "shoe_missing"


def test_a_shoe_result_is_ignored_without_a_single_winner():
    play = table("shuffled", "open", "bet p1 seat1 main 1.00", "close", cards("AC KC 9D 8H"), game="blackjack")
    assert run(play, "result player") == ["ignored"]


def test_a_stake_outside_the_tables_limits_is_refused():
    play = table(terms=Terms(limits={"tie": Limits(200, 500)}))
    run(play, "open · bet p1 tie 1.99 · bet p1 tie 5.01 · bet p1 tie 5.00 · bet p1 player 0.01")
    assert [bet["reason"] for bet in of_kind(play, "bet_refused")] == ["below_minimum", "above_maximum"]
    assert [bet["stake"] for bet in of_kind(play, "bet_accepted")] == [500, 1]


def test_not_shuffled_holds_for_games_with_a_deck_a_round():
    assert last(table("open", game="casino_holdem"), "start_refused")["reason"] == "not_shuffled"


def test_no_round_starts_without_a_dealer():
    sheet = GAMES["baccarat"]
    house, position, state = House(sheet, sheet.settings()), Position(GAMES), State()
    for event in (e.OpenTable("test"), e.LoadShoe(), e.Open()):
        draft = decide(house, position, state, event, 0)
        state = draft.state
    assert to_dict(draft.records[-1])["reason"] == "no_dealer"


def test_a_round_after_a_refusal_can_still_be_opened():
    assert run(table("lost shoe", "open", "found shoe"), "open") == ["opened"]


FORTY_LEFT = ("KC KD QC QD 6C 6D", "KH KS QH QS 6H 6S")  # two rounds of six cards from one deck of 52


def test_40_cards_left_are_enough_to_start():
    play = table(*(line for text in FORTY_LEFT for line in dealt(text)), decks=1)
    assert run(play, "open") == ["opened"]


def test_below_40_cards_no_round_starts_until_a_shoe_change():
    play = table(*(line for text in FORTY_LEFT for line in dealt(text)), *dealt("9C 2D JH 3S"), decks=1)
    assert run(play, "open") == ["start_refused"]
    assert last(play, "start_refused")["reason"] == "shoe_low"
    run(play, "shoe change", "shoe ready")
    assert run(play, "open") == ["opened"]


def test_a_burnt_card_counts_as_gone_from_the_shoe():
    play = table(*(line for text in FORTY_LEFT for line in dealt(text)), "card 9C", "rule burn by m", decks=1)
    run(play, "open")
    assert last(play, "start_refused")["reason"] == "shoe_low"


def test_after_the_cut_card_the_next_round_needs_a_shoe():
    play = table("open", "close", cards("2C 3D"), "cut", cards("2D AS 8H"))
    assert play.state_line()["state"] == "settled"
    assert run(play, "open") == ["start_refused"]
    run(play, "shoe change", "shoe ready")
    assert run(play, "open") == ["opened"]


# ── bets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

BETS_REFUSED = {
    "betting_closed": (["close"], "bet p1 banker 10.00"),
    "unknown_market": ([], "bet p1 dragon 10.00"),
    "duplicate_bet": (["bet p1 banker 10.00"], "bet p1 banker 5.00"),
    "player_gone": (["gone p1"], "bet p1 banker 10.00"),
    "bad_amount": ([], "bet p1 banker 0"),
}


@pytest.mark.parametrize(("reason", "case"), BETS_REFUSED.items())
def test_a_bet_is_refused_with_its_reason(reason, case):
    before, bet = case
    play = table("open", *before)
    assert run(play, bet) == ["bet_refused"]
    refused = last(play, "bet_refused")
    assert refused["reason"] == reason
    assert (refused["player"], refused["market"]) == ("p1", bet.split()[2])


def test_a_bonus_bet_without_an_ante_is_refused():
    play = table("shuffled", "open", "bet p1 bonus 5.00", game="casino_holdem")
    assert last(play, "bet_refused")["reason"] == "needs_ante"


@pytest.mark.parametrize("amount", ["0", "-1.00", "1.005", "nan", "inf", "0.001"])
def test_a_bet_with_a_bad_amount_is_refused(amount):
    assert last(table("open", f"bet p1 banker {amount}"), "bet_refused")["reason"] == "bad_amount"


def test_before_a_round_and_after_the_deadline_betting_is_closed():
    assert last(table("bet p1 banker 10.00"), "bet_refused")["reason"] == "betting_closed"
    play = table("open", "wait 15s", "bet p1 banker 10.00")
    assert last(play, "bet_refused")["reason"] == "betting_closed"
    assert last(play, "closed")["by"] == "clock"
    assert last(play, "closed")["at"] == "2026-01-01T00:00:15.000000Z"


def test_a_bet_is_withdrawn_and_placed_anew():
    play = table("open", "bet p1 banker 10.00", "unbet p1 banker", "bet p1 banker 5.00")
    assert [one["stake"] for one in of_kind(play, "bet_accepted")] == [1000, 500]
    assert not of_kind(play, "bet_refused")


def test_two_players_and_two_markets_are_bets_of_their_own():
    play = table("open", "bet p1 banker 1", "bet p2 banker 1", "bet p1 tie 1")
    assert len(of_kind(play, "bet_accepted")) == 3


def test_the_odds_are_pinned_in_the_bet():
    assert last(table("open", "bet p1 tie 1"), "bet_accepted")["odds"] == "9.00"


def test_a_player_cut_off_at_the_close_gets_stake_back():
    play = table("open", "bet p1 banker 10.00", "gone p1", "close", cards("2C 9D 3H KS"))
    assert last(play, "bet_withdrawn")["stake"] == 1000
    assert not of_kind(play, "paid")


def test_a_player_back_before_the_close_takes_part():
    play = table("open", "bet p1 banker 10.00", "gone p1", "back p1", "close", cards("2C 9D 3H KS"))
    assert last(play, "paid")["returned"] == 1950


def test_a_player_cut_off_after_the_close_is_paid():
    play = table("open", "bet p1 banker 10.00", "close", "gone p1", cards("2C 9D 3H KS"))
    assert last(play, "paid")["returned"] == 1950


def test_settlement_payments_are_one_event_with_the_result():
    play = table("open", "bet p1 banker 10.00", "close", cards("2C 9D 3H"))
    assert run(play, "card KS")[:4] == ["dealt", "completed", "settled", "paid"]


def test_a_cancelled_round_refunds_every_stake_once():
    play = table("open", "bet p1 banker 10.00", "bet p2 tie 1.00", "close", "card 2C", "press manager")
    run(play, 'rule cancel by manager1 because "no"')
    assert {(one["player"], one["stake"]) for one in of_kind(play, "refunded")} == {("p1", 1000), ("p2", 100)}
    assert last(play, "cancelled")["because"] == "no"
    assert not of_kind(play, "paid")


# ── faults a script can show ─────────────────────────────────────────────────────────────────────────────────────

ALL = {
    "card_before_close": (["open", "card 9H"], ["burn", "void", "cancel"]),
    "extra_card": (["card 9H"], ["burn", "void"]),
    "unread_card": (["open", "close", "unread"], ["enter", "burn", "void", "cancel"]),
    "foreign_card": (["open", "close", "card JOKER"], ["burn", "correct", "void", "cancel"]),
    "wrong_place": (["open", "close", "card 9H at banker"], ["move", "burn", "correct", "void", "cancel"]),
    "missing_card": (["open", "close", "card 9H", "press finish"], ["deal", "correct", "burn", "void", "cancel"]),
    "device_lost": (["open", "close", "lost shoe"], ["enter", "cancel"]),
    "dealer_call": (["open", "close", "card 9H", "press manager"], ["resume", "correct", "burn", "void", "cancel"]),
    "restarted": (["open", "close", "restart"], ["resume", "enter", "cancel"]),
}


@pytest.mark.parametrize(("code", "case"), ALL.items())
def test_each_fault_pauses_with_the_rulings_that_it_allows(code, case):
    lines, rulings = case
    play = table(*lines)
    fault = last(play, "faulted")
    assert (fault["code"], fault["rulings"]) == (code, rulings)
    assert play.state_line()["state"] == "paused"
    fields = {"not_now": fault["not_now"]} if fault["not_now"] else {}
    assert play.state_line()["fault"] == {"code": code, "rulings": rulings, **fields}


EXPECTED_AND_GOT = {
    "wrong_place": ("card to player", "9H at banker"),
    "missing_card": ("card to banker", "finish"),
    "unread_card": ("card to player", "unread"),
    "foreign_card": ("card to player", "JOKER"),
}


@pytest.mark.parametrize(("code", "texts"), EXPECTED_AND_GOT.items())
def test_a_fault_says_what_was_expected_and_what_came(code, texts):
    fault = last(table(*ALL[code][0]), "faulted")
    assert (fault["expected"], fault["got"]) == texts


def test_a_place_that_is_the_one_due_is_no_fault():
    play = table("open", "close", "card 9C at player", "card 2D at banker", "card KH at player", "card 3S at banker")
    assert play.state_line()["state"] == "settled"


def test_more_copies_than_decks_is_a_duplicate_card():
    play = table("open", "close", "card 9H", "card 9H", decks=1)
    fault = last(play, "faulted")
    assert (fault["code"], fault["rulings"], fault["draw"]) == (
        "duplicate_card",
        ["void", "correct", "burn", "cancel"],
        2,
    )


def test_copies_are_counted_over_all_rounds_of_a_shoe():
    six = [line for _ in range(3) for line in dealt("9H 2D KH 2D")]  # KH and 9H once, 2D twice a round
    play = table(*six, "open", "close", "card 9C", "card 2D")
    assert last(play, "faulted")["code"] == "duplicate_card"


def test_a_new_shoe_begins_the_count_anew():
    play = table(*dealt("9H 2D KH 3D"), "shoe change", "shoe ready", *dealt("9H 2D KH 3D"), decks=1)
    assert not of_kind(play, "faulted")


def test_cards_during_a_shoe_change_are_recorded_and_fault_nothing():
    play = table("shoe change", "card 9H", "unread", "shoe ready")
    assert not of_kind(play, "faulted")
    assert [one["card"] for one in of_kind(play, "burnt")] == ["9H", None]


def test_a_shoe_is_retired_cut_counted_and_loaded_by_name():
    play = table("shoe change by eva", "shoe cut by anna", "shoe ready S17 312 by eva")
    assert [last(play, kind)["by"] for kind in ("shoe_change", "shoe_cut", "shoe_ready")] == ["eva", "anna", "eva"]
    assert (last(play, "shoe_change")["retired"], last(play, "shoe_ready")["counted"]) == ("1", 312)


def test_a_shoe_that_is_not_plugged_in_is_not_ready():
    play = table("shoe change", "lost shoe", "shoe ready")
    assert (last(play, "ignored")["what"], last(play, "ignored")["reason"]) == ("shoe ready", "shoe_lost")
    assert "shoe_ready" not in run(play, "found shoe")  # a found device resumes nothing by itself
    assert "shoe_ready" in run(play, "shoe ready")
    assert "opened" in run(play, "open")


def test_a_shoe_result_before_the_last_card_is_missing_card():
    play = table("open", "close", "card 9H", "result banker")
    assert last(play, "faulted")["code"] == "missing_card"


def test_the_shoes_result_confirms_where_the_table_is_set_so():
    play = table(*dealt("2C 3D 2D AS 8H"), terms=Terms(confirm="shoe"))
    assert play.state_line()["state"] == "complete"
    assert "settled" in run(play, "result banker")


def test_another_result_than_ours_is_a_mismatch():
    play = table(*dealt("2C 3D 2D AS 8H"), "result player", terms=Terms(confirm="shoe"))
    fault = last(play, "faulted")
    assert (fault["code"], fault["rulings"]) == ("result_mismatch", ["resume", "correct", "burn", "void", "cancel"])
    run(play, "rule resume by manager1")  # the table's own result counts
    assert outcome(play)["winner"] == "banker"


def test_a_lost_panel_faults_only_with_panel_loss_set():
    assert not of_kind(table("open", "lost panel"), "faulted")
    play = table("open", "lost panel", terms=Terms(panel_loss="fault"))
    assert last(play, "faulted")["code"] == "device_lost"


# ── rulings a script can make ────────────────────────────────────────────────────────────────────────────────────


def test_rescan_replaces_the_unread_card_with_the_second_reading():
    play = table("open", "close", "unread", "card 9C", "rule rescan by manager1", cards("2D KH 3S"))
    assert play.state_line()["state"] == "settled"
    assert [one["draw"] for one in of_kind(play, "dealt")] == [2, 3, 4, 5]


def test_enter_names_the_unread_card_and_marks_the_round_manual():
    play = table("open", "close", "unread", "rule enter 9C by manager1", cards("2D KH 3S"))
    assert of_kind(play, "dealt")[0]["card"] == "9C"
    assert last(play, "settled")["manual"] is True


def test_burn_lets_the_next_card_take_the_place():
    play = table("open", "close", "card JOKER", "rule burn by manager1", cards("9C 2D KH 3S"))
    assert [one["draw"] for one in of_kind(play, "dealt")] == [2, 3, 4, 5]
    assert last(play, "burnt")["card"] == "JOKER"
    assert play.state_line()["state"] == "settled"


def test_move_takes_the_card_to_the_place_due():
    play = table("open", "close", "card 9C at banker", "rule move player by manager1")
    assert (last(play, "dealt")["to"], last(play, "dealt")["card"]) == ("player", "9C")


def test_deal_lets_the_missing_card_come():
    play = table("open", "close", cards("2C 3D 2D AS 7H"), "press finish", "rule deal by manager1", "card KS")
    assert play.state_line()["state"] == "settled"


def test_carry_opens_the_next_round_with_the_surplus_card():
    carried = (*dealt("9C 2D KH 3S"), "card 4D", "rule carry seen no by manager1", "open", "close")
    play = table(*carried, terms=Terms(carry=True))
    (first, *_) = [one for one in of_kind(play, "dealt") if one["round"] == 2]
    assert (first["draw"], first["card"], first["to"]) == (1, "4D", "player")


def test_a_table_without_carry_does_not_offer_it():
    play = table(*dealt("9C 2D KH 3S"), "card 4D")
    assert last(play, "faulted")["rulings"] == ["burn", "void"]


RULINGS_REFUSED = {
    "not_paused": (["open"], "rule burn by manager1"),
    "own_round": (["open", "card 9H"], "rule burn by dealer"),
    "not_allowed": (["open", "card 9H"], "rule resume by manager1"),
    "bad_card": (["open", "close", "unread"], "rule enter JOKER by manager1"),
    "bad_draw": (["open", "close", "card 9C", "press manager"], "rule correct 2 9H by manager1"),
    "device_still_lost": (["open", "close", "lost shoe"], "rule resume by manager1"),
    "does_not_fit": (["open", "close", "unread"], "rule rescan by manager1"),
}


@pytest.mark.parametrize(("reason", "case"), RULINGS_REFUSED.items())
def test_a_ruling_is_refused_with_its_reason_and_changes_nothing(reason, case):
    before, line = case
    play = table(*before)
    state = play.state
    assert run(play, line) == ["ruling_refused"]
    assert last(play, "ruling_refused")["reason"] == reason
    assert (play.state.life, play.state.round, play.state.fault) == (state.life, state.round, state.fault)


def test_draw_numbers_count_every_card_that_left_the_shoe():
    play = table("open", "card 4D", "rule burn by m", "close", "card JOKER", "rule burn by m", cards("9C 2D KH 3S"))
    assert [one["draw"] for one in of_kind(play, "burnt")] == [1, 2]
    assert [one["draw"] for one in of_kind(play, "dealt")] == [3, 4, 5, 6]


def test_draw_numbers_begin_at_1_in_each_round():
    play = table(*dealt("9C 2D KH 3S"), *dealt("9C 2D KH 3S"))
    assert [one["draw"] for one in of_kind(play, "dealt")] == [1, 2, 3, 4] * 2


def test_a_card_read_while_paused_is_dealt_on_resume():
    play = table("open", "close", "card 9C", "press manager")
    assert run(play, "card 2D") == ["drawn"]
    run(play, "rule resume by manager1")
    assert [one["to"] for one in of_kind(play, "dealt")] == ["player", "banker"]


# ── clock, restart, commands that do not fit the state ───────────────────────────────────────────────────────────


def test_the_clock_moves_by_wait_and_by_nothing_else():
    play = table("open", "wait 3s", "close", cards("9C 2D"), "wait 250ms", cards("KH 3S"))
    assert last(play, "closed")["at"] == "2026-01-01T00:00:03.000000Z"
    assert last(play, "settled")["at"] == "2026-01-01T00:00:03.250000Z"


def test_restart_between_rounds_changes_nothing():
    play = table(*dealt("9C 2D KH 3S"))
    before = play.state
    assert run(play, "restart") == ["configured"]
    assert play.state == msgspec.structs.replace(before, seq=before.seq + 1)


@pytest.mark.parametrize("before", [["open"], ["open", "close"], ["open", "close", "card 9C"]])
def test_restart_in_a_live_round_pauses_it_until_a_ruling(before):
    play = table(*before)
    life, now_due = play.state_line()["state"], due(play)
    assert run(play, "restart") == ["configured", "faulted"]
    run(play, "rule resume by manager1")
    assert (play.state_line()["state"], due(play)) == (life, now_due)


def test_a_restart_keeps_the_decisions():
    play = holdem("decide p1 call", "restart", "rule resume by manager1", "decide p2 fold", cards("JC 3H"))
    assert outcome(play)["decisions"] == {"p1": "call", "p2": "fold"}


WHY = {  # the reason, where the state is not the reason
    "press manager": "reported_already",
    "unbet p1 banker": "no_bet", "gone p2": "gone_already", "back p1": "not_gone", "table open": "open_already",
    "table close": "closed_already", "shuffled": "shoe_missing", "shoe ready S1 300": "not_full",
    "press dropped": "no_card_lies", "press exposed": "none_face_down",
}  # fmt: skip
IGNORED = {
    "close": [],
    "press finish": [],
    "press close": ["open", "close"],
    "unbet p1 banker": ["open"],
    "back p1": [],
    "shuffled": ["shoe change"],
    "shuffled by d1": ["open"],
    "shoe change": ["open"],
    "shoe ready": ["open", "close"],
    "dealer d2": ["open"],
    "table open": [],
    "cut": ["cut"],
    "lost shoe": ["lost shoe"],
    "press manager": ["open", "press manager"],
    "result banker": [],
    "gone p2": ["gone p2"],
    "table close": ["table close"],
    "shoe ready S1 300": [],
    "press dropped": ["open"],
    "press exposed": ["open"],
}


@pytest.mark.parametrize(("line", "before"), IGNORED.items())
def test_a_command_that_does_not_fit_changes_nothing(line, before):
    play = table(*before)
    state = play.state
    assert run(play, line) == ["ignored"]
    ignored = last(play, "ignored")
    assert ignored["state"] == state.life
    assert ignored["what"]
    assert ignored["reason"] == WHY.get(line)
    assert (play.state.life, play.state.round, play.state.shoe) == (state.life, state.round, state.shoe)


def test_two_dealers_of_a_round_are_refused_rulings_on_it():
    play = table("dealer d2", "open", "card 9H")
    assert last(play, "faulted")["dealer"] == "d2"
    run(play, "rule burn by d2", "rule burn by dealer")
    assert [one["reason"] for one in of_kind(play, "ruling_refused")] == ["own_round"]
    assert play.state_line()["state"] == "betting"


def test_the_same_script_gives_the_same_records():
    lines = ("open", "bet p1 banker 10.00", "close", cards("2C 3D 2D AS 8H"), "card 4D", "rule burn by m")
    assert table(*lines).records == table(*lines).records


def test_many_rounds_from_one_shoe():
    play = table(*(line for _ in range(6) for line in dealt("9C 2D KH 3S")))
    assert [one["outcome"]["winner"] for one in of_kind(play, "settled")] == ["player"] * 6
    assert {one["shoe"] for one in of_kind(play, "opened")} == {"1"}
