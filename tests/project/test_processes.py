"""Tests that a forked program of the tests behaves as the same program executed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import OURS, ForkableProgram, finish

ENDS = {
    "says": "import sys; print(sys.argv); print(sys.stdin.read()); print('é', file=sys.stderr)",
    "code": "import sys; sys.exit(3)",
    "large code": "import sys; sys.exit(259)",
    "last words": "import sys; sys.exit('no')",
    "error": "1 / 0",
    "closed": "import sys; print(1); sys.stdout.close()",
    "full": "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1); print(1)",
    "at exit": "import atexit; atexit.register(print, 'last')",
    "thread": "import threading; threading.Timer(0.01, print, ['thread']).start()",
    "pending": "import asyncio; loop = asyncio.new_event_loop(); t = loop.create_task(asyncio.sleep(1)); loop.close()",
    "killed": "import os; os.kill(os.getpid(), 9)",
    "files": "import os; print(os.listdir('/proc/self/fd'))",
    "signals": "import signal; print([signal.getsignal(one) for one in (2, 13, 15)], signal.pthread_sigmask(0, []))",
    "place": "import os; print(os.getcwd(), os.environ['ONE'], 'PATH' in os.environ, os.getppid(), os.getpgrp())",
    "group": "import os; print(os.getsid(0) == os.getppid())",
    "path": "import sys; print(sys.path, sys.executable, sys.stdout.encoding.lower(), sys.stderr.errors)",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_forked_program_prints_and_ends_as_an_executed_one(name, tmp_path):
    command = [sys.executable, "-c", ENDS[name], "one", "two"]
    place = {"cwd": tmp_path, "env": {**OURS, "ONE": "1"}}
    executed = subprocess.run(command, input="in", capture_output=True, text=True, check=False, **place)
    forked = finish(command, "in", **place)
    if executed.stderr.startswith("Traceback"):
        assert (forked.returncode, forked.stderr.splitlines()[-1]) == (1, executed.stderr.splitlines()[-1])
    else:
        assert (forked.returncode, forked.stdout) == (executed.returncode, executed.stdout)
        assert forked.stderr.startswith(executed.stderr.split("Exception ignored")[0].split("task:")[0])


def test_ctrl_c_ends_a_forked_program_of_the_test():
    code = "import time; print('here', flush=True); time.sleep(600)"
    with ForkableProgram(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout.readline() == "here\n"
        assert f"\nPPid:\t{os.getpid()}\n" in Path(f"/proc/{program.pid}/status").read_text()
        program.send_signal(signal.SIGINT)
        assert program.wait() == -signal.SIGINT
        assert program.stderr.read().endswith("KeyboardInterrupt\n")


def test_forked_programs_can_start_sessions_and_share_no_random_state():
    code = "import os, random; print(os.getsid(0) == os.getpid(), random.random())"
    runs = [finish([sys.executable, "-c", code], start_new_session=session).stdout.split() for session in (True, False)]
    assert [one[0] for one in runs] == ["True", "False"]
    assert runs[0][1] != runs[1][1]
