"""How many come in at a time, and for whom there is always room."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.web.net import entrance
from controller.web.net.address import is_loopback
from controller.web.net.entrance import Entrance
from tests.web.net import OnTheNet, Person
from tests.web.rig import on_loop, until


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        made.listen(100)
        yield made


def test_who_never_says_a_word_on_an_encrypted_line_is_counted_too(tmp_path, files, monkeypatch):
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


@pytest.fixture
def elsewhere(monkeypatch) -> None:
    """Who comes from 127.0.0.2 and so on is at another PC."""
    monkeypatch.setattr(entrance, "is_loopback", lambda host: host == "127.0.0.1")


def come(listening: socket.socket, door: Entrance, *hosts: str) -> list[socket.socket | None]:
    """People from these addresses, one after the other: their end, or nothing for who is turned away."""
    return [_come(listening, door, host) for host in hosts]


def _come(listening: socket.socket, door: Entrance, host: str) -> socket.socket | None:
    with socket.create_connection(listening.getsockname(), source_address=(host, 0)):
        try:
            return door.accept()[0]
        except ConnectionAbortedError:
            return None


HERE, ONE, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"


@pytest.mark.usefixtures("elsewhere")
def test_some_places_are_kept_for_this_pc(listening, monkeypatch):
    monkeypatch.setattr(entrance, "CONNECTIONS", 3)
    monkeypatch.setattr(entrance, "KEPT", 1)
    with Entrance(listening) as door:
        inside = come(listening, door, ONE, OTHER, OTHER, HERE, HERE)
        assert list(map(bool, inside)) == [True, True, False, True, False]
        inside[3].close()  # who leaves makes room
        inside += come(listening, door, OTHER, HERE)
        assert list(map(bool, inside[5:])) == [False, True]
    for one in filter(None, inside):
        one.close()


@pytest.mark.usefixtures("elsewhere")
def test_one_pc_elsewhere_does_not_take_the_place_of_another(listening):
    with Entrance(listening) as door:
        many = come(listening, door, *[ONE] * (entrance.EACH + 3), OTHER)
        assert list(map(bool, many)) == [True] * entrance.EACH + [False] * 3 + [True]
        many[0].close()
        (again,) = come(listening, door, ONE)
        assert again
        here = come(listening, door, *[HERE] * (entrance.EACH + 1))
        assert all(here)
    for one in filter(None, (*many, again, *here)):
        one.close()


@pytest.mark.usefixtures("elsewhere")
def test_who_follows_a_table_from_one_pc_as_often_as_can_be_keeps_no_manager_at_another_out(tmp_path):
    async def steps():
        async with OnTheNet(tmp_path) as table:
            lines = [
                await asyncio.open_connection("127.0.0.1", table.port, local_addr=(ONE, 0))
                for _ in range(entrance.CONNECTIONS)
            ]
            for _, writer in lines:
                writer.write(b"GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert [await follows(reader) for reader, _ in lines].count(True) == entrance.EACH
            assert (await Person(table, host=OTHER).sign_in()).status == 200
            for _, writer in lines:
                writer.close()

    on_loop(steps)


async def follows(reader: asyncio.StreamReader) -> bool:
    try:
        return (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    except ConnectionError:
        return False


@pytest.mark.parametrize(
    ("address", "here"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True)]
    + [(elsewhere, False) for elsewhere in ("10.0.0.9", "::ffff:10.0.0.9", "fe80::1", "localhost.example")],
)
def test_this_pc_is_known_by_its_address_also_where_one_socket_listens_for_both_kinds(address, here):
    assert is_loopback(address) is here
