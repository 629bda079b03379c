"""The page of a round: who may open it, what it shows, and what a page for one player leaves out."""

import re

from controller.core import events as e
from controller.reports import round_sheet
from tests.patience import on_loop
from tests.table.test_table import HOLDEM
from tests.web.net import ELSEWHERE, BrowserPerson, NetworkTable
from tests.web.people import at_a_table, manager
from tests.web.staff import at_a_staffed_table
from tests.web.test_resettling import TIE, by_two, played, resettle, signed_in

CARDS = ("2S", "KC", "3H", "3S", "8D")  # Player draws on 5, Banker with 3 stands on an 8
BETS = (("anna", "banker", 1000), ("bogdan", "player", 2000), ("anna", "tie", 500))


def play(table, cards=CARDS, bets=BETS):
    table.rig.take(e.Open(), *(e.PlaceBet(*bet) for bet in bets), e.Close(), *map(e.CardOut, cards))
    if len(cards) > 3:
        table.rig.take(e.KeyPressed("finish"))


async def page(person, query="", number=1):
    answer = await person.ask("GET", f"/round/{number}?{query}")
    assert answer.status == 200, answer
    return answer.body.decode()


def test_a_round_page_gives_cards_reasons_and_clauses(tmp_path):
    async def steps(table):
        play(table)
        person = await manager(table)
        text = await page(person)
        assert "BANKER has 3, the third card of PLAYER is 8♦: stands" in text
        assert '<td class="clause">2.6</td>' in text
        assert 'aria-label="eight of diamonds"' in text
        assert re.findall("<h3>([^<]*)<", text) == ["PLAYER", "BANKER"]
        assert "A tie: the stake goes back" in text
        assert "45.00" in text  # 5.00 on the tie at 9.00
        assert "BANCĂ are 3" in await page(person, "lang=ro")
        assert re.findall("</table>([^<]*)<", text).count("") == text.count("</table>")  # nothing behind a table

    at_a_table(tmp_path, steps)


def test_hearts_and_diamonds_are_red_on_a_round_page(tmp_path):
    async def steps(table):
        play(table)
        text = await page(await manager(table))
        signs = {("", "2♠"), ("", "K♣"), ("red", "3♥"), ("", "3♠"), ("red", "8♦")}
        assert set(re.findall(r'<span(?: class="(.+?)")?>(\w[♠♥♦♣])</span>', text)) == signs
        lying = re.findall(r'<i(?: class="(\w+)")? role="img"[^>]*><b>(\w)</b>(.)</i>', text)
        assert {(colour, rank + suit) for colour, rank, suit in lying} == signs

    at_a_table(tmp_path, steps)


def test_a_page_for_one_player_names_no_other(tmp_path):
    async def steps(table):
        play(table)
        person = await manager(table)
        whole, anna, bogdan = await page(person), await page(person, "player=1"), await page(person, "player=2")
        assert "anna" in whole
        assert "bogdan" in whole
        assert "anna" in anna
        assert not [word for word in ("bogdan", "20.00") if word in anna]
        assert "bogdan" in bogdan
        assert not [word for word in ("anna", "10.00", "45.00") if word in bogdan]

    at_a_table(tmp_path, steps)


def test_typed_reasons_name_no_other_player_on_a_players_page(tmp_path):
    async def steps(table):
        play(table, cards=CARDS[:3])
        table.rig.take(e.KeyPressed("manager"))
        fault = table.table.state.fault.seq
        table.rig.take(e.Rule("cancel", "anna", "Bogdan touched the cards of annabel, not ANNA", fault=fault))
        person = await manager(table)
        assert "Bogdan touched the cards of annabel, not ANNA" in await page(person)
        assert "Bogdan touched the cards of annabel, not another player" in await page(person, "player=2")
        assert "another player touched the cards of annabel, not ANNA" in await page(person, "player=1")
        assert "alt jucător touched the cards of annabel" in await page(person, "player=1&lang=ro")

    at_a_table(tmp_path, steps)


def test_every_player_of_a_round_has_a_link(tmp_path):
    async def steps(table):
        play(table, bets=[(f"guest{number}", "banker", 100) for number in range(1, 21)])
        text = await page(await manager(table))
        links = re.findall(r'<a href="\?lang=en&amp;player=(\d+)">Only (\w+)</a>', text)
        assert links == [(str(number), f"guest{number}") for number in range(1, 21)]
        assert "<summary>8 more players</summary>" in text

    at_a_table(tmp_path, steps)


def test_a_wrong_player_or_round_is_refused(tmp_path):
    async def steps(table):
        play(table)
        person = await manager(table)
        for target, status, why in (
            ("1?player=3", 400, "player: expected one of the 2 players of this round by number, got 3"),
            ("1?player=0", 400, "player: expected a number from 1 on, got '0'"),
            ("1?player=anna", 400, "player: expected a number from 1 on, got 'anna'"),
            ("7", 404, "round 7 is not in the record, nor in the archives beside it"),
        ):
            answer = await person.ask("GET", f"/round/{target}")
            assert (answer.status, answer.body["detail"]) == (status, why), target

    at_a_table(tmp_path, steps)


def test_a_round_page_is_for_shift_managers(tmp_path):
    async def steps(table):
        play(table)
        answer = await BrowserPerson(table, ELSEWHERE).ask("GET", "/round/1")
        assert (answer.status, answer.headers["location"]) == (303, "/manager")
        policy = (await (await manager(table)).ask("GET", "/round/1")).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")

    at_a_table(tmp_path, steps)


def test_a_round_that_is_on_has_no_reasons(tmp_path):
    async def steps(table):
        play(table, cards=CARDS[:3])
        text = await page(await manager(table))
        assert "This round is on" in text
        assert "Why each card" not in text
        assert "not settled" in text

    at_a_table(tmp_path, steps)


def test_a_live_round_page_names_no_hidden_card(tmp_path):
    async def steps():
        async with NetworkTable(tmp_path, HOLDEM) as table:
            table.face_down()
            text = await page(await manager(table))
            assert "king of spades" in text
            assert 'class="back"' in text
            hidden = ("five of clubs", "seven of diamonds", "5♣", "7♦", r"\b5C\b", r"\b7D\b")
            assert not [card for card in hidden if re.search(card, text)]

    on_loop(steps)


def test_a_resettled_round_is_explained_by_corrected_cards(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        await by_two(person, resettle(number, TIE))  # draw 2 is a six: nine against nine
        text = await page(person, number=number)
        assert "TIE 9 : 9" in text
        assert "six of diamonds" in text
        assert "A tie: the stake goes back" in text
        assert "before: 2.00" in text
        assert "Corrections: draw 2 is 6♦" in text
        assert "Before the corrections: PLAYER " in text
        assert "<h2>The round was settled anew</h2>" in text
        assert "<h2>Runda a fost redecontată</h2>" in await page(person, "lang=ro", number=number)

    at_a_staffed_table(tmp_path, steps)


def test_a_game_with_reasons_is_not_said_to_have_none(tmp_path, monkeypatch):
    monkeypatch.setattr(round_sheet, "_draws", lambda *_: ())  # as in a round with a void hand

    async def steps(table):
        play(table)
        text = await page(await manager(table))
        assert "No reasons can be given for this round" in text
        assert "This game states no reasons" not in text

    at_a_table(tmp_path, steps)
