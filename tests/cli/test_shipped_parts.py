"""Parts of a record in a folder: their names, their heads, and a tail beside its sealed part."""

from pathlib import Path

import pytest

from controller.journal import Damaged, shipping
from controller.journal.parts import TAIL, BadPart, consecutive_parts, look_at, sealed_paths, verify_parts
from controller.text.coded import render
from tests.cli.test_shipping import ship
from tests.station.test_anchor import ROUND, play


@pytest.fixture
def parts_of_two_rounds(path, anchor, tmp_path, monkeypatch) -> Path:
    """Ship a record in parts of seven records; return their folder."""
    monkeypatch.setattr(shipping, "FULL", 7)
    folder = tmp_path / "parts"
    folder.mkdir()
    play(path, anchor, *ROUND, *ROUND)
    ship(path, folder)
    return folder


def test_a_part_is_named_after_its_first_and_last_record(parts_of_two_rounds):
    folder = parts_of_two_rounds
    passed, parts = list[int](), sealed_paths(folder)
    for part in parts:
        seqs = [int(line.partition(":")[0]) for line in part.read_text().splitlines()[1:]]
        assert part.name.startswith(f"{seqs[0]:012}-{seqs[-1]:012}.")
    assert verify_parts(parts, passed=passed.append).records == passed[-1]
    assert passed == [look_at(part).end.seq for part in parts]


@pytest.mark.parametrize("left", [0, 1, 4], ids=["nothing", "its first line", "some records"])
def test_a_sealed_part_that_was_cut_is_damaged(parts_of_two_rounds, left):
    (parts_of_two_rounds / TAIL).unlink()
    *before, last = sealed_paths(parts_of_two_rounds)
    last.write_text("".join(last.read_text().splitlines(keepends=True)[:left]))
    with pytest.raises(Damaged, match=f"{last.name}.* this part is damaged"):
        consecutive_parts(parts_of_two_rounds)
    found = verify_parts([*before, last])
    assert found.finding.seq == found.head.seq + 1
    assert "this part is damaged" in render(found.finding.reason)


def test_a_part_that_does_not_follow_is_found(parts_of_two_rounds):
    first, _, third, *_ = sealed_paths(parts_of_two_rounds)
    found = verify_parts([first, third])
    assert (found.head, found.finding.seq) == (look_at(first).end, look_at(first).end.seq + 1)


@pytest.mark.parametrize("length", [0, 40, 150, 300])
def test_a_tail_without_a_whole_record_is_no_record(parts_of_two_rounds, length):
    first, *others = sealed_paths(parts_of_two_rounds)
    for part in others:
        part.unlink()
    (parts_of_two_rounds / TAIL).write_bytes(first.read_bytes()[:length])
    first.unlink()
    with pytest.raises(BadPart, match=r"expected the parts of a record, .* got none"):
        consecutive_parts(parts_of_two_rounds)


def test_a_tail_that_was_sealed_since_counts_once(parts_of_two_rounds):
    """A program that is killed between sealing and a new tail leaves both."""
    folder = parts_of_two_rounds
    (folder / TAIL).unlink()
    parts = consecutive_parts(folder)
    heading, *lines = sealed_paths(folder)[-1].read_text().splitlines(keepends=True)
    (folder / TAIL).write_text("".join([heading, *lines[:3]]))
    assert consecutive_parts(folder) == parts
    (folder / TAIL).write_text("".join([heading, *lines[:2], lines[2].replace(lines[2][3:11], "0" * 8, 1)]))
    with pytest.raises(BadPart, match="they belong to different records"):
        consecutive_parts(folder)
