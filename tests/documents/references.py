"""Reference pages, made from the program.

Commands come from click, keys from the config's structs, faults from the catalogue, the API's addresses, commands and
events from its documents; then messages, figures and the glossary.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter
from typing import Any, get_args, get_type_hints

import click
from msgspec import json as encoded

from controller.accounts.figures import FIGURES, PLACES, Figure
from controller.cli import main
from controller.core.coded_message import CodedMessage, Parts
from controller.core.fault_catalogue import CATALOGUE
from controller.core.fault_matrix import matrix
from controller.games import GAMES
from controller.text.coded import MESSAGES
from controller.text.fault_conditions import WHEN
from controller.web.api import asyncapi, openapi
from controller.web.screens import glossary_page, report_texts

from .grids import grid
from .keys import ConfigKey, floor_keys, keys


def commands() -> str:
    """Return the help of every command with its options, in the order of their names."""
    return "\n\n".join(_helped(main, "tablectl"))


def _helped(command: click.Command, path: str, above: click.Context | None = None) -> Iterator[str]:
    """Yield the help of a command and of its subcommands."""
    context = click.Context(
        command, info_name=path.rsplit(" ", 1)[-1], parent=above, terminal_width=100, **command.context_settings
    )
    if above is not None:
        yield f"## {path}\n\n```\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if below := command.get_command(context, name):
                yield from _helped(below, f"{path} {name}", context)


def config() -> str:
    """Return the keys of a table's config, one table for each section."""
    return _sections(keys())


def floor() -> str:
    """Return a table of the keys that only a floor's config has."""
    return _sections(floor_keys())


def _sections(keys: Iterable[ConfigKey]) -> str:
    sections: dict[str, list[Sequence[str]]] = {}
    for key in keys:
        sections.setdefault(key.section, []).append((f"`{key.name}`", key.takes, key.default, key.means))
    head = ("key", "takes", "default", "what it is")
    return "\n\n".join(
        f"## [{name}{'' if ']' in name else ']'}\n\n{grid(head, rows)}" for name, rows in sections.items()
    )


def faults() -> str:
    """Return a table of faults: when each is raised, and the rulings allowed on it in each game."""
    rulings: dict[str, dict[tuple[str, ...], list[str]]] = {code: {} for code in CATALOGUE}
    for row in matrix(GAMES):
        rulings[row.code].setdefault(tuple(row.rulings), []).append(row.game)
    rows = (
        (f"`{code}`", "; ".join(_in_games(r, games) for r, games in rulings[code].items()), WHEN[code])
        for code in CATALOGUE
    )
    return grid(("fault", "the shift manager may", "when"), rows)


def messages() -> str:
    """Return a table of message codes, with the types of their parts and their English sentences."""
    types = get_type_hints(Parts)
    rows = (
        (f"`{code}`", ", ".join(_part(name, types[name]) for name in dict.fromkeys(_blanks(text))), text)
        for code, text in MESSAGES.items()
    )
    return grid(("code", "parts", "sentence"), rows)


def _blanks(text: str) -> Iterator[str]:
    return (name for _, name, _, _ in Formatter().parse(text) if name)


def _part(name: str, kind: Any) -> str:
    kinds = get_args(kind) or (kind,)
    return f"`{name}`: {' or '.join(_TYPES[one] for one in kinds)}"


_TYPES = {int: "number", float: "number", str: "text", CodedMessage: "message"}


def _in_games(rulings: Sequence[str], games: Sequence[str]) -> str:
    text = ", ".join(rulings)
    return text if len(games) == len(GAMES) else f"{text} ({', '.join(games)})"


def figures() -> str:
    """Return a table of figures: name, unit, denominator, definition, and places where each is shown."""
    rows = (
        (f"`{name}`", figure.unit, f"`{figure.of}`" if figure.of else "", figure.means, _shown(figure))
        for name, figure in FIGURES.items()
    )
    return grid(("figure", "unit", "of", "what it is", "where it is shown"), rows)


def _shown(figure: Figure) -> str:
    return "; ".join(f"{PLACES[place]}: {_titled(place, name)}" for place, name in figure.shown.items())


def _titled(place: str, name: str) -> str:
    """Return the name of a figure at a place; for a report, with its title in brackets."""
    texts = {**report_texts.COLUMNS, **report_texts.FIGURES, **report_texts.MOVED}
    title = f" ({texts[name]})" if place in ("report", "floor_report") and name in texts else ""
    metric = "tablectl_" if place == "metrics" else ""
    return f"`{metric}{name}`{title}"


def api() -> str:
    """Return tables of addresses, commands and events for a game server."""
    games = tuple(GAMES.values())
    paths = _plain(openapi.document("server", games))["paths"]
    addresses = [
        (f"`{way.upper()} {path}`", what["summary"]) for path, all_ in paths.items() for way, what in all_.items()
    ]
    parts = _plain(asyncapi.document("server", games))["components"]
    tables = {
        "Addresses": grid(("address", "what"), addresses),
        "Commands": grid(("command", "what"), _named(parts, "command", "enum")),
        "Events": grid(("kind", "what"), _named(parts, "kind", "const")),
    }
    return "\n\n".join(f"## {title}\n\n{table}" for title, table in tables.items())


def _named(parts: Mapping[str, Any], field: str, form: str) -> Iterator[Sequence[str]]:
    """Yield name and summary of the messages whose kind is the value of this field."""
    for message in parts["messages"].values():
        schema = parts["schemas"][message["name"]]
        if value := schema.get("properties", {}).get(field, {}).get(form):
            yield f"`{value if form == 'const' else value[0]}`", message["summary"]


def _plain(document: Any) -> Any:
    """Convert a document to plain JSON values, as another program reads them."""
    return json.loads(encoded.encode(document))


def glossary() -> str:
    """Return a table of the words on the screens, in English and Romanian."""
    return grid(glossary_page.heads("en"), glossary_page.rows("en"))
