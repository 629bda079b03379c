"""Documents of the API, whole: what programs are told of it, audience by audience."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.views import Audience
from controller.web.api import asyncapi, openapi
from tests.kept import is_kept
from tests.web.happened import ALL, bundled, wired
from tests.web.test_kept_screens import lines

HERE = Path(__file__).parent / "kept"
INDENTED = re.compile(r"\n +")  # lines of a docstring, which Python 3.13 dedents itself
PHRASES = ("Request Entity Too Large", "Content Too Large")  # of status 413, before and since Python 3.13
DOCUMENTS = {"openapi": openapi.document, "asyncapi": asyncapi.document}


def around(document: dict[str, Any]) -> dict[str, Any]:
    """A document without the version of the program and without the schemas, which are kept by themselves."""
    document["info"].pop("version")
    document["components"].pop("schemas")
    return document


def schemas(audience: Audience) -> Iterator[str]:
    """The schemas of an audience; those of others than the manager where they differ from the manager's."""
    known = set() if audience == "manager" else set(lines(bundled("manager")))
    yield from (line for line in lines(bundled(audience)) if line not in known)


@pytest.mark.parametrize("audience", ["manager", "player"])
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_is_as_it_was_kept(kind, audience):
    document = around(wired(DOCUMENTS[kind](audience, ALL)))
    text = msgspec.json.format(msgspec.json.encode(document), indent=1).decode()
    assert is_kept(HERE / f"{kind}.{audience}.json", text.replace(*PHRASES))


@pytest.mark.parametrize("audience", ["manager", "player", "server", "dealer"])
def test_the_schemas_of_an_audience_are_as_they_were_kept(audience):
    text = "\n".join(schemas(audience))
    assert is_kept(HERE / f"schemas.{audience}.txt", INDENTED.sub("\n", text))
