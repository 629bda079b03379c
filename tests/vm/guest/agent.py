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


def run(asked: dict) -> dict:
    """Run a command to its end; return its exit code and its output on both streams."""
    ended = subprocess.run(
        asked["run"], input=asked.get("input", ""), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=asked["limit"], encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    return {"code": ended.returncode, "out": ended.stdout}


def ask(asked: dict) -> dict:
    """Send an HTTP request to a table's socket; return the status and the JSON body."""
    body = None if asked.get("body") is None else json.dumps(asked["body"])
    with closing(UnixConnection(asked["ask"], timeout=asked["limit"])) as line:
        line.request(asked["method"], asked["path"], body, {"Host": "localhost", "Content-Type": "application/json"})
        answer = line.getresponse()
        return {"status": answer.status, "body": json.loads(answer.read())}


def answer(line: str) -> dict:
    asked = json.loads(line)
    try:
        return run(asked) if "run" in asked else ask(asked)
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
    heard = b""
    while True:
        said = os.read(port, 65536)
        if not said:  # nobody is at the other end
            time.sleep(0.1)
        heard += said
        while b"\n" in heard:
            line, heard = heard.split(b"\n", 1)
            say(answer(line.decode()))


main()
