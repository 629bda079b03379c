"""Reasons in records of older programs, which have an English sentence only."""

from pathlib import Path

from controller.core.coded_message import coded
from controller.text.older_reasons import OF_ANCHORS, older_reason
from tests.kept_files import is_kept

KEPT = Path(__file__).parent / "kept" / "older_reasons.txt"


def test_the_sentences_of_older_programs_are_as_kept():
    assert is_kept(KEPT, "\n".join(f"{code}: {text}" for text, code in OF_ANCHORS.items()))


def test_an_older_reason_names_its_path_others_stay():
    (text, code), *_ = OF_ANCHORS.items()
    assert older_reason(f"/mnt/anchor: {text}") == coded(code, path="/mnt/anchor")
    assert older_reason("/mnt/anchor: gone") == "/mnt/anchor: gone"
