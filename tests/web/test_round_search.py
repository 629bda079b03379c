"""Search for rounds by player, bet, stake, time, result, fault and end; a bad search is refused."""

import logging

import pytest

from controller.core import events as e
from controller.core.clock import SECOND
from controller.web.api.round_search import amount_of
from controller.web.net.replies import RequestRefused
from tests.table.test_table import NATURAL
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import at_a_table, manager

TIE = ("2S", "KC", "3H", "3S", "8D")


def play(table, *bets, cards=NATURAL):
    table.rig.take(e.Open(), *(e.PlaceBet(*bet) for bet in bets), e.Close(), *map(e.CardOut, cards))
    table.rig.take(e.KeyPressed("finish"))
    assert table.table.state.life == "settled"


def play_four_rounds(table):
    """Play four rounds, an hour apart: a natural, a tie, one with a fault, and a cancelled one."""
    play(table, ("anna", "banker", 1000), ("bogdan", "player", 2500))
    table.rig.clock.ahead += 3600 * SECOND
    play(table, ("bogdan", "tie", 500), cards=TIE)
    table.rig.clock.ahead += 3600 * SECOND
    table.rig.take(e.Open(), e.PlaceBet("carol", "banker", 750), e.CardOut("5H"), e.Rule("burn", "anna", "too early"))
    table.rig.take(e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish"))
    table.rig.clock.ahead += 3600 * SECOND
    table.rig.take(e.Open(), e.PlaceBet("anna", "tie", 300), e.CardOut("5H"), e.Rule("cancel", "anna", "wet card"))


async def search(person, status=200, **query):
    answer = await person.ask("POST", "/api/rounds?role=manager", query)
    assert answer.status == status, answer
    return answer.body


async def numbers(person, **query):
    return [one["round"]["round"] for one in (await search(person, **query))["rounds"]]


def test_a_players_rounds_say_what_they_staked_and_got(tmp_path):
    async def steps(table):
        play_four_rounds(table)
        table.rig.take(e.Open(), e.PlaceBet("anna", "banker", 1000), e.PlaceBet("anna", "player", 250), e.Close())
        person = await manager(table)
        own = [one["own"] for one in (await search(person, player="anna"))["rounds"]]
        assert own == ["staked 12.50, not settled", "staked 3.00, returned 3.00", "staked 10.00, returned 0.00"]
        assert [one["own"] for one in (await search(person, player="bogdan"))["rounds"]] == [
            "staked 5.00, returned 45.00",
            "staked 25.00, returned 50.00",
        ]
        assert [one["own"] for one in (await search(person, least="0"))["rounds"]] == [None] * 5

    at_a_table(tmp_path, steps)


def test_rounds_are_found_by_each_field_and_by_several(tmp_path):
    async def steps(table):
        play_four_rounds(table)
        person = await manager(table)
        for query, rounds in (
            ({}, [4, 3, 2, 1]),
            ({"player": "bogdan"}, [2, 1]),
            ({"player": "anna"}, [4, 1]),
            ({"player": "nobody"}, []),
            ({"least": "7.50"}, [3, 1]),
            ({"least": "5", "most": "7,50"}, [3, 2]),
            ({"player": "anna", "least": "20"}, []),  # player and stake must be of the same bet
            ({"winner": "tie"}, [2]),
            ({"how": "cancelled"}, [4]),
            ({"how": "settled"}, [3, 2, 1]),
            ({"how": "resettled"}, []),
            ({"fault": "card_before_close"}, [4, 3]),
            ({"player": "carol", "fault": "card_before_close"}, [3]),
        ):
            assert await numbers(person, **query) == rounds, query

    at_a_table(tmp_path, steps)


def test_a_round_is_found_by_the_id_of_its_bet(tmp_path):
    async def steps(table):
        play_four_rounds(table)
        person = await manager(table)
        second = next(one.what for one in table.rig.recorded() if one.kind == "bet_accepted" and one.round == 2)
        assert await numbers(person, bet=second.bet) == [2]
        assert await numbers(person, bet=second.bet.rpartition(".")[0]) == [2]
        assert await numbers(person, bet=f"9{second.bet}") == []

    at_a_table(tmp_path, steps)


def test_a_time_span_leaves_whole_rounds(tmp_path):
    async def steps(table):
        play_four_rounds(table)
        person = await manager(table)
        opened = {one["round"]["round"]: one["round"] for one in (await search(person))["rounds"]}
        span = {"from": opened[2]["opened"], "to": opened[4]["opened"]}
        rounds = (await search(person, **span))["rounds"]
        assert [one["round"] for one in rounds] == [opened[3], opened[2]]

    at_a_table(tmp_path, steps)


def test_a_search_continues_after_its_last_round(tmp_path):
    async def steps(table):
        for number in range(22):
            suits = "SHDC"[number // 6 % 4], "SHDC"[number // 6 % 4]  # no card is dealt more often than the decks hold
            play(
                table, ("anna", "banker", 1000), cards=[f"9{suits[0]}", f"2{suits[1]}", f"K{suits[0]}", f"3{suits[1]}"]
            )
        person = await manager(table)
        first = await search(person, player="anna")
        assert [one["round"]["round"] for one in first["rounds"]] == [*range(22, 2, -1)]
        assert first["more"] == 3
        rest = await search(person, player="anna", before="3")
        assert [one["round"]["round"] for one in rest["rounds"]] == [2, 1]
        assert rest["more"] is None

    at_a_table(tmp_path, steps)


REFUSED = (
    ({"least": "-5"}, "amount: expected 0 or more, such as 12.50, got '-5'"),
    ({"most": "1.234"}, "amount: expected 0 or more, such as 12.50, got '1.234'"),
    ({"least": "NaN"}, "amount: expected 0 or more, such as 12.50, got 'NaN'"),
    ({"least": "9", "most": "8"}, "amount: the least is more than the most"),
    ({"from": "2026-02-30"}, "time: expected one that exists on the studio's clocks, such as 2026-01-31 14:00"),
    ({"from": "soon"}, "time: expected one that exists on the studio's clocks, such as 2026-01-31 14:00"),
    ({"from": "2026-01-02", "to": "2026-01-01"}, "time: the beginning is not before the end"),
    ({"fault": "late"}, "fault: this word is not known: 'late'"),
    ({"how": "won"}, "how: this word is not known: 'won'"),
    ({"dealer": "d1"}, "'dealer' cannot be searched for"),
    ({"player": "x" * 101}, "player: expected at most 100 characters"),
)


@pytest.mark.parametrize(("query", "why"), REFUSED)
def test_an_invalid_search_is_refused_with_its_reason(tmp_path, query, why):
    async def steps(table):
        assert (await search(await manager(table), 400, **query))["detail"].startswith(why)

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(("currency", "example"), [("EUR", "12.50"), ("JPY", "13"), ("KWD", "12.500")])
def test_a_refused_amount_has_an_example_that_is_accepted(currency, example):
    with pytest.raises(RequestRefused, match=f"such as {example}, got '1.2345'"):
        amount_of("1.2345", currency)
    assert amount_of(example, currency) > 0


def test_a_search_for_a_player_stays_out_of_logs(tmp_path, caplog, capsys):
    async def steps(table):
        play_four_rounds(table)
        answer = await BrowserPerson(table, ELSEWHERE).ask("POST", "/api/rounds?role=manager", {"player": "bogdan"})
        assert answer.status in (401, 403)
        with caplog.at_level(logging.DEBUG):
            await numbers(await manager(table), player="bogdan")
        assert "bogdan" not in caplog.text + "".join(capsys.readouterr())

    at_a_table(tmp_path, steps)
