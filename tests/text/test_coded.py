"""Coded messages: each code has its parts and texts, and people read it in their own language."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from controller.bus.bus_client import REFUSALS, reason_of
from controller.core import records as r
from controller.core.coded_message import CodedMessage, Parts, coded
from controller.core.encoding import decode, encode
from controller.core.mark import Mark
from controller.core.records import Record
from controller.core.state import Loss, State
from controller.core.witness import contradiction
from controller.floor.live.page_head import FloorFacts, head
from controller.floor.live.strips import Alarmed, StripFacts, strip
from controller.floor.shared_state.documents import HeldAlarm
from controller.text.bus_messages import BUS as OF_BUS
from controller.text.caller_texts import CALLERS
from controller.text.coded import MESSAGES, OF_ENGINEERS, Defect, render
from controller.text.faults import Words
from controller.text.floor_messages import FLOOR
from controller.text.journal_messages import JOURNAL
from controller.text.older_reasons import OF_ANCHORS
from controller.text.pc_texts import PC
from controller.text.refusals import REFUSALS as REFUSED
from controller.text.request_messages import REQUESTS
from controller.text.station_messages import STATION
from controller.text.story import tell
from controller.text.table_words import TableWords
from tests.core.bench import Bench
from tests.floor.statuses import START, status

ENGLISH, ROMANIAN = Words("en"), Words("ro")
CONTROLLER = Path(__file__).parents[2] / "controller"
SYSTEM = "/mnt/a b: read-only file system"
BUS, ANCHOR = coded("the_bus"), coded("the_anchor", path="/mnt/anchor")


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# ── the codes and their parts ────────────────────────────────────────────────────────────────────────────────────────


@cache
def made() -> list[tuple[str, ast.Call]]:
    """Return all calls in the program that make a coded message, with file and line."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in CONTROLLER.rglob("*.py"))
    trees = ((path, ast.parse(text)) for path, text in texts if "coded(" in text)
    nodes = ((path, node) for path, tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [(f"{path}:{one.lineno}", one) for path, one in nodes if getattr(one.func, "id", "") == "coded"]


WITHOUT_PARTS = {*REFUSALS.values(), "another_file", "written_by_others", "file_removed"}  # chosen at run time


def named_by(call: ast.Call) -> list[str]:
    """Return the codes that a call can make: the one it names, or all that fit its pattern."""
    code = call.args[0]
    if isinstance(code, ast.Constant):
        return [str(code.value)]
    if not isinstance(code, ast.JoinedStr):
        return []
    pattern = "".join(re.escape(one.value) if isinstance(one, ast.Constant) else r"\w+" for one in code.values)
    return [name for name in MESSAGES if re.fullmatch(pattern, name)] or [pattern]


def test_every_code_is_made_with_the_parts_of_its_text():
    wrong = [
        (at, code)
        for at, one in made()
        for code in named_by(one)
        if {keyword.arg for keyword in one.keywords if keyword.arg} != blanks(MESSAGES.get(code, "{no such code}"))
        and not any(keyword.arg is None for keyword in one.keywords)
    ]
    assert wrong == []
    assert {code for code in WITHOUT_PARTS if blanks(PC[code])} == set()
    assert {code for code in OF_ANCHORS.values() if blanks(PC[code]) != {"path"}} == set()


def test_every_code_is_made_somewhere():
    named = {code for _, one in made() for code in named_by(one)}
    assert set(MESSAGES) - named - WITHOUT_PARTS == set()


def test_each_code_has_one_text():
    rooms = (PC, CALLERS, REFUSED, OF_BUS, FLOOR, JOURNAL, REQUESTS, STATION)
    assert len(MESSAGES) == sum(map(len, rooms))


def test_every_declared_part_is_used_by_a_text():
    assert set(Parts.__annotations__) == set(chain.from_iterable(map(blanks, MESSAGES.values())))


# ── one language or another ──────────────────────────────────────────────────────────────────────────────────────────

values = st.text("/abz019.{}", min_size=1, max_size=12)


ALIKE = {"bus_unreachable", "role_dealer", "role_auditor", "command_dealer"}  # same text in both languages


@settings(max_examples=15)
@given(st.data())
def test_every_message_is_told_in_romanian_with_its_parts(data):
    for code, text in MESSAGES.items():
        numbers = {name for _, name, form, _ in Formatter().parse(text) if form or name == "seconds"}
        parts = {name: 1.5 if name in numbers else data.draw(values) for name in blanks(text)}
        message = CodedMessage(code, parts)
        assert render(message) == text.format(**parts)
        assert render(message, ROMANIAN.say) == ROMANIAN.say(text).format(**parts)
        assert ROMANIAN.say(text) != text or code in ALIKE or code in OF_ENGINEERS


def test_nested_messages_are_translated_but_system_errors_are_not():
    def told(message):
        return render(message, ROMANIAN.say)

    silent = coded("not_anchored", since=coded("the_start"), reason=coded("disk_silent", path="/mnt/a b"))
    assert told(silent) == "jurnalul nu este ancorat de la pornire: /mnt/a b: discul nu răspunde"
    assert told(coded("not_anchored", since=17, reason=SYSTEM)) == f"jurnalul nu este ancorat de la 17: {SYSTEM}"
    assert told(coded("bus_trouble", reason=reason_of(TimeoutError()))) == "magistrală: niciun răspuns la timp"


def test_the_code_decides_the_text_not_the_english_beside_it():
    """If the code is known, its text in the reader's language replaces the recorded English sentence."""
    assert Defect("the line to the bus, is cut", coded("bus_cut")).text_in(ROMANIAN.say) == (
        "legătura cu magistrala este întreruptă"
    )


@pytest.mark.parametrize("message", [CodedMessage("of_another_version"), CodedMessage("unsent")])
def test_a_code_of_another_version_is_told_in_english(message):
    assert Defect("something new", message).text_in(ROMANIAN.say) == "something new"
    assert render(message) == message.code


def test_a_message_with_an_unknown_part_is_read():
    line = b'{"code":"unsent_after","parts":{"after":5,"reason":{"code":"no_answer"},"later":[1]}}'
    assert msgspec.json.decode(line, type=CodedMessage) == coded("unsent_after", after=5, reason=coded("no_answer"))


# ── a record that is not the one remembered ──────────────────────────────────────────────────────────────────────────


def all_contradictions():
    """Yield each way in which a record contradicts the remembered one."""
    state = Bench().state
    epoch, last = state.identity.epoch, state.seq
    mark = Mark(epoch, last, "ab", "bench", UNSET)
    yield contradiction(State(), mark, None, BUS)
    yield contradiction(state, replace(mark, epoch="other", past={epoch: 3}), None, BUS)
    yield contradiction(state, replace(mark, epoch="other"), None, BUS)
    begun_anew = replace(state, losses=(Loss("first", 2, None),))
    yield contradiction(begun_anew, replace(mark, epoch="other", past={"first": 3}), None, BUS)
    yield contradiction(state, replace(mark, seq=last + 1), None, BUS)
    yield contradiction(state, replace(mark, seq=last + 7), None, BUS)
    yield contradiction(state, mark, None, BUS)
    yield contradiction(replace(state, unheard=last), mark, "cd", BUS)
    yield contradiction(state, mark, "cd", ANCHOR)


def test_every_witness_contradiction_is_told_in_romanian():
    found = list(all_contradictions())
    source = (CONTROLLER / "core" / "witness.py").read_text(encoding="utf-8")
    assert len({one.message.code for one in found}) == source.count("Contradiction(") - 1  # less the class itself
    for one in found:
        text = render(one.message, ROMANIAN.say)
        assert "ține minte" in text or "pe care" in text
        assert not {"remembers", "record", "records", "table", "epoch"} & set(text.split())


# ── records ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def story(line: bytes) -> str:
    return tell(TableWords(ROMANIAN), "baccarat", [decode(line)])


OLD = b'{"seq":7,"at":"2026-01-01T00:00:00.000000Z","kind":"anchor_lost","table":"t1","reason":"%s","required":true}'


@pytest.mark.parametrize(
    ("reason", "romanian"),
    [
        (b"/mnt/a: the anchor is not there: mount its disk", "/mnt/a: ancora nu este aici: montați discul ei"),
        (b"/mnt/a: its disk does not answer", "/mnt/a: discul nu răspunde"),
        (b"the config names no anchor any more", ROMANIAN.say(PC["anchor_unnamed"])),
        (b"/mnt/a: read-only file system", "/mnt/a: read-only file system"),
    ],
)
def test_a_record_without_codes_is_told_in_romanian_and_unchanged(reason, romanian):
    line = OLD % reason
    assert encode(decode(line)) == line
    assert f": {romanian};" in story(line)


def test_every_reason_of_older_records_is_still_told_in_romanian():
    for reason, code in OF_ANCHORS.items():
        assert ROMANIAN.say(PC[code]).format(path="/mnt/a") in story(OLD % f"/mnt/a: {reason}".encode())


def test_a_record_with_a_code_is_told_by_the_code():
    what = r.AnchorLost("another wording", False, coded("anchor_copied", path="/mnt/a"))
    line = encode(Record(7, START, "t1", what))
    assert decode(line).what == what
    assert ROMANIAN.say(PC["anchor_copied"]).format(path="/mnt/a") in story(line)


# ── the floor ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_bus_failure_is_shown_in_the_pages_language():
    floor = FloorFacts("main", coded("bus_cut"), 0, (), {}, 6, START)
    lines = [head((), floor, language).line for language in ("en", "ro")]
    assert PC["bus_cut"] in lines[0]
    assert "legătura cu magistrala este întreruptă" in lines[1]


def test_open_and_ended_pc_alarms_use_the_pages_language():
    message = coded("not_anchored", since=17, reason="/mnt/anchor: no space left on device")
    heads = {}
    for standing in (True, False):
        held = HeldAlarm("2026-01-01T00:00:00.000000Z", text=render(message), message=message)
        facts = StripFacts(status(), 0, None, "", None, None, (Alarmed("t1:trouble:1", held, standing),), START)
        heads[standing] = [strip(facts, language).alarms[0].head for language in ("en", "ro")]
    assert (
        heads[True]
        == heads[False]
        == [
            f"At its PC: {render(message)}",
            "La calculatorul ei: jurnalul nu este ancorat de la 17: /mnt/anchor: no space left on device",
        ]
    )
