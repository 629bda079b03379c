"""Export of rounds to a file: a spreadsheet program reads each cell as data, never as a formula."""

import csv
import io
import json

import pytest

from controller.floor.history.export import COLUMNS, TYPES, export_rounds, to_cell
from controller.floor.history.search import FoundRound
from controller.floor.storage.rows import RoundRow
from tests.floor.history.test_search import count
from tests.floor.service import AUDITOR, studio
from tests.patience import on_loop, until

ROW = RoundRow(
    "t1", "e1", 7, "01J", "baccarat", '=HYPERLINK("x")', "101", "2026-01-01T00:00:00.000000Z",
    "2026-01-01T00:01:00.000000Z", "cancelled", "", 'said "no", and\r\nleft', "EUR", 1000, 0, 0, 1500, -500, 4, 1, 1,
    True, False, False,
)  # fmt: skip
ONE = FoundRound(ROW, ("extra_card",), (("cancel", "Maria"),))


def read(form):
    return b"".join(export_rounds([[ONE], [ONE]], form)).decode()


def test_exported_text_is_no_formula_and_negative_numbers_stay_numbers():
    header, one, two = csv.reader(io.StringIO(read("csv"), newline=""))
    assert tuple(header) == COLUMNS
    assert one == two
    row = dict(zip(header, one, strict=True))
    assert row["dealer"] == '\'=HYPERLINK("x")'
    assert row["because"] == 'said "no", and\r\nleft'
    assert (row["kept"], row["currency"], row["manual"], row["faults"]) == ("-500", "EUR", "true", "extra_card")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_looks_like_a_formula_stays_text(text):
    assert to_cell(text) == f"'{text}"
    assert to_cell([text]) == f"'{text}"


def test_json_lines_keep_text_unchanged():
    rounds = [json.loads(line) for line in read("jsonl").splitlines()]
    assert [one["dealer"] for one in rounds] == ['=HYPERLINK("x")'] * 2
    assert (rounds[0]["kept"], rounds[0]["rulings"], rounds[0]["outcome"]) == (-500, ["cancel by Maria"], None)


def test_an_export_has_all_pages_of_a_search(tmp_path, bus, monkeypatch):
    monkeypatch.setattr("controller.floor.history.search.AT_ONCE", 2)

    async def at_it():
        async with studio(tmp_path, bus) as (floor, table):
            table.play(5)
            await until(lambda: count(floor) == 5)
            aurel = await floor.signed_in(AUDITOR)
            answer = await aurel.ask("GET", "/api/floor/export.csv")
            rows = list(csv.DictReader(io.StringIO(text(answer), newline="")))
            assert [row["round"] for row in rows] == ["5", "4", "3", "2", "1"]
            assert all(json.loads(row["outcome"])["winner"] for row in rows)
            lines = text(await aurel.ask("GET", "/api/floor/export.csv?format=jsonl&number=3")).splitlines()
            assert [json.loads(line)["round"] for line in lines] == [3]
            assert text(await aurel.ask("GET", "/api/floor/export.csv?format=jsonl&number=9")) == ""
            assert (await aurel.ask("GET", "/api/floor/export.csv?format=xlsx")).status == 400

    on_loop(at_it)


def test_an_export_from_an_unusable_store_is_refused(tmp_path, bus):
    async def at_it():
        async with studio(tmp_path, bus) as (floor, _):
            aurel = await floor.signed_in(AUDITOR)
            floor.store.rename(tmp_path / "elsewhere")
            for form in TYPES:
                refusal = await aurel.ask("GET", f"/api/floor/export.csv?format={form}")
                assert (refusal.status, refusal.body["reason"]) == (503, "refused"), form

    on_loop(at_it)


def text(answer):
    assert answer.status == 200
    return answer.body.decode() if isinstance(answer.body, bytes) else json.dumps(answer.body)
