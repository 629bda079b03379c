"""A network line between a browser and a table that can be cut or held, and mended.

While it is cut, what was open is gone and nobody is let through, as with a program that has ended; while
it is held, what is open stays so and nothing comes through, as with one that hangs, or a cable that was pulled.
"""

import socket
import threading
from contextlib import suppress


class Line:
    """Listens on `port` of this PC and leads to a table's `target`. A context manager."""

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
        """Until either end is gone."""
        with suppress(OSError):
            while part := source.recv(65536):
                self._flows.wait()
                sink.sendall(part)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
