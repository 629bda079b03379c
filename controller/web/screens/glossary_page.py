"""The words of a table as a page: each in all languages, what it means, where it stands."""

import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest

from ...text import glossary as g
from ...text.faults import LANGUAGES, Words


def page(language: str) -> str:
    """All of it, explained in this language."""
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
    """Of the page; each cell says which language it is in."""
    said = zip_longest(LANGUAGES, cells, fillvalue=language)
    first, *rest = (f'lang="{one}">{escape(cell)}' for one, cell in said)
    return f'<tr><th scope="row" {first}</th>{"".join(f"<td {cell}</td>" for cell in rest)}</tr>'


def heads(language: str) -> Sequence[str]:
    """Those of the columns."""
    return *LANGUAGES, *map(Words(language).say, g.COLUMNS.values())


def rows(language: str) -> Iterator[Sequence[str]]:
    """A word each, in alphabetical order: in all languages, and the rest in this one."""
    said = [Words(one).say for one in LANGUAGES]
    say = Words(language).say
    for term in sorted(g.TERMS, key=lambda term: unicodedata.normalize("NFKD", say(term.word))):
        where = ", ".join(say(g.PLACES[place]) for place in term.where)
        yield *(one(term.word) for one in said), say(term.means), where
