"""API documents are valid OpenAPI 3.1, list every reason, and describe the table's own game."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest
import re2
from jsonschema_rs import Draft202012Validator, meta

from controller.config.table_file import check
from controller.core import records as r
from controller.core.codes import REASONS
from controller.core.fault_catalogue import CATALOGUE
from controller.core.house import House
from controller.core.life import STATES
from controller.core.sheet import digest, rounds
from controller.core.spot import Spot
from controller.core.state import State
from controller.games import GAMES
from controller.rules.procedure import Ask
from controller.text.problem_titles import PROBLEMS
from controller.text.refusals import WORDS
from controller.text.spelling import Misspelt, check_name, check_reason
from controller.web.api import openapi
from controller.web.api.game_message import description
from controller.web.api.schemas import bundle
from controller.web.api.verdicts import OWN_REASONS
from tests.patience import on_loop
from tests.table.test_table import HOLDEM
from tests.web.net import NetworkTable
from tests.web.random_records import ALL, AUDIENCES, all_records, as_json, schemas_of
from tests.web.rig import OPEN, Spoken


@cache
def schema(audience: str, name: str, games=ALL) -> Draft202012Validator:
    whole = {**schemas_of(audience, games), "$ref": f"#/$defs/{name}"}
    return Draft202012Validator(whole, validate_formats=True)


# ── OpenAPI, JSON Schema ─────────────────────────────────────────────────────────────────────────────────────────


OF_A_SHIFT = ("/report", "/session/hand-over")  # for signed-in persons, of no API version
LONG = [pytest.param(audience, marks=pytest.mark.proof) for audience in ("manager", "dealer")]  # nearly the same


@pytest.mark.parametrize("audience", ["server", "player", *LONG])
def test_the_document_and_its_schema_bundle_are_valid(audience):
    from openapi_spec_validator import OpenAPIV31SpecValidator  # its import takes a second, only this test needs it

    document = as_json(openapi.document(audience, ALL))
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    assert next(OpenAPIV31SpecValidator({**document, "openapi": 3}).iter_errors())
    whole = schemas_of(audience)
    meta.validate(whole)
    assert whole["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert whole["$id"].startswith("urn:tablectl:v1:")


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_documented_address_answers_as_documented(tmp_path, audience):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            document = as_json(openapi.document(audience, (HOLDEM.game,)))
            for address, methods in document["paths"].items():
                assert address.startswith("/api/v1/") or (audience == "manager" and address in OF_A_SHIFT)
                if "get" in methods and address not in ("/api/v1/events", "/report"):  # a stream, and a page
                    reply = await table.ask("GET", f"{address}?role={audience}")
                    assert reply.status == 200
                    (content,) = methods["get"]["responses"]["200"]["content"].values()
                    if "$ref" in content["schema"]:
                        schema(audience, content["schema"]["$ref"].rpartition("/")[2], (HOLDEM.game,)).validate(
                            reply.body
                        )
            assert ("/api/v1/commands" in document["paths"]) == (audience != "player")

    on_loop(steps)


def test_problems_and_answers_of_a_table_fit_their_schemas(tmp_path):
    async def steps():
        async with NetworkTable(tmp_path) as table:
            for method, target, body in (
                ("GET", "/api/v1/events?after=99", None),
                ("GET", "/api/v1/nothing", None),
                ("POST", "/api/v1/commands?role=server", [{**OPEN, "id": 7}]),
                ("POST", "/api/v1/commands?role=player", OPEN),
            ):
                reply = await table.ask(method, target, body)
                schema("server", "Problem").validate(reply.body)
                assert reply.body["status"] == reply.status
            answer = await table.ask("POST", "/api/v1/commands?role=server", [OPEN, OPEN, {**OPEN, "id": "2"}])
            schema("server", "VerdictsAnswer").validate(answer.body)

    on_loop(steps)


def test_shift_examples_fit_and_only_managers_see_them():
    paths = {audience: as_json(openapi.document(audience, ALL))["paths"] for audience in AUDIENCES}
    assert [audience for audience in AUDIENCES if set(OF_A_SHIFT) & paths[audience].keys()] == ["manager"]
    methods = paths["manager"]["/session/hand-over"]
    bodies = [methods["post"]["requestBody"], *(one for how in methods.values() for one in how["responses"].values())]
    contents = [content for body in bodies for content in body["content"].values() if "example" in content]
    assert len(contents) == 4
    for content in contents:
        schema("manager", content["schema"]["$ref"].rpartition("/")[2]).validate(content["example"])


# ── enums ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_fields_with_fixed_values_are_described_as_enums():
    defs = as_json(bundle("manager", ALL))["$defs"]
    enums = {
        ("FaultedEvent", "code"): tuple(CATALOGUE),
        ("ResumedEvent", "state"): STATES,
        ("TableState", "life"): STATES,
        ("Problem", "reason"): tuple(PROBLEMS),
    }
    for (name, field), values in enums.items():
        assert sorted(defs[name]["properties"][field]["enum"]) == sorted(values)
    rulings = {ruling for entry in CATALOGUE.values() for ruling in entry.rulings}
    assert set(defs["FaultedEvent"]["properties"]["rulings"]["items"]["enum"]) == rulings
    refusals = [field["reason"] for field in (one.get("properties", {}) for one in defs.values()) if "reason" in field]
    assert sum("enum" in json.dumps(one) for one in refusals) >= 7
    kinds = {defs[name]["properties"]["kind"]["const"] for name in defs if name.endswith("Event") and name != "Event"}
    assert kinds == {str(fact.__struct_config__.tag) for fact in get_args(r.What)} - {"checkpoint"} | {"internal"}


def test_every_reason_for_a_refusal_has_words_and_is_listed():
    assert set(WORDS) == {*REASONS, *OWN_REASONS}
    verdict = as_json(bundle("server", ALL))["$defs"]["Verdict"]
    assert [set(one["enum"]) for one in parts(verdict) if "id_reused" in one.get("enum", ())] == [set(WORDS)]


# ── the game ─────────────────────────────────────────────────────────────────────────────────────────────────────


def house(name: str, **sections: Any) -> House:
    return check({"table": {"name": "t1"}, "game": {"name": name}, **sections}).house("auto")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_description_has_all_markets_and_decisions(name):
    details = as_json(description(house(name), State()))
    game = GAMES[name]
    schema("player", "GameDescription", (game,)).validate(details)
    assert details["digest"] == digest(game)
    assert [market["name"] for market in details["markets"]] == [market.name for market in game.markets]
    steps = [step for one in rounds(game) for step, _ in one["steps"]]
    options = {option for step in steps if isinstance(step, Ask) for option in step.options}
    assert {one["decision"] for one in details["decisions"]} == options
    assert {one["decision"] for one in details["decisions"] if one["stake"]} == set(game.follow_ons)
    assert {one["reason"] for one in details["reasons"]} == set(WORDS)
    assert "result_mismatch" in {fault["code"] for fault in details["faults"]} or game.seats


def test_a_description_has_the_tables_limits_and_odds():
    limits = {"minimum": 5.0, "maximum": 100.0, "markets": {"tie": {"maximum": 20.0}}, "prize": 500.0}
    details = description(house("baccarat", limits=limits), State())
    tie = next(market for market in details.markets if market.name == "tie")
    assert (tie.minimum, tie.maximum, tie.odds) == (500, 2000, "9.00")
    assert (details.currency, details.decimals, details.prize_limit, details.windows) == ("EUR", 2, 50_000, 1)
    config = {"table": {"name": "t"}, "game": {"name": "baccarat", "betting_windows": 3}}
    three = description(check(config).house("auto"), State())
    assert (three.windows, {market.odds for market in three.markets}) == (3, {None})
    call = description(house("casino_holdem"), State()).decisions[0]
    assert as_json(call) == {"decision": "call", "stake": {"market": "call", "of": "ante", "times": "2"}}


@pytest.mark.parametrize(("currency", "decimals", "maximum"), [("JPY", 0, 20), ("EUR", 2, 2000), ("KWD", 3, 20_000)])
def test_a_limit_is_described_in_the_currencys_minor_units(currency, decimals, maximum):
    config = {"table": {"name": "t1", "currency": currency}, "game": {"name": "baccarat"}, "limits": {"maximum": 20.0}}
    details = description(check(config).house("auto"), State())
    assert (details.currency, details.decimals, {market.maximum for market in details.markets}) == (
        currency,
        decimals,
        {maximum},
    )


@pytest.mark.parametrize("name", GAMES)
def test_outcomes_and_settings_fit_only_their_own_games_schema(name):
    details = as_json(description(house(name), State()))
    outcomes = [record.what.outcome for record in all_records() if isinstance(record.what, r.Completed | r.Settled)]
    own = [one for one in outcomes if Draft202012Validator(details["outcome"]).is_valid(one)]
    assert 0 < len(own) < len(outcomes)
    of_game, any_game = schema("server", "Outcome", (GAMES[name],)), schema("server", "Outcome")
    assert [one for one in outcomes if of_game.is_valid(one)] == own
    assert all(any_game.is_valid(one) for one in outcomes)
    opened = [record.what for record in all_records() if isinstance(record.what, r.Opened) and record.what.game == name]
    assert opened
    settings = schema("server", "Settings", (GAMES[name],))
    for one in opened:
        settings.validate(one.settings)
        assert all(Spot.parse(market).market in {m["name"] for m in details["markets"]} for market in one.odds)


def test_the_game_address_shows_the_digest_rounds_record(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            (opened,) = [record.what for record in table.rig.recorded() if record.kind == "opened"]
            for role in ("manager", "player"):
                details = (await table.ask("GET", f"/api/v1/game?role={role}")).body
                named = {name: details[name] for name in ("game", "version", "digest", "posted")}
                assert named == {"game": "baccarat", "version": opened.version, "digest": opened.digest, "posted": None}

    on_loop(steps)


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────────────────────

FITS = {
    "name": (["a", "p1 ante", "Ștefan", "x" * 99], ["", " a", "a ", "a  b", "a\n", "a\nb", "\x7f", "a\xa0b", "\xad"]),
    "reason": (["a", " two  spaces ", "è"], ["", " ", "a\n", "a\tb", "\x85"]),
    "card": (["AS", "TD", "JOKER"], ["", "1S", "AS\n", "as", "JOKERS", "xAS"]),
    "at": (["2026-01-02T03:04:05.000006Z"], ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000006Z\n"]),
    "odds": (["2", "1.95"], ["", "-1", "1.", "1.95\n", "1,95"]),
    "times": (["2", "1/2"], ["", "/2", "1/2\n"]),
}


def parts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from parts(inner)


@cache
def patterns() -> set[str]:
    return {
        one["pattern"]
        for audience in AUDIENCES
        for one in parts(schemas_of(audience)["$defs"])
        if isinstance(one.get("pattern"), str)
    }


def of_sample(examples: tuple[list[str], list[str]]) -> set[str]:
    """Return the documents' patterns that accept all texts of the first list and none of the second."""
    fit, unfit = examples
    return {
        one
        for one in patterns()
        if all(re2.search(one, text) for text in fit) and not any(re2.search(one, text) for text in unfit)
    }


def test_every_pattern_uses_only_syntax_of_re2_and_ecma262():
    assert len(patterns()) == len(FITS)
    for pattern in patterns():
        re2.compile(pattern)
        assert re.fullmatch(r"\^.*\$", pattern)
        assert not re.search(r"\(\?|\\[uUpPdDwWsSbBAzZ]|\\x\{", pattern), pattern


@pytest.mark.parametrize("what", FITS)
def test_every_pattern_matches_whole_texts_in_re2_and_python(what):
    (pattern,) = of_sample(FITS[what])
    for text in (*FITS[what][0], *FITS[what][1]):
        fits = text in FITS[what][0]
        assert bool(re2.search(pattern, text)) == bool(re2.fullmatch(pattern, text)) == fits, text
        assert bool(re.fullmatch(pattern, text)) == fits, text


@pytest.mark.parametrize(("what", "spelling"), [("name", check_name), ("reason", check_reason)])
def test_patterns_accept_the_same_latin_1_texts_as_the_table(what, spelling):
    (pattern,) = of_sample(FITS[what])
    for character in map(chr, range(256)):
        for text in (character, f"a{character}", f"a{character}b", f"{character}b"):
            assert bool(re2.search(pattern, text)) == is_spelt(spelling, text), text


def is_spelt(spelling, text: str) -> bool:
    try:
        spelling(text)
    except Misspelt:
        return False
    return True
