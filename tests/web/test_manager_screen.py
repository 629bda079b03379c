"""The shift manager's screen: the fault, inputs of each ruling, cards on the table, no hidden card."""

import json
from itertools import product

import msgspec
import pytest

from controller.core import events as e
from controller.core.clock import SECOND, to_text
from controller.core.coded_message import coded
from controller.core.decide import has_doubles, ruling_limit
from controller.core.fault_catalogue import CATALOGUE
from controller.core.open_fault import MOST_CALLS
from controller.games import GAMES
from controller.reports.preview import RulingEffect, foresee
from controller.text.coded import render
from controller.text.fault_texts import FAULTS
from controller.text.faults import LANGUAGES, Words
from controller.text.ruling_reasons import OF_RULING
from controller.text.terms import LABELS
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.manager_texts import DONE, MEANS
from controller.web.screens.player import player
from controller.web.screens.table_snapshot import Equipment, TableSnapshot
from tests.core.bench import START, Bench
from tests.core.test_catalogue import RAISE, ROWS
from tests.web.bench_screens import bench_look

HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS"


def looked(table, halted=None):
    due, of = table.due if table.state.live else None, (table.house, table.position, table.state)
    facts = {"ruling_limit": ruling_limit(*of), "has_doubles": has_doubles(*of)}
    return TableSnapshot(table.state, due, table.house, halted, equipment=Equipment(("shoe", "panel")), **facts)


def screen(table, language="en", halted=None):
    return manager(looked(table, halted), Words(language))


def ruling(table, name):
    return next(one for one in screen(table).fault.rulings if one.ruling == name)


def acts(table):
    """Return the table actions on the screen; True for each that is enabled."""
    return {act.act: act.enabled for act in screen(table).acts}


def test_a_restart_keeps_the_start_of_a_pause():
    """The pause counts from the fault on every screen, as in the record; the calls count from the restart."""
    table = Bench()
    table.says("open; press manager")
    raised = table.now
    table.wait(70)
    table.restart()
    shown = screen(table).fault
    assert shown.since == dealer(looked(table), Words("en")).stop.since
    assert (shown.since, shown.calls_at) == (to_text(raised), to_text(raised + 100 * SECOND))


def test_the_exposure_is_shown_with_the_bets_and_warns():
    table = Bench(exposure_warning=90_00)
    table.says("open; bet p1 tie 1.00")
    assert (screen(table).bets, screen(table).flags) == ("1 · 1.00 · can win at most 8.00", ())
    table.says("bet p1 banker 100.00")
    assert screen(table).bets == "2 · 101.00 · can win at most 95.00"
    assert [flag.text for flag in screen(table).flags] == ["the bets can win more than 90.00"]
    assert screen(table, "ro").bets.endswith("pot câștiga cel mult 95.00")
    assert dealer(looked(table), Words("en")).flags == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("code", "game"), [(row.code, row.game) for row in ROWS])
def test_every_fault_of_every_game_can_be_shown(code, game, language):
    table = RAISE[code](game)
    shown = screen(table, language)
    assert shown.fault.code == code
    assert sorted(one.ruling for one in shown.fault.rulings) == sorted(table.state.fault.rulings)
    assert shown.fault.head
    assert shown.fault.text.endswith(".")
    assert not any("{" in text for text in (shown.fault.text, shown.fault.got, shown.fault.expected, shown.fault.seen))


def test_every_ruling_has_words_and_every_fault_reasons():
    rulings = {ruling for entry in CATALOGUE.values() for ruling in entry.rulings}
    assert set(LABELS) == set(MEANS) == set(DONE) == set(OF_RULING) == rulings | {"extend"}
    assert all(set(FAULTS[code].reasons) <= set(entry.rulings) for code, entry in CATALOGUE.items())


@pytest.mark.parametrize(("code", "game"), [(row.code, row.game) for row in ROWS])
def test_each_ruling_offers_distinct_reasons_none_empty(code, game):
    offered = {one.ruling: one.reasons for one in screen(RAISE[code](game)).fault.rulings}
    assert offered
    for reasons in offered.values():
        assert 1 <= len(set(reasons)) == len(reasons) <= 4
        assert all(reasons)
    goes_on, ends = (set(offered.get(name, ())) for name in ("resume", "cancel"))
    assert not goes_on & ends


def test_a_device_that_is_back_is_no_reason_to_cancel():
    table = RAISE["device_lost"]("baccarat")
    assert screen(table).fault.usual.why == "Can be made once it is connected again."
    assert screen(table).fault.not_now == ()
    table.says("found shoe")
    assert screen(table).fault.usual is None
    assert "Device is back" in ruling(table, "resume").reasons
    assert ruling(table, "cancel").reasons == ("Device cannot be brought back", "It cannot be put right")


def test_reports_during_a_pause_are_listed_in_order():
    table = RAISE["dealer_call"]("casino_holdem")
    table.says("shoe error 7 because jam; press dropped; lost shoe")
    assert screen(table).fault.waits == ("error 7: jam", "CARD DROPPED", "not connected: Shoe")


def test_one_card_too_many_is_shown_with_its_rulings():
    table = Bench("baccarat", confirm="dealer", carry=True)
    table.says("open; bet p1 banker 10.00; bet p2 tie 5.00; close; card 9C; card 2D; card KD; card 3H; card 5H")
    shown = screen(table)
    assert (shown.says, shown.round, shown.dealer) == ("PAUSED", "Round 1", "dealer")
    assert (shown.fault.head, shown.fault.draw, shown.fault.got) == ("One card too many", 5, "5♥")
    assert (shown.fault.expected, shown.fault.called) == ("the key FINISH", "1 ×")
    assert shown.fault.seen == "nobody has come: still calling"
    assert [one.draw for one in shown.loose] == [5]
    assert shown.draws == {"player": (1, 3), "banker": (2, 4)}
    assert shown.bets == "2 · 15.00 · can win at most 40.00"
    assert [(one.market, one.total) for one in shown.markets] == [("BANKER", "10.00"), ("tie", "5.00")]
    burn, carry, correct, void, cancel = shown.fault.rulings
    assert (burn.needs, burn.draw, burn.draws) == (("draw",), 5, (1, 2, 3, 4, 5))
    assert (carry.needs, carry.draw, carry.draws) == (("draw", "seen"), 5, (5,))
    assert (void.needs, void.draw, void.draws) == (burn.needs, burn.draw, burn.draws)
    assert (correct.needs, correct.draw) == (("draw", "card"), 5)
    assert cancel.needs == ()


def test_a_ruling_is_named_with_the_card_that_it_means():
    table = Bench("baccarat", confirm="dealer", carry=True)
    table.says("open; close; card 9C; card 2D; card KD; card 3H; card 5H")
    titles = {name: ruling(table, name).title for name in ("burn", "carry", "correct", "void")}
    assert titles == {
        "burn": "Burn 5♥",
        "carry": "Carry 5♥ over",
        "correct": "Correct 5♥: it was misread",
        "void": "Strike 5♥: it never came",
    }


def test_a_ruling_on_an_unread_card_names_no_card():
    table = Bench("baccarat")
    table.says("open; close; unread")
    assert ruling(table, "burn").title == ruling(table, "burn").label == "Burn the card"


def test_a_move_knows_the_place_that_is_due():
    table = Bench("baccarat")
    table.says("open; close; card 9C at banker")
    assert ruling(table, "move").title == "Move 9♣ to PLAYER"
    assert (ruling(table, "move").draw, ruling(table, "move").place) == (1, "player")


def test_after_a_shoe_error_burn_means_the_loose_card():
    table = RAISE["shoe_error"]("baccarat")
    assert ruling(table, "burn").draw == 1  # the only draw so far
    table.says("card 2D")
    assert ruling(table, "burn").draw == 2


def test_the_fault_shows_its_calls_and_the_ruling_deadline():
    table = Bench("baccarat", acknowledge_seconds=30, ruling_seconds=180, unruled="cancel")
    table.says("open; card 5H")
    fault = screen(table).fault
    assert fault.calls_at == "2026-01-01T00:00:30.000000Z"
    assert fault.rule_by == "2026-01-01T00:03:00.000000Z"
    assert fault.then == "the round is cancelled by itself"
    table.says("wait 31s")
    assert (screen(table).fault.called, screen(table).fault.calls_at) == ("2 ×", "2026-01-01T00:01:00.000000Z")


def test_a_carried_card_is_not_offered_to_be_struck():
    table = Bench("baccarat", carry=True)
    table.says("open; close; card 9C; card 2D; card KD; card 3H; card 5H; rule carry seen no by m because surplus")
    table.says("open; close; card 7S; press manager")
    assert (ruling(table, "burn").draws, ruling(table, "void").draws) == ((1, 2), (2,))
    table.says("rule void 1 by m because x; rule void 2 by m because x")
    assert [what.reason for what in table.facts("ruling_refused")] == ["bad_draw"]


@pytest.mark.parametrize(
    ("unruled", "script", "at", "then"),
    [
        ("offer", "lost server", "01:00", "the round is cancelled by itself"),
        ("cancel", "lost server", "01:00", "the round is cancelled by itself"),
        ("cancel", "bet p player 9.00; lost server", None, ""),
        ("cancel", "bet p player 9.00; card 5H", "03:00", "then cancelling is advised"),
        ("cancel", "close; card 9H; card KC; card KH; card KD; press manager", "03:00", "then cancelling is advised"),
    ],
)
def test_the_deadline_shown_is_the_one_that_the_clock_keeps(unruled, script, at, then):
    table = Bench("baccarat", confirm="dealer", acknowledge_seconds=900, second_above=500, unruled=unruled)
    table.says(f"open; {script}")
    assert (screen(table).fault.rule_by, screen(table).fault.then) == (at and f"2026-01-01T00:{at}.000000Z", then)
    table.says("wait 59s; wait 1s")
    assert (table.life == "cancelled") == (at == "01:00")
    table.says("wait 120s")
    assert table.state.fault is None or table.state.fault.offered


def test_a_lost_servers_limit_is_shown_after_the_offer():
    table = Bench("baccarat", ruling_seconds=60, server_seconds=100)
    table.says("open; lost server")
    for seconds in (60, 39):
        fault = screen(table).fault
        assert (fault.rule_by, fault.then) == (to_text(START + 100 * SECOND), "the round is cancelled by itself")
        table.says(f"wait {seconds}s")
    table.says("wait 1s")
    assert table.life == "cancelled"


def test_cancelling_is_advised_where_cards_of_the_pause_end_play():
    table = Bench("baccarat", confirm="dealer", unruled="cancel", acknowledge_seconds=900)
    table.says("open; bet p1 player 1.00; close; card 9H; card KC; card KH; press manager; card KD")
    assert screen(table).fault.then == "then cancelling is advised"
    table.says("wait 1000s")
    assert table.state.fault.offered


def test_cancelling_is_advised_in_time_once_the_server_is_back():
    """While it was lost the round could only be cancelled, so that nothing was to be advised."""
    table = Bench("baccarat", second_above=100)
    table.says("open; bet p1 player 9.00; lost server")
    assert (screen(table).fault.rule_by, screen(table).fault.then) == (None, "")
    table.says("found server")
    fault = screen(table).fault
    assert (fault.rule_by, fault.then) == (to_text(START + 180 * SECOND), "then cancelling is advised")
    table.says("wait 180s")
    assert screen(table).fault.then == "overdue"


def test_no_call_is_promised_after_the_last_or_when_halted():
    table = Bench("baccarat", acknowledge_seconds=30)
    table.says("open; card 5H")
    assert screen(table).fault.seen == "nobody has come: still calling"
    assert screen(table, halted="disk full").fault.seen == "nobody has come yet"
    for _ in range(MOST_CALLS):
        table.says("wait 30s")
    fault = screen(table).fault
    assert (fault.calls_at, fault.seen) == (None, "nobody has come yet")


def test_an_overdue_ruling_is_advised_on_the_cancel_button():
    table = Bench("baccarat", acknowledge_seconds=30, ruling_seconds=60)
    table.says("open; card 5H; wait 59s")
    assert {one.advised for one in screen(table).fault.rulings} == {""}
    table.says("wait 2s")
    fault = screen(table).fault
    assert (fault.rule_by, fault.then) == (None, "overdue")
    advised = {one.ruling: one.advised for one in fault.rulings}
    assert advised == {"burn": "", "void": "", "cancel": "Advised: nobody has ruled in time."}


def test_where_nothing_can_be_cancelled_cancelling_is_not_advised():
    table = Bench("baccarat")
    table.says("press manager")
    assert (screen(table).fault.then, screen(table).fault.rule_by) == ("", None)


def test_after_the_last_call_no_countdown_is_shown():
    table = Bench("baccarat", acknowledge_seconds=30, ruling_seconds=1000)
    table.says("open; card 5H")
    for _ in range(12):
        table.says("wait 31s")
    assert (screen(table).fault.called, screen(table).fault.calls_at) == ("11 ×", None)


FOR_THE_DEALER = ("dealer_call", "journal_failed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_managers_fault_text_never_instructs_the_dealer(language):
    words = Words(language)
    for code in CATALOGUE:
        text = words.manager_title(code)
        assert (text == words.head(code)) is (code not in FOR_THE_DEALER)
        assert "shift manager" not in text
        assert "șeful" not in text


@pytest.mark.parametrize(("code", "game"), [(row.code, row.game) for row in ROWS])
def test_every_offered_ruling_can_be_made(code, game):
    table = RAISE[code](game)
    for one in screen(table).fault.rulings:
        assert any(isinstance(end, RulingEffect) for end in ends(table, one))


def ends(table, one):
    """Yield the foreseen effects of a ruling, for each choice of its inputs."""
    offered = [one.draws if "draw" in one.needs else (None,)]
    offered += [table.house.deck.cards[:2] if "card" in one.needs else (None,)]
    offered += [table.house.game.places if "place" in one.needs else (None,)]
    for draw, card, place in product(*offered):
        rule = e.Rule(one.ruling, "anna", "x", draw, card, place, screen(table).fault.seq, "deck", seen=False)
        yield foresee(table.house, table.state, rule, table.state.fault.since)


def test_the_places_of_holdem_lie_in_one_order_for_everybody():
    table = Bench("casino_holdem")
    shown = [place.place for place in screen(table).places]
    assert shown == ["dealer", "board", "player"]
    assert [place.place for place in dealer(looked(table), Words("en")).places] == shown
    assert [place.place for place in player(looked(table), Words("en")).places] == shown
    assert [one.key for one in screen(table).lays] == shown


def test_a_player_is_called_as_their_game_server_calls_them():
    table = Bench("casino_holdem", decision_seconds=15)
    table.says(f"{HOLDEM}; card 2C; card 3C; card 4C; press manager")
    assert screen(table).fault.expected == "the decision of p1"
    assert [one.who for one in screen(table).decisions] == ["p1"]


@pytest.mark.parametrize(
    ("game", "script", "language", "called"),
    [
        ("baccarat", "open; bet p1 any_pair 10.00", "en", "any pair"),
        ("baccarat", "open; bet p1 any_pair 10.00", "ro", "orice pereche"),
        ("baccarat", "open; bet p1 player 10.00", "ro", "JUCĂTOR"),
        ("thirty_two", "shuffled; open; bet p1 player9 10.00", "en", "PLAYER 9"),
        ("blackjack", "shuffled; open; bet p1 seat1 main 10.00", "en", "SEAT 1 · main bet"),
        ("blackjack", "shuffled; open; bet p1 seat1 main 10.00", "ro", "LOC 1 · pariu principal"),
    ],
)
def test_no_bet_is_called_by_its_key(game, script, language, called):
    table = Bench(game)
    table.says(script)
    assert [one.market for one in screen(table, language).markets] == [called]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_market_has_a_name(game):
    markets = {market.name for market in game.markets} | {one.market for one in game.follow_ons.values()}
    assert markets <= set(game.face.markets) | set(game.places)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_face_down_is_not_in_the_picture(language):
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM.removesuffix('; card QS')}; card QS at board")
    assert table.fault == "wrong_place"
    shown = screen(table, language)
    picture = msgspec.structs.replace(shown, deck=())  # the deck lists every card
    text = json.dumps(msgspec.to_builtins(picture))
    assert '"KS"' not in text
    assert " KS" not in text
    assert "QS" not in text
    assert shown.loose[0].face.card is None


def test_an_unread_card_is_not_shown_face_down():
    table = RAISE["unread_card"]("baccarat")
    shown = screen(table).loose[0].face
    assert (shown.card, shown.rank, shown.name) == (None, "?", "card not read")


def test_table_actions_depend_on_the_round():
    table = Bench("baccarat", confirm="dealer")
    assert acts(table) == {"close": True, "dealer": True, "change": True}
    table.says("open")
    assert acts(table) == {"close": True, "dealer": False, "change": False}
    table.says("card 5H; rule cancel by anna because x; shoe change")
    assert acts(table) == {"close": True, "dealer": True, "cut": True, "uncut": True, "ready": False}
    table.says("shoe cut")
    assert acts(table) == {"close": True, "dealer": True, "ready": True}
    assert acts(Bench("casino_holdem"))["shuffled"] is True


def test_a_halted_table_calls_the_engineer_and_offers_no_actions():
    table = Bench("baccarat")
    shown = screen(table, halted="disk full")
    assert (shown.life, shown.says) == ("halted", "HALTED")
    assert (shown.next.head, shown.next.tone) == ("Nothing can be recorded: call the engineer", "halted")
    assert "disk full" in shown.next.text
    assert shown.acts == ()
    table.says("open; card 5H")
    assert screen(table, halted="disk full").fault.rulings == ()


def test_halt_reasons_are_translated_except_system_errors():
    gone = coded("wrong_file", path="/var/t1.db", what=coded("another_file"))
    texts = [screen(Bench(), language, halted=gone).next.text for language in ("en", "ro")]
    assert texts[0].endswith(f": {render(gone)}.")
    assert texts[1].endswith(
        ": /var/t1.db: acum este alt fișier; opriți masa, puneți fișierul corect la loc, porniți-o."
    )
    assert screen(Bench(), "ro", halted="/var/t1.db: disk I/O error").next.text.endswith(
        ": /var/t1.db: disk I/O error."
    )


DEALT = "open; close; card 9C; card 2D; card KD; card 3H"  # Player 9, Banker 5


@pytest.mark.parametrize(
    ("said", "shoe"),
    [("banker", "BANKER"), ("tie", "TIE"), ("player", "PLAYER, with other pairs")],
)
def test_another_result_of_the_shoe_is_shown_beside_the_tables(said, shoe):
    table = Bench("baccarat", confirm="shoe")
    table.says(DEALT)
    table.do(e.ShoeSays(said, ("player",)))
    assert table.fault == "result_mismatch"
    assert screen(table).fault.text == f"The shoe says {shoe}. The table has: PLAYER wins 9 : 5."
    assert screen(table, "ro").fault.text.startswith("Sabotul indică ")


def test_lost_devices_and_players_still_to_decide_are_shown():
    table = Bench("casino_holdem", decision_seconds=15)
    table.says(f"{HOLDEM}; card 2C; card 3C; card 4C; lost panel")
    shown = screen(table)
    assert [(one.device, one.lost) for one in shown.devices] == [("shoe", False), ("panel", True)]
    assert [(one.who, one.said, one.asked) for one in shown.decisions] == [("p1", "", True)]


@pytest.mark.parametrize(
    ("device", "head", "titlu"),
    [
        ("shoe", "Shoe sends too much", "Sabot transmite prea mult"),
        ("panel", "Panel sends too much", "Panou transmite prea mult"),
    ],
)
def test_the_fault_of_a_device_cut_off_names_it(device, head, titlu):
    table = Bench()
    table.do(e.Open(), e.Close(), e.Babbles(device, 1700, 9))
    assert screen(table).fault.head == dealer(bench_look(table), Words("en")).stop.head == head
    assert screen(table, "ro").fault.head == dealer(bench_look(table), Words("ro")).stop.head == titlu
    assert screen(table).fault.text == (f"{head} and is cut off; a ruling takes it back. Expected: a card to PLAYER.")


def test_the_deck_has_the_cards_of_its_game():
    assert [len(row) for row in screen(Bench("thirty_two")).deck] == [8, 8, 8, 8]
    assert [len(row) for row in screen(Bench("baccarat")).deck] == [13, 13, 13, 13]


UNRULED = (
    ("baccarat", "open; press manager; wait 30s; ", "nobody ruled in 30 s", "nimeni nu a decis în 30 s"),
    ("blackjack", "shuffled; open; close; ", "no seat was taken", "niciun loc nu a fost ocupat"),
)


@pytest.mark.parametrize(("game", "script", "why", "de_ce"), UNRULED)
def test_staff_screens_show_why_a_round_was_cancelled(game, script, why, de_ce):
    table = Bench(game, unruled="cancel", ruling_seconds=30)
    table.says(script)
    assert table.life == "cancelled"
    for composed in (manager, dealer):
        assert composed(bench_look(table), Words("en")).result == f"Cancelled, as {why}: all bets are returned"
        assert f"pentru că {de_ce}:" in composed(bench_look(table), Words("ro")).result
    assert why not in json.dumps(msgspec.to_builtins(player(bench_look(table), Words("en"))))
    table.says("shuffled; open" if game == "blackjack" else "open")
    assert [(one.round, why in one.result) for one in manager(bench_look(table), Words("en")).last] == [(1, True)]


def test_a_rounds_result_line_omits_the_ruling_reason():
    table = Bench("baccarat")
    table.says("open; press manager; rule cancel by anna because shoe touched")
    assert manager(bench_look(table), Words("en")).result == "Cancelled: all bets are returned"


FLOP = "shuffled; open; bet p1 ante 10.00; close; card AH; card KD; card 2S; card 3S; card 7D; card 8C; card 9C"


@pytest.mark.parametrize(("card", "said"), [("7D", "A second copy of a card lies open"), ("6D", "")])
def test_a_fault_says_that_a_second_copy_lies_open(card, said):
    table = Bench("casino_holdem")
    table.says(f"{FLOP}; card {card}")
    assert screen(table).fault.suspect.startswith(said)
    assert bool(screen(table).fault.suspect) is bool(said)


def test_a_second_copy_of_the_pause_can_be_ruled_on():
    """Its ruling needs the statement that the deck was checked, which the page asks for beside this text."""
    table = Bench("casino_holdem")
    table.says(f"{FLOP[:-9]}; press manager")
    assert screen(table).fault.suspect == ""
    table.says("card 7D")
    assert screen(table).fault.suspect.startswith("A second copy of a card lies open")
    table.says("rule burn by m because x")
    assert [what.reason for what in table.facts("ruling_refused")] == ["deck_unchecked"]


@pytest.mark.parametrize(
    ("script", "more"),
    [
        ("open; close; card 9C; unread", "card 6D"),  # read at its second slide
        ("open; close; card 9C; lost shoe", "found shoe"),
        ("open; close; card 9C; press finish", "card 6D"),
    ],
)
def test_a_ruling_keeps_its_digit_while_its_fault_is_open(script, more):
    table = Bench("baccarat", confirm="dealer")
    table.says(script)
    fault = table.state.fault.seq
    before = {one.ruling: one.key for one in screen(table).fault.rulings}
    table.says(more)
    after = {one.ruling: one.key for one in screen(table).fault.rulings}
    assert table.state.fault.seq == fault
    assert {name: key for name, key in after.items() if name in before} == {
        name: key for name, key in before.items() if name in after
    }
    for keys in (before, after):
        assert len(set(keys.values())) == len(keys)
        assert all(1 <= key <= 9 for key in keys.values())
