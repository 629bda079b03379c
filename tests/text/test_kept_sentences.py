"""Sentences for records of every kind, as terminals show them, line by line."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.notation import got, written
from controller.core.views import Audience, view
from controller.lab.testing.chance import MEANWHILE, REPORTS, SOMETHING
from controller.text.faults import LANGUAGES, Words
from controller.text.records import QUIET, sentence
from controller.text.story import tell
from controller.text.table_words import TableWords
from tests.kept import is_kept
from tests.web.happened import happened, happened_at

HERE = Path(__file__).parent / "kept"
UNSEEN = ("seq", "at", "salt", "round", "shoe", "person", "bet", "draw")  # whatever these are, the sentence is alike

OTHERS = (
    e.Begin("e1", 0), e.OpenTable("m"), e.KeyPressed("finish"), e.WithdrawBet("p1", "tie"), e.LineCut("p1"),
    e.LineBack("p1"), e.NoText("open"), e.CardOut("9C", "player", 2),
    e.JournalBack("disk full", 1234), e.AnchorChecked("lost", "away"),
)  # fmt: skip


def shape(event: Mapping[str, Any]) -> str:
    """What tells one sentence of a kind from another: the fields that hold something, and all words among them."""
    own = {name: value for name, value in event.items() if name not in UNSEEN}
    words = {name: value if isinstance(value, str) and value.islower() else bool(value) for name, value in own.items()}
    return msgspec.json.encode(words, order="sorted").decode()


def sentences(audience: Audience) -> Iterator[str]:
    """A sentence for each shape of each kind, with a few of the most frequent kinds only."""
    shapes: dict[str, set[str]] = {}
    for record in happened():
        event = msgspec.to_builtins(view(record, audience))
        seen = shapes.setdefault(event["kind"], set())
        if (form := shape(event)) not in seen and len(seen) < 15:
            seen.add(form)
            yield f"{event['kind']}: {sentence(event)}"


def stories(language: str) -> Iterator[str]:
    """A line of a round's or table's story for each shape of each kind, with a few of the most frequent kinds only."""
    words, shapes = TableWords(Words(language)), defaultdict[str, set[str]](set)
    for game, record in happened_at():
        event = msgspec.to_builtins(view(record, "manager"))
        seen = shapes[event["kind"]]
        if event["kind"] not in QUIET and (form := shape(event)) not in seen and len(seen) < 8:
            seen.add(form)
            yield f"{event['kind']}: {tell(words, game, [record])}"


def ignored() -> Iterator[str]:
    """What is said of an input that changes nothing, and of one that came instead of the step that was due."""
    for event in (*SOMETHING, *REPORTS, *MEANWHILE, *OTHERS):
        try:
            yield f"{event}: {written(r.Ignored(event, 'idle'))['what']}"
        except KeyError:
            yield f"{event}: is never ignored"
        if isinstance(event, e.CardOut | e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice):
            yield f"{event} came: {got(event)}"


@pytest.mark.parametrize("audience", ["manager", "player"])
def test_the_sentence_for_a_record_is_as_it_was_kept(audience):
    assert is_kept(HERE / f"sentences.{audience}.txt", "\n".join(sorted(sentences(audience))))


def test_words_for_an_ignored_input_are_as_kept():
    assert is_kept(HERE / "ignored.txt", "\n".join(ignored()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_a_record_is_as_it_was_kept(language):
    told = sorted(stories(language))
    assert [line for line in told if re.search(r"None|[{}]", line)] == []
    assert is_kept(HERE / f"stories.{language}.txt", "\n".join(told) + "\n")
