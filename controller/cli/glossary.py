"""`tablectl glossary`: the words that screens, reports and alerts use, one for each thing."""

import json

import click
from rich.table import Table as Grid

from ..text.faults import LANGUAGES
from ..web.screens.glossary_page import heads, rows
from .arguments import OneOf
from .pipe_console import PipeConsole


@click.command
@click.option("--lang", type=OneOf("a language", LANGUAGES), default="en", help="The language: en or ro.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def glossary(lang: str, *, as_json: bool) -> None:
    """Print the words of screens, reports and alerts in each language, with their meaning, as on the page /glossary."""
    if as_json:
        names = (*LANGUAGES, "means", "where")
        print(json.dumps([dict(zip(names, row, strict=True)) for row in rows(lang)], indent=2, ensure_ascii=False))
        return
    grid = Grid(*heads(lang), header_style="bold")
    for row in rows(lang):
        grid.add_row(*row)
    PipeConsole().print(grid)
