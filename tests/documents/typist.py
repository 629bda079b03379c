"""Simulated person who types the lines of a page at a PC: an ordinary user with a home and `sudo`."""

import re
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.patience import eventually

from .blocks import Block, PageLine

GUEST = Path(__file__).parent / "guest"
HOME = "/home/eva"
PATH = "/usr/local/bin:/usr/bin:/bin"
BEGINS = f"""
id eva >/dev/null 2>&1 || useradd --create-home --shell /bin/bash eva
chmod 700 {HOME}
mkdir -p /etc/sudoers.d; echo 'eva ALL=(ALL:ALL) NOPASSWD: ALL' >/etc/sudoers.d/eva
install -d -o eva -g eva {HOME}/.typed
cat >{HOME}/.typed/typed.sh
cd {HOME}/.typed
echo {HOME} >folder
printf '%s\\n' 'export PATH={PATH}' 'export HOME={HOME} USER=eva LOGNAME=eva LANG=C.UTF-8 TERM=xterm COLUMNS=120' \\
  'export SUDO_EDITOR={HOME}/.typed/editor' >environment
chown -R eva: .
"""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class RootPc(Protocol):
    """PC on which commands can be run as root."""

    def does(self, *command: str, typed: str = "") -> tuple[int, str]:
        """Run a command and wait for its end. Returns its exit code and output."""


class Printed(NamedTuple):
    """Result of a typed line."""

    code: int
    output: str
    silence: float  # seconds of the longest time without output


class Typist:
    """Person who types at a PC. `user`: eva, who has sudo, or root."""

    def __init__(self, pc: RootPc, user: str = "eva") -> None:
        self._pc, self._user = pc, user
        self.as_root(BEGINS, (GUEST / "typed.sh").read_text(encoding="utf-8"))
        live_round = (GUEST / "live_round.sh").read_text(encoding="utf-8")
        self.as_root("cat >/usr/local/bin/live-round; chmod 755 /usr/local/bin/live-round", live_round)

    def as_root(self, script: str, typed: str = "") -> str:
        """Run a shell script as root and return its output. Raises AssertionError if it fails."""
        code, output = self._pc.does("bash", "-ec", script, typed=typed)
        assert code == 0, f"{script}\n{output}"
        return output

    def waits(self, command: str) -> None:
        """Repeat a command in the person's folder until its exit code is 0."""
        script = f'cd "$(cat {HOME}/.typed/folder)"; {command}'
        eventually(lambda: self._pc.does("sh", "-c", script)[0] == 0)

    def types(self, line: PageLine, block: Block) -> Printed:
        """Type a line and follow its orders while it runs, such as typing a PIN; return the result."""
        self.as_root(f"cat >{HOME}/.typed/line", line.text + "\n")
        self.as_root(f"cat >{HOME}/.typed/hand", "".join(f"{one}\n" for one in _keys(line, block)))
        self.as_root(f"cat >{HOME}/.typed/editor; chmod 755 {HOME}/.typed/editor", _editor(line, block))
        environment = ("env", "-i", "--default-signal", f"HOME={HOME}", f"PATH={PATH}")  # not the tests' own
        code, output = self._pc.does("runuser", "-u", self._user, "--", *environment, "bash", f"{HOME}/.typed/typed.sh")
        silence = float(self.as_root(f"cat {HOME}/.typed/silence"))
        return Printed(code, ESCAPES.sub("", output).strip("\n"), silence)


def _keys(line: PageLine, block: Block) -> list[str]:
    found = (re.fullmatch(r"after (.*), type (.*)", one) for one in block.at("at", line))
    return [f"{match[1]}\t{match[2]}" for match in found if match]


def _editor(line: PageLine, block: Block) -> str:
    edits = (one.removeprefix("edit ") for one in block.at("at", line) if one.startswith("edit "))
    return "#!/bin/sh\nset -e\n" + "".join(f"sed -i '{edit}' \"$@\"\n" for edit in edits)
