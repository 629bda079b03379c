"""Tables of `journal export --tables`, loaded into SQL: they agree with the record's statistics."""

import json
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from controller.cli import main
from controller.core.bounds import MOST_NUMBER, MOST_STAKE
from controller.core.currency import to_amount
from controller.journal import Journal, read
from controller.reports.table_rows import record_rows
from controller.reports.tables import SHEETS
from tests.cli.conftest import CANCELLED, HOLDEM_LIVE, SETTLED
from tests.cli.test_journal_commands import edit
from tests.core.chance import Judge
from tests.folders import in_memory
from tests.repeats import first_of

TYPES = {"string": "VARCHAR", "integer": "BIGINT", "boolean": "BOOLEAN", "datetime": "TIMESTAMPTZ", "object": "JSON"}
PLAY = (
    SETTLED
    + "open\nbet p1 tie 5.00\nbet p2 player 7.50\nunbet p1 tie\nclose\ncard 2C\ncard 3C\ncard 4C\ncard 5C\n"
    + 'card 6C\ncard 7C\ncard 8C\nrule burn by m1 because "stuck"\n'
    + CANCELLED
)


def opened(folder: Path) -> duckdb.DuckDBPyConnection:
    """Load exported tables into DuckDB with the types and keys of their schema, which it enforces."""
    db = duckdb.connect()
    package = json.loads((folder / "datapackage.json").read_text())
    for resource in package["resources"]:
        table, schema = resource["name"], resource["schema"]
        columns = [
            f'"{one["name"]}" {TYPES[one["type"]]}{" NOT NULL" if one.get("constraints") else ""}'
            for one in schema["fields"]
        ]
        keys = [f"PRIMARY KEY ({_names(schema['primaryKey'])})"]
        for key in schema.get("foreignKeys", ()):
            target = key["reference"]
            keys.append(
                f"FOREIGN KEY ({_names(key['fields'])}) REFERENCES {target['resource']} ({_names(target['fields'])})"
            )
        db.execute(f"CREATE TABLE {table} ({', '.join([*columns, *keys])})")
        texts = [one["name"] for one in schema["fields"] if one["type"] == "string" and one.get("constraints")]
        empty = f"FORCE_NOT_NULL ({_names(texts)})"  # a bench allows a player without a name, a table does not
        db.execute(f"COPY {table} FROM '{folder / resource['path']}' (HEADER, NULLSTR '', {empty})")
    return db


def _names(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


HOLDEM_WON = """card AS
card KS
card 2D
card 3D
card QS
card JS
card TS
decide p1 call
decide p2 call
card 4D
card 5H
"""

SUMS = """
SELECT count(*) AS rounds,
  count(*) FILTER (NOT cancelled) AS settled,
  count(*) FILTER (cancelled) AS cancelled,
  (SELECT coalesce(sum(amount), 0) FROM movements JOIN rounds USING (round_id)
     WHERE NOT training AND kind = 'debit' AND cause <> 'resettled') AS staked,
  (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount ELSE -amount END), 0) FROM movements JOIN rounds
     USING (round_id) WHERE NOT training AND cause = 'resettled') AS adjusted,
  (SELECT coalesce(sum(bets.adjusted), 0) FROM bets JOIN rounds USING (round_id) WHERE NOT training) AS revised,
  (SELECT coalesce(sum(amount), 0) FROM movements JOIN rounds USING (round_id)
     WHERE NOT training AND cause = 'paid') AS paid_out,
  (SELECT coalesce(sum(returned), 0) FROM bets JOIN rounds USING (round_id)
     WHERE NOT training AND bets."end" = 'withdrawn') AS withdrawn,
  (SELECT coalesce(sum(returned), 0) FROM bets JOIN rounds USING (round_id)
     WHERE NOT training AND bets."end" = 'refunded') AS refunded,
  (SELECT count(*) FROM faults WHERE NOT training) AS faults,
  (SELECT count(*) FROM rulings JOIN faults ON rulings.fault = faults.seq WHERE NOT rulings.training) AS rulings
FROM rounds WHERE NOT training
"""


def agrees(tablectl, path: Path, folder: Path) -> duckdb.DuckDBPyConnection:
    """Export a record's tables and assert that they sum to `journal stats`; return the database."""
    tablectl("journal", "export", path, "--tables", folder)
    db = opened(folder)
    rows = db.execute(SUMS)
    found = dict(zip([column[0] for column in rows.description], rows.fetchone(), strict=True))
    whole = json.loads(tablectl("journal", "stats", path, "--json").stdout.splitlines()[0])
    stats = {name: whole[name] for name in found}
    stats |= {name: sum(whole[name].values()) for name in ("faults", "rulings")}
    assert found == stats
    ends = [
        (one["round"], one["end"])
        for one in map(json.loads, tablectl("journal", "list", path, "--json").stdout.splitlines())
    ]
    assert db.execute('SELECT round, "end" FROM rounds ORDER BY round').fetchall() == [
        one for one in ends if one[1] != "live"
    ]
    return db


def test_exported_tables_sum_to_the_statistics(tablectl, record, tmp_path):
    db = agrees(tablectl, record(PLAY), tmp_path / "tables")
    per_bet = "SELECT bet, sum(CASE kind WHEN 'debit' THEN 1 ELSE 0 END), count(*) FROM movements GROUP BY bet"
    assert {row[1:] for row in db.execute(per_bet).fetchall()} == {(1, 2)}  # each bet has one debit and one credit
    lost = "SELECT player, stake, returned FROM bets WHERE \"end\" = 'paid' ORDER BY placed_at, player"
    assert db.execute(lost).fetchall()[0] == ("p1", 1000, 2000)
    burnt = "SELECT card, place FROM cards WHERE \"end\" = 'burnt'"
    assert db.execute(burnt).fetchall() == [("6C", None)]


def test_exported_tables_say_what_was_corrected_later(tablectl, record, tmp_path):
    """`cards` has the cards as they lay; who corrected which card, and why, has a table of its own."""
    play = PLAY + "resettle 1 correct 1 8C by anna with bo because camera\nresettle 1 void by anna with bo because x\n"
    db = agrees(tablectl, record(play), tmp_path / "tables")
    query = 'SELECT round, resettlements.revision, amendments, "by", "second", because FROM resettlements'
    assert db.execute(f"{query} JOIN rounds USING (round_id) ORDER BY seq").fetchall() == [
        (1, 1, '[{"ruling":"correct","draw":1,"card":"8C"}]', "anna", "bo", "camera"),
        (1, 2, '[{"ruling":"cancel"}]', "anna", "bo", "x"),
    ]


def _run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


class ExportedTables(Judge):
    """Judge: exported tables keep their keys and sum to `journal stats`, up to the last round's end."""

    def __init__(self, bench):
        super().__init__(bench)
        self.ended = len(bench.records)

    def look(self, before, event, records, after):
        if not after.live:
            self.ended = len(self.bench.records)

    def end(self):
        with in_memory() as folder:
            path = Path(folder) / "t.journal"
            with closing(Journal(path)) as journal:
                journal.append(self.bench.records[: self.ended])
            agrees(_run, path, Path(folder) / "tables").close()


def whole_numbers(value):
    """Yield all whole numbers in parsed JSON, at any depth."""
    if isinstance(value, int):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from whole_numbers(part)


@pytest.mark.parametrize("units", [-(2**70), 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**70, MOST_STAKE, MOST_STAKE + 1])
@pytest.mark.parametrize(("game", "market"), first_of(1, [("baccarat", "tie"), ("casino_holdem", "ante")]))
def test_no_stake_of_a_script_breaks_an_export(tablectl, record, tmp_path, game, market, units):
    dealt = "card 9C\ncard 9D\ncard KH\ncard KS\n" if market == "tie" else HOLDEM_WON
    stake = to_amount(units, "EUR")
    path = record(f"shuffled\nopen\nbet p1 {market} {stake:f}\nbet p2 {market} 1.00\nclose\n{dealt}", game)
    agrees(tablectl, path, tmp_path / "tables")
    for form in ([], ["--audience", "server"]):
        lines = tablectl("journal", "export", path, *form).stdout.splitlines()
        assert max(map(abs, whole_numbers([json.loads(line) for line in lines]))) <= MOST_NUMBER
    for command in (["stats"], ["replay"], ["events"], ["list"], ["export", "--format", "csv"]):
        tablectl("journal", command[0], path, *command[1:])
    again = tmp_path / "again"
    again.write_text(tablectl("journal", "export", path, "--script").stdout)
    tablectl("play", game, again, "--journal", tmp_path / "again.journal")
    stakes = [event["stake"] for event in map(json.loads, lines) if event["kind"] == "bet_accepted"]
    assert stakes == ([units] if 0 < units <= MOST_STAKE else []) + [100]


def test_exported_tables_leave_out_the_live_round(tablectl, record, tmp_path):
    path = record(HOLDEM_LIVE, "casino_holdem")
    tablectl("journal", "export", path, "--tables", tmp_path / "tables")
    assert {len((tmp_path / "tables" / f"{name}.csv").read_text().splitlines()) for name in SHEETS} == {1}


def test_an_export_that_fails_leaves_no_files(tablectl, record, tmp_path):
    path = record(SETTLED + SETTLED)
    edit(path, "DELETE FROM records WHERE seq = 20")
    assert "missing: record 21" in tablectl("journal", "export", path, "--tables", tmp_path / "out", exit_code=2).stderr
    assert [*(tmp_path / "out").iterdir()] == []


def test_no_file_is_written_over(tablectl, record, tmp_path):
    path, folder = record(SETTLED), tmp_path / "tables"
    folder.mkdir()
    (folder / "bets.csv").write_text("mine")
    (line,) = tablectl("journal", "export", path, "--tables", folder, exit_code=2).stderr.splitlines()
    assert line.startswith(f"tablectl: {folder / 'bets.csv'} exists already: name a new folder")
    assert [one.name for one in folder.iterdir()] == ["bets.csv"]


@pytest.mark.parametrize("more", [["--dealer", "d1"], ["--round", "1"], ["--since", "2026-01-01"]])
def test_exporting_tables_of_part_of_a_record_is_refused(tablectl, record, tmp_path, more):
    (line,) = tablectl(
        "journal", "export", record(SETTLED), "--tables", tmp_path / "t", *more, exit_code=2
    ).stderr.splitlines()
    assert line.startswith("tablectl: --tables: writes the whole record; leave the filters out")


@pytest.mark.parametrize("option", [["--audience", "player"], ["--format", "csv"]])
@pytest.mark.parametrize("form", ["--script", "--tables"])
def test_an_option_that_the_form_leaves_unused_is_refused(tablectl, record, tmp_path, form, option):
    forms = [form, *([tmp_path / "t"] if form == "--tables" else [])]
    result = tablectl("journal", "export", record(SETTLED), *forms, *option, exit_code=2)
    assert result.stderr.startswith(f"tablectl: {option[0]}: expected neither --script nor --tables beside it")
    assert result.stdout == ""


def test_a_script_and_tables_are_not_exported_at_once(tablectl, record, tmp_path):
    refusal = tablectl("journal", "export", record(SETTLED), "--script", "--tables", tmp_path / "t", exit_code=2).stderr
    assert refusal.startswith("tablectl: expected --script or --tables, got both")
    assert not (tmp_path / "t").exists()


def test_an_export_holds_one_round_in_memory_at_most(record):
    """An export gives out a round's row as soon as the next round begins, however long the record is."""
    path = record(SETTLED * 3)
    rounds = []
    records = list(read(path))
    rows = record_rows((rounds.append(one.round) or one for one in records), 3)
    first = next(row for name, row in rows if name == "rounds")
    assert (first["round"], max(filter(None, rounds))) == (1, 2)
