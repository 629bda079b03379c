"""Tests of the verdicts of a run and of their table."""

import tomllib
from dataclasses import replace
from pathlib import Path

from tests.mutants.mutant import MutantPlace, mutant_at
from tests.mutants.results import EQUIVALENT as EXPLAINED
from tests.mutants.results import MutantResults, MutantVerdict, explained, read, table

ROOT = Path(__file__).parents[2]
MUTANT = mutant_at(MutantPlace("a", "drivers/shoes/a.py", 0), "x = 1\n", "x = 2\n")
SURVIVED = MutantVerdict.of(MUTANT, killed=False, by="", tried=7, seconds=1.5)
KILLED = replace(SURVIVED, key="b", path="controller/core/b.py", word="killed", by="tests/test_b.py::test_b")
EQUIVALENT = """[[mutant]]
path = "{path}"
was = "x = 1"
now = "x = 2"
why = "nothing reads x"
"""


def test_an_interrupted_run_continues_with_its_verdicts(tmp_path):
    file = tmp_path / "results.jsonl"
    MutantResults(file).add(SURVIVED)
    with file.open("a", encoding="utf-8") as cut:
        cut.write('{"key": "b", "pa')
    assert MutantResults(file).verdicts == {"a": SURVIVED}


def test_the_last_verdict_on_a_mutant_counts(tmp_path):
    results = MutantResults(tmp_path / "results.jsonl")
    results.add(SURVIVED)
    results.add(replace(SURVIVED, word="killed"))
    assert [one.word for one in read(tmp_path / "results.jsonl")] == ["killed"]


def test_a_verdict_by_an_unreliable_test_is_dropped():
    results = MutantResults(None)
    results.add(SURVIVED)
    results.add(KILLED)
    assert results.killers() == [KILLED.by]
    results.forget(results.killers())
    assert list(results.verdicts) == [SURVIVED.key]


def test_an_explained_survivor_is_equivalent_in_its_own_module_only(tmp_path):
    for path, word in {"drivers/shoes/a.py": "equivalent", "drivers/shoes/b.py": "survived"}.items():
        entries = tmp_path / "equivalent.toml"
        entries.write_text(EQUIVALENT.format(path=path), encoding="utf-8")
        assert [one.word for one in explained([SURVIVED], entries)] == [word]


def test_a_survivor_is_shown_with_its_place_and_change():
    assert str(SURVIVED) == "survived: drivers/shoes/a.py:1\n  - x = 1\n  + x = 2"


def test_the_rates_by_room_leave_equivalent_mutants_out():
    others = [replace(SURVIVED, word=word) for word in ("equivalent", "refused")]
    rows = [row.split() for row in table([SURVIVED, KILLED, *others]).splitlines()]
    assert rows[1:] == [
        ["controller/core", "1", "1", "0", "0", "0", "100%", "100%"],
        ["drivers/shoes", "3", "0", "1", "1", "1", "0%", "50%"],
        ["all", "4", "1", "1", "1", "1", "33%", "67%"],
    ]


def test_every_equivalent_mutant_changes_a_line_of_today():
    entries = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["mutant"]
    lines = {one["path"]: (ROOT / one["path"]).read_text(encoding="utf-8") for one in entries}
    assert [(one["path"], one["was"]) for one in entries if one["was"] not in lines[one["path"]]] == []
