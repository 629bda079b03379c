"""What the API says of itself: every event fits its schema, and the document is AsyncAPI 3.0.

The schema of AsyncAPI 3.0.0 is the AsyncAPI Initiative's own (package @asyncapi/specs 6.11.1, Apache-2.0), packed.
"""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft7Validator

from controller.cli import main
from controller.core import records as r
from controller.core.events import ShoeSays
from controller.core.mark import Mark
from controller.core.views import view
from controller.web.api import commands as c
from controller.web.api.asyncapi import document
from controller.web.api.commands import MAY
from controller.web.api.messages import INTERNAL, events
from controller.web.api.table_state import standing
from controller.web.api.verdicts import Answer, judged
from tests.core import chance
from tests.core.chance import Judge
from tests.web.rig import Spoken, on_loop
from tests.web.test_commands import EVERY

AUDIENCES = get_args(c.Role)
KINDS = {str(fact.__struct_config__.tag): fact for fact in get_args(r.What)}
META = Path(__file__).parent / "asyncapi" / "3.0.0.json.gz"
RARE = (
    r.Disputed(ShoeSays("tie"), "player"),
    r.ShoeCut("eva"),
    r.Acknowledged(7, "anna"),
    r.Restarted(7),
    r.TelegramsMissing("shoe", "2", "4"),
    r.ShoeCut("dealer"),
    r.RecordDamaged("chain", 9, "changed"),
    r.RecordSound("chain"),
    r.LossAccepted("e2", "e1", Mark("e1", 57, "0c" * 32, "t1"), "anna", "the disk broke"),
    r.DeviceCutOff("shoe", 700, 9),
    r.DeviceTakenBack("shoe", "anna"),
    r.ClockSet("2026-01-01T00:00:00.000000Z", "2026-01-01T02:00:00.000000Z"),
    r.ReadOut("5C"),
    r.Carried(4, "5C"),
    r.BetRepriced("p1 player", "p1", "player", 1000, "2.07", "1.52"),
)
SPAN = 7  # records behind one command, at most


@cache
def doc(audience: str) -> dict[str, Any]:
    """As it goes over the wire."""
    return json.loads(msgspec.json.encode(document(audience)))


@cache
def schema(audience: str, name: str) -> Draft7Validator:
    return Draft7Validator({"$ref": f"#/components/schemas/{name}", "components": doc(audience)["components"]})


def of_event(audience: str, kind: str) -> Draft7Validator:
    payload = doc(audience)["channels"]["events"]["messages"][kind]["payload"]["$ref"]
    return schema(audience, payload.rpartition("/")[2])


def wired(content: object) -> Any:
    return json.loads(msgspec.json.encode(content))


class Told(Judge):
    """Keeps all records, and looks at a state now and then."""

    def __init__(self, bench):
        super().__init__(bench)
        self.records: list[r.Record] = []

    def look(self, before, event, records, after):
        self.records += records
        for audience in AUDIENCES[len(self.records) % 5 :]:
            state = standing(after, self.bench.due, None, audience, next(iter(records), None))
            schema(audience, "Standing").validate(wired(state))


@cache
def happened() -> tuple[r.Record, ...]:
    """Rounds of every game in which everything goes wrong, always the same; some of them in training.

    What chance hardly brings about is put beside them.
    """
    records: list[r.Record] = []
    for number, table in enumerate(chance.TABLES):
        dice = random.Random(number)
        rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(150)]
        records += chance.play(table, (Told,), rolled).judges[0].records
    rare = [msgspec.structs.replace(records[0], what=what) for what in RARE]
    return (*records, *rare, *(msgspec.structs.replace(record, training=True) for record in records[:200]))


def told(audience: str) -> Iterator[dict[str, Any]]:
    return (wired(view(record, audience)) for record in happened())


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_event_of_random_rounds_fits_its_schema_and_says_no_more(audience):
    described = events(audience)
    for event in told(audience):
        of_event(audience, event["kind"]).validate(event)
        assert set(event) <= set(described[event["kind"]]["properties"]), event


def test_those_rounds_have_every_kind_of_record_and_hidden_cards():
    records = happened()
    assert {record.kind for record in records} == set(KINDS)
    games = {record.what.game for record in records if isinstance(record.what, r.Opened)}
    assert len(games) == 5
    hidden = {record.kind for record in records if getattr(record.what, "hidden", False)}
    assert hidden >= {"drawn", "faulted", "ruled", "burnt"}


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_field_that_is_missing_or_of_another_type_does_not_fit(audience):
    samples = {event["kind"]: event for event in told(audience)}
    assert len(samples) > 15
    for kind, event in samples.items():
        check = of_event(audience, kind)
        for name in check.schema["components"]["schemas"][of_name(check)]["required"]:
            without = {field: value for field, value in event.items() if field != name}
            assert not check.is_valid(without), (kind, name)
        for name in event:
            assert not check.is_valid({**event, name: 3.5}), (kind, name)


def of_name(check: Draft7Validator) -> str:
    return check.schema["$ref"].rpartition("/")[2]


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_face_down_card_that_is_told_does_not_fit_and_neither_does_an_open_one_that_is_not(audience):
    of_dealt = [event for event in told(audience) if event["kind"] == "dealt"]
    check = of_event(audience, "dealt")
    assert {event["face_up"] for event in of_dealt} == {True, False}
    assert not any(check.is_valid({**event, "face_up": not event["face_up"]}) for event in of_dealt)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_kind_of_record_has_a_message_or_is_none_of_their_business(audience):
    messages = set(doc(audience)["channels"]["events"]["messages"]) - {"problem"}
    seen = defaultdict(set)
    for record in happened():
        seen[record.kind].add(view(record, audience)["kind"])
    none_of_theirs = {kind for kind in KINDS if seen[kind] == {INTERNAL}}
    assert messages - {INTERNAL} == set(KINDS) - none_of_theirs
    assert "checkpoint" in none_of_theirs
    assert "faulted" in messages


@pytest.mark.parametrize("audience", AUDIENCES)
def test_who_may_do_what_is_what_the_document_has_them_send(audience):
    sends = doc(audience)["channels"].get("commands", {"messages": {}})["messages"]
    assert set(sends) - {"list", "answer", "problem"} == {
        c.word(one) for one in EVERY.values() if type(one) in MAY[audience]
    }


@pytest.mark.parametrize("word", EVERY)
def test_a_command_fits_its_schema_and_a_list_of_it(word):
    command, sent = EVERY[word], wired(EVERY[word])
    audience = next(role for role in AUDIENCES if type(command) in MAY[role])
    check = schema(audience, f"{type(command).__name__}Command")
    check.validate(sent)
    schema(audience, "Commands").validate([sent, sent])
    for wrong in ({**sent, "x": 1}, {**sent, "id": "a\nb"}, {**sent, "id": ""}, {**sent, "command": "jump"}):
        assert not check.is_valid(wrong)
        assert not schema(audience, "Commands").is_valid([sent, wrong])


@pytest.mark.parametrize("audience", ["server", "manager", "dealer"])
def test_an_answer_fits_its_schema(audience):
    records = happened()
    for start in range(0, len(records), 40 * SPAN):
        verdicts = tuple(judged("k", records[first : first + SPAN], audience) for first in (start, start + SPAN))
        schema(audience, "Answer").validate(wired(Answer(verdicts)))
    assert not schema(audience, "Answer").is_valid({"verdicts": [{"id": "k", "verdict": "maybe"}]})
    assert not schema(audience, "Answer").is_valid({"verdicts": [{"id": "k", "verdict": "done", "records": [{}]}]})


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_document_is_asyncapi_3(audience):
    meta = Draft7Validator(json.loads(gzip.decompress(META.read_bytes())))
    assert list(meta.iter_errors(doc(audience))) == []
    assert not meta.is_valid({**doc(audience), "asyncapi": "2.6.0"})


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_reference_leads_somewhere_and_an_operation_uses_its_channels_messages(audience):
    made = doc(audience)
    for name in references(made):
        assert at(made, name), name
    for operation in made["operations"].values():
        place = operation["channel"]["$ref"] + "/messages/"
        assert all(message["$ref"].startswith(place) for message in operation["messages"])


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from references(inner)


def at(made: Any, name: str) -> Any:
    for part in name.removeprefix("#/").split("/"):
        made = made[part]
    return made


def test_the_command_prints_the_document_of_an_audience(capsys):
    for words, audience in (([], "server"), (["--audience", "player"], "player")):
        with pytest.raises(SystemExit, match="0"):
            main(["api", *words])
        assert json.loads(capsys.readouterr().out) == doc(audience)


def test_a_table_says_it_to_whoever_asks(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            for audience in AUDIENCES:
                reply = await table.ask("GET", f"/api/asyncapi.json?role={audience}")
                assert (reply.status, reply.body) == (200, doc(audience))

    on_loop(steps)
