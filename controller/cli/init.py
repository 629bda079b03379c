"""`tablectl init`: print a config to begin with.

It is the commented example of a game, or one derived from the game.

The printed config has passed `tablectl check`. The examples are those of config/, which a wheel contains inside the
package.
"""

import json
import re
import tomllib
from collections.abc import Iterator

import click
import msgspec

from ..config.mistakes import BadConfig
from ..config.table_file import check
from ..games import GAMES
from ..rules.game import Game
from ..rules.procedure import plain
from ..text.naming import title
from .game_argument import GameName
from .packaged_files import folder

_SHOE = re.compile(r"^\[shoe\]\n.*?(?=^\[)", re.MULTILINE | re.DOTALL)
_PORT = re.compile(r'^port = ".*"$', re.MULTILINE)
_HEAD = re.compile(r"^# .*\n")
_GAME = re.compile(r"^\[game\]\n.*?(?=^\[)", re.MULTILINE | re.DOTALL)
_POSTED = re.compile(r"^# posted_digest = .*\n", re.MULTILINE)
_LIKE = "casino_holdem"  # this example has all keys that any game may need
_BARE = '[shoe]\nmodel = {}\nport = "/dev/serial/by-id/..."\n\n'


@click.command
@click.argument("game", type=GameName())
@click.option("--shoe", "model", metavar="MODEL", help="The model of the shoe; by default the one in the example.")
@click.option("--port", help="The port of the shoe: /dev/serial/by-id/..., /dev/table/..., or socket://host:4001.")
def init(game: str, model: str | None, port: str | None) -> None:
    """Print a config for a table of GAME, every key with its comment: `tablectl init baccarat > t1.toml`."""
    click.echo(check_text(example_config(game, model, port)), nl=False)


def example_config(game: str, model: str | None, port: str | None) -> str:
    """Return the example config of a game, with this shoe at this port."""
    text = _example(game)
    if model is not None:
        text = with_line(_SHOE, _shoe(model), text)
    if port is not None:
        text = with_line(_PORT, f"port = {json.dumps(port)}", text)
    return text


def check_text(text: str) -> str:
    """Check the text as a config and return it unchanged. Raises BadConfig."""
    try:
        check(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        raise BadConfig("--shoe, --port: expected text that can be typed, got another character") from None
    return text


def with_line(pattern: re.Pattern[str], new: str, text: str) -> str:
    """Replace the first match of this pattern in the text."""
    return pattern.sub(lambda _: new, text, count=1)


def _shoe(model: str) -> str:
    """Section of a shoe of this model, from the first example that has one."""
    fits = re.compile(rf'^model = "{re.escape(model)}"', re.MULTILINE)
    return next(filter(fits.search, _shoes()), _BARE.format(json.dumps(model)))


def _shoes() -> Iterator[str]:
    for game in sorted(GAMES):
        yield from _SHOE.findall(_example(game))


def _example(game: str) -> str:
    example = folder("examples", "config") / f"{game}.toml"
    return example.read_text(encoding="utf-8") if example.is_file() else _build_example(GAMES[game])


def _build_example(game: Game) -> str:
    """Build an example for a game from a package: its own section in a config of any table."""
    name, settings = game.name.replace("_", "-"), plain(game.settings())
    options = "".join(f"# {line}\n" for line in msgspec.toml.encode(settings).decode().splitlines())
    text = with_line(_HEAD, f"# A {title(game)} table.\n", _example(_LIKE))
    posted = "".join(_POSTED.findall(text))
    text = with_line(_GAME, f'[game]\nname = "{game.name}"\n{posted}{options}\n', text)
    return text.replace("holdem-1", f"{name}-1")
