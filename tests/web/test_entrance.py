"""How many come in at a time, and for whom there is always room."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.web import entrance
from controller.web.access.sign_on import is_loopback
from controller.web.entrance import Entrance
from tests.web.net import OnTheNet
from tests.web.rig import on_loop, until
from tests.web.test_tls import files  # noqa: F401 - a fixture


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        made.listen(100)
        yield made


def test_who_never_says_a_word_on_an_encrypted_line_is_counted_too(tmp_path, files, monkeypatch):  # noqa: F811
    """Else a thousand of them use up the files of the program, and asyncio reports that as an error of ours."""
    monkeypatch.setattr(entrance, "CONNECTIONS", 20)

    async def steps():
        async with OnTheNet(tmp_path, **files) as table:
            before = open_files()
            silent = [socket.socket() for _ in range(100)]
            for one in silent:
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", table.port))
            await until(lambda: sum(map(turned_away, silent)) >= 80)
            assert open_files() <= before + 100 + 20
            for one in silent:
                one.close()

    on_loop(steps)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def turned_away(one: socket.socket) -> bool:
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_some_places_are_kept_for_this_pc(listening, monkeypatch):
    monkeypatch.setattr(entrance, "CONNECTIONS", 3)
    monkeypatch.setattr(entrance, "KEPT", 1)
    here = iter([False, False, False, True, True])
    monkeypatch.setattr(entrance, "_is_here", lambda _: next(here))
    people = [socket.create_connection(listening.getsockname()) for _ in range(5)]
    with Entrance(listening) as door:
        inside = [door.accept()[0], door.accept()[0]]
        with pytest.raises(ConnectionAbortedError):  # the third from elsewhere
            door.accept()
        inside.append(door.accept()[0])
        with pytest.raises(ConnectionAbortedError):
            door.accept()
        inside.pop().close()  # who leaves makes room
        people.append(socket.create_connection(listening.getsockname()))
        monkeypatch.setattr(entrance, "_is_here", lambda _: True)
        inside.append(door.accept()[0])
    for one in (*people, *inside):
        one.close()


@pytest.mark.parametrize(
    ("address", "here"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True)]
    + [(elsewhere, False) for elsewhere in ("10.0.0.9", "::ffff:10.0.0.9", "fe80::1", "localhost.example")],
)
def test_this_pc_is_known_by_its_address_also_where_one_socket_listens_for_both_kinds(address, here):
    assert is_loopback(address) is here
