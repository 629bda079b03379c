"""Troubles of a table's PC, sent in English and shown in the language of the floor's page."""

import ast
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from controller.bus.line import words_of
from controller.core.mark import Mark
from controller.core.state import Loss, State
from controller.core.witness import contradiction
from controller.floor.documents import Held
from controller.floor.heads import Floor, head
from controller.floor.strips import Alarmed, Known, strip
from controller.text import pc_texts
from controller.text.faults import Words
from controller.text.pc_words import in_words
from tests.core.bench import Bench
from tests.floor.statuses import START, status

ENGLISH, ROMANIAN = Words("en"), Words("ro")
ROOT = Path(__file__).parents[2] / "controller"
TEXTS = [text for name, text in vars(pc_texts).items() if name.isupper()]
words_that_a_path_may_have = st.text("/abz019.", min_size=1, max_size=12)


@settings(max_examples=15)
@given(st.data())
def test_every_trouble_is_translated_to_romanian_with_its_parts(data):
    for text in TEXTS:
        parts = {name: data.draw(words_that_a_path_may_have) for _, name, _, _ in Formatter().parse(text) if name}
        line = text.format(**parts)
        assert in_words(line, ENGLISH) == line
        assert in_words(line, ROMANIAN) == ROMANIAN.say(text).format(**parts)
        assert ROMANIAN.say(text) != text


def test_nested_troubles_are_translated_but_system_errors_are_not():
    line = "the record is not anchored since the start: /mnt/a b: its disk does not answer"
    assert in_words(line, ROMANIAN) == "jurnalul nu este ancorat de la pornire: /mnt/a b: discul nu răspunde"
    line = "the record is not anchored since 17: /mnt/anchor: read-only file system"
    assert in_words(line, ROMANIAN) == "jurnalul nu este ancorat de la 17: /mnt/anchor: read-only file system"
    line = f"bus: {words_of(TimeoutError())}"
    assert in_words(line, ROMANIAN) == "magistrală: niciun răspuns la timp"
    assert in_words("something of another version", ROMANIAN) == "something of another version"


def all_contradictions():
    """Each way in which a record is not the one that is remembered."""
    state = Bench().state
    epoch, last = state.identity.epoch, state.seq
    mark = Mark(epoch, last, "ab", "bench", UNSET)
    yield contradiction(State(), mark, None, pc_texts.THE_BUS)
    yield contradiction(state, replace(mark, epoch="other", past={epoch: 3}), None, pc_texts.THE_BUS)
    yield contradiction(state, replace(mark, epoch="other"), None, pc_texts.THE_BUS)
    begun_anew = replace(state, losses=(Loss("first", 2, None),))
    yield contradiction(begun_anew, replace(mark, epoch="other", past={"first": 3}), None, pc_texts.THE_BUS)
    yield contradiction(state, replace(mark, seq=last + 1), None, pc_texts.THE_BUS)
    yield contradiction(state, replace(mark, seq=last + 7), None, pc_texts.THE_BUS)
    yield contradiction(state, mark, None, pc_texts.THE_BUS)
    yield contradiction(replace(state, unheard=last), mark, "cd", pc_texts.THE_BUS)
    yield contradiction(state, mark, "cd", pc_texts.THE_ANCHOR.format(path="/mnt/anchor"))


def test_every_witness_contradiction_is_translated_to_romanian():
    found = list(all_contradictions())
    source = (ROOT / "core" / "witness.py").read_text(encoding="utf-8")
    assert len({one.says for one in found}) == source.count("return Contradiction(") + 1  # one of them in two forms
    for one in found:
        told = in_words(one.says, ROMANIAN)
        assert "ține minte" in told or "pe care" in told
        assert not {"remembers", "record", "records", "table", "epoch"} & set(told.split())


TELLS = {"trouble", "_doubt", "_problem", "problem", "_damage", "_kept", "words_of"}  # assigned, or what returns it
OF_A_PC = [
    *(ROOT / "station" / f"{name}.py" for name in ("custody", "anchoring", "verifying")),
    *(ROOT / "web" / "net" / f"{name}.py" for name in ("certificate", "address")),
    *(ROOT / "bus" / f"{name}.py" for name in ("bus", "line", "publisher", "work")),
]


def troubles_in(path):
    """Yield the expressions in a module that make the text of a trouble."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {getattr(one, "attr", getattr(one, "id", "")) for target in targets for one in ast.walk(target)}
            yield from [node.value] if names & TELLS and node.value is not None else []
        elif isinstance(node, ast.FunctionDef) and node.name in TELLS:
            yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None)


def in_plain_words(made):
    """Texts in it that are no figures, marks or arguments."""
    parts = [one for one in ast.walk(made) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [one.value for one in parts if " " in one.value.strip() or one.value.strip().isalpha()]


@pytest.mark.parametrize("path", OF_A_PC, ids=lambda path: path.stem)
def test_no_trouble_is_written_out_where_it_is_found(path):
    found = list(troubles_in(path))
    assert found
    assert {text for made in found for text in in_plain_words(made)} <= {"nats: ", "verify_message"}


def test_the_bus_failure_is_shown_in_the_pages_language():
    lines = [head((), Floor("main", pc_texts.CUT, 0, (), {}, 6, START), language).line for language in ("en", "ro")]
    assert pc_texts.CUT in lines[0]
    assert "legătura cu magistrala este întreruptă" in lines[1]


def test_open_and_ended_pc_alarms_use_the_pages_language():
    line = pc_texts.NOT_ANCHORED.format(since=17, reason="/mnt/anchor: no space left on device")
    told = {}
    for standing in (True, False):
        alarm = Alarmed("t1:trouble:1", Held("2026-01-01T00:00:00.000000Z", text=line), standing)
        known = Known(status(), 0, None, "", None, None, (alarm,), START)
        told[standing] = [strip(known, language).alarms[0].head for language in ("en", "ro")]
    assert (
        told[True]
        == told[False]
        == [
            f"At its PC: {line}",
            "La calculatorul ei: jurnalul nu este ancorat de la 17: /mnt/anchor: no space left on device",
        ]
    )
