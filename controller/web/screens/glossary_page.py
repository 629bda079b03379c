"""Glossary as a page: each word in all languages, its meaning, and the places that use it."""

import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest

from ...text import glossary as g
from ...text.faults import LANGUAGES, Words


def page(language: str) -> str:
    """Build the whole glossary as an HTML page, explained in this language."""
    words = Words(language)
    title = escape(words.say(g.TITLE))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads(language))
    body = "".join(_row(cells, language) for cells in rows(language))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="stylesheet" href="/static/glossary.css"></head><body><main class="glossary">'
        f"<h1>{title}</h1><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></main></body></html>\n"
    )


def _row(cells: Sequence[str], language: str) -> str:
    """One row of the page's table; each cell names its language."""
    pairs = zip_longest(LANGUAGES, cells, fillvalue=language)
    first, *rest = (f'lang="{one}">{escape(cell)}' for one, cell in pairs)
    return f'<tr><th scope="row" {first}</th>{"".join(f"<td {cell}</td>" for cell in rest)}</tr>'


def heads(language: str) -> Sequence[str]:
    """Column headings, in this language."""
    return *LANGUAGES, *map(Words(language).say, g.COLUMNS.values())


def rows(language: str) -> Iterator[Sequence[str]]:
    """Yield one row for each word, in alphabetical order: all languages, then meaning and places."""
    translators = [Words(one).say for one in LANGUAGES]
    say = Words(language).say
    for term in sorted(g.TERMS, key=lambda term: unicodedata.normalize("NFKD", say(term.word))):
        where = ", ".join(say(g.PLACES[place]) for place in term.where)
        yield *(one(term.word) for one in translators), say(term.means), where
