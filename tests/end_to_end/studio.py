"""Start a demo of several tables, find its processes, and use its pages as a signed-in person."""

import http.client
import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.end_to_end.rig import RunningProgram
from tests.patience import PATIENCE
from tests.processes import TABLECTL


def process_ids(folder: Path, what: str = "") -> list[int]:
    """Return the ids of this demo's running processes with `what` in their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            ended = (process / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if f"{folder}/" in words and what in words and not ended:
            found.append(int(process.name))
    return found


class RunningDemo(RunningProgram):
    """Demo of several tables that runs, and the lines that it has printed."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder / "studio"
        command = [TABLECTL, "demo", *options, "--port", "0", "--journal", self.folder]
        super().__init__(command, folder / "errors")
        self.said: list[str] = []

    def __exit__(self, *errors: object) -> None:
        super().__exit__(*errors)
        for process in process_ids(self.folder):  # those that the demo has not ended itself
            os.kill(process, signal.SIGKILL)

    def says(self, pattern: str) -> re.Match[str]:
        """Wait until the demo prints a line that matches; return the match."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if match := re.search(pattern, line):
                return match
        raise AssertionError("".join(self.said) + self.errors())

    def has_said(self, pattern: str) -> re.Match[str]:
        """Return the match of the first line, printed already or still to come, that matches."""
        return next(filter(None, (re.search(pattern, line) for line in self.said)), None) or self.says(pattern)

    def stands(self) -> int:
        """Wait until the whole demo has started; return the floor's port."""
        return int(self.says(r"the floor: http://127\.0\.0\.1:(\d+)/floor")[1])

    def page_of(self, table: str) -> int:
        """Return the port of a table's own pages."""
        return int(re.search(rf"^{table} +\w+ +its own pages: http://127\.0\.0\.1:(\d+)/", "".join(self.said), re.M)[1])

    def is_ended(self, how: int = signal.SIGTERM) -> None:
        """End the demo by a signal; check that it exits cleanly and leaves no process and no shoe port."""
        self.process.send_signal(how)
        self.says("^ended: nothing of it runs any more")
        assert (self.process.wait(PATIENCE), self.errors()) == (0, "")
        assert process_ids(self.folder) == []
        assert list(self.folder.glob("*/shoe")) == []


class Browser:
    """Person signed in at a site of the demo."""

    def __init__(self, port: int, name: str) -> None:
        self._port, self._headers = port, dict[str, str]()
        body = self.ask("POST", "/session", {"name": name, "pin": "2580"})
        self._headers["x-csrf"] = body["csrf"]

    def ask(self, method: str, target: str, body: object = None) -> Any:
        """Send a request; return the answer's JSON, or of an event stream the data of its first event."""
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as line:
            headers = {**self._headers, "content-type": "application/json"}
            line.request(method, target, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            if cookies := answer.headers.get_all("set-cookie"):
                self._headers["cookie"] = "; ".join(cookie.partition(";")[0] for cookie in cookies)
            if "event-stream" in (answer.headers["content-type"] or ""):
                return json.loads(next(line for line in answer if line.startswith(b"data: "))[6:])
            content = answer.read()
            assert answer.status == 200, content
            return json.loads(content)


@contextmanager
def show(folder: Path, *options: str) -> Iterator[RunningDemo]:
    with RunningDemo(folder, *options) as one:
        yield one
