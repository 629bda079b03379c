"""Kept sentences for records of every kind and shape, and kept stories in each language."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.notation import cause_text, written_fields
from controller.core.views import Audience, view
from controller.lab.testing.chance import MEANWHILE, REPORTS, SOMETHING
from controller.text.faults import LANGUAGES, Words
from controller.text.records import QUIET, sentence
from controller.text.story import tell
from controller.text.table_words import TableWords
from tests.kept_files import is_kept
from tests.web.random_records import all_records, records_by_game

HERE = Path(__file__).parent / "kept"
UNSEEN = ("seq", "at", "salt", "round", "shoe", "person", "bet", "draw")  # do not change the form of a sentence

OTHERS = (
    e.Begin("e1", 0), e.OpenTable("m"), e.KeyPressed("finish"), e.WithdrawBet("p1", "tie"), e.LineCut("p1"),
    e.LineBack("p1"), e.NoText("open"), e.CardOut("9C", "player", 2),
    e.JournalBack("disk full", 1234), e.AnchorChecked("lost", "away"),
)  # fmt: skip


def shape(event: Mapping[str, Any]) -> str:
    """Return what gives an event's sentence its form: the filled fields and all words in lower case."""
    own = {name: value for name, value in event.items() if name not in UNSEEN}
    words = {name: value if isinstance(value, str) and value.islower() else bool(value) for name, value in own.items()}
    return msgspec.json.encode(words, order="sorted").decode()


def sentences(audience: Audience) -> Iterator[str]:
    """Yield a sentence for each shape of each kind of record, at most 15 a kind."""
    shapes: dict[str, set[str]] = {}
    for record in all_records():
        event = msgspec.to_builtins(view(record, audience))
        forms = shapes.setdefault(event["kind"], set())
        if (form := shape(event)) not in forms and len(forms) < 15:
            forms.add(form)
            yield f"{event['kind']}: {sentence(event)}"


def stories(language: str) -> Iterator[str]:
    """Yield a line of a story for each shape of each kind of record, at most 8 a kind."""
    words, shapes = TableWords(Words(language)), defaultdict[str, set[str]](set)
    for game, record in records_by_game():
        event = msgspec.to_builtins(view(record, "manager"))
        forms = shapes[event["kind"]]
        if event["kind"] not in QUIET and (form := shape(event)) not in forms and len(forms) < 8:
            forms.add(form)
            yield f"{event['kind']}: {tell(words, game, [record])}"


def ignored() -> Iterator[str]:
    """Yield the words for each ignored input, and for inputs that came instead of the expected step."""
    for event in (*SOMETHING, *REPORTS, *MEANWHILE, *OTHERS):
        try:
            yield f"{event}: {written_fields(r.Ignored(event, 'idle'))['what']}"
        except KeyError:
            yield f"{event}: is never ignored"
        if isinstance(event, e.CardOut | e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice):
            yield f"{event} came: {cause_text(event)}"


@pytest.mark.parametrize("audience", ["manager", "player"])
def test_the_sentence_for_a_record_is_as_it_was_kept(audience):
    assert is_kept(HERE / f"sentences.{audience}.txt", "\n".join(sorted(sentences(audience))))


def test_words_for_an_ignored_input_are_as_kept():
    assert is_kept(HERE / "ignored.txt", "\n".join(ignored()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_a_record_is_as_it_was_kept(language):
    lines = sorted(stories(language))
    assert [line for line in lines if re.search(r"None|[{}]", line)] == []
    assert is_kept(HERE / f"stories.{language}.txt", "\n".join(lines) + "\n")
