"""`tablectl run` on the bus: the last head is published, and an older copy of the record is refused."""

import shutil

from controller.cli.client import ask
from controller.journal import head_of
from controller.station.copies import copy
from tests.bus.tables import stored
from tests.end_to_end.rig import Folder, start_table
from tests.patience import eventually, on_loop


def heads(server) -> list[int]:
    """Return the sequence numbers of the heads on the bus."""

    async def look():
        async with server.client("admin") as admin:
            return [one.seq for one in await stored(admin, "HEADS")]

    return on_loop(look)


def test_an_older_copy_of_a_published_record_never_starts(server, tmp_path):
    (tmp_path / "t").mkdir()
    folder, copied = Folder(tmp_path / "t"), tmp_path / "copy.journal"
    config = folder.write_config(panel=None)
    seed = server.seed("tables", "t1")
    with config.open("a") as file:
        file.write(f'[bus]\nservers = ["{server.url}"]\ncredentials = "{seed}"\n')
    with start_table(config) as table:
        eventually(lambda: "started" in table.events())
        copy(folder.journal, copied)
        for number, do in enumerate(("close", "open")):
            ask(folder.socket, "POST", "/api/commands?role=manager", {"command": "table", "id": f"c{number}", "do": do})
        health = eventually(
            lambda: body if not (body := ask(folder.socket, "GET", "/healthz").body)["troubles"] else None
        )
        assert health["ok"]
        table.process.terminate()
        assert table.ends() == 0
    last = head_of(folder.journal).seq
    assert heads(server) == [last]
    for file in folder.journal.parent.glob(f"{folder.journal.name}*"):
        file.unlink()
    shutil.copy(copied, folder.journal)
    with start_table(config) as table:
        assert table.ends() == 2
        (line,) = table.errors().splitlines()[-1:]
    assert f"to {last} are missing, which the bus remembers; put the newest copy in its place" in line
    assert f"--witness {config}" in line
