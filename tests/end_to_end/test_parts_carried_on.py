"""A partly recorded resettlement is completed after a takeover by another PC or from a backup."""

import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from controller.cli.client import NoAnswer
from controller.config.paths import users_of
from controller.core.house import SLICE
from controller.journal import recall
from tests.end_to_end.past_rounds import TIE, PastRounds, killing
from tests.end_to_end.rig import tablectl
from tests.end_to_end.test_documented_wallet import Following, has_all, pc, token_at
from tests.end_to_end.test_large_resettling import is_recorded, judged, plays_large
from tests.patience import PATIENCE, eventually
from tests.ports import free

PARTS = 4
BETS = (PARTS - 1) * SLICE + 1


def stops_in_part(table: PastRounds, wallet: Following) -> int:
    """Play a large round, and kill the table while it is settled anew; return the round's number."""
    with wallet.running(), table.running():
        number = plays_large(table, BETS)
        has_all(wallet, table)
    with wallet.running(), table.running() as program:
        with killing(program.process.pid, "fdatasync", 2), suppress(NoAnswer):
            table.settles_anew(number, [TIE], "r0", 0)
            program.process.wait(PATIENCE)
        assert program.ends() != 0
    assert 0 < len(table.settled_anew(number)) < PARTS
    return number


def goes_on(table: PastRounds, wallet: Following, number: int) -> None:
    """Run the table until it has recorded the rest; check that the wallet has booked each movement once."""
    with wallet.running(), table.running():
        eventually(partial(is_recorded, table, PARTS))
        has_all(wallet, table)
    judged(table, number, BETS, 1)


def ends(table: PastRounds, wallet: Following) -> None:
    """Run the table until the rest is recorded and booked by the wallet, then kill it; its record is lost."""
    with wallet.running(), table.running() as program:
        eventually(partial(is_recorded, table, PARTS))
        has_all(wallet, table)
        program.process.kill()
        program.ends()


def takes_over(new: PastRounds, old: PastRounds, parts: Path, *words: str) -> None:
    users_of(new.folder.journal).unlink()  # the takeover brings the table's own users
    result = tablectl("takeover", new.folder.config, "--from", parts, "--by", "eva", "--because", "it burnt", *words)
    assert result.returncode == 0, result.stderr
    new.takes_over(old)


@pytest.mark.proof
@pytest.mark.parametrize("is_lost", [False, True], ids=["nothing is lost", "later parts are lost"])
def test_a_partial_resettlement_is_completed_after_a_takeover(tmp_path, is_lost):
    (tmp_path / "shared").mkdir()
    (shipped := tmp_path / "shipped").mkdir()
    port, anchor = free(), tmp_path / "shared" / "t1.anchor"
    old, new = (pc(tmp_path / name, port, anchor) for name in ("old", "new"))
    wallet = Following(tmp_path, port, token_at(old))
    number = stops_in_part(old, wallet)
    assert tablectl("journal", "ship", old.folder.config, "--to", shipped).returncode == 0
    if is_lost:
        ends(old, wallet)
        assert recall(anchor).seq > new.folder.count("resettled")
    takes_over(new, old, shipped, *(["--accept-loss"] if is_lost else []))
    goes_on(new, wallet, number)
    for one in (old, new):
        one.shoe.unplug()


@pytest.mark.proof
def test_a_partial_resettlement_is_completed_after_a_restore(tmp_path):
    table = pc(tmp_path / "pc", port := free())
    wallet = Following(tmp_path, port, token_at(table))
    number = stops_in_part(table, wallet)
    copied = tablectl("journal", "backup", table.folder.journal, tmp_path / "copy.journal")
    assert copied.returncode == 0, copied.stderr
    for path in table.folder.journal.parent.glob(f"{table.folder.journal.name}*"):
        if path.suffix in (".journal", ".journal-wal", ".journal-shm"):
            path.unlink()
    shutil.copy(tmp_path / "copy.journal", table.folder.journal)
    goes_on(table, wallet, number)
    table.shoe.unplug()
