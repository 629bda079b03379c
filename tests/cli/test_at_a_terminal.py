"""Output at a terminal: problems are coloured, and short work shows no bar.

The bar of long work is in `test_progress_bars`.
"""

import os
import pty

import pytest

from tests.cli.conftest import SETTLED
from tests.processes import TABLECTL, ForkableProgram, finish

RED, BAR = "\x1b[31m", "verifying the chain"


def at_a_terminal(*words: object, **environment: str) -> tuple[str, str]:
    """Run a command at a terminal and in pipes; return both outputs, each with standard error."""
    ours, theirs = pty.openpty()
    output = b""
    command = [str(word) for word in (TABLECTL, *words)]
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with ForkableProgram(command, stdout=theirs, stderr=theirs, env={**plain, "TERM": "xterm", **environment}):
        os.close(theirs)
        try:
            while part := os.read(ours, 65536):
                output += part
        except OSError:
            pass  # the terminal is closed at the command's end
    os.close(ours)
    piped = finish(command, env={**plain, **environment})
    return output.decode(), piped.stdout + piped.stderr


def test_a_short_check_shows_no_bar(record):
    shown, piped = at_a_terminal("journal", "verify", record(SETTLED))
    assert ["records valid" in one for one in (shown, piped)] == [True, True]
    assert [BAR in one for one in (shown, piped)] == [False, False]


@pytest.mark.parametrize(("environment", "colours"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_problem_is_red_at_a_terminal_alone(environment, colours, tmp_path):
    config = tmp_path / "t1.toml"
    config.write_text("[table]\nname = 't1'\ngame = 'baccarat'\n[shoe]\nport = '/dev/none'\n", encoding="utf-8")
    shown, piped = at_a_terminal("doctor", config, **environment)
    assert (f"{RED}\x1b[1mPROBLEM" in shown, "PROBLEM" in shown) == (colours, True)
    assert "\x1b" not in piped
