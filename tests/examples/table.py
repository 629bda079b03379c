"""Table of `tablectl run` that tests kill and restart, with its shoe on a pty, with or without a bus."""

import shutil
import signal
from pathlib import Path
from typing import Any

import tomli_w
from click.testing import CliRunner

from controller.cli import main
from controller.cli.client import ask
from controller.core.records import Record
from controller.journal import read
from controller.web.access.users import UsersFile
from drivers.emulators.pty_port import PtyPort
from tests.bus.rig import BusServer
from tests.end_to_end.rig import RunningProgram, start_table
from tests.patience import eventually
from tests.ports import free

CONFIG = """
[table]
name = "t1"
dealer = "d1"
[game]
name = "{game}"
{rules}
[shoe]
model = "bee_tek"
port = "{port}"
[panel]
[timers]
betting = 3600
decision = 3600
stall = 3600
acknowledge = 3600
ruling = 3600
[journal]
path = "{journal}"
[api]
socket = "{socket}"
[web]
listen = "127.0.0.1:{web}"
"""


class ExampleTable:
    """Table in a process of its own. `rules`: lines of its config with rules of its game."""

    def __init__(self, path: Path, game: str, bus: BusServer | None = None, rules: str = "") -> None:
        self.game, self.web, self.bus = game, free(), bus
        self.journal, self._socket, self._config = path / "t.journal", path / "t.sock", path / "t.toml"
        self.shoe_port = PtyPort(path / "shoe")
        files = {"port": path / "shoe", "journal": self.journal, "socket": self._socket}
        text = CONFIG.format(game=game, rules=rules, web=self.web, **files) + ("" if bus is None else _on(bus))
        self._config.write_text(text, encoding="utf-8")
        self._running: RunningProgram | None = None

    def token(self, program: str) -> str:
        """Make a new token for a program and return it."""
        with UsersFile(self.journal.with_suffix(".users")).change() as change:
            return change.add_token(program)

    def start(self) -> None:
        """Start the table's process; wait until its shoe is found."""
        self._config.with_suffix(".log").unlink(missing_ok=True)
        self._running = running = start_table(self._config)
        eventually(lambda: "device_found" in running.events() or not running.running)
        assert running.running, running.errors()

    def kill(self) -> None:
        """Kill the table with SIGKILL."""
        assert self._running is not None
        self._running.__exit__()
        assert self._running.process.returncode == -signal.SIGKILL, self._running.errors()

    def ask(self, method: str, target: str, body: object = None) -> Any:
        """Send a request to the table's own socket, as the shift manager; return the body. Raises NoAnswer."""
        reply = ask(self._socket, method, f"/api/v1/{target}", body)
        assert reply.status == 200, reply
        return reply.body

    def records(self) -> list[Record]:
        return list(read(self.journal))

    def ship(self, parts: Path) -> None:
        """Ship the present record into the new folder `parts`."""
        parts.mkdir()
        _does("journal", "ship", self._config, "--to", parts)

    def take_over(self, parts: Path) -> None:
        """Take the table over from the shipped parts, with a new journal, as another PC would."""
        users, before = self.journal.with_suffix(".users"), self.journal
        self.journal = before.with_name("new") / "t.journal"
        self.journal.parent.mkdir()
        if users.exists():  # if a program has a token
            shutil.copy(users, self.journal.with_suffix(".users"))
        config = self._config.read_text(encoding="utf-8").replace(str(before), str(self.journal))
        self._config.write_text(config, encoding="utf-8")
        because = "--by", "eva", "--because", "it burnt", "--old-pc-is-off", "--accept-loss"
        _does("takeover", self._config, "--from", parts, *because)


def _on(bus: BusServer) -> str:
    section = bus.section("t1")
    fields = {name: getattr(section, name) for name in ("servers", "studio", "credentials", "platforms")}
    return tomli_w.dumps({"bus": fields})


def _does(*words: object) -> None:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
