"""New anchor for an existing record: a person begins it with a reason, and the record keeps both."""

from contextlib import closing
from pathlib import Path

from controller.journal import Journal, head_of, mark_of, read, recall, recover_state, verify
from controller.table.loop import Table
from tests.patience import on_loop
from tests.station.test_anchor import ROUND, copies, play, put_back, refused
from tests.table.test_table import HOUSE

WHO = "--by", "eva", "--because", "a new stick"


def begun(path: Path) -> list[tuple[str, str]]:
    """Return the person and the reason of each anchor that was begun for a record."""
    return [(record.what.by, record.what.because) for record in read(path, kinds=["anchor_begun"])]


def test_a_person_begins_the_anchor_of_an_existing_record(path, anchor, tablectl):
    async def steps():
        with closing(Journal(path)) as book:
            table = Table(HOUSE, book)
            table.start("d1")
            table.stop()

    on_loop(steps)
    assert "expected the anchor of" in refused(path, anchor)
    output = tablectl("journal", "anchor", path, anchor, *WHO).stdout
    assert output.startswith(f"{anchor}: remembers record {head_of(path).seq} of table table, on the record's own disk")
    play(path, anchor, *ROUND)
    assert begun(path) == [("eva", "a new stick")]
    assert recall(anchor) == mark_of(recover_state(path), head_of(path))
    assert verify(path).finding is None
    assert "0 differences" in tablectl("journal", "replay", path).stdout


def test_another_anchor_is_begun_for_one_gone_for_good(path, anchor, tablectl):
    for _ in range(2):
        play(path, anchor, *ROUND)
        lost = anchor.read_bytes()
        anchor.unlink()
        refused(path, anchor)
        tablectl("journal", "anchor", path, anchor, *WHO)
        play(path, anchor, *ROUND)
        anchor.write_bytes(lost)
        assert "this is not the anchor that was begun for this record" in refused(path, anchor)
        tablectl("journal", "anchor", path, anchor, *WHO)
    assert begun(path) == [("config", "the record begins"), *[("eva", "a new stick")] * 4]


def test_no_anchor_is_begun_over_one_that_remembers_more(path, anchor, tablectl):
    play(path, anchor, *ROUND)
    copy = copies(path)
    play(path, anchor, *ROUND)
    put_back(copy, path)
    before, end = anchor.read_bytes(), head_of(path)
    refusal = tablectl("journal", "anchor", path, anchor, *WHO, exit_code=2).stderr
    assert "which the anchor" in refusal
    assert (anchor.read_bytes(), head_of(path)) == (before, end)


def test_an_anchor_on_an_unmounted_disk_cannot_be_begun(path, anchor, tablectl):
    play(path, anchor, *ROUND)
    end, stick = head_of(path), anchor.parent / "usb" / anchor.name
    assert "no such file or directory" in tablectl("journal", "anchor", path, stick, *WHO, exit_code=2).stderr
    assert head_of(path) == end


def test_a_running_table_lets_no_anchor_be_begun(path, anchor, tablectl):
    play(path, anchor, *ROUND)
    with closing(Journal(path)):
        refusal = tablectl("journal", "anchor", path, anchor, *WHO, exit_code=2).stderr
    assert "another process writes" in refusal


def test_an_older_record_with_an_anchor_begun_anew_is_refused(path, anchor, tablectl):
    play(path, anchor, *ROUND)
    copy = copies(path)
    play(path, anchor, *ROUND)
    anchor.unlink()
    tablectl("journal", "anchor", path, anchor, *WHO)
    put_back(copy, path)
    assert "which the anchor" in refused(path, anchor)
