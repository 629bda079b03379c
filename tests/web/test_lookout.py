"""Neither a missing network address nor a bad renewed certificate stops a table."""

import asyncio
import ssl
from contextlib import closing
from pathlib import Path

import pytest

from controller.config.web import WebSection
from controller.web.net import listening, lookout
from controller.web.net.sockets import UnusableAddress
from tests.outputs.test_metrics import parse_samples
from tests.patience import PATIENCE, on_loop, until
from tests.web.conftest import AUTHORITY
from tests.web.net import NetworkTable
from tests.web.rig import capture_log
from tests.web.test_monitoring import MeteredTable

ELSEWHERE = ("192.0.2.1", "[2001:db8::1]")  # addresses for examples: no PC has one


@pytest.fixture(autouse=True)
def often(monkeypatch) -> None:
    monkeypatch.setattr(lookout, "EVERY", 0.01)


# ── the address ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_missing_address_is_logged_once_and_a_trouble(tmp_path, address):
    async def steps():
        with capture_log() as lines:
            async with NetworkTable(tmp_path, listen=f"{address}:0", plain=True) as table:
                for _ in range(3):
                    health = await table.ask("GET", "/healthz")
                (trouble,) = health.body["troubles"]
                assert (health.status, health.body["ok"]) == (200, True)
                assert trouble.startswith(f"no pages: this PC has no address {address.strip('[]')} now; ")
                assert table.paused()  # the table still plays
        missing = [line for line in lines if line["event"] == "web_address_missing"]
        assert [(line["log_level"], line["address"]) for line in missing] == [("warning", address.strip("[]"))]

    on_loop(steps)


@pytest.mark.parametrize("place", ["127.0.0.1:0", "0.0.0.0:0", "[::1]:0"])
def test_an_address_that_every_pc_has_is_not_watched(tmp_path, place):
    with closing(listening.listen(WebSection(place, plain=True), tmp_path / "t.users")) as net:
        assert net.watched == {}


@pytest.mark.parametrize("address", ["127.0.0.1", *ELSEWHERE])
def test_a_port_in_use_is_refused_even_without_its_address(tmp_path, address):
    with closing(listening.listen(WebSection(f"{address}:0", plain=True), tmp_path / "t.users")) as first:
        place = f"{address}:{first.socket.getsockname()[1]}"
        with pytest.raises(UnusableAddress, match="address already in use; name another one"):
            listening.listen(WebSection(place, plain=True), tmp_path / "t.users")


# ── the certificate ──────────────────────────────────────────────────────────────────────────────────────────────


def renew(files: dict[str, str], *names: str) -> bytes:
    """Write a new certificate's files in place of the former; return what new clients should get."""
    issued = AUTHORITY.issue_cert("127.0.0.1")
    parts = {"certificate": issued.cert_chain_pems[0].bytes(), "key": issued.private_key_pem.bytes()}
    for name in names:
        new = Path(f"{files[name]}.new")
        new.write_bytes(parts[name])
        new.replace(files[name])
    return parts["certificate"]


def as_shown(port: int) -> bytes:
    """Return the certificate that a new connection gets, in PEM."""
    return ssl.get_server_certificate(("127.0.0.1", port)).encode()


async def shown_page(table: NetworkTable) -> bytes:
    return (await asyncio.to_thread(as_shown, table.port)).strip()


async def troubles(table: NetworkTable) -> list[str]:
    return (await table.ask("GET", "/healthz")).body["troubles"]


def test_a_renewed_certificate_is_used_for_new_connections_only(tmp_path, files):
    trusting = ssl.create_default_context()
    AUTHORITY.configure_trust(trusting)

    async def steps():
        async with NetworkTable(tmp_path, **files) as table:
            reader, writer = await asyncio.open_connection("127.0.0.1", table.port, ssl=trusting)
            with capture_log() as lines:
                new = renew(files, "certificate", "key").strip()
                async with asyncio.timeout(PATIENCE):
                    while await shown_page(table) != new:
                        pass
            assert [line["event"] for line in lines if line["log_level"] == "info"] == ["certificate_renewed"]
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            writer.close()
            assert await troubles(table) == []

    on_loop(steps)


def test_an_unusable_new_certificate_keeps_the_former_one(tmp_path, files):
    async def steps():
        async with MeteredTable(tmp_path, **files) as table:
            before = await shown_page(table)
            with capture_log() as lines:
                renew(files, "certificate")  # its key is not written yet
                await until(lambda: table.api.lookout.messages)
                assert await shown_page(table) == before
                assert (await troubles(table)) == [
                    "the renewed certificate cannot be used, the former one is still shown; the log says why"
                ]
                assert (await metrics(table))["tablectl_pages_trouble"] == {"certificate": 1, "sign_in": 0}
            (line,) = [line for line in lines if line["event"] == "certificate_unusable"]
            assert "do not belong together" in line["reason"]
            Path(files["key"]).unlink()
            new = renew(files, "certificate", "key").strip()
            await until(lambda: not table.api.lookout.messages)
            assert await shown_page(table) == new

    on_loop(steps)


async def metrics(table: MeteredTable) -> dict[str, dict[str, float]]:
    async with table.connected() as (reader, writer):
        writer.write(b"GET /metrics HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n")
        return parse_samples((await reader.read()).partition(b"\r\n\r\n")[2])
