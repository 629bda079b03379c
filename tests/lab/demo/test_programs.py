"""Programs of the demo: restarted after a crash, each time later, and always ended with the demo."""

import asyncio
from pathlib import Path

import pytest

from controller.lab.demo import programs
from controller.lab.demo.programs import Fallen, Program, SupervisedProgram
from tests.patience import on_loop, until

ENOUGH = 7  # crashes


class Over(Exception):
    """Raised when the test has seen enough crashes."""


@pytest.fixture
def waits(monkeypatch) -> list[float]:
    """Return the list of requested waiting times in seconds; no time passes."""
    durations, sleep = list[float](), asyncio.sleep

    async def noted(seconds: float) -> None:
        durations.append(seconds)
        if len(durations) == ENOUGH:
            raise Over
        await sleep(0)

    monkeypatch.setattr(programs.asyncio, "sleep", noted)
    return durations


class KeptScript(SupervisedProgram):
    """Supervised shell script. `heard`: its printed lines; `told`: reports about it."""

    def __init__(self, folder: Path, script: str, given: bytes = b"") -> None:
        self.heard, self.told = list[str](), list[str]()
        program = Program("bus", ("sh", "-c", script), folder / "log", given)
        super().__init__(program, self.heard.append, self.told.append)


def supervise_script(folder: Path, script: str, given: bytes = b"") -> KeptScript:
    """Supervise a script until it ends normally."""

    async def steps():
        one = KeptScript(folder, script, given)
        await one.keep()
        assert one.stands.is_set()
        return one

    return on_loop(steps)


def test_a_program_reads_what_it_is_given_and_is_heard(tmp_path):
    one = supervise_script(tmp_path, "cat; echo bye >&2", b"one\ntwo\n")
    assert (one.heard, one.told) == (["one", "two"], [])
    assert (tmp_path / "log").read_text() == "bye\n"


def test_each_crash_in_a_row_doubles_the_wait(tmp_path, waits):
    with pytest.raises(Over):
        supervise_script(tmp_path, "echo up; exit 3")
    assert waits == [1, 2, 4, 8, 16, 30, 30]


def test_a_later_crash_starts_the_wait_again(tmp_path, waits, monkeypatch):
    monkeypatch.setattr(programs, "SOON", 0.0)
    with pytest.raises(Over):
        supervise_script(tmp_path, "echo up; exit 3")
    assert waits == [1] * ENOUGH


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo one >&2; echo 'tablectl: no such key' >&2; echo >&2; exit 2", "no such key"),
        ("printf 'caf\\351\\n' >&2; exit 2", "caf\ufffd"),
        ("exit 3", "ended with code 3"),
        ("kill -TERM $$", "ended by SIGTERM"),
    ],
)
def test_a_program_that_never_starts_up_is_given_up(tmp_path, waits, script, why):
    with pytest.raises(Fallen) as fallen:
        supervise_script(tmp_path, script)
    assert str(fallen.value) == f"bus does not stand: {why}"
    assert waits == [1, 2]


def test_each_crash_is_reported_with_its_cause(tmp_path, waits):
    async def steps():
        one = KeptScript(tmp_path, "echo up; exit 3")
        with pytest.raises(Over):
            await one.keep()
        assert one.told == ["ended with code 3: it is started again"] * ENOUGH
        assert one.heard == ["up"] * ENOUGH

    on_loop(steps)


def test_a_program_that_cannot_start_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "WITH_US", ())

    async def steps():
        await SupervisedProgram(Program("bus", ("/nowhere/bus",), tmp_path / "log"), print, print).keep()

    with pytest.raises(Fallen, match=r"^bus cannot be started: No such file or directory$"):
        on_loop(steps)


@pytest.mark.parametrize(
    ("trap", "told"), [("exit 0", []), ("", ["it does not end: killed", "ended by SIGKILL: it is started again"])]
)
def test_a_program_that_does_not_end_is_killed(tmp_path, monkeypatch, trap, told):
    monkeypatch.setattr(programs, "PATIENCE", 0.2 if told else 30.0)

    async def steps():
        one = KeptScript(tmp_path, f"trap '{trap}' TERM; echo up; while true; do sleep 0.05; done")
        keeping = asyncio.create_task(one.keep())
        await one.stands.wait()
        await one.end()
        await until(lambda: keeping.done() or len(one.told) == len(told) > 0)
        assert one.told == told
        keeping.cancel()
        await asyncio.wait([keeping])
        await one.end()
        await one.end()  # ending it once more reports nothing
        assert one.told == told

    on_loop(steps)
