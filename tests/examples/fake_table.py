"""Fake table that sends what a test prescribes, for behaviour that a real table never shows."""

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]
ANSWER = {"verdicts": []}
GAME = {"seats": [], "markets": [{"name": "tie", "needs": None, "minimum": 100}]}


class FakeTable:
    """HTTP server of a fake table, running inside the block.

    `streams`: the events of each connection, in order; the last connection stays open after its events.
    `refusals`: answers to the first requests for events or commands: a status, and seconds to wait.
    """

    def __init__(self, *streams: Sequence[Event], refusals: Sequence[tuple[int, int]] = ()) -> None:
        self.after: list[str] = []  # Last-Event-ID of each request for events
        self.took: list[Any] = []  # received commands
        self._streams, self._refusals, self._over = list(streams), list(refusals), threading.Event()
        fake = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if self.path.endswith("/game"):
                    _send(self, 200, GAME)
                elif not fake._refuses(self):
                    with suppress(ConnectionError):
                        fake._tell(self)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not fake._refuses(self):
                    fake.took.append(body)
                    _send(self, 200, ANSWER)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _refuses(self, request: BaseHTTPRequestHandler) -> bool:
        if not self._refusals:
            return False
        status, seconds = self._refusals.pop(0)
        _send(request, status, {"detail": "no"}, seconds)
        return True

    def _tell(self, request: BaseHTTPRequestHandler) -> None:
        self.after.append(request.headers["Last-Event-ID"])
        events = self._streams.pop(0)
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        for event in events:
            request.wfile.write(b"id: %d\ndata: %s\n\n:\n" % (event["seq"], json.dumps(event).encode()))
        if not self._streams:
            self._over.wait()


def _send(request: BaseHTTPRequestHandler, status: int, body: object, seconds: int = 0) -> None:
    content = json.dumps(body).encode()
    request.send_response(status)
    request.send_header("Content-Length", str(len(content)))
    request.send_header("Retry-After", str(seconds))
    request.end_headers()
    request.wfile.write(content)
