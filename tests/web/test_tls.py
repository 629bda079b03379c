"""The network door with a certificate, and the addresses that need none."""

import asyncio
import ssl
from contextlib import closing
from http.client import HTTPSConnection

import pytest

from controller.cli.own_pages import serves_table
from controller.config.mistakes import BadConfig
from controller.config.table_file import check
from controller.config.web import WebSection
from controller.web.net import listening, server
from controller.web.net.sockets import UnusableAddress
from tests.patience import PATIENCE, on_loop
from tests.web.conftest import AUTHORITY
from tests.web.net import PIN, NetworkTable


def test_with_a_certificate_https_is_served_with_secure_cookies(tmp_path, files):
    trusting = ssl.create_default_context()
    AUTHORITY.configure_trust(trusting)

    def sign_in(port: int) -> tuple[int, str]:
        connection = HTTPSConnection("127.0.0.1", port, context=trusting, timeout=PATIENCE)
        body = f'{{"name": "anna", "pin": "{PIN}"}}'
        connection.request("POST", "/session", body, {"content-type": "application/json"})
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status, response.headers["set-cookie"]

    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            assert table.net.url.startswith("https://127.0.0.1:")
            status, cookie = await asyncio.to_thread(sign_in, table.port)
            assert (status, "Secure" in cookie) == (200, True)

    on_loop(steps)


def test_encrypted_pages_answer_to_their_own_name_only(tmp_path, files):
    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            url = f"https://127.0.0.1:{table.port}"
            assert [await asyncio.to_thread(serves_table, url, name) for name in ("table", "another")] == [True, False]

    on_loop(steps)


def test_hsts_is_sent_except_under_localhost(tmp_path, files):
    trusting = ssl.create_default_context()
    AUTHORITY.configure_trust(trusting)

    def ask(host: str, port: int) -> str | None:
        with closing(HTTPSConnection(host, port, context=trusting)) as connection:
            connection.request("GET", "/api/nothing")
            return connection.getresponse().headers["strict-transport-security"]

    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            assert await asyncio.to_thread(ask, "127.0.0.1", table.port) == "max-age=31536000"
            assert await asyncio.to_thread(ask, "localhost", table.port) is None

    on_loop(steps)


def test_a_plain_request_to_an_encrypted_door_does_no_harm(tmp_path, files):
    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert await reader.read() == b""
            writer.close()
            assert table.paused()

    on_loop(steps)


def test_an_unfinished_tls_handshake_is_closed(tmp_path, files, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 0.1)

    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
            assert await reader.read() == b""
            writer.close()

    on_loop(steps)


@pytest.mark.parametrize("wrong", ["missing", "no certificate", "key of another", "swapped"])
def test_an_unusable_certificate_gives_a_one_line_error(tmp_path, files, wrong):
    if wrong == "missing":
        files["key"] = str(tmp_path / "none")
    elif wrong == "no certificate":
        (tmp_path / "t.pem").write_text("x", encoding="utf-8")
    elif wrong == "key of another":
        AUTHORITY.issue_cert("localhost").private_key_pem.write_to_path(files["key"])
    else:
        files = {"certificate": files["key"], "key": files["certificate"]}
    with pytest.raises(UnusableAddress, match=r"web\.certificate: expected a certificate and its key in PEM") as error:
        listening.listen(WebSection("127.0.0.1:0", **files), tmp_path / "t.users")
    assert "\n" not in str(error.value)


def test_a_port_in_use_gives_a_one_line_error(tmp_path):
    first = listening.listen(WebSection("127.0.0.1:0"), tmp_path / "t.users")
    with pytest.raises(UnusableAddress, match="address already in use; name another one under \\[web\\]"):
        listening.listen(WebSection(f"127.0.0.1:{first.socket.getsockname()[1]}"), tmp_path / "t.users")
    first.close()


@pytest.mark.parametrize("place", ["0.0.0.0:8032", "10.0.0.7:8032", "[::]:8032"])
def test_a_network_address_needs_a_certificate_or_plain_set(place):
    with pytest.raises(BadConfig, match=r"web\.listen: expected an address of this PC alone, or cert"):
        check({"web": {"listen": place}})
    assert check({"web": {"listen": place, "plain": True}}).web.place()
    assert check({"web": {"listen": place, "certificate": "a", "key": "b"}}).web.place()


@pytest.mark.parametrize(
    "place",
    ["8032", "here:8032", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:65536", "::1:", "::1:8032", "[127.0.0.1]:8032", "on"],
)
def test_an_invalid_listen_address_is_refused(place):
    with pytest.raises(BadConfig, match=r"web\.listen: expected an address and port such as 127\.0"):
        check({"web": {"listen": place}})


@pytest.mark.parametrize("place", ["127.0.0.1:8032", "localhost:8032", "[::1]:8032", "127.0.0.1:0", "off"])
def test_an_address_of_this_pc_alone_needs_no_certificate(place):
    assert check({"web": {"listen": place}}).web.listen == place
