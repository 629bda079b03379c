"""Bus as a witness: a table with a rolled-back record does not start.

A record that could not be compared at the start is compared when the bus is back.
"""

import shutil
from pathlib import Path

import msgspec
import pytest
import tomli_w
from click.testing import CliRunner

from controller.bus.witness import WitnessRefused, admit
from controller.cli import main
from controller.cli.bus_import import BusWitness
from controller.config.bus import BusSection
from controller.config.table_file import check
from controller.core import events as e
from controller.core.state import State
from controller.journal import hash_at, recover_state
from controller.journal.shipping import Shipping
from controller.station.takeover import take_over
from controller.station.takeover_anchor import TakeoverDecision, TakeoverRefused
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import as_over_http, events, run_table, stored
from tests.patience import on_loop, until


def deal_rounds(path: Path, section: BusSection, rounds: int = 1) -> None:
    """Run a table on the bus for some rounds, until the bus has every record."""

    async def steps():
        async with run_table(path, section) as table:
            await until(lambda: table.bus.trouble is None)
            table.play(rounds)
            await table.caught_up()

    on_loop(steps)


def config(server: BusServer, folder: Path) -> Path:
    """Write a table's config file with this bus; return its path."""
    seed = server.seed("tables", "t1")
    file = folder / "t1.toml"
    file.write_text(
        tomli_w.dumps({"table": {"name": "t1"}, "bus": {"servers": [server.url], "credentials": str(seed)}})
    )
    return file


def copied(path: Path) -> Path:
    """Copy the folder of a journal; return the copy."""
    return Path(shutil.copytree(path.parent, path.parent.with_name("copy")))


def put_back(copy: Path, path: Path) -> None:
    """Replace the folder of a journal by a copy."""
    shutil.rmtree(path.parent)
    shutil.copytree(copy, path.parent)


@pytest.fixture
def path(tmp_path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk" / "t.journal"


def run_command(args: list[str], code: int) -> str:
    """Run the command; check whether it fails, and return its output and error."""
    result = CliRunner().invoke(main, args, standalone_mode=False)
    raised = "" if result.exception is None or isinstance(result.exception, SystemExit) else str(result.exception)
    assert (result.exit_code != 0) == (code != 0), (result.output, raised)
    return result.output + raised


def test_an_older_copy_starts_only_after_its_loss_is_accepted(server, tmp_path, path):
    section, file = server.section(), config(server, tmp_path)
    deal_rounds(path, section)
    copy, stands = copied(path), recover_state(path).seq
    deal_rounds(path, section)
    assert on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path))) is None
    assert "records valid" in run_command(["journal", "verify", str(path), "--witness", str(file)], 0)
    ended = recover_state(path).seq
    put_back(copy, path)
    with pytest.raises(WitnessRefused, match=f"records {stands + 1} to {ended} are missing, which the bus remembers"):
        on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path)))
    assert f"record {stands + 1}: " in run_command(["journal", "verify", str(path), "--witness", str(file)], 1)
    accept = ["journal", "accept-loss", str(path), "--witness", str(file), "--by", "Ana", "--because", "disk"]
    assert "epoch" in run_command(accept, 0)
    old, new = recover_state(path).losses[-1], recover_state(path).identity.epoch
    assert (old.stands, old.lost.seq) == (stands, ended)
    deal_rounds(path, section)

    async def look():
        async with server.client("admin") as admin:
            return await stored(admin, "EVENTS"), await stored(admin, "HEADS")

    messages, heads = on_loop(look)
    bodies = {(one.epoch, one.seq): one.body for one in messages if one.subject.endswith("manager")}
    assert [bodies[new, seq] for seq, _ in as_over_http(path, "manager")[stands:]] == [
        event for _, event in as_over_http(path, "manager")[stands:]
    ]
    assert len(bodies) == len(events(messages, "manager")) == ended + recover_state(path).seq - stands
    last = heads[-1].body
    assert (last["epoch"], last["hash"]) == (new, hash_at(path, last["seq"]).hex())
    put_back(copy, path)  # the copy is of the epoch that has ended
    with pytest.raises(WitnessRefused, match=f"after record {stands} the record continued elsewhere"):
        on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path)))


@pytest.mark.parametrize("signer", [None, "t2"])
def test_a_head_without_its_tables_signature_is_skipped(server, tmp_path, path, signer):
    """The last signed head counts: the true record starts, an older copy does not."""
    section, file = server.section(), config(server, tmp_path)
    deal_rounds(path, section)
    copy = copied(path)
    deal_rounds(path, section)
    epoch, ended = recover_state(path).identity.epoch, recover_state(path).seq
    subject = "tablectl.main.t1.head"
    false = msgspec.json.encode({"epoch": epoch, "seq": 1, "hash": "00" * 32, "table": "t1"})

    async def put():
        async with server.client("admin") as admin:
            for body in (false, b"junk"):
                headers = server.seals("tables", signer).seal(subject, body) if signer else {}
                await admin.jetstream().publish(subject, body, headers=headers)

    on_loop(put)
    assert on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path))) is None
    assert "records valid" in run_command(["journal", "verify", str(path), "--witness", str(file)], 0)
    put_back(copy, path)
    with pytest.raises(WitnessRefused, match=f"to {ended} are missing, which the bus remembers"):
        on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path)))


def test_a_takeover_without_shipped_records_needs_an_accepted_loss(server, tmp_path, path):
    """Without an anchor, only the bus knows how far the record went."""
    section, folder = server.section(), tmp_path / "parts"
    settings = msgspec.structs.replace(check({"game": {"name": "baccarat"}, "table": {"name": "t1"}}), bus=section)

    def take(to: str, **decided: bool) -> State:
        new = tmp_path / to / "t.journal"
        new.parent.mkdir(exist_ok=True)
        decision = TakeoverDecision("eva", "x", old_pc_is_off=True, **decided)
        return take_over(settings, new, folder, decision, BusWitness(settings)).after

    folder.mkdir()
    deal_rounds(path, section)
    with Shipping(path, folder) as shipping:
        stands = shipping.step().seq
    deal_rounds(path, section)
    with pytest.raises(TakeoverRefused, match=f"records {stands + 1} to .* are missing, which the bus remembers"):
        take("pc2")
    assert take("pc2", accept_loss=True).losses[-1].lost.seq == recover_state(path).seq
    deal_rounds(tmp_path / "pc2" / "t.journal", section, rounds=0)
    with pytest.raises(
        TakeoverRefused, match=f"after record {stands} the record continued elsewhere: the bus remembers"
    ):
        take("pc3", accept_loss=True)
    server.kill()
    assert take("pc3").losses[-1].lost is None  # a table starts, too, if no bus is reached


def test_a_contradiction_found_later_refuses_the_next_round(server, path):
    section = server.section()
    deal_rounds(path, section)
    copy = copied(path)
    deal_rounds(path, section)
    ended = recover_state(path).seq
    put_back(copy, path)
    server.kill()

    async def steps():
        assert await admit(section, "c", "t1", path, recover_state(path)) is not None
        async with run_table(path, section) as table:
            table.play()
            assert table.table.state.life == "settled"
            await until(lambda: table.bus.trouble is not None)
            server.start()
            await until(lambda: table.table.state.doubts)
            assert table.table.state.doubts == {"witness": ended}
            table.table.take(e.Open())
            assert table.table.state.life == "settled"
            assert "or an earlier one, was changed" in render(table.bus.trouble)
        async with server.client("admin") as admin:
            return [seq for seq, _ in events(await stored(admin, "EVENTS"), "manager")]

    assert on_loop(steps) == [*range(1, ended + 1)]  # no event of a record that the bus contradicts
    with pytest.raises(WitnessRefused):
        on_loop(lambda: admit(section, "c", "t1", path, recover_state(path)))
