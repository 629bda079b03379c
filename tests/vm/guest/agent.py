"""Agent inside the PC: carries out requests of the tests, one JSON line each way over virtio-serial.

After each boot the agent first writes {"up": SECONDS}.
{"run": [...], "input": TEXT, "limit": SECONDS} -> {"code":, "out":}: runs a command.
{"ask": SOCKET, "method":, "path":, "body":} -> {"status":, "body":}: an HTTP request to a table's own socket, since a
`tablectl` command takes seconds to start on an emulated processor.
"""

import http.client
import json
import os
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path

PORT = Path("/dev/virtio-ports/tests")


class UnixConnection(http.client.HTTPConnection):
    """HTTP connection to a Unix socket."""

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.host)


def run(task: dict) -> dict:
    """Run a command to its end; return its exit code and its output on both streams."""
    ended = subprocess.run(
        task["run"], input=task.get("input", ""), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=task["limit"], encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    return {"code": ended.returncode, "out": ended.stdout}


def ask(task: dict) -> dict:
    """Send an HTTP request to a table's socket; return the status and the JSON body."""
    body = None if task.get("body") is None else json.dumps(task["body"])
    with closing(UnixConnection(task["ask"], timeout=task["limit"])) as line:
        line.request(task["method"], task["path"], body, {"Host": "localhost", "Content-Type": "application/json"})
        answer = line.getresponse()
        return {"status": answer.status, "body": json.loads(answer.read())}


def answer(line: str) -> dict:
    task = json.loads(line)
    try:
        return run(task) if "run" in task else ask(task)
    except (OSError, http.client.HTTPException, subprocess.TimeoutExpired, ValueError) as error:
        return {"error": repr(error)}


def main() -> None:
    while not PORT.exists():
        time.sleep(0.05)
    port = os.open(PORT, os.O_RDWR)

    def say(what: dict) -> None:
        rest = json.dumps(what).encode() + b"\n"
        while rest:
            rest = rest[os.write(port, rest) :]

    say({"up": float(Path("/proc/uptime").read_text().split()[0])})
    buffer = b""
    while True:
        data = os.read(port, 65536)
        if not data:  # nobody is at the other end
            time.sleep(0.1)
        buffer += data
        while b"\n" in buffer:
            line, buffer = buffer.split(b"\n", 1)
            say(answer(line.decode()))


main()
