"""A finished round is settled anew over API and command line: previewed, by two people, once."""

import asyncio
from threading import get_ident

from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.core import events as e
from controller.core.decide import resettlements
from controller.web.screens import resettle_foreseen
from controller.web.screens.history import LatestResults
from tests.core.bench import Bench
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.staff import PINS, at_a_staffed_table

TIE = [{"ruling": "correct", "draw": 2, "card": "6D"}]
VOID = [{"ruling": "cancel"}]


def played(table):
    """Play a round that PLAYER wins 9 : 5, with three bets of 1.00, and return its number."""
    bets = [e.PlaceBet(f"p{n}", market, 100) for n, market in enumerate(("player", "banker", "tie"), start=1)]
    cards = [e.CardOut(card) for card in ("9C", "2D", "KC", "3D")]
    table.rig.take(e.Open(), *bets, e.Close(), *cards, e.KeyPressed("finish"))
    return table.table.state.round.number


async def signed_in(table, number="103"):
    person = BrowserPerson(table, ELSEWHERE)
    assert (await person.sign_in(number, PINS[number])).status == 200
    return person


def resettle(number, amendments, **more):
    return {"command": "resettle", "id": "r1", "round": number, "amendments": amendments, "because": "misread", **more}


async def by_two(person, ruling, second="106"):
    two = {"ruling": ruling, "second": {"name": second, "pin": PINS[second]}}
    answer = await person.ask("POST", "/api/v1/rulings?role=manager", two)
    assert answer.status == 200, answer
    return answer.body["verdicts"][0]


def recorded(table, kind):
    return [record for record in table.rig.recorded() if record.kind == kind]


def test_a_resettlement_is_previewed_and_done_by_two(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        body = (await person.ask("POST", "/api/preview?role=manager", resettle(number, TIE))).body
        assert (body["verdict"], body["preview"]["revision"]) == ("leads", 1)
        foreseen = {one["player"]: one["difference"] for one in body["preview"]["movements"]}
        assert foreseen == {"p1": -100, "p2": 100, "p3": 900}
        assert recorded(table, "resettled") == []
        alone = await person.ask("POST", "/api/commands?role=manager", resettle(number, TIE, id="r0"))
        assert alone.body["verdicts"][0]["reason"] == "needs_second"
        done = await by_two(person, resettle(number, TIE))
        assert done["verdict"] == "done"
        assert await by_two(person, resettle(number, TIE)) == done  # sent again: the first answer
        (record,) = recorded(table, "resettled")
        assert {one.player: one.difference for one in record.what.movements} == foreseen
        assert (record.person, record.what.second, record.what.second_id) == ("103", "Livia", "106")

    at_a_staffed_table(tmp_path, steps)


def test_a_search_finds_the_rounds_settled_anew(tmp_path):
    async def steps(table):
        person, anew, _ = await signed_in(table), played(table), played(table)
        await by_two(person, resettle(anew, TIE))
        found = (await person.ask("POST", "/api/rounds?role=manager", {"how": "resettled"})).body["rounds"]
        assert [one["round"]["round"] for one in found] == [anew]

    at_a_staffed_table(tmp_path, steps)


def test_of_two_managers_at_once_one_is_refused_as_stale(tmp_path):
    async def steps(table):
        number = played(table)
        people = [await signed_in(table, one) for one in ("103", "106")]
        verdicts = await asyncio.gather(
            by_two(people[0], resettle(number, TIE, revision=0), "106"),
            by_two(people[1], resettle(number, VOID, revision=0), "103"),
        )
        assert sorted(one["verdict"] for one in verdicts) == ["done", "refused"]
        assert {one.get("reason") for one in verdicts} == {None, "stale_revision"}

    at_a_staffed_table(tmp_path, steps)


def test_a_second_resettlement_waits_for_the_last_part(tmp_path):
    async def steps(table):
        table.table.house = replace(table.table.house, slice=1)
        numbers = []
        for _ in range(2):
            numbers.append(played(table))
            await table.table.wait_until_finished()
        people = [await signed_in(table, one) for one in ("103", "106")]
        verdicts = await asyncio.gather(
            by_two(people[0], resettle(numbers[0], TIE), "106"), by_two(people[1], resettle(numbers[1], VOID), "103")
        )
        assert [one["verdict"] for one in verdicts] == ["done", "done"]
        await table.table.wait_until_finished()
        parts = [(record.round, record.what.part) for record in recorded(table, "resettled")]
        first = parts[0][0]
        other = sum(numbers) - first
        assert parts == [*((first, part) for part in (1, 2, 3)), *((other, part) for part in (1, 2, 3))]

    at_a_staffed_table(tmp_path, steps)


def test_a_resettlement_is_computed_in_a_thread(tmp_path, monkeypatch):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        here, worked = get_ident(), []
        work_out = resettlements.work_out
        monkeypatch.setattr(resettlements, "work_out", lambda *about: worked.append(get_ident()) or work_out(*about))
        assert (await by_two(person, resettle(number, TIE)))["verdict"] == "done"
        assert len(worked) == 1
        assert here not in worked

    at_a_staffed_table(tmp_path, steps)


def test_a_preview_of_very_many_bets_lists_the_largest(tmp_path, monkeypatch):
    monkeypatch.setattr(resettle_foreseen, "MOST", 2)

    async def steps(table):
        person, number = await signed_in(table), played(table)
        body = (await person.ask("POST", "/api/preview?role=manager", resettle(number, TIE))).body
        assert [one["player"] for one in body["preview"]["movements"]] == ["p3", "p1"]
        assert (body["preview"]["more"], body["preview"]["total"]) == (1, 900)
        assert [one["market"] for one in body["differences"]["bets"]] == ["tie", "PLAYER", "BANKER"]

    at_a_staffed_table(tmp_path, steps)


def test_a_chain_of_resettlements_is_read_from_the_journal(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        for place, amendments in enumerate((TIE, VOID, [{"ruling": "resume"}])):
            done = await by_two(person, resettle(number, amendments, id=f"r{place}", revision=place))
            assert done["verdict"] == "done", done
        first, second, third = (record.what for record in recorded(table, "resettled"))
        assert [one.now for one in first.movements] == [one.was for one in second.movements]
        assert [one.now for one in second.movements] == [one.was for one in third.movements]
        assert third.now == first.now

    at_a_staffed_table(tmp_path, steps)


def test_rounds_and_their_stories_follow_a_resettlement(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        table.rig.take(e.Open(), e.Close(), *map(e.CardOut, ("9C", "2D", "KC", "3D")), e.KeyPressed("finish"))
        await by_two(person, resettle(number, TIE))
        (later, item) = (await person.ask("GET", "/api/rounds?role=manager")).body["rounds"]
        assert (item["round"]["round"], item["round"]["revision"], item["round"]["outcome"]["winner"]) == (1, 1, "tie")
        assert (later["round"]["revision"], later["round"]["outcome"]["winner"]) == (0, "player")
        story = (await person.ask("GET", f"/api/rounds/{number}?role=manager")).body
        assert story["round"]["revision"] == 1
        assert story["lines"][-1]["text"].startswith("Maria with Livia settle the round anew: ")

    at_a_staffed_table(tmp_path, steps)


def test_roads_and_overlay_follow_a_resettlement():
    history, table = LatestResults("baccarat", every_round=False), Bench()
    cards = "open; close; card 9C; card 2D; card KC; card 3D"
    table.says(f"{cards}; {cards}; {cards}; resettle 2 correct 2 6D by m with n because misread")
    history.hear(table.records)
    assert [one.outcome["winner"] for one in history.results] == ["player", "tie", "player"]
    assert [(one.kind, one.round) for one in history.notices if one.round] == [("corrected", 2)]
    history.hear(table.says("resettle 2 void by m with n because misread"))
    assert [one.round for one in history.results] == [1, 3]
    history.hear(table.says("resettle 2 resume by m with n because misread"))
    assert [one.round for one in history.results] == [1, 2, 3]


def test_a_round_that_was_never_played_is_refused(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        refused = await by_two(person, resettle(number + 1, VOID))
        assert (refused["verdict"], refused["reason"]) == ("refused", "no_round")

    at_a_staffed_table(tmp_path, steps)


def test_a_case_is_dismissed_over_the_api(tmp_path):
    async def steps(table):
        person, _ = await signed_in(table), played(table)
        table.rig.take(e.KeyPressed("dropped"))
        (case,) = table.table.state.cases
        command = {"command": "dismiss", "id": "d1", "case": case.seq, "because": "a chip fell"}
        answer = await person.ask("POST", "/api/commands?role=manager", command)
        assert answer.body["verdicts"][0]["verdict"] == "done"
        assert table.table.state.cases == ()

    at_a_staffed_table(tmp_path, steps)


def test_the_command_line_previews_and_settles_anew(tmp_path):
    async def steps(table):
        number = played(table)
        line = ["resettle", "--socket", str(table.socket), str(number), "correct", "2", "6D"]
        shown = await asyncio.to_thread(CliRunner().invoke, main, [*line, "--preview", "--by", "103"])
        assert shown.exit_code == 0, shown.output
        assert "p3 tie: 0.00 → 9.00 (9.00)" in shown.output
        arguments = [*line, "with", "106", "--by", "103", "--because", "misread"]
        done = await asyncio.to_thread(CliRunner().invoke, main, arguments, input=f"{PINS['106']}\n")
        assert done.exit_code == 0, done.output
        assert f"round {number} settled anew (revision 1)" in done.output
        again = await asyncio.to_thread(CliRunner().invoke, main, arguments, input=f"{PINS['106']}\n")
        assert (again.exit_code, again.output.strip()) == (1, "tablectl: refused: nothing about the round would change")

    at_a_staffed_table(tmp_path, steps)


def test_a_resettlement_sent_twice_at_once_is_answered_alike(tmp_path):
    async def steps(table):
        person, number = await signed_in(table), played(table)
        both = await asyncio.gather(*(by_two(person, resettle(number, TIE)) for _ in range(2)))
        assert [one["verdict"] for one in both] == ["done", "done"]
        assert [record.kind for record in table.rig.recorded()].count("resettled") == 1
        assert recorded(table, "resettle_refused") == []

    at_a_staffed_table(tmp_path, steps)
