"""The API's documents and schemas equal their stored copies, audience by audience."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.views import Audience
from controller.web.api import asyncapi, openapi
from tests.kept_files import is_kept
from tests.web.random_records import ALL, as_json, schemas_of
from tests.web.test_kept_screens import screen_lines

HERE = Path(__file__).parent / "kept"
INDENTED = re.compile(r"\n +")  # lines of a docstring; Python 3.13 removes their indent
PHRASES = ("Request Entity Too Large", "Content Too Large")  # phrase of status 413, before and since Python 3.13
DOCUMENTS = {"openapi": openapi.document, "asyncapi": asyncapi.document}


def around(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without the program's version and without schemas, which are stored apart."""
    document["info"].pop("version")
    document["components"].pop("schemas")
    return document


def schemas(audience: Audience) -> Iterator[str]:
    """Yield an audience's schemas as lines; without lines of the manager's, if it is another audience."""
    lines = set() if audience == "manager" else set(screen_lines(schemas_of("manager")))
    yield from (line for line in screen_lines(schemas_of(audience)) if line not in lines)


@pytest.mark.parametrize("audience", ["manager", "player"])
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_equals_its_stored_copy(kind, audience):
    document = around(as_json(DOCUMENTS[kind](audience, ALL)))
    text = msgspec.json.format(msgspec.json.encode(document), indent=1).decode()
    assert is_kept(HERE / f"{kind}.{audience}.json", text.replace(*PHRASES))


@pytest.mark.parametrize("audience", ["manager", "player", "server", "dealer"])
def test_the_schemas_of_an_audience_equal_their_stored_copy(audience):
    text = "\n".join(schemas(audience))
    assert is_kept(HERE / f"schemas.{audience}.txt", INDENTED.sub("\n", text))
