"""Record that a takeover makes of shipped parts: one file, without a write-ahead log beside it."""

from controller.journal.assembly import write_journal
from controller.journal.parts import consecutive_parts
from tests.cli.test_takeover import pcs, shipped

__all__ = ["pcs", "shipped"]

MODES = slice(18, 20)  # of SQLite's header: 1 is a rollback journal, 2 a write-ahead log


def test_a_record_put_together_has_no_log_beside_it(shipped):
    head = write_journal(consecutive_parts(shipped.folder), shipped.new)
    assert head.seq > 1
    assert shipped.new.read_bytes()[MODES] == b"\x01\x01"
    assert [one.name for one in shipped.new.parent.iterdir() if one.name.endswith(("-wal", "-shm"))] == []
