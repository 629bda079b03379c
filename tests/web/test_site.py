"""The network door: host names under which it answers, security headers, unreadable users file."""

import pytest

from tests.web.net import BrowserPerson
from tests.web.people import at_a_table, manager, nobody, program
from tests.web.rig import OPEN, capture_log


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("localhost:1", 200), ("[::1]:8032", 200), ("10.1.2.3", 200),
        ("Table1.Studio.example", 200),
        ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("", 421),
    ],
)  # fmt: skip
def test_the_network_door_answers_only_under_its_own_names(tmp_path, host, status):
    """The host name of a foreign page may lead to this PC: a browser would take the table for that page."""

    async def steps(table):
        answer = await BrowserPerson(table, {"host": host}).ask("GET", "/api/state")
        assert answer.status == status

    at_a_table(tmp_path, steps, hosts=("table1.studio.example",))


def test_the_network_door_answers_under_its_announced_name(tmp_path):
    async def steps(table):
        answer = await BrowserPerson(table, {"host": table.net.url.partition("://")[2]}).ask("GET", "/api/state")
        assert answer.status == 200

    at_a_table(tmp_path, steps, listen="0.0.0.0:0", plain=True)


def test_every_answer_has_security_headers(tmp_path):
    async def steps(table):
        for target in ("/api/state", "/session", "/nothing"):
            headers = (await BrowserPerson(table).ask("GET", target)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["cache-control"] == "no-store"
            assert not any(name.startswith("access-control") for name in headers)
            assert "strict-transport-security" not in headers  # the connection is not encrypted

    at_a_table(tmp_path, steps)


def test_an_unreadable_users_file_refuses_sign_ins_and_commands(tmp_path):
    async def steps(table):
        person = await manager(table)
        table.users.path.write_text("{", encoding="utf-8")
        with capture_log():
            assert (await person.ask("POST", "/api/commands", OPEN)).status == 503
            assert (await BrowserPerson(table).sign_in()).status == 503
            assert (await (await program(table)).ask("POST", "/api/commands", OPEN)).status == 503
        table.paused()
        assert (await (await nobody(table)).ask("GET", "/api/state")).body["life"] == "paused"

    at_a_table(tmp_path, steps)
