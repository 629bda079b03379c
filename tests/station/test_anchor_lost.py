"""Lost or foreign anchor: reported, recorded and never overwritten; no round opens if it is required."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config.table_file import JournalSection
from controller.core import events as e
from controller.journal import AnchorFolder, anchor_file, find, head_of, mark_of, read, recall, recover_state
from controller.station import anchoring
from controller.text.coded import render
from controller.text.faults import Words
from tests.patience import on_loop, until
from tests.station.test_anchor import ROUND, AnchoredTable, on_fat, play, refused, run_anchored


@pytest.fixture
def path(tmp_path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk" / "t.journal"


@pytest.fixture
def anchor(image) -> Path:
    """Path of an anchor in memory, on a file system with inodes that show a copied file."""
    return image / "t.anchor"


@pytest.fixture(autouse=True)
def brisk(monkeypatch) -> None:
    monkeypatch.setattr(anchoring, "LOOK", 0.01)


def rewritten(anchor: Path, **fields: object) -> None:
    """Overwrite fields of an anchor in one write of the same length, so that no reader sees half of it."""
    whole = anchor.read_text()
    with anchor.open("r+", encoding="utf-8") as file:
        file.write(json.dumps({**json.loads(whole), **fields}, separators=(",", ":")).ljust(len(whole)))


def copied(anchor: Path) -> None:
    """Replace an anchor by a new file with the same content, as after a copy to another stick."""
    shutil.copy(anchor, anchor.with_name("copy"))
    anchor.with_name("copy").replace(anchor)


LOST: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda anchor: anchor.rename(anchor.with_name("away")), "the anchor is not there: mount its disk"),
    "copied": (copied, "this is a copy of the anchor: bring back the disk that it was written on"),
    "replaced": (lambda anchor: rewritten(anchor, id="f00"), "this is not the anchor that was begun for this record"),
    "unnamed": (lambda anchor: rewritten(anchor, id=""), "this is not the anchor that was begun for this record"),
    "garbage": (lambda anchor: anchor.write_bytes(b"{"), "expected an anchor, with epoch, seq and hash"),
}


@pytest.mark.parametrize(("lose", "says"), LOST.values(), ids=LOST)
@pytest.mark.parametrize("required", [True, False])
def test_a_lost_anchor_is_reported_and_refuses_rounds_if_required(path, anchor, lose, says, required):
    async def steps():
        async with run_anchored(path, anchor, anchor_required=required) as rig:
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            lose(anchor)
            left = anchor.read_bytes() if anchor.exists() else None
            await until(lambda: rig.table.state.no_anchor)
            assert says in render(rig.trouble)
            assert render(rig.trouble, Words("ro").say).startswith("jurnalul nu este ancorat de la ")
            assert says not in render(rig.trouble, Words("ro").say)
            rig.take(e.Open())
            assert rig.table.state.live is not required
            if not required:
                rig.take(*ROUND[1:])
            assert (anchor.read_bytes() if anchor.exists() else None) == left
        assert (anchor.read_bytes() if anchor.exists() else None) == left

    on_loop(steps)
    refusals = [one.what.reason for one in read(path, kinds=["start_refused"])]
    assert refusals == (["anchor_lost"] if required else [])
    (lost,) = [one.what for one in read(path, kinds=["anchor_lost"])]
    assert says in lost.reason
    assert lost.required is required
    assert f"`tablectl journal anchor {path} {anchor} --by NAME --because TEXT`" in refused(path, anchor)


def test_rounds_open_again_once_the_same_anchor_is_back(path, anchor):
    async def steps():
        async with run_anchored(path, anchor, anchor_required=True) as rig:
            for _ in range(2):
                await until(lambda: recall(anchor).seq == rig.table.state.seq)  # no write to the anchor is under way
                away = anchor.rename(anchor.with_name("away"))
                await until(lambda: rig.table.state.no_anchor)
                away.rename(anchor)
                await until(lambda: not rig.table.state.no_anchor)
                rig.take(*ROUND)
                assert rig.table.state.life == "settled"
            await until(lambda: recall(anchor).seq == rig.table.state.seq)

    on_loop(steps)
    play(path, anchor, *ROUND)


def test_an_anchor_lost_in_a_round_lets_it_end(path, anchor):
    async def steps():
        async with run_anchored(path, anchor, anchor_required=True) as rig:
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            rig.take(e.Open())
            anchor.unlink()
            await until(lambda: rig.table.state.no_anchor)
            rig.take(*ROUND[1:])
            assert rig.table.state.life == "settled"
            rig.take(e.Open())
            assert not rig.table.state.live

    on_loop(steps)


def test_an_older_anchor_put_back_is_reported(path, anchor, monkeypatch):
    """The anchor lies on FAT, which has no inodes that would show an exchanged file."""
    on_fat(monkeypatch)

    async def steps():
        async with run_anchored(path, anchor) as rig:
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            older = anchor.read_bytes()
            rig.take(*ROUND)
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            anchor.write_bytes(older)
            await until(lambda: rig.table.state.no_anchor)
            assert "somebody has put an older anchor back" in render(rig.trouble)

    on_loop(steps)


def test_an_anchor_moved_to_the_records_disk_is_refused(path, anchor, monkeypatch):
    """Both disks are FAT, which has no inodes that would show a copied file."""
    on_fat(monkeypatch)
    play(path, anchor, *ROUND)
    assert recover_state(path).anchor.apart
    moved = shutil.copy(anchor, path.parent)
    assert f"{moved}: the anchor is on the record's own disk now: mount the other disk" in refused(path, Path(moved))
    play(path, anchor, *ROUND)


def test_an_anchor_copied_to_another_fat_stick_is_refused(path, anchor, monkeypatch):
    on_fat(monkeypatch, volume="1A2B-3C4D")
    play(path, anchor, *ROUND)
    copied(anchor)
    play(path, anchor, *ROUND)  # a copy on the same stick is not noticed: FAT keeps no inodes
    on_fat(monkeypatch, volume="5E6F-7081")
    assert "this is a copy of the anchor" in refused(path, anchor)
    on_fat(monkeypatch)  # a PC without udev
    play(path, anchor, *ROUND)


def test_udev_tells_the_serial_number_of_a_volume(tmp_path, monkeypatch):
    """udev's folder has a link for each volume, named by serial number, which leads to the device."""
    monkeypatch.setattr(anchor_file, "BY_UUID", tmp_path)
    (tmp_path / "gone").symlink_to("/dev/no-such-disk")
    (tmp_path / "1A2B-3C4D").symlink_to("/dev/null")
    assert anchor_file._volume(Path("/dev/null").stat().st_rdev) == "1A2B-3C4D"
    assert anchor_file._volume(Path("/dev/full").stat().st_rdev) == ""
    monkeypatch.setattr(anchor_file, "BY_UUID", tmp_path / "none")
    assert anchor_file._volume(Path("/dev/null").stat().st_rdev) == ""


def test_a_copy_of_a_copy_is_no_anchor_either(path, anchor):
    play(path, anchor, *ROUND)
    for _ in range(2):
        copied(anchor)
        assert "this is a copy of the anchor" in refused(path, anchor)


def test_an_anchor_without_an_id_is_accepted_once(path, anchor):
    """The anchor is from before anchors had ids, as an upgrade finds it."""

    async def before():
        rig = AnchoredTable(path, JournalSection())
        rig.table.start("d1")
        rig.take(*ROUND)
        rig.table.stop()
        rig.journal.close()

    on_loop(before)
    with AnchorFolder(anchor) as folder:
        folder.write(mark_of(recover_state(path), head_of(path)), "")
    rewritten(anchor, place="")
    play(path, anchor, *ROUND)
    assert [(one.what.by, one.what.because) for one in read(path, kinds=["anchor_begun"])] == [
        ("config", "it had no id")
    ]
    assert find(anchor).id == recover_state(path).anchor.id
    rewritten(anchor, id="")
    assert "this is not the anchor that was begun" in refused(path, anchor)


@pytest.mark.parametrize("step", ["begun", "recorded"])
def test_a_first_start_killed_at_any_step_can_be_repeated(path, anchor, step):
    """Killed when the anchor file exists: before the record begins, or before the record names the anchor."""

    async def killed():
        rig = AnchoredTable(path, JournalSection(anchor=str(anchor)))
        if step == "recorded":
            rig.table.start("d1")
            rig.table.stop()
        rig.journal.close()

    on_loop(killed)
    assert recall(anchor).seq == 0
    play(path, anchor, *ROUND)
    assert recall(anchor) == mark_of(recover_state(path), head_of(path))


def test_a_first_start_without_room_for_the_anchor_is_refused(path, anchor, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(AnchorFolder, "write", full)
    assert f"{anchor}: the anchor cannot be begun: no space left on device" in refused(path, anchor)


def test_a_config_that_drops_a_required_anchor_is_recorded(path, anchor):
    play(path, anchor, anchor_required=True)

    async def steps():
        async with run_anchored(path, anchor, anchor_required=True) as rig:
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            anchor.unlink()
            await until(lambda: rig.table.state.no_anchor)
        bare = AnchoredTable(path, JournalSection())
        bare.table.start("d1")
        bare.custody.start()
        bare.take(*ROUND)
        assert bare.table.state.life == "settled"
        bare.table.stop()
        await bare.custody.stop()
        bare.journal.close()

    asyncio.run(steps())
    assert [one.what.required for one in read(path, kinds=["anchor_lost"])] == [True, False]
