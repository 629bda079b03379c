"""Network line between a browser and a table, which a test can cut, hold and mend.

Cut: open connections end and new ones are refused, as if the table's program had ended. Held: connections stay open
but carry nothing, as if the program hung or a cable was pulled.
"""

import socket
import threading
from contextlib import suppress


class LineProxy:
    """Proxy from `port` of this PC to the table's port `target`. A context manager."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._whole = True
        self._flows = threading.Event()
        self._flows.set()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def hold(self) -> None:
        self._flows.clear()

    def cut(self) -> None:
        self._flows.set()
        with self._lock:
            self._whole = False
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._flows.set()
        with self._lock:
            self._whole = True

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._target)) as far:
            with self._lock:
                if not self._whole:
                    return
                self._open |= {near, far}
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()
            with self._lock:
                self._open -= {near, far}

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        """Copy data from source to sink until either is closed."""
        with suppress(OSError):
            while part := source.recv(65536):
                self._flows.wait()
                sink.sendall(part)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
