"""Shipping a record: its parts equal the record after any cut, and another record is refused."""

import errno
import os
import random
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from controller.core import events as e
from controller.journal import (
    Damaged,
    Journal,
    JournalFailed,
    JournalInUse,
    archives,
    head_of,
    new_epoch,
    read_rows,
    recall,
    recover_state,
    remember,
    verify_all,
)
from controller.journal import shipping as module
from controller.journal.parts import LOST, TAIL, BadPart, consecutive_parts, rows_of, sealed_paths, verify_parts
from controller.journal.shipping import Shipping, ShipRefused
from controller.station.losses import following_records
from tests.station.test_anchor import ROUND, copies, edit, play, put_back


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "parts").mkdir()
    return tmp_path / "parts"


@pytest.fixture
def small(monkeypatch) -> None:
    """Let a part be full at seven records."""
    monkeypatch.setattr(module, "FULL", 7)


def ship(path: Path, folder: Path) -> None:
    with Shipping(path, folder) as shipping:
        assert shipping.step() == head_of(path)


def shipped(folder: Path) -> list:
    return [row for part in consecutive_parts(folder) for row in rows_of(part)]


def recorded(path: Path) -> list:
    rows = {row[0]: row for file in (*archives(path), path) for row in read_rows(file)}
    return [rows[seq] for seq in sorted(rows)]


def put_away(path: Path) -> Path:
    with closing(Journal(path)) as book:
        return book.rotate()


@pytest.mark.usefixtures("small")
def test_shipped_parts_equal_the_record_byte_for_byte_across_archives(path, anchor, folder):
    for number in range(3):
        play(path, anchor, *ROUND)
        ship(path, folder)
        assert shipped(folder) == recorded(path)
        if number:
            put_away(path)
    ship(path, folder)
    assert shipped(folder) == recorded(path)
    assert len(sealed_paths(folder)) == head_of(path).seq // 7


@pytest.mark.usefixtures("small")
def test_late_shipping_begins_with_the_oldest_archive_still_present(path, anchor, folder, tmp_path):
    for _ in range(3):
        play(path, anchor, *ROUND)
        put_away(path)
    archives(path)[0].rename(tmp_path / "away")
    ship(path, folder)
    assert shipped(folder) == recorded(path)
    assert shipped(folder)[0][0] > 1


@pytest.mark.usefixtures("small")
def test_verify_checks_each_shipped_part_and_finds_a_change(path, anchor, folder, tablectl):
    play(path, anchor, *ROUND, *ROUND)
    ship(path, folder)
    parts = [*sealed_paths(folder), folder / TAIL]
    for part in parts:
        verified = verify_parts([part])
        assert (verified.finding, verified.records) == (None, len(part.read_text().splitlines()) - 1)
        assert " records " in tablectl("journal", "verify", part).stdout
    assert verify_parts(parts).head == head_of(path)
    output = tablectl("journal", "verify", *parts, "--head", head_of(path)).stdout
    assert output.startswith(f"{head_of(path).seq} records valid, ")
    parts[1].write_bytes(parts[1].read_bytes().replace(b'"seq":', b'"sep":', 1))
    assert f"record 8: {parts[1]}: " in tablectl("journal", "verify", *parts, exit_code=1).stdout
    assert "got both" in tablectl("journal", "verify", parts[0], path, exit_code=2).stderr


@pytest.mark.parametrize("option", ["--anchor", "--witness"])
def test_shipped_parts_are_compared_with_a_head_alone(path, anchor, folder, tablectl, option):
    play(path, anchor, *ROUND)
    ship(path, folder)
    refused = tablectl("journal", "verify", folder / TAIL, option, anchor, exit_code=2)
    assert (refused.stdout, "got parts that were shipped: give --head" in refused.stderr) == ("", True)


@pytest.mark.usefixtures("small")
def test_a_missing_or_foreign_shipped_part_is_refused(path, anchor, folder, tmp_path):
    play(path, anchor, *ROUND, *ROUND)
    ship(path, folder)
    first, second, *_ = sealed_paths(folder)
    second.rename(tmp_path / "away")
    with pytest.raises(BadPart, match="records 8 to 14 are missing between"):
        consecutive_parts(folder)
    second.write_bytes(first.read_bytes())
    with pytest.raises(BadPart, match="they belong to different records"):
        consecutive_parts(folder)
    second.write_text("{}\n")
    with pytest.raises(BadPart, match="expected a part of a record"):
        consecutive_parts(folder)


def test_a_part_without_a_whole_heading_says_so(tmp_path):
    part = tmp_path / "000000000001-000000000007.e1.part"
    part.write_text('{"part":1')
    with pytest.raises(BadPart, match=f"^{part}: expected a part of a record, its first line is missing or cut off$"):
        verify_parts([part])


def test_shipping_repairs_a_truncated_part_and_continues(path, anchor, folder):
    play(path, anchor, *ROUND)
    ship(path, folder)
    tail, dice = folder / TAIL, random.Random(1)
    whole = tail.read_bytes()
    for cut in (0, 1, whole.index(b"\n"), whole.index(b"\n") + 1, *dice.sample(range(len(whole)), 12)):
        garbage = dice.choice((b"", b"\0" * 40, b"\0" * 40 + b"\n"))
        tail.write_bytes(whole[:cut] + garbage * (cut > whole.index(b"\n")))
        ship(path, folder)
        assert tail.read_bytes() == whole


@pytest.mark.usefixtures("small")
def test_shipping_continues_without_loss_after_a_full_disk(path, anchor, tmp_path, monkeypatch):
    play(path, anchor, *ROUND)
    real = module.os.fsync
    for at in range(8):
        folder = tmp_path / f"parts {at}"
        folder.mkdir()
        room = iter([True] * at + [False])

        def full(descriptor: int, tail: Path = folder / TAIL, room: Iterator[bool] = room) -> None:
            if next(room, True):
                return real(descriptor)
            if tail.exists():
                module.os.truncate(tail, tail.stat().st_size - 3)
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(module.os, "fsync", full)
        with Shipping(path, folder) as shipping:
            with suppress(JournalFailed):
                shipping.step()
            shipping.step()
        assert shipped(folder) == recorded(path)


def test_only_one_program_ships_into_a_folder(path, anchor, folder):
    play(path, anchor, *ROUND)
    with Shipping(path, folder), pytest.raises(JournalInUse, match="another program ships into this folder"):
        Shipping(path, folder)
    with pytest.raises(JournalFailed, match="no such file or directory"):
        Shipping(path, folder / "none")


def test_shipping_holds_no_lock_between_two_steps(path, anchor, folder):
    play(path, anchor, *ROUND)
    with Shipping(path, folder) as shipping, closing(Journal(path)) as book:
        shipping.step()
        book.rotate()  # refused while anybody has the file open
        shipping.step()


@pytest.mark.usefixtures("small")
def test_shipping_refuses_an_older_record_and_keeps_its_parts(path, anchor, folder):
    play(path, anchor, *ROUND)
    copy, last = copies(path), head_of(path).seq
    play(path, anchor, *ROUND)
    ship(path, folder)
    before, end = shipped(folder), head_of(path).seq
    put_back(copy, path)
    with Shipping(path, folder) as shipping:
        missing = f"records {last + 1} to {end} are missing, which the folder {folder} remembers; "
        with pytest.raises(ShipRefused, match=missing):
            shipping.step()
    play(path, anchor.with_name("none"), *ROUND, *ROUND, anchor_loss="warn")
    other = f"record {end}, or an earlier one, was changed"
    with Shipping(path, folder) as shipping, pytest.raises(ShipRefused, match=other):
        shipping.step()
    with closing(Journal(path)) as book:  # a loss after the shipped records is no reason to give them up
        book.append(following_records(path, book.recover(), e.AcceptLoss("eva", "the disk broke", new_epoch())))
    with Shipping(path, folder) as shipping, pytest.raises(ShipRefused):
        shipping.step()
    assert shipped(folder) == before
    assert not [part for part in folder.iterdir() if part.name.endswith(LOST)]


@pytest.mark.usefixtures("small")
def test_after_accepting_a_loss_the_record_is_shipped_on(path, anchor, folder, tablectl):
    play(path, anchor, *ROUND)
    copy, last = copies(path), head_of(path).seq
    play(path, anchor, *ROUND, *ROUND)
    ship(path, folder)
    copied = {part: part.read_bytes() for part in folder.iterdir()}
    put_back(copy, path)
    lost = next(row for row in shipped(folder) if row[0] == last + 5)  # the anchor knows none of those after it
    remember(anchor, msgspec.structs.replace(recall(anchor), seq=lost[0], hash=lost[-1].hex()))
    tablectl("journal", "accept-loss", path, "--anchor", anchor, "--by", "eva", "--because", "the disk broke")
    play(path, anchor, *ROUND)
    ship(path, folder)
    assert shipped(folder) == recorded(path)
    aside = [part for part in folder.iterdir() if part.name.endswith(LOST)]
    assert aside
    assert all(int(part.name.split(".")[0].split("-")[1]) > last for part in aside)
    for part, content in copied.items():  # as in a copy of the folder that keeps the parts renamed here
        if not part.exists():
            part.write_bytes(content)
    assert shipped(folder) == recorded(path)
    epochs = [part.epoch for part in consecutive_parts(folder)]
    assert (epochs[0], epochs[-1]) == (recover_state(path).losses[0].epoch, recall(anchor).epoch)


def test_what_a_failed_write_left_is_overwritten(path, anchor, folder):
    with Shipping(path, folder) as shipping:
        play(path, anchor, *ROUND)
        shipping.step()
        with (folder / TAIL).open("ab") as tail:
            tail.write(b"x\n" * 50_000)
        play(path, anchor, e.Open(), e.Close(), e.CardOut("9C"))
        shipping.step()
    assert shipped(folder) == recorded(path)


def test_shipped_records_are_synced_before_they_count_as_shipped(path, anchor, folder, monkeypatch):
    synced = dict[str, int]()
    sync = os.fsync

    def note(descriptor: int) -> None:
        synced[Path(f"/proc/self/fd/{descriptor}").readlink().name] = os.fstat(descriptor).st_size
        sync(descriptor)

    play(path, anchor, *ROUND)
    monkeypatch.setattr(os, "fsync", note)
    ship(path, folder)
    assert synced[TAIL] == (folder / TAIL).stat().st_size


def test_a_part_that_is_shipped_late_has_one_epoch_too(path, anchor, folder):
    """Records of two epochs wait for the first shipping, in one read."""
    play(path, anchor, *ROUND)
    first, last = recover_state(path).identity.epoch, head_of(path).seq
    with closing(Journal(path)) as book:
        book.append(following_records(path, book.recover(), e.AcceptLoss("eva", "the disk broke", new_epoch())))
    ship(path, folder)
    assert shipped(folder) == recorded(path)
    parts = consecutive_parts(folder)
    assert [part.epoch for part in parts] == [first, recover_state(path).identity.epoch]
    assert parts[0].end.seq == last


def test_a_damaged_record_is_not_shipped(path, anchor, folder):
    play(path, anchor, *ROUND)
    edit(path, "UPDATE records SET record = replace(record, 'baccarat', 'boccarat') WHERE seq = 3")
    edit(path, "UPDATE records SET hash = zeroblob(32) WHERE seq = 4")
    with (
        Shipping(path, folder) as shipping,
        pytest.raises(Damaged, match=r"record 4: changed.*nothing more is shipped"),
    ):
        shipping.step()
    assert verify_all([path]).finding is not None


def test_shipped_parts_are_not_readable_by_other_users(path, anchor, folder):
    play(path, anchor, e.Open(), e.Close(), e.CardOut("9C"))
    ship(path, folder)
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o640}
