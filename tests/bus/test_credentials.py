"""Connections to the bus: with a server certificate, an nkey or a .creds file."""

from collections.abc import Iterator
from contextlib import contextmanager

import tomli_w

from controller.bus.bus_client import connect_once
from controller.bus.names import TableNames
from controller.bus.witness import admit
from controller.journal import recover_state
from controller.text.coded import render
from tests.bus.creds import ByJwt
from tests.bus.rig import BusServer, Certificates
from tests.bus.tables import as_over_http, command, events, run_table, stored
from tests.bus.test_setup import run
from tests.patience import on_loop, until

OPEN = {"command": "open", "id": "o1"}


def test_creds_files_connect_and_their_signed_commands_are_obeyed(tmp_path):
    path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, server.section()) as table, server.client("floors", "main") as floor:
            await until(lambda: table.bus.trouble is None)
            table.play()
            answer = await command(server, floor, table, {**OPEN, "by": "Ana"})
            assert (answer.status, table.table.state.life) == (200, "betting"), answer
            await table.caught_up()
        async with server.client("admin") as admin:
            assert events(await stored(admin, "EVENTS"), "manager") == as_over_http(path, "manager")

    with ByJwt(tmp_path / "bus") as server:
        on_loop(steps)


@contextmanager
def under(server: BusServer) -> Iterator[BusServer]:
    """Start a server without creating streams: a client that rejects its certificate cannot create them."""
    try:
        server.start()
        yield server
    finally:
        server.kill()


WRONG = (  # the scheme, folder of the authority's certificate in the config, the error
    ("tls", "other", "unable to get local issuer certificate"),
    ("tls", None, "unable to get local issuer certificate"),
    ("tls", "none", "bus.ca: expected a file with certificates"),
    ("nats", None, "unable to get local issuer certificate"),
)


def test_an_untrusted_server_certificate_is_reported_in_one_line(tmp_path, capsys):
    def check(url: str, ca: object) -> tuple[int, str]:
        bus = {"servers": [url], "credentials": str(server.seed("tables", "t1")), **({"ca": str(ca)} if ca else {})}
        (tmp_path / "t.toml").write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus}))
        return run(capsys, "bus", "check", str(tmp_path / "t.toml"))

    good, other = Certificates(tmp_path / "good"), Certificates(tmp_path / "other", "bus.other.example")
    with BusServer(tmp_path / "bus", certificates=good) as server:
        assert check(server.url, good.ca) == (0, "the bus is set up correctly\n")
        for scheme, whose, says in WRONG:
            code, output = check(server.url.replace("tls", scheme), whose and tmp_path / whose / "ca.crt")
            assert (code != 0, output.count("\n")) == (True, 1), output
            assert says in output
    with under(BusServer(tmp_path / "strange", certificates=other)) as server:
        assert "certificate is not valid for '127.0.0.1'" in check(server.url, other.ca)[1]


def test_the_end_of_an_encrypted_line_is_no_warning(tmp_path, caplog):
    """Closing an encrypted connection logs nothing: a command's user sees standard error on the screen."""

    async def steps():
        async with connect_once(server.section(ca=str(certificates.ca)), TableNames("main", "t1").inbox) as client:
            assert client.is_connected

    certificates = Certificates(tmp_path / "tls")
    with BusServer(tmp_path / "bus", certificates=certificates) as server:
        on_loop(steps)
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_a_table_connects_once_its_bus_has_a_trusted_certificate(tmp_path):
    """The table deals while each TLS handshake fails, and connects when the server's certificate is right."""
    path, good, other = tmp_path / "t.journal", Certificates(tmp_path / "good"), Certificates(tmp_path / "other")

    async def steps():
        section = server.section(ca=str(good.ca))
        async with run_table(path, section) as table:
            table.play()
            await until(lambda: "vouches" in render(table.bus.trouble or ""))
            assert "vouches" in render(await admit(section, "t.toml", "t1", path, recover_state(path)))
            server.kill()
            server.use(good)
            server.start()
            await table.caught_up()
        async with server.client("admin") as admin:
            assert events(await stored(admin, "EVENTS"), "manager") == as_over_http(path, "manager")

    with BusServer(tmp_path / "bus", certificates=good) as server:
        server.kill()
        server.use(other)
        server.start()
        server.ca = good.ca
        on_loop(steps)
