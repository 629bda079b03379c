"""Line at the top of a floor's page about calls that many tables have."""

import pytest
from msgspec.structs import replace

from controller.floor.live.page_head import FloorFacts, head
from controller.floor.live.strips import StripFacts, strip
from controller.text.faults import LANGUAGES, Words
from tests.floor.statuses import START, calling_status


def calling(number, code):
    """Return the status of a table with a fault, whose title names the table's own card."""
    status = calling_status(f"t{number}")
    texts = {name: replace(texts, head=f"{code} of card {number}") for name, texts in status.texts.items()}
    return replace(status, fault=replace(status.fault, code=code), texts=texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_calls_with_different_titles_share_the_title_of_their_fault(language):
    facts = [StripFacts(calling(one, "duplicate_card"), one, None, "", 0, None, (), START) for one in range(12)]
    floor = FloorFacts("main", None, 0, (), {}, 6, START)
    (line,) = head([strip(one, language) for one in facts], floor, language).flood
    assert line.endswith(f": {Words(language).manager_title('duplicate_card')}")
