"""Reasons in records of older programs, which have an English sentence only."""

from pathlib import Path

from controller.core import records as r
from controller.core.coded_message import CodedMessage, coded
from controller.text.faults import Words
from controller.text.older_reasons import OF_ANCHORS, older_reason
from controller.text.table_story import reason_text
from controller.text.table_words import TableWords
from tests.kept_files import is_kept

KEPT = Path(__file__).parent / "kept" / "older_reasons.txt"


def test_the_sentences_of_older_programs_are_as_kept():
    assert is_kept(KEPT, "\n".join(f"{code}: {text}" for text, code in OF_ANCHORS.items()))


def test_an_older_reason_names_its_path_others_stay():
    (text, code), *_ = OF_ANCHORS.items()
    assert older_reason(f"/mnt/anchor: {text}") == coded(code, path="/mnt/anchor")
    assert older_reason("/mnt/anchor: gone") == "/mnt/anchor: gone"


def test_a_newer_code_is_told_by_its_recorded_sentence():
    lost = r.AnchorLost("it hums", required=False, message=CodedMessage("of_another_version"))
    assert reason_text(TableWords(Words("ro")), lost) == "it hums"
