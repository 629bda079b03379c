"""A paragraph of the documents carries one thought: it is short enough to be read at one glance."""

import pytest

from .pages import PAGES
from .paragraphs import paragraphs, too_long

MOST = 80  # words of a paragraph


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_paragraph_of_a_page_is_longer_than_eighty_words(page):
    assert too_long(page.read_text(encoding="utf-8"), MOST) == [], "break it up: a list, a table, or fewer words"


def test_a_long_paragraph_and_a_long_item_are_found():
    long = " ".join(["word"] * 81)
    assert too_long(f"# Head\n\n{long}\n\nshort\n", MOST) == ["81 words: word word word word word word word word …"]
    assert too_long(f"- short\n- {long}\n", MOST) == ["82 words: - word word word word word word word …"]
    assert too_long(f"Before:\n1. {long}\n2. short\n", MOST) != []


def test_tables_blocks_comments_and_headings_are_no_paragraphs():
    page = "# A head\n<!-- a\ncomment -->\nprose of\ntwo\n\n| a |\n|---|\n- one\n  more\n- two\n\n```sh\na b\n```\n"
    assert list(paragraphs(page)) == ["prose of\ntwo", "- one\n  more", "- two"]
