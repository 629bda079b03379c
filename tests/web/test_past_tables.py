"""The shift manager's page of a finished round: its corrections, their previews, the new result."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.past_rounds import with_past
from controller.core.decide.resettlements import HOUR
from controller.core.past_round import decode_past, encode_past
from controller.core.position import Position
from controller.games import GAMES
from controller.journal import opening_seq
from controller.reports.preview_resettling import foresee_resettlement
from controller.text.faults import Words
from controller.web.access import sessions
from controller.web.api.past_tables import compose_past_table
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.player import player
from controller.web.screens.resettle_foreseen import resettlement_in_words
from controller.web.screens.revisions import LISTED
from controller.web.screens.texts import CANCELLED_BETS
from tests.core.bench import Bench
from tests.core.test_resettling import BETS, PLAYER, TIE, TWO_SEATS, WHO
from tests.web.bench_screens import BLACKJACK, UP_AND_DOWN, bench_look
from tests.web.people import at_a_table, with_clock
from tests.web.people import manager as signs_in_at
from tests.web.staff import at_a_staffed_table
from tests.web.test_resettling import VOID, by_two, played, resettle, signed_in

WORDS = ManagerWords(Words("en"))
CANCELLED = f"{BETS}; card 9C; card 2D; press manager; rule cancel by m because spoilt"
CORRECT_2 = (e.Amendment("correct", 2, "6D"),)


def resettle_event(table, *amendments, **more):
    """Return the event that resettles round 1, with the round from the table's records."""
    event = e.Resettle(1, amendments, "m", "x", **more)
    return with_past(table.house, Position(GAMES), table.state, event, table.records)


def lies(table, past=None):
    """Return the page of round 1. `past`: replaces the round of the records."""
    event = resettle_event(table)
    event = event if past is None else replace(event, past=encode_past(past))
    return compose_past_table(bench_look(table), event, table.now, WORDS)


def offered(shown):
    return {one.ruling: one.draws for one in shown.corrections}


def foreseen(table, event):
    return resettlement_in_words(foresee_resettlement(table.house, table.state, event, table.now), event.past, WORDS)


def after(script, game="baccarat"):
    table = Bench(game)
    table.says(script)
    return table


def test_a_settled_rounds_cards_may_each_be_corrected():
    shown = lies(after(f"{PLAYER}; open; press manager"))  # the next round is in a pause
    assert (shown.round, shown.revision, shown.result) == (1, 0, "PLAYER wins 9 : 5")
    assert shown.draws == {"player": (1, 3), "banker": (2, 4)}
    every = dict.fromkeys(("correct", "move", "burn", "void"), (1, 2, 3, 4))
    assert offered(shown) == every | {"cancel": ()}
    assert (shown.bar, shown.only, bool(shown.reasons)) == ("", "", True)


def test_a_cancelled_round_may_be_settled_by_its_cards():
    shown = lies(after(CANCELLED))
    assert {"resume", "cancel"} & set(offered(shown)) == {"resume"}
    assert offered(shown)["burn"] == (1, 2)


def test_seats_are_offered_where_hands_decide():
    table = after(f"{BLACKJACK}{UP_AND_DOWN}press manager; rule cancel by m because spoilt", "blackjack")
    (hand,) = [one for one in lies(table).corrections if one.ruling == "void_hand"]
    assert hand.places == ("seat2", "seat5")


def test_a_round_cancelled_while_betting_has_no_hand_to_void():
    table = after(f"{BLACKJACK.partition('close')[0]}press manager; rule cancel by m because spoilt", "blackjack")
    assert "void_hand" not in offered(lies(table))
    preview = foreseen(table, resettle_event(table, e.Amendment("void_hand", place="seat2")))
    assert (preview.verdict, preview.differences) == ("refused", None)


def test_a_face_down_card_shows_only_its_back():
    table = after(f"{BLACKJACK}{UP_AND_DOWN}press manager; rule cancel by m because spoilt", "blackjack")
    (hole,) = [draw for draw in decode_past(resettle_event(table).past).round.draws if draw.hidden]
    shown = lies(table)
    faces = [face for place in shown.places for one in place.hands for face in one.cards]
    assert [face.card for face in faces if not face.rank] == [None]
    assert hole.card is not None
    assert {draw for draws in shown.draws.values() for draw in draws} == {1, 2, 3, 4, 5, 6}


def test_a_round_under_other_rules_may_only_be_made_void():
    table = after(PLAYER)
    past = decode_past(resettle_event(table).past)
    other = replace(past, state=replace(past.state, round=replace(past.state.round, digest="other")))
    shown = lies(table, other)
    assert (list(offered(shown)), shown.only.startswith("the round was played under other rules")) == (["cancel"], True)
    event = replace(resettle_event(table, *CORRECT_2), past=encode_past(other))
    assert foreseen(table, event).says == shown.only


def test_a_round_too_long_over_offers_no_correction():
    table = after(PLAYER)
    table.now += 49 * HOUR
    shown = lies(table)
    assert (shown.corrections, shown.bar.startswith("the round has been over for too long")) == ((), True)


def test_a_round_that_is_on_has_no_page():
    assert compose_past_table(bench_look(after("open")), resettle_event(after("open")), 0, WORDS) is None


REFUSED = (
    (PLAYER, (e.Amendment("correct", 1, "2C"),), {}, "was never dealt", "Expected: a card to PLAYER"),
    (PLAYER, (e.Amendment("correct", 4, "3D"),), {}, "nothing about the round would change", ""),
    (PLAYER, (e.Amendment("correct", 9, "3D"),), {}, "there is no such draw", ""),
    (PLAYER, CORRECT_2, {"revision": 1}, "settled anew meanwhile", ""),
    (f"dealer m; {PLAYER}", CORRECT_2, {}, "the dealer of a round can never rule on it", ""),
    (CANCELLED, (e.Amendment("cancel"),), {}, "nothing about the round would change", ""),
)


@pytest.mark.parametrize(("script", "amendments", "more", "says", "due"), REFUSED)
def test_a_preview_says_why_a_resettlement_is_refused(script, amendments, more, says, due):
    table = after(script)
    preview = foreseen(table, resettle_event(table, *amendments, **more))
    assert (preview.verdict, preview.differences) == ("refused", None)
    assert says in preview.says
    assert preview.says.endswith(due)


def test_a_round_without_hands_is_foreseen_void_despite_a_correction():
    table = after(TWO_SEATS, "blackjack")
    void = [e.Amendment("void_hand", place=f"seat{number}") for number in (1, 2)]
    end = foreseen(table, resettle_event(table, *void, e.Amendment("correct", 7, "TS")))
    assert (end.verdict, end.now.startswith("Void")) == ("leads", True)


def test_each_bets_difference_is_foreseen_in_words():
    table = after(PLAYER)
    preview = foreseen(table, resettle_event(table, *CORRECT_2))
    assert (preview.verdict, preview.was, preview.now) == ("leads", "PLAYER wins 9 : 5", "TIE 9 : 9")
    assert [(one.player, one.was, one.now, one.difference) for one in preview.differences.bets] == [
        ("p3", "0.00", "9.00", "+9.00"), ("p1", "2.00", "1.00", "-1.00"), ("p2", "0.00", "1.00", "+1.00"),
    ]  # fmt: skip
    assert (preview.differences.same, preview.differences.total) == (0, "+9.00")
    assert foreseen(table, resettle_event(table, e.Amendment("cancel"))).now.startswith("Void")


def test_of_many_bets_the_largest_differences_are_listed():
    bets = "; ".join(f"bet q{number} player {number + 1}.00" for number in range(LISTED + 3))
    table = after(f"open; {bets}; bet b banker 1.00; close; card 9C; card 2D; card KC; card 3D")
    differences = foreseen(table, resettle_event(table, e.Amendment("correct", 1, "8C"))).differences
    assert (differences.bets, differences.same, differences.more) == ((), LISTED + 4, 0)
    differences = foreseen(table, resettle_event(table, e.Amendment("cancel"))).differences
    assert (len(differences.bets), differences.more, differences.bets[0].player) == (LISTED, 4, f"q{LISTED + 2}")


def test_a_round_settled_anew_tells_who_why_and_what(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        await by_two(person, resettle(number, [{"ruling": "correct", "draw": 2, "card": "6D"}]))
        await by_two(person, resettle(number, VOID, id="r2"))
        story = (await person.ask("GET", f"/api/rounds/{number}?role=manager")).body
        first, second = story["revisions"]
        assert (first["was"], first["now"], second["was"]) == ("PLAYER wins 9 : 5", "TIE 9 : 9", "TIE 9 : 9")
        assert (first["by"], first["second"], first["because"]) == ("Maria", "Livia", "misread")
        assert first["corrections"] == ["draw 2 is 6♦"]
        assert {one["player"]: one["difference"] for one in second["differences"]["bets"]} == {"p3": "-8.00"}
        assert (story["result"], second["corrections"]) == ("Void: every stake goes back", ["the round is void"])
        lies = (await person.ask("GET", f"/api/rounds/{number}/cards?role=manager")).body
        assert (lies["revision"], [one["ruling"] for one in lies["corrections"]][-1]) == (2, "resume")
        missing = await person.ask("GET", f"/api/rounds/{number + 1}/cards?role=manager")
        assert (missing.status, missing.body["detail"].startswith("no round of this number")) == (404, True)

    at_a_staffed_table(tmp_path, steps)


def test_a_lapsed_sign_in_previews_no_resettlement(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person, number = await signs_in_at(table), played(table)
        look_at = resettle(number, VOID)
        assert (await person.ask("POST", "/api/preview?role=manager", look_at)).body["verdict"] == "leads"
        clock.now += sessions.IDLE
        answer = await person.ask("POST", "/api/preview?role=manager", look_at)
        assert (answer.status, "movements" in str(answer.body)) == (403, False)
        assert (await person.ask("GET", f"/api/rounds/{number}/cards?role=manager")).status == 401

    at_a_table(tmp_path, steps)


def test_an_archived_round_has_the_same_page(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        played(table)
        target = f"/api/rounds/{number}/cards?role=manager"
        before = (await person.ask("GET", target)).body
        archive = table.rig.journal.book.rotate()
        assert archive is not None
        assert opening_seq(archive, number + 1) is not None
        assert (await person.ask("GET", target)).body == before
        assert (await by_two(person, resettle(number, VOID)))["verdict"] == "done"
        archive.unlink()
        gone = await person.ask("GET", f"/api/rounds/{number + 1}/cards?role=manager")
        assert (gone.status, gone.body["detail"].startswith("no round of this number")) == (404, True)

    at_a_staffed_table(tmp_path, steps)


# ── other screens ───────────────────────────────────────────────────────────────────────────────────────────────


def test_players_are_told_that_a_round_was_corrected():
    table = after(f"{PLAYER}; {PLAYER}; resettle 1 correct 2 6D {WHO}; open")
    (notice,) = player(bench_look(table), Words("en")).beside
    assert (notice.kind, notice.text) == ("corrected", "Round 1 was corrected")
    assert [one.text for one in player(bench_look(table), Words("ro")).beside] == ["Runda 1 a fost corectată"]


def screen(table):
    return manager(bench_look(table), Words("en"))


def test_open_cases_say_what_was_reported_and_who_dealt():
    table = after(f"dealer d1; {PLAYER}; press dropped; result banker")
    assert [(one.round, one.text, one.by) for one in screen(table).cases] == [
        (1, "CARD DROPPED", "Dealer d1"), (1, "the shoe's result: BANKER", "Shoe · Dealer d1"),
    ]  # fmt: skip
    table.says(f"resettle 1 correct 2 6D {WHO}")
    assert screen(table).cases == ()


def test_the_last_rounds_show_how_each_is_settled_now():
    table = after(f"{PLAYER}; {CANCELLED}; {TIE}")
    table.says(f"resettle 1 void {WHO}; resettle 2 correct 2 9D and void 1 {WHO}")
    assert [(one.round, one.result) for one in screen(table).last] == [(2, CANCELLED_BETS), (1, CANCELLED_BETS)]
    table.says(f"resettle 1 resume {WHO}")
    assert [(one.round, one.result) for one in screen(table).last][-1] == (1, "PLAYER wins 9 : 5 · natural")


def test_the_last_round_shows_void_or_its_result_at_once():
    table = after(PLAYER)
    table.says(f"resettle 1 void {WHO}")
    assert screen(table).result == dealer(bench_look(table), Words("en")).result == CANCELLED_BETS
    table.says(f"resettle 1 resume {WHO}")
    assert screen(table).result == "PLAYER wins 9 : 5 · natural"
    assert dealer(bench_look(table), Words("en")).result == "PLAYER wins 9 : 5"
