"""Tests that paragraphs and table cells of the documents are short enough to be read at one glance."""

import pytest

from .pages import PAGES
from .paragraphs import cells, paragraphs, too_long

MOST, MOST_OF_CELL = 80, 70  # words
LONG = " ".join(["word"] * 81)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_paragraph_of_a_page_is_longer_than_eighty_words(page):
    text = page.read_text(encoding="utf-8")
    assert too_long(paragraphs(text), MOST) == [], "break it up: a list, a table, or fewer words"
    assert too_long(cells(text), MOST_OF_CELL) == [], "say less, or say it below the table"


def test_a_long_paragraph_item_or_cell_is_found():
    assert too_long(paragraphs(f"# Head\n\n{LONG}\n\nshort\n"), MOST) == [f"81 words: {'word ' * 8}…"]
    assert too_long(paragraphs(f"- short\n- {LONG}\n"), MOST) == [f"82 words: - {'word ' * 7}…"]
    assert too_long(paragraphs(f"Before:\n1. {LONG}\n2. short\n"), MOST) == [f"82 words: 1. {'word ' * 7}…"]
    assert too_long(cells(f"| a | b |\n|---|---|\n| short | {LONG} |\n"), MOST_OF_CELL) == [f"81 words: {'word ' * 8}…"]


def test_tables_blocks_comments_and_headings_are_no_paragraphs():
    page = "# A head\n<!-- a\ncomment -->\nprose of\ntwo\n\n| a |\n|---|\n- one\n  more\n- two\n\n```sh\na b\n```\n"
    assert list(paragraphs(page)) == ["prose of\ntwo", "- one\n  more", "- two"]
    assert list(cells(page)) == ["a", "---"]
