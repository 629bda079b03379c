"""Receivers of alerts on this PC: a webhook, a mail server, and a server that never answers."""

import asyncio
import email
import email.policy
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller

from controller.outputs.delivery import AlertMessage, TargetRefused, deliver


async def deliver_here(message: AlertMessage, patience: float) -> str | None:
    """Deliver an alert in this process; return the reason of a refusal. `send` starts a process (0.5 s)."""
    try:
        await asyncio.to_thread(deliver, message)
    except TargetRefused as error:
        return str(error)
    return None


class Webhook:
    """Web server that answers with `status` and keeps the JSON posted to it, while that is 200, in `took`."""

    def __init__(self) -> None:
        self.took: list[dict[str, Any]] = []
        self.status = 200

    @contextmanager
    def up(self, port: int = 0) -> Iterator[int]:
        """Serve at a port; yields its number."""
        took = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if took.status == 200:
                    took.took.append(json.loads(body))
                self.send_response(took.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield server.server_port
            finally:
                server.shutdown()
                thread.join()


class Mailbox:
    """Mail server that keeps received messages in `took`."""

    def __init__(self) -> None:
        self.took: list[EmailMessage] = []

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Keep one received message."""
        self.took.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 OK"

    @contextmanager
    def up(self, port: int) -> Iterator[int]:
        """Serve at a port; yields its number."""
        controller = Controller(self, hostname="127.0.0.1", port=port)
        controller.start()
        try:
            yield port
        finally:
            controller.stop()


class Silence:
    """Server that accepts one connection and never answers."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.called, self.left = threading.Event(), threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        connection, _ = self._server.accept()
        with self._server, connection:
            connection.recv(1)
            self.called.set()
            while connection.recv(4096):
                pass
            self.left.set()
