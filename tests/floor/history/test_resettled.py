"""Round that its table settles anew: its row at the floor, and its case on the watch list."""

import msgspec

from controller.core import events as e
from controller.core.views import view
from controller.floor.history.history import summarise
from controller.floor.history.search import FoundRound
from controller.floor.shared_state.alarms import causes
from controller.floor.storage.rows import round_row
from controller.floor.storage.table_events import decode_event
from controller.text.faults import Words
from controller.text.table_words import TableWords
from tests.core.bench import Bench
from tests.floor.service import MANAGER, OTHER, studio
from tests.floor.statuses import status
from tests.patience import on_loop
from tests.web.staff import PINS

PLAYED = "open; bet p1 player 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D"


def row(table, number=1):
    """Return the row of a round, made of its events as a floor receives them."""
    bodies = (msgspec.json.encode(view(one, "manager")) for one in table.records if one.round == number)
    return round_row([decode_event("table", "bench", body) for body in bodies])


def test_a_floors_row_follows_each_resettlement():
    table = Bench()
    table.says(PLAYED)
    assert (row(table).how, row(table).returned, row(table).adjusted, row(table).kept) == ("settled", 200, 0, 0)
    table.says("open; resettle 1 correct 2 6D by m with n because misread")
    assert (row(table).how, row(table).returned, row(table).adjusted, row(table).kept) == ("settled", 200, 800, -800)
    assert msgspec.json.decode(row(table).outcome)["winner"] == "tie"
    table.says("resettle 1 void by m with n because shoe")
    assert (row(table).how, row(table).outcome, row(table).returned, row(table).kept) == ("cancelled", "", 200, 0)
    assert (row(table).because, row(table).cancelled, row(table).revision) == ("shoe", False, 2)


def test_a_floors_list_shows_a_round_made_void_afterwards():
    table = Bench()
    table.says(f"{PLAYED}; resettle 1 correct 2 6D by m with n because misread")
    assert listed(table).result == "TIE 9 : 9"
    table.says("resettle 1 void by m with n because shoe")
    assert (listed(table).result, listed(table).revision) == ("Void: every stake goes back", 2)


def listed(table):
    """Return the round as the floor's list shows it."""
    return summarise(FoundRound(row(table), (), ()), TableWords(Words("en")))


def test_each_round_with_an_open_case_raises_one_alarm():
    found = list(causes(status(cases=(7, 9)), heard=True, misreads=None))
    assert [(one.kind, one.text) for one in found] == [("case", "7"), ("case", "9")]


PLAYED_AT_A_TABLE = [
    e.Open(), e.PlaceBet("p1", "player", 100), e.PlaceBet("p3", "tie", 100), e.Close(),
    *(e.CardOut(card) for card in ("9C", "2D", "KC", "3D")), e.KeyPressed("finish"),
]  # fmt: skip


def test_two_managers_at_a_floor_settle_a_tables_round_anew(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            for event in PLAYED_AT_A_TABLE:
                table.table.take(event)
            number = table.table.state.round.number
            maria = await floor.signed_in(MANAGER)
            ruling = {"command": "resettle", "id": "r1", "round": number, "because": "misread", "revision": 0}
            ruling["amendments"] = [{"ruling": "correct", "draw": 2, "card": "6D"}]
            preview = (await maria.ask("POST", "/tables/t1/api/preview?role=manager", ruling)).body
            assert (preview["verdict"], preview["preview"]["total"]) == ("leads", 800)
            two = {"ruling": ruling, "second": {"name": OTHER, "pin": PINS[OTHER]}}
            answer = await maria.ask("POST", "/tables/t1/api/rulings?role=manager", two)
            assert answer.body["verdicts"][0]["verdict"] == "done", answer
            assert table.table.state.revisions[number].number == 1
            other = {**two, "ruling": {**ruling, "id": "r2"}}
            again = await maria.ask("POST", "/tables/t1/api/rulings?role=manager", other)
            assert again.body["verdicts"][0]["reason"] == "stale_revision"

    on_loop(steps)
