"""Every error answer is a problem of RFC 9457, with a reason that the documents list."""

import json
from typing import get_args

import pytest

from controller.text.problem_titles import PROBLEMS
from controller.web.net.replies import Reason
from tests.patience import on_loop
from tests.web.callers import CallerConnection
from tests.web.net import BrowserPerson, NetworkTable
from tests.web.rig import CLOSE, OPEN, Spoken


def test_every_reason_has_a_title():
    assert set(PROBLEMS) == set(get_args(Reason))


@pytest.mark.parametrize(
    ("body", "position"),
    [
        ([OPEN, {**CLOSE, "x": 1}], "$[1]"),
        ([OPEN, {**CLOSE, "id": "a\u200bb"}], "$[1].id"),
        ({**OPEN, "id": 7}, "$.id"),
        ({"id": "7"}, None),
    ],
)
def test_a_problem_gives_its_position_in_the_body(tmp_path, body, position):
    async def steps():
        async with Spoken(tmp_path) as table:
            reply = await table.ask("POST", "/api/commands", body)
            assert (reply.status, reply.body["reason"], reply.body.get("position")) == (400, "malformed", position)
            assert reply.body["type"] == "urn:tablectl:problem:malformed"

    on_loop(steps)


@pytest.mark.parametrize(
    ("method", "target", "headers", "status", "reason"),
    [
        ("GET", "/nothing", {}, 404, "not_found"),
        ("PUT", "/api/state", {}, 405, "wrong_method"),
        ("GET", "/api/state", {"host": "elsewhere.example"}, 421, "wrong_host"),
        ("GET", "/api/state", {"authorization": "Bearer no"}, 401, "not_signed_in"),
        ("GET", "/api/state", {"transfer-encoding": "chunked", "content-length": "0"}, 400, "bad_request"),
    ],
)
def test_every_problem_is_problem_json_with_status_and_reason(tmp_path, method, target, headers, status, reason):
    async def steps():
        async with NetworkTable(tmp_path) as table:
            answer = await BrowserPerson(table).ask(method, target, headers=headers)
            assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
            assert (answer.body["status"], answer.body["reason"]) == (status, reason)

    on_loop(steps)


def test_an_invalid_request_is_answered_with_a_problem_too(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.connected() as (reader, writer):
            writer.write(b"Hello?\r\n\r\n")
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 ")
            assert b"content-type: application/problem+json" in head
            assert json.loads(body)["reason"] == "bad_request"

    on_loop(steps)


@pytest.mark.parametrize(
    ("target", "code", "detail"),
    [
        ("/round/7", "round_not_recorded", "runda 7 nu este în jurnal"),
        ("/api/rounds/7", "round_not_recorded", "runda 7 nu este în jurnal"),
        ("/report?day=2020-01-01", "nothing_recorded", "nu este înregistrat nimic"),
        ("/round/x", "expected_number", "round: "),
        ("/api/state?role=guest", "expected_role", "role: "),
        ("/api/events?after=x", "expected_record", "after: "),
        ("/api/events?after=0&epoch=x", "epoch_unknown", "epoch: "),
        ("/api/events?after=9999", "beyond_the_end", "after: "),
        ("/api/screen?role=server", "no_screen", "role: "),
    ],
)
def test_a_refusal_has_its_code_and_the_pages_language(tmp_path, target, code, detail):
    async def steps():
        async with Spoken(tmp_path) as table:
            line = CallerConnection(str(table.socket))
            answer = await line.ask("GET", f"{target}{'&' if '?' in target else '?'}lang=ro")
            line.close()
            problem = json.loads(answer.body)
            assert problem["message"]["code"] == code
            assert detail in problem["detail"]

    on_loop(steps)
