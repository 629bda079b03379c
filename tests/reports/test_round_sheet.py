"""Round sheet: table and floor show the same page for every game."""

from functools import partial
from zoneinfo import ZoneInfo

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.clock import SECOND
from controller.core.views import view
from controller.games import GAMES
from controller.reports import round_sheet as sheets
from controller.reports import round_stories
from controller.reports.event_records import record_of
from controller.reports.round_sheet import known_cards
from controller.reports.round_stories import compose_story
from controller.text.faults import Words
from controller.text.story import tell
from controller.text.table_words import TableWords
from controller.web.screens.round_page import RoundView, round_page
from tests.core.bench import Bench
from tests.games.table_scripts import cards, run, table

SEATS = "shuffled\nopen\nbet p1 seat1 {0} 10.00\nbet p2 seat2 {0} 20.00\nclose\n"
SCRIPTS = {
    "baccarat": "open\nbet p1 tie 5.00\nclose\n" + cards("2S KC 3H 3S 8D"),
    "thirty_two": "shuffled\nopen\nbet p1 player8 5.00\nclose\n" + cards("9S 8H 6D 6C TS 9C 7C"),
    "casino_holdem": "shuffled\nopen\nbet p1 ante 5.00\nclose\n" + cards("AS KS 5C 7D 2H 3H 9S")
    + "decide p1 call\n" + cards("TC JD"),
    "blackjack": SEATS.format("main") + cards("8S 8H TC 9D KH 6D") + "decide seat1 split\n" + cards("3S KD")
    + "decide seat1 double\ncard TH\ndecide seat1.2 stand\ndecide seat2 stand\ncard 2S\n",
    "rhum32": SEATS.format("ante") + cards("2S 3S 4S 9H KD QD JC TC 5H 6H 7C 8C")
    + "decide seat1 raise\ndecide seat2 fold\n" + cards("AD 4D"),
}  # fmt: skip
VIEW = RoundView("t1", ZoneInfo("Europe/Bucharest"), "en")


def sheet(records):
    return sheets.round_sheet(records, partial(tell, TableWords(Words("en"))))


def of_round(play):
    return [record for record in play.records if record.round == 1]


def at_the_floor(records):
    """Return the records as the floor restores them from a shift manager's events."""
    events = (msgspec.json.encode(view(record, "manager")) for record in records)
    return [record for record in map(record_of, events) if record is not None]


@pytest.mark.parametrize(
    ("language", "line"),
    {
        "en": "m says that the fault is seen. It is refused: nothing is paused",
        "ro": "m spune că a văzut eroarea. Refuzat: nimic nu este în pauză",
    }.items(),
)
def test_an_acknowledgement_that_comes_too_late_has_its_line(language, line):
    late = "open\nclose\npress manager\nrule resume by m because seen\nack by m\n"
    lines = sheets.round_sheet(
        of_round(table(GAMES["baccarat"], late)), partial(tell, TableWords(Words(language)))
    ).story.lines
    assert line in [one.text for one in lines]


@pytest.mark.parametrize("name", SCRIPTS)
def test_table_and_floor_show_the_same_page(name):
    play = table(GAMES[name], SCRIPTS[name])
    records = of_round(play)
    assert [record.kind for record in records].count("settled") == 1
    here, floor_sheet = (sheet(some) for some in (records, at_the_floor(records)))
    assert here.draws
    assert here.reasons
    assert {bet.id for bet in here.bets} == {*here.reasons}
    assert round_page(here, VIEW) == round_page(floor_sheet, VIEW)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_without_reasons_still_has_its_page(name, monkeypatch):
    silent = replace(GAMES[name], face=replace(GAMES[name].face, reasons=None))
    records = of_round(table(GAMES[name], SCRIPTS[name]))
    monkeypatch.setitem(GAMES, name, silent)
    page = round_page(sheet(records), VIEW)
    assert "This game states no reasons" in page
    assert 'class="cloth"' in page


def test_a_game_whose_reasons_fail_still_has_its_page(monkeypatch):
    class Fails:
        def draws(self, dealt):
            raise ZeroDivisionError

        def payment(self, dealt, bet):
            raise ZeroDivisionError

    game = GAMES["baccarat"]
    records = of_round(table(game, SCRIPTS["baccarat"]))
    monkeypatch.setitem(GAMES, "baccarat", replace(game, face=replace(game.face, reasons=Fails())))
    assert 'class="cloth"' in round_page(sheet(records), VIEW)


def test_an_unknown_game_has_bets_and_events():
    records = [
        replace(record, what=replace(record.what, game="vendors")) if record.kind == "opened" else record
        for record in of_round(table(GAMES["baccarat"], SCRIPTS["baccarat"]))
    ]
    page = round_page(sheet(records), VIEW)
    assert "45.00" in page
    assert 'class="cloth"' not in page


def test_a_page_shows_24_bets_and_counts_others():
    bets = "".join(f"bet p{number} banker 10.00\n" for number in range(30))
    page = round_page(sheet(of_round(table(GAMES["baccarat"], f"open\n{bets}close\n{cards('2S KC 3H 3S 8D')}"))), VIEW)
    assert page.count('<td class="stake">') == 24
    assert "6 more bets" in page


def test_a_live_round_has_no_reason_of_a_ruling():
    play = table(GAMES["baccarat"], "open\nclose\ncard 9C\npress manager\nrule correct 1 8C by m because seen\n")
    live = round_page(sheet(of_round(play)), VIEW)
    assert "m rules: Correct a card, draw 1: 9♣ → 8♣<" in live
    run(play, "press manager\nrule cancel by m because enough\n")
    assert "draw 1: 9♣ → 8♣ – seen<" in round_page(sheet(of_round(play)), VIEW)


def test_a_void_round_says_why_and_refunds_each_bet():
    script = "open\nbet p1 banker 10.00\nclose\ncard 2S\npress manager\nrule cancel by m because 'wet card'\n"
    page = round_page(sheet(of_round(table(GAMES["baccarat"], script.replace("'", '"')))), VIEW)
    assert "refunded" in page
    assert "wet card" in page
    assert "Two cards to each side" in page


def test_a_card_that_was_face_down_first_is_shown():
    play = table(GAMES["casino_holdem"], "shuffled\nopen\nbet p1 ante 5.00\nclose\n" + cards("TC TD 6S"))
    run(play, "press manager\nrule void 1 by m because twice\n" + cards("5H KS 3H 4D 8C") + "decide p1 fold\n")
    for records in (of_round(play), at_the_floor(of_round(play))):
        lie = known_cards(sheet(records).state.round)
        assert lie == {"player": ("TD", "6S"), "dealer": ("", ""), "board": ("3H", "4D", "8C")}


def test_a_corrected_card_keeps_the_time_at_which_it_came():
    play = table(GAMES["baccarat"], "open\nclose\ncard 2S\nwait 3s\ncard KC\nwait 4s\npress manager\nwait 5s\n")
    run(play, "card 3H\nwait 6s\nrule correct 2 QC by m because misread\n" + cards("3S 8D"))
    times = sheet(of_round(play)).drawn_at
    assert {draw: (at - times[1]) // SECOND for draw, at in times.items()} == {1: 0, 2: 3, 3: 12, 4: 18, 5: 18}


def test_a_corrected_round_with_face_down_cards_shows_its_cards():
    play = table(GAMES["casino_holdem"], "shuffled\nopen\nbet p1 ante 5.00\nclose\n" + cards("2H 5D 9C KD 3H 4D 8C"))
    run(play, "decide p1 fold\nresettle 1 correct 1 2C by m with n because misread\n")
    run(play, "resettle 1 correct 3 9S by m with n because misread\n")
    shown = sheet(of_round(play))
    assert known_cards(shown.state.round) == {"player": ("2C", "5D"), "dealer": ("", ""), "board": ("3H", "4D", "8C")}
    assert [draw.card for draw in shown.state.round.draws[2:4]] == [None, None]
    page = round_page(shown, VIEW)
    assert "Nobody called: no turn and no river" in page
    assert page == round_page(sheet(at_the_floor(of_round(play))), VIEW)


def test_a_hand_made_void_later_keeps_its_cards_reasons():
    play = table(GAMES["blackjack"], SCRIPTS["blackjack"])
    reasons = sheet(of_round(play)).draws
    run(play, "resettle 1 void_hand seat1 by m with n because seen\n")
    assert sheet(of_round(play)).draws == reasons


def test_a_void_hand_that_was_not_asked_has_not_folded():
    play = table(GAMES["rhum32"], SEATS.format("ante") + cards("2H 5D 9C KD 3H 4D 8C QS 2S 7H TD 6C"))
    run(play, "decide seat1 fold\npress manager\nrule cancel by m because enough\n")
    run(play, "resettle 1 void_hand seat2 and resume by m with n because seen\n")
    page = round_page(sheet(of_round(play)), VIEW)
    assert "SEAT 1 folded" in page
    assert "SEAT 2 folded" not in page
    assert page.count("fold<") + page.count("fold ·") == 1


@pytest.mark.parametrize(("most", "cut"), [(-1, True), (0, False), (1, False)])
def test_a_timeline_says_whether_lines_were_left_out(monkeypatch, most, cut):
    bench = Bench()
    bench.says("open; close; card 9C; card 2D; card KH; card 3S")
    records = [record for record in bench.records if record.round == 1]
    monkeypatch.setattr(round_stories, "FAR", len(records) + most)
    assert compose_story(records, lambda *_: "").cut is cut
