"""Limits of request bodies, addresses and sockets, below and above each limit."""

import os
import stat
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.config.paths import ROOT
from controller.web.api.monitoring import TableMonitoring
from controller.web.net import sockets
from controller.web.net.address import is_loopback, network_of
from controller.web.net.bodies import body_of
from controller.web.net.connection import HEADERS, PATIENCE, HttpConnection
from controller.web.net.lookout import Lookout
from controller.web.net.sockets import LONGEST, Listening, UnusableSocket, look, place_of
from tests.descriptors import open_files
from tests.patience import on_loop

# ── bodies, addresses, sockets ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("size", "status"), [(9, None), (10, None), (11, 413)])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_body_over_its_limit_is_refused(size, parts, status):
    chunks = [bytes(size - size // parts * (parts - 1)), *[bytes(size // parts)] * (parts - 1)]

    async def receive():
        return {"type": "http.request", "body": chunks.pop(), "more_body": bool(chunks)}

    async def steps():
        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        if status is None:
            assert len(await body_of(request, 10)) == size
        else:
            with pytest.raises(HTTPException) as refused:
                await body_of(request, 10)
            assert refused.value.status_code == status

    on_loop(steps)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", True), ("localhost", True),
        ("10.0.0.1", False), ("::ffff:10.0.0.1", False), ("::2", False), ("localhost.example", False), ("", False),
    ],
)  # fmt: skip
def test_only_loopback_addresses_and_localhost_are_loopback(host, here):
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_addresses_of_one_network_of_ipv6_are_one_caller(one, other, same):
    assert (network_of((one, 1)) == network_of((other, 2))) is same


@pytest.mark.parametrize(("length", "good"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_sockets_path_has_at_most_107_bytes(tmp_path, length, good):
    path = tmp_path / ("s" * (length - len(os.fsencode(tmp_path)) - 1))
    if good:
        look(path)
    else:
        with pytest.raises(UnusableSocket):
            look(path)


def test_the_folder_of_a_users_sockets_is_that_users_alone(tmp_path):
    environment = {ROOT: str(tmp_path / "none"), "XDG_RUNTIME_DIR": str(tmp_path)}
    path = place_of("t1", tmp_path / "t.journal", environment)
    assert path.parent == tmp_path / "tablectl"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_socket_is_closed_where_its_group_cannot_be_given(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise UnusableSocket("api.group: not yours")

    monkeypatch.setattr(sockets, "_gid", lambda _: 0)
    monkeypatch.setattr(sockets, "_give", refuse)
    before = open_files()
    with pytest.raises(UnusableSocket):
        Listening(tmp_path / "t.sock", "root")
    assert open_files() == before


def test_a_stopped_lookout_looks_no_more():
    async def steps():
        looked = []
        lookout = Lookout({"one": SimpleNamespace(look=lambda: looked.append("one"), trouble=None)})
        lookout.add("two", SimpleNamespace(look=lambda: looked.append("two"), trouble="away"))
        lookout.start()
        timer = lookout._timer
        lookout.stop()
        assert timer.cancelled()
        assert (looked, lookout.messages) == (["one", "two"], ("away",))

    on_loop(steps)


@pytest.mark.parametrize(("role", "money"), [("server", True), ("manager", True), ("dealer", False), ("player", False)])
def test_only_programs_and_managers_see_money_in_metrics(role, money):
    async def steps():
        calls = []

        async def text(_: object, *, money: bool) -> str:
            calls.append(money)
            return ""

        metrics = SimpleNamespace(text=text)
        watch = TableMonitoring(None, None, metrics, lambda: None)
        await watch.metrics(
            metrics, Request({"type": "http", "method": "GET", "headers": [], "caller": SimpleNamespace(role=role)})
        )
        assert calls == [money]

    on_loop(steps)


def test_the_wait_for_a_request_begins_with_the_last_answer():
    """A connection that has answered another request meanwhile gets the whole time again."""
    cut, waits = [], []
    line = HttpConnection.__new__(HttpConnection)
    line.transport = SimpleNamespace(is_closing=lambda: False)
    line._loop = SimpleNamespace(call_later=lambda seconds, _, last: waits.append((seconds, last)))
    line._cut_off = cut.append
    first, then = SimpleNamespace(over=True), SimpleNamespace(over=True)
    line._current = then
    line._expect_request(first)
    assert (waits, cut) == ([(PATIENCE, then)], [])
    line._expect_request(then)
    assert (len(waits), len(cut)) == (1, 1)
    then.over = False
    line._expect_request(then)
    assert (waits[1:], len(cut)) == ([(PATIENCE, None)], 1)


def test_a_request_has_at_most_a_hundred_headers():
    line = HttpConnection.__new__(HttpConnection)
    line._in_head, line._headers = True, []
    for _ in range(HEADERS):
        line.on_header(b"A", b"1")
    with pytest.raises(ValueError, match=r"^$"):
        line.on_header(b"A", b"1")
    assert line._headers == [(b"a", b"1")] * HEADERS
