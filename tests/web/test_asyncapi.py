"""API documents: every event fits its schema, and the document is AsyncAPI 3.0.

The schema of AsyncAPI 3.0.0 is the AsyncAPI Initiative's own (package @asyncapi/specs 6.11.1, Apache-2.0), packed.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft7Validator, Draft202012Validator

from controller.cli import main
from controller.core import records as r
from controller.core.views import view
from controller.games import GAMES
from controller.web.api import asyncapi, openapi
from controller.web.api import commands as c
from controller.web.api.commands import MAY
from controller.web.api.messages import INTERNAL, events
from controller.web.api.schemas import REF, bundle, games_in_record
from controller.web.api.verdicts import VerdictsAnswer, command_verdict
from tests.patience import on_loop
from tests.repeats import first_of
from tests.web.random_records import (
    ALL,
    AUDIENCES,
    KINDS,
    all_records,
    all_states,
    as_json,
    audience_events,
    schemas_of,
)
from tests.web.rig import Spoken
from tests.web.test_commands import EVERY

META = Path(__file__).parent / "asyncapi" / "3.0.0.json.gz"
SPAN = 7  # records in one verdict, at most


@cache
def doc(audience: str) -> dict[str, Any]:
    """Return the AsyncAPI document of an audience, as sent over the wire."""
    return as_json(asyncapi.document(audience, ALL))


@cache
def schema(audience: str, name: str) -> Draft202012Validator:
    return Draft202012Validator({**schemas_of(audience), "$ref": f"#/$defs/{name}"})


def name_of(audience: str, kind: str) -> str:
    """Return the name of an event's schema."""
    message = part_at(doc(audience), doc(audience)["channels"]["events"]["messages"][kind]["$ref"])
    return message["payload"]["$ref"].rpartition("/")[2]


@cache
def of_event(audience: str, kind: str) -> Draft202012Validator:
    return schema(audience, name_of(audience, kind))


@pytest.mark.parametrize("audience", first_of(2, AUDIENCES[::-1]))
def test_every_event_of_random_rounds_fits_its_schema_exactly(audience):
    described = events(audience, REF)
    for event in audience_events(audience):
        of_event(audience, event["kind"]).validate(event)
        assert set(event) <= set(described[event["kind"]]["properties"]), event


def test_every_state_of_random_rounds_fits_its_schema():
    assert len(all_states()) > 1000
    for audience, state in all_states()[::4]:
        schema(audience, "TableState").validate(state)


def test_random_rounds_have_every_record_kind_and_hidden_cards():
    records = all_records()
    assert {record.kind for record in records} == set(KINDS)
    games = {record.what.game for record in records if isinstance(record.what, r.Opened)}
    assert len(games) == 5
    hidden = {record.kind for record in records if getattr(record.what, "hidden", False)}
    assert hidden >= {"drawn", "faulted", "ruled", "burnt"}


@pytest.mark.parametrize("audience", AUDIENCES)
def test_an_event_with_a_missing_or_mistyped_field_is_invalid(audience):
    samples = {event["kind"]: event for event in audience_events(audience)}
    assert len(samples) > 15
    for kind, event in samples.items():
        check = of_event(audience, kind)
        for name in schemas_of(audience)["$defs"][name_of(audience, kind)]["required"]:
            without = {field: value for field, value in event.items() if field != name}
            assert not check.is_valid(without), (kind, name)
        for name in event:
            assert not check.is_valid({**event, name: 3.5}), (kind, name)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_dealt_event_is_invalid_with_face_up_inverted(audience):
    of_dealt = [event for event in audience_events(audience) if event["kind"] == "dealt"]
    check = of_event(audience, "dealt")
    assert {event["face_up"] for event in of_dealt} == {True, False}
    assert not any(check.is_valid({**event, "face_up": not event["face_up"]}) for event in of_dealt)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_record_kind_has_a_message_or_is_internal(audience):
    messages = set(doc(audience)["channels"]["events"]["messages"]) - {"problem"}
    kinds = defaultdict(set)
    for record in all_records():
        kinds[record.kind].add(view(record, audience)["kind"])
    none_of_theirs = {kind for kind in KINDS if kinds[kind] == {INTERNAL}}
    assert messages - {INTERNAL} == set(KINDS) - none_of_theirs
    assert "checkpoint" in none_of_theirs
    assert "faulted" in messages


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_document_has_exactly_the_audiences_allowed_commands(audience):
    sends = doc(audience)["channels"].get("commands", {"messages": {}})["messages"]
    assert set(sends) - {"commandList", "commandsTogether", "answer", "problem"} == {
        c.word(one) for one in EVERY.values() if type(one) in MAY[audience]
    }


@pytest.mark.parametrize("word", EVERY)
def test_a_command_fits_its_schema_and_a_list_of_it(word):
    command, sent = EVERY[word], as_json(EVERY[word])
    audience = next(role for role in AUDIENCES if type(command) in MAY[role])
    check = schema(audience, f"{type(command).__name__}Command")
    check.validate(sent)
    schema(audience, "CommandList").validate([sent, sent])
    for wrong in ({**sent, "x": 1}, {**sent, "id": "a\nb"}, {**sent, "id": ""}, {**sent, "command": "jump"}):
        assert not check.is_valid(wrong)
        assert not schema(audience, "CommandList").is_valid([sent, wrong])


@pytest.mark.parametrize("audience", ["server", "manager", "dealer"])
def test_an_answer_fits_its_schema(audience):
    records = all_records()
    for start in range(0, len(records), 40 * SPAN):
        verdicts = tuple(
            command_verdict("k", records[first : first + SPAN], audience) for first in (start, start + SPAN)
        )
        schema(audience, "VerdictsAnswer").validate(as_json(VerdictsAnswer(verdicts)))
    assert not schema(audience, "VerdictsAnswer").is_valid({"verdicts": [{"id": "k", "verdict": "maybe"}]})
    assert not schema(audience, "VerdictsAnswer").is_valid(
        {"verdicts": [{"id": "k", "verdict": "done", "records": [{}]}]}
    )


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_document_is_asyncapi_3(audience):
    meta = Draft7Validator(json.loads(gzip.decompress(META.read_bytes())))
    assert list(meta.iter_errors(doc(audience))) == []
    assert not meta.is_valid({**doc(audience), "asyncapi": "2.6.0"})


@pytest.mark.parametrize("audience", AUDIENCES)
def test_references_resolve_and_operations_use_their_channels_messages(audience):
    document = doc(audience)
    for name in references(document):
        assert part_at(document, name), name
    for operation in document["operations"].values():
        place = operation["channel"]["$ref"] + "/messages/"
        assert all(message["$ref"].startswith(place) for message in operation["messages"])


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from references(inner)


def part_at(node: Any, name: str) -> Any:
    for part in name.removeprefix("#/").split("/"):
        node = node[part]
    return node


def test_the_bus_channels_carry_the_messages_of_http():
    bus = {"#/servers/bus"}
    for audience, subject in (("server", "platform"), ("manager", "floor")):
        document = doc(audience)
        of_http, of_bus = document["channels"]["commands"], document["channels"]["busCommands"]
        assert of_bus["messages"] == of_http["messages"]
        assert of_bus["address"] == f"tablectl.{{studio}}.{{table}}.command.{subject}"
        events = document["channels"]["busEvents"]
        assert set(document["channels"]["events"]["messages"]) - set(events["messages"]) == {"problem"}
        assert {one["$ref"] for channel in (of_bus, events) for one in channel["servers"]} == bus
        assert document["operations"]["busSend"]["reply"]["channel"]["$ref"] == "#/channels/busInbox"
    assert "busEvents" not in doc("dealer")["channels"]
    assert set(doc("player")["operations"]) & {"busSend", "busFollow"} == {"busFollow"}


OF_THE_BUS = {"Beat", "Question", "EventPage"}
SHARED = {  # keywords with one meaning in draft 7 (AsyncAPI's), in 2020-12 and in ajv's strict mode
    "$ref", "additionalProperties", "anyOf", "const", "description", "discriminator", "else", "enum", "format", "if",
    "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "oneOf", "pattern", "properties",
    "propertyNames", "required", "then", "title", "type", "default",
}  # fmt: skip


@pytest.mark.parametrize("audience", AUDIENCES)
def test_all_documents_have_the_same_schemas_in_shared_keywords(audience):
    plain = as_json(bundle(audience, ALL))["$defs"]
    for document in (doc(audience), as_json(openapi.document(audience, ALL))):
        undiscriminated = told_apart_by_nothing(document["components"]["schemas"])
        schemas = json.loads(json.dumps(undiscriminated).replace("#/components/schemas/", "#/$defs/"))
        assert {name: one for name, one in schemas.items() if name not in OF_THE_BUS} == plain
    assert {word for one in plain.values() for word in words(one)} <= SHARED


def told_apart_by_nothing(schema: Any) -> Any:
    """Return a schema without its discriminators."""
    if isinstance(schema, dict):
        return {key: told_apart_by_nothing(one) for key, one in schema.items() if key != "discriminator"}
    return [told_apart_by_nothing(one) for one in schema] if isinstance(schema, list) else schema


def words(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the keywords of a schema and of all schemas in it."""
    yield from schema
    within = [schema[word] for word in ("items", "if", "then", "else", "propertyNames") if word in schema]
    within += [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    for one in (*within, schema.get("additionalProperties")):
        yield from words(one) if isinstance(one, dict) else ()


@pytest.mark.parametrize("audience", AUDIENCES)
def test_no_two_things_of_a_document_have_the_same_name(audience):
    """A client generator makes a type of each name: `commands` would be both a list and a channel."""
    document = doc(audience)
    messages, schemas = document["components"]["messages"], document["components"]["schemas"]
    assert {message["payload"]["$ref"].rpartition("/")[2] for message in messages.values()} == set(messages)
    named = [name.casefold() for name in [*schemas, *document["channels"], *document["operations"]]]
    assert len(named) == len(set(named))
    assert all(message["name"] == name == schemas[name]["title"] for name, message in messages.items())


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_union_has_a_discriminator_field_in_all_members(audience):
    """AsyncAPI names the field; OpenAPI also maps its values."""
    for document in (doc(audience), as_json(openapi.document(audience, ALL))):
        schemas = document["components"]["schemas"]
        unions = [one for one in parts(document) if "discriminator" in one]
        assert len(unions) >= (4 if audience == "player" else 10)
        for union in unions:
            discriminator = union["discriminator"]
            field = discriminator if isinstance(discriminator, str) else discriminator["propertyName"]
            members = [part_at(document, one["$ref"]) for one in union.get("oneOf", union.get("anyOf"))]
            values = [said_by(one["properties"][field]) for one in members]
            assert all(field in one["required"] for one in members)
            assert len(values) == len(set(values))
            if isinstance(discriminator, dict):
                assert {value: part_at(document, ref) for value, ref in discriminator["mapping"].items()} == dict(
                    zip(values, members, strict=True)
                )
        assert "discriminator" in schemas["Event"]
        assert ("discriminator" in schemas.get("Command", ())) == (audience != "player")


def said_by(field: dict[str, Any]) -> str:
    """Return the value by which a discriminator field selects its schema."""
    return field["const"] if "const" in field else field["enum"][0]


def parts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from parts(inner)


def test_the_command_prints_the_documents_of_an_audience(capsys):
    blackjack = games_in_record(GAMES["blackjack"])
    for words, printed in (
        ([], doc("server")),
        (["--audience", "player"], doc("player")),
        (["--openapi"], as_json(openapi.document("server", ALL))),
        (["--schema", "--game", "blackjack"], as_json(bundle("server", blackjack))),
        (["--game", "blackjack"], as_json(asyncapi.document("server", blackjack))),
    ):
        with pytest.raises(SystemExit, match="0"):
            main(["api", *words])
        assert json.loads(capsys.readouterr().out) == printed


def test_a_table_serves_the_documents_of_its_own_game(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            for audience in AUDIENCES:
                for place, document in (("asyncapi.json", asyncapi.document), ("openapi.json", openapi.document)):
                    reply = await table.ask("GET", f"/api/v1/{place}?role={audience}")
                    assert (reply.status, reply.body) == (200, as_json(document(audience, (GAMES["baccarat"],))))
                reply = await table.ask("GET", f"/api/v1/schema?role={audience}")
                assert (reply.status, reply.body) == (200, as_json(bundle(audience, (GAMES["baccarat"],))))

    on_loop(steps)


@pytest.mark.parametrize(("audience", "kind"), [("server", "platform"), ("manager", "floor")])
def test_questions_beats_and_inboxes_of_the_bus_are_described(audience, kind):
    document = doc(audience)
    channels = document["channels"]
    assert channels["busQuestions"]["address"] == f"tablectl.{{studio}}.{{table}}.ask.{kind}"
    assert channels["busBeats"]["address"] == "tablectl.{studio}.{table}.beat"
    assert channels["busInbox"]["address"] == f"_INBOX_{kind}.{{{kind}}}.{{table}}.{{token}}"
    for name in ("busSend", "busAsk"):
        assert document["operations"][name]["reply"]["channel"]["$ref"] == "#/channels/busInbox"
    page = Draft202012Validator({**document, "$ref": "#/components/schemas/EventPage"})
    page.validate([*islice(audience_events(audience), 50)])
    assert not page.is_valid([{"seq": 1}])


KEYWORDS = {  # all keywords of JSON Schema: programs ignore a misspelt one
    "$defs", "$id", "$ref", "$schema", "additionalProperties", "allOf", "anyOf", "const", "contains", "default",
    "description", "discriminator", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if",
    "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "not", "oneOf", "pattern",
    "prefixItems", "properties", "propertyNames", "required", "then", "title", "type",
    "unevaluatedProperties", "uniqueItems",
}  # fmt: skip


def misspelt(schema: object) -> Iterator[str]:
    """Yield the keywords of a schema that JSON Schema does not know."""
    for word, value in schema.items() if isinstance(schema, dict) else ():
        if word in ("properties", "$defs"):
            for inner in value.values():
                yield from misspelt(inner)
        elif word not in KEYWORDS and not word.startswith("x-"):
            yield word
        elif word not in ("default", "const", "enum", "examples", "discriminator"):
            for inner in value if isinstance(value, list) else [value]:
                yield from misspelt(inner)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_keyword_of_a_schema_is_known(audience):
    for document in (doc(audience), as_json(openapi.document(audience, ALL))):
        for name, one in document["components"]["schemas"].items():
            assert (name, [*misspelt(one)]) == (name, [])
