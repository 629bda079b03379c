"""Schemathesis sends a running table the requests that its OpenAPI document allows, and others.

Names are in Latin-1 here: for other letters a table has rules that a pattern cannot express (`spelling`). Event
streams, which do not end, are tested in tests/web/test_events.py.
"""

import subprocess
import sys

import pytest

from tests.chance import SEED
from tests.web.net import BrowserPerson, NetworkTable
from tests.web.rig import ThreadedTable

# A schema limits the fields of a body, not its bytes: a table may refuse a wrong body as too long before it reads it.
REFUSED = """[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
"""
QUICK = ("--phases", "fuzzing", "--max-examples", "3")
LONG = ("--phases", "examples,coverage,fuzzing", "--max-examples", "60")


async def who(table: NetworkTable, audience: str) -> dict[str, str]:
    """Return the headers with which every request of this audience identifies its caller."""
    if audience == "manager":
        person = BrowserPerson(table)
        assert (await person.sign_in()).status == 200
        return {"cookie": person.cookie or "", "x-csrf": person.csrf or ""}
    return {"Authorization": f"Bearer {table.token}"} if audience == "server" else {}


def run_schemathesis(path, audience: str, *how: str, seed: int = 1) -> str:
    """Run Schemathesis on a running table. Return its output, or its exit code if it fails.

    It is a process of its own that has only the address of the document and the audience's headers.
    """

    async def where(table: NetworkTable) -> tuple[str, dict[str, str]]:
        return f"http://127.0.0.1:{table.port}", await who(table, audience)

    with ThreadedTable(path, NetworkTable) as running:
        url, headers = running.do(where)
        options = [part for name, value in headers.items() for part in ("--header", f"{name}: {value}")]
        document = f"{url}/api/v1/openapi.json?role={audience}"
        fixed = ("--seed", str(seed), "--generation-codec", "latin-1", "--generation-database", "none", "--no-color")
        left_out = ["--exclude-path", "/api/v1/events"]
        if audience == "manager":  # a schema cannot say which cards, times, faults and PINs exist
            left_out += ["--exclude-checks", "positive_data_acceptance", "--warnings", "off"]
        (path / "schemathesis.toml").write_text(REFUSED)  # read from the working directory
        command = [sys.executable, "-m", "schemathesis.cli", "run", document, "--url", url]
        ran = subprocess.run(
            [*command, *options, *left_out, *fixed, *how], cwd=path, capture_output=True, text=True, check=False
        )
    print(ran.stdout, ran.stderr)
    return ran.stdout if ran.returncode == 0 else f"exit code {ran.returncode}"


def test_a_running_table_answers_as_its_openapi_document_says(tmp_path):
    output = run_schemathesis(tmp_path, "server", *QUICK)
    assert "5 selected / 6 total" in output
    assert "No issues found" in output


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("audience", "operations"), [("server", 5), ("player", 4), ("manager", 9)])
def test_a_running_table_answers_every_request_as_its_document_says(tmp_path, audience, operations):
    output = run_schemathesis(tmp_path, audience, *LONG, seed=SEED)
    assert f"{operations} selected / {operations + 1} total" in output
    assert "No issues found" in output
