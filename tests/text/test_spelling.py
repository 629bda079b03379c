"""Characters that a name may contain; API, config and scripts refuse all others."""

import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.config.mistakes import BadConfig
from controller.config.table_file import check
from controller.core import events as e
from controller.script.reader import BadScript, parse, write_line
from controller.text.spelling import Misspelt, check_name, check_reason, check_text
from controller.web.api.command_decoder import MalformedCommand, read

UNSEEN = {
    "a line break": "\n",
    "a terminal's escape": "\x1b",
    "a soft hyphen": "\xad",
    "zero width": "\u200b",
    "zero width that joins": "\u200d",
    "right to left": "\u200f",
    "right to left from here": "\u202e",
    "a line's separator": "\u2028",
    "a paragraph's separator": "\u2029",
    "an isolate": "\u2066",
    "a byte order mark": "\ufeff",
    "private": "\ue000",
    "half a character": "\ud800",
    "no character": "\uffff",
    "a tag": "\U000e0041",
    "a letter without a shape": "\u3164",
    "a mark without a shape": "\u034f",
    "a variant of the letter before": "\ufe0f",
    "a blank": "\u2800",
}
WRITABLE = {what: one for what, one in UNSEEN.items() if one != "\ud800"}  # in JSON
unseen = pytest.mark.parametrize("character", UNSEEN.values(), ids=UNSEEN)


@unseen
def test_an_invisible_character_is_refused_in_names_and_reasons(character):
    for text in (character, f"p{character}1", f"{character}p1", f"p1{character}"):
        for refused in (check_name, check_text):
            with pytest.raises(Misspelt, match=f"got U\\+{ord(character):04X}"):
                refused(text)


@pytest.mark.parametrize(
    "name", ["p1", "Anna-Maria O'Neil 2", "Zoë", "Ștefan", "李小龍", "Ωμέγα", "दिव्या", "💥", "a b c"]
)
def test_a_name_in_any_script_is_accepted(name):
    check_name(name)


@pytest.mark.parametrize("name", [" p1", "p1 ", "p  1", "p\xa01", "p\u30001", "p\u20091", " "])
def test_a_name_has_only_single_plain_spaces_between_words(name):
    with pytest.raises(Misspelt, match="expected a name with single plain spaces between its words"):
        check_name(name)


@pytest.mark.parametrize("name", ["Zoe\u0308", "\u212b", "\u1100\u1161"])
def test_a_letter_with_its_accent_is_written_in_one_way(name):
    with pytest.raises(Misspelt, match="in Unicode's form NFC"):
        check_name(name)
    check_name(unicodedata.normalize("NFC", name))


def test_a_reason_may_hold_any_spaces():
    check_reason("  misread\xa0: 9\u202fH, ange\u0301la's shoe ")


@pytest.mark.parametrize("blank", ["", " ", "\xa0\u2003 "])
def test_a_reason_of_spaces_alone_is_refused(blank):
    with pytest.raises(Misspelt, match="expected a reason"):
        check_reason(blank)


@given(st.text(max_size=12))
@example("p1\u202e")
def test_an_accepted_name_has_only_visible_characters_in_nfc(text):
    try:
        check_name(text)
    except Misspelt:
        return
    characters = "".join(character for character in text if unicodedata.category(character)[0] not in "CZ")
    assert len(characters) + text.count(" ") == len(text)
    assert unicodedata.normalize("NFC", " ".join(text.split())) == text


# ── where names come in ──────────────────────────────────────────────────────────────────────────────────────────

SAID = (
    {"command": "bet", "id": "1", "player": "NAME", "market": "tie", "stake": 1, "round": 1},
    {"command": "bet", "id": "NAME", "player": "p1", "market": "tie", "stake": 1, "round": 1},
    {"command": "unbet", "id": "1", "player": "NAME", "market": "tie", "round": 1},
    {"command": "decide", "id": "1", "who": "NAME", "decision": "call", "question": 1},
    {"command": "gone", "id": "1", "player": "NAME"},
    {"command": "dealer", "id": "1", "name": "NAME"},
    {"command": "open", "id": "1", "by": "NAME"},
    {"command": "shoe", "id": "1", "do": "ready", "shoe": "NAME"},
    {"command": "rule", "id": "1", "fault": 1, "ruling": "burn", "because": "NAME"},
)


@pytest.mark.parametrize("character", WRITABLE.values(), ids=WRITABLE)
def test_no_command_accepts_a_name_with_invisible_characters(character):
    for command in SAID:
        (field,) = (field for field, value in command.items() if value == "NAME")
        named = {**command, field: f"p{character}1"}
        with pytest.raises(MalformedCommand, match=rf"that can be seen.* - at `\$\[1\]\.{field}`"):
            read(json.dumps([SAID[0], named]).encode())


@pytest.mark.parametrize("key", ["name", "dealer"])
def test_no_config_accepts_a_name_with_invisible_characters(key):
    with pytest.raises(BadConfig, match=rf"table\.{key}: expected characters that can be seen, got U\+202E right-to"):
        check({"table": {key: "d\u202e1"}})


@unseen
def test_a_script_refuses_invisible_characters_outside_comments(character):
    for line in (f"gone 'p{character}1'", f'["gone", "p{character}1"]'):
        with pytest.raises(BadScript):
            parse(line)


@pytest.mark.parametrize("character", WRITABLE.values(), ids=WRITABLE)
def test_an_exported_script_escapes_invisible_characters(character):
    text = write_line(e.LineCut(f"p{character}1"))
    check_text(text)
    assert parse(text) == [(1, e.LineCut(f"p{character}1"))]


def test_a_comment_in_a_script_is_not_read():
    assert parse("open # \u202e") == parse("open")
