"""The limit of open connections, and which connection is closed for a new one."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from controller.web.net import entrance
from controller.web.net.address import is_loopback, network_of
from controller.web.net.entrance import Entrance
from tests.descriptors import open_files
from tests.patience import on_loop, until
from tests.web.net import NetworkTable


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield listener


def test_silent_tls_connections_count_against_the_limit(tmp_path, files, monkeypatch):
    """Without a limit a thousand of them use up the program's files, and asyncio logs an error."""
    monkeypatch.setattr(entrance, "CONNECTIONS", 20)

    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            before = open_files()
            with ExitStack() as opened:
                silent = [opened.enter_context(socket.socket()) for _ in range(100)]
                for one in silent:
                    one.setblocking(False)
                    one.connect_ex(("127.0.0.1", table.port))
                await until(lambda: sum(map(turned_away, silent)) >= 80)
                await until(lambda: open_files() <= before + 100 + 20)  # answered first, then closed

    on_loop(steps)


def turned_away(one: socket.socket) -> bool:
    """True if the table has closed this connection."""
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def come(listening: socket.socket, door: Entrance, *hosts: str) -> list[socket.socket]:
    """Connect once from each address, one after the other. Return the server's ends."""
    return [_come(listening, door, host) for host in hosts]


def _come(listening: socket.socket, door: Entrance, host: str) -> socket.socket:
    with socket.create_connection(listening.getsockname(), source_address=(host, 0)):
        return door.accept()[0]


ONE, OTHER, THIRD = "127.0.0.2", "127.0.0.3", "127.0.0.4"


@pytest.fixture
def gone(listening, monkeypatch) -> Iterator[Callable[..., list[int]]]:
    """Function that connects from each address to a door with four places. Returns which were closed.

    `at_work`: numbers of the connections that have a request in progress.
    """
    monkeypatch.setattr(entrance, "CONNECTIONS", 4)
    opened: list[socket.socket] = []

    def went(*hosts: str, at_work: tuple[int, ...] = ()) -> list[int]:
        went: list[int] = []
        for number, host in enumerate(hosts):
            (one,) = come(listening, door, host)
            opened.append(one)
            door.register(one.fileno(), lambda number=number: number in at_work, partial(went.append, number))
        return went

    with Entrance(listening) as door:
        yield went
    for one in opened:
        one.close()


def test_the_oldest_idle_connection_of_the_busiest_network_goes(gone):
    assert gone(THIRD, ONE, OTHER, OTHER, ONE) == [2]


def test_a_flooding_network_displaces_only_its_own_connections(gone):
    assert gone(THIRD, *[ONE] * 9) == [1, 2, 3, 4, 5, 6]


def test_a_connection_at_work_is_never_closed(gone):
    assert gone(ONE, ONE, ONE, ONE, OTHER, at_work=(0, 1, 3)) == [2]


def test_with_all_connections_busy_a_new_one_is_refused(gone):
    with pytest.raises(ConnectionAbortedError):
        gone(*[ONE] * 5, at_work=(0, 1, 2, 3))


def test_a_closed_connection_makes_room(listening, monkeypatch):
    monkeypatch.setattr(entrance, "CONNECTIONS", 1)
    with Entrance(listening) as door:
        for _ in range(3):
            (one,) = come(listening, door, ONE)
            door.register(one.fileno(), lambda: True, pytest.fail)
            one.close()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        (("10.0.0.9", 5), "10.0.0.9"),
        (("::ffff:10.0.0.9", 5, 0, 0), "10.0.0.9"),
        (("2001:db8:1:2:3:4:5:6", 5, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5, 0, 2), "fe80::/64"),
        ("", ""),
    ],
)
def test_people_are_distinguished_by_their_networks(address, network):
    """A household has 2^64 IPv6 addresses, so a /64 counts as one network."""
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("address", "here"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True)]
    + [(elsewhere, False) for elsewhere in ("10.0.0.9", "::ffff:10.0.0.9", "fe80::1", "localhost.example")],
)
def test_loopback_is_recognised_as_ipv4_ipv6_and_mapped_address(address, here):
    assert is_loopback(address) is here
