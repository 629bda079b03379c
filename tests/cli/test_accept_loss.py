"""Accepting the loss of records: `verify --anchor` names them, and the table continues with the rest."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli import accept_loss
from controller.core.mark import Mark
from controller.journal import Journal, head_of, mark_of, read, recall, recover_state, remember, verify
from tests.station.test_anchor import ROUND, copies, play, put_back, refused


@pytest.fixture
def rolled_back(path, anchor) -> tuple[Path, Mark]:
    play(path, anchor, *ROUND)
    copy = copies(path)
    play(path, anchor, *ROUND, *ROUND)
    lost = recall(anchor)
    put_back(copy, path)
    return path, lost


def test_an_accepted_loss_begins_an_epoch_naming_what_was_lost(rolled_back, anchor, tablectl):
    path, lost = rolled_back
    before = recover_state(path)
    refused(path, anchor)
    result = tablectl("journal", "accept-loss", path, "--anchor", anchor, "--by", "eva", "--because", "the disk broke")
    (record,) = read(path, before.seq)
    assert (record.kind, record.what.before, record.what.lost) == ("loss_accepted", before.identity.epoch, lost)
    assert (record.what.by, record.what.because) == ("eva", "the disk broke")
    assert record.what.epoch not in (before.identity.epoch, "")
    assert result.stdout == f"{path}: epoch {record.what.epoch} begins with record {record.seq}; head {head_of(path)}\n"
    play(path, anchor, *ROUND)
    assert recall(anchor) == mark_of(recover_state(path), head_of(path))
    assert recall(anchor).epoch == record.what.epoch
    assert recover_state(path).round.number == before.round.number + 1
    play(path, anchor, *ROUND)
    assert verify(path).finding is None
    assert "0 differences" in tablectl("journal", "replay", path).stdout


def test_a_loss_may_be_accepted_twice_and_without_the_anchor(rolled_back, anchor, tablectl):
    path, _ = rolled_back
    for _ in range(2):
        tablectl("journal", "accept-loss", path, "--by", "eva", "--because", "the disk broke")
    play(path, anchor, *ROUND)


def test_accept_loss_without_its_anchor_leaves_a_doubt_unless_unasked(rolled_back, anchor, tablectl):
    path, _ = rolled_back
    unnamed = tablectl("journal", "accept-loss", path, "--by", "", "--because", "x", exit_code=2).stderr
    assert unnamed.startswith("tablectl: --by: expected a name, got an empty text; see ")
    accept = "journal", "accept-loss", path, "--by", "eva", "--because", "the disk broke"
    tablectl(*accept)
    assert recover_state(path).doubts == {"anchor": recover_state(path).losses[0].stands + 1}
    tablectl(*accept, "--unasked")
    assert recover_state(path).doubts == {}
    refusal = tablectl(*accept, "--unasked", "--anchor", anchor, exit_code=2).stderr
    assert "--unasked: expected neither --anchor nor --witness" in refusal


def test_a_copy_from_before_the_accepted_loss_is_refused(rolled_back, anchor, tablectl):
    path, _ = rolled_back
    copy = copies(path)
    tablectl("journal", "accept-loss", path, "--anchor", anchor, "--by", "eva", "--because", "the disk broke")
    play(path, anchor, *ROUND)
    put_back(copy, path)
    assert "after record 14 the record continued elsewhere: the anchor" in refused(path, anchor)


def test_records_kept_aside_are_told_with_their_rounds(path, anchor, monkeypatch, capsys):
    play(path, anchor, *ROUND, *ROUND, *ROUND)
    opened, settled = ([one.seq for one in read(path) if one.kind == kind] for kind in ("opened", "settled"))
    capsys.readouterr()
    monkeypatch.setattr(accept_loss, "set_aside", lambda _, first: f"aside.{first}")
    rounds = {settled[0] + 1: ", rounds 2 to 3", opened[2]: ", rounds 3 to 3", settled[2] + 1: ""}
    for first in rounds:
        monkeypatch.setattr(accept_loss, "first_contradiction", lambda *_, first=first: first)
        accept_loss._set_contradicting_aside(path, None)
    assert capsys.readouterr().out.splitlines() == [
        f"aside.{first}: keeps records {first} to {head_of(path).seq}{text}; they do not count"
        for first, text in rounds.items()
    ]


def test_where_nothing_is_lost_no_loss_is_accepted(path, anchor, tablectl, tmp_path):
    play(path, anchor, *ROUND)
    who = "--by", "eva", "--because", "x"
    accept = "journal", "accept-loss", path, "--anchor"
    assert "nothing is lost: it has all that" in tablectl(*accept, anchor, *who, exit_code=2).stderr
    assert "no such file" in tablectl(*accept, tmp_path / "none", *who, exit_code=2).stderr
    remember(anchor, replace(recall(anchor), table="t2", seq=1000))
    assert "expected table table's anchor, this is that of t2" in tablectl(*accept, anchor, *who, exit_code=2).stderr
    with closing(Journal(path)):
        assert "another process writes" in tablectl(*accept[:3], *who, exit_code=2).stderr


def test_verify_names_the_first_record_missing_against_the_anchor(rolled_back, anchor, tablectl):
    path, lost = rolled_back
    end = head_of(path).seq
    output = tablectl("journal", "verify", path, "--anchor", anchor, exit_code=1).stdout
    assert output.startswith(
        f"record {end + 1}: records {end + 1} to {lost.seq} are missing, which the anchor {anchor} rem"
    )
    found = json.loads(tablectl("journal", "verify", "--json", path, "--anchor", anchor, exit_code=1).stdout)["finding"]
    assert found["seq"] == end + 1
    remember(anchor, mark_of(recover_state(path), head_of(path)))
    assert "valid" in tablectl("journal", "verify", path, "--anchor", anchor).stdout
