"""`tablectl status`, `rule`, `ack`, `open` ...: the shift manager's hand on a running table.

The one rule: a ruling names the fault that was seen. Without --fault it is the one that is open at this moment, asked
for first, so that what happens in between cannot be hit.
"""

import sys
import time
import uuid
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
import msgspec

from ..core import events as e
from ..refusals import in_words
from ..script import event_of
from ..web.client import NoAnswer, Reply, ask, of_config, of_table, the_only_one
from ..web.standing import Standing
from ..wording import QUIET, sentence
from .told import lines

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Hand:
    """On which table, whose, and how the answer is to be told: what the options say."""

    def __init__(self) -> None:
        self.config: Path | None = None
        self.table: str | None = None
        self.socket: Path | None = None
        self.by: str | None = None
        self.as_json = False

    def send(self, command: str, fields: Mapping[str, object] | None = None) -> None:
        """Have something done, and tell what came of it. Exit 1 when it is refused."""
        who = {} if self.by is None else {"by": self.by}
        reply = self._ask(
            "POST", "/api/commands", {"command": command, "id": str(uuid.uuid4()), **who, **(fields or {})}
        )
        if "verdicts" not in reply.body:
            raise click.ClickException(reply.body["says"])
        (verdict,) = reply.body["verdicts"]
        if self.as_json:
            click.echo(msgspec.json.encode(verdict))
        if verdict["verdict"] != "done":
            _refuse(f"{verdict['verdict']}: {verdict['says']}")
        if not self.as_json:
            for event in verdict.get("records", ()):
                if event["kind"] not in QUIET:
                    click.echo(sentence(event))

    def state(self) -> dict[str, Any]:
        """Where the table stands."""
        reply = self._ask("GET", "/api/state")
        if reply.status != HTTPStatus.OK:
            raise click.ClickException(reply.body["says"])
        body: dict[str, Any] = reply.body
        return body

    def open_fault(self) -> int:
        """The number of the fault that is open now. Exit 1 where there is none."""
        fault = self.state()["fault"]
        if fault is None:
            _refuse(f"refused: {in_words('not_paused')}")
        seq: int = fault["seq"]
        return seq

    def _ask(self, method: str, target: str, body: object = None) -> Reply:
        try:
            return ask(self._path(), method, target, body)
        except NoAnswer as error:
            raise click.ClickException(str(error)) from None

    def _path(self) -> Path:
        if self.socket is not None:
            return self.socket
        if self.config is not None:
            return of_config(self.config)
        return the_only_one() if self.table is None else of_table(self.table)


def _refuse(says: str) -> NoReturn:
    click.echo(f"tablectl: {says}", err=True)
    sys.exit(1)


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if value is not None:
        setattr(ctx.ensure_object(Hand), (param.name or "").rstrip("_"), value)


def _option(*names: str, kind: Any = None, flag: bool = False, says: str) -> Callable[[Decorated], Decorated]:  # noqa: ANN401 - click's types
    return click.option(*names, type=kind, is_flag=flag, expose_value=False, callback=_keep, help=says)


FILE = click.Path(path_type=Path)
hand_of = click.make_pass_decorator(Hand, ensure=True)
AT_A_TABLE = (
    _option("--config", kind=FILE, says="The config of the table; needed only where several run."),
    _option("--table", says="The name of the table."),
    _option("--socket", kind=FILE, says="The socket of the table."),
    _option("--json", "as_json", flag=True, says="As one JSON object."),
)
BY = _option("--by", says="Who you are, where several use this login; by default its name.")
FAULT = click.option(
    "--fault", type=click.IntRange(min=1), metavar="SEQ", help="The fault that is meant; else the open one."
)


def at_a_table(command: Decorated) -> Decorated:
    """The options by which a table is found."""
    for option in reversed(AT_A_TABLE):
        command = option(command)
    return command


@click.command
@click.argument("config_", metavar="[CONFIG]", type=FILE, required=False, expose_value=False, callback=_keep)
@at_a_table
@hand_of
def status(hand: Hand) -> None:
    """Say where a running table stands: that of CONFIG, or the only one here."""
    body = hand.state()
    if hand.as_json:
        click.echo(msgspec.json.encode(body))
        return
    for line in lines(msgspec.convert(body, Standing), time.time_ns() // 1000):
        click.echo(line)


@click.command
@click.argument("words", nargs=-1, required=True, metavar="RULING [DRAW] [CARD|PLACE]")
@BY
@click.option("--because", metavar="TEXT", help="Why.")
@FAULT
@at_a_table
@hand_of
def rule(hand: Hand, words: tuple[str, ...], because: str | None, fault: int | None) -> None:
    """Rule on the open fault of a running table.

    \b
    tablectl rule burn 5 --by anna --because "second card stuck"
    tablectl rule correct 4 7H --because misread
    """
    said = _ruling([*words, *(["because", because] if because else [])])
    hand.send("rule", {"fault": fault or hand.open_fault(), **said})


def _ruling(words: list[str]) -> dict[str, object]:
    """What the words say, in the grammar of a script's `rule`."""
    try:
        event = event_of(["rule", *words])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    assert isinstance(event, e.Rule)  # noqa: S101 - what `rule` is read as
    if not event.because:
        raise click.UsageError("expected a reason: --because TEXT")
    said = {"ruling": event.ruling, "because": event.because, "draw": event.draw, "card": event.card}
    said |= {"place": event.place, "by": event.by if "by" in words else None}
    return {name: value for name, value in said.items() if value is not None}


@click.command
@BY
@FAULT
@at_a_table
@hand_of
def ack(hand: Hand, fault: int | None) -> None:
    """Say that you have seen the open fault of a running table: it calls no louder."""
    hand.send("ack", {"fault": fault or hand.open_fault()})


@click.command("open")
@BY
@at_a_table
@hand_of
def open_(hand: Hand) -> None:
    """Open a round for bets."""
    hand.send("open")


@click.command
@BY
@at_a_table
@hand_of
def close(hand: Hand) -> None:
    """End the betting: no more bets."""
    hand.send("close")


@click.command
@BY
@at_a_table
@hand_of
def shuffled(hand: Hand) -> None:
    """Confirm a new or freshly shuffled deck."""
    hand.send("shuffled")


@click.command
@click.argument("key", type=click.Choice(["finish", "manager", "dropped", "exposed"]), metavar="KEY")
@BY
@at_a_table
@hand_of
def press(hand: Hand, key: str) -> None:
    """Press the dealer's KEY finish, manager, dropped or exposed, where there is no panel or it does not work."""
    hand.send("press", {"key": key})


@click.command
@click.argument("name")
@BY
@at_a_table
@hand_of
def dealer(hand: Hand, name: str) -> None:
    """Sign the dealer NAME on, between two rounds."""
    hand.send("dealer", {"name": name})


@click.command
@click.argument("do", type=click.Choice(["change", "ready"]), metavar="change|ready")
@BY
@at_a_table
@hand_of
def shoe(hand: Hand, do: str) -> None:
    """Take the shoe away (its cards fault nothing then), or say that a full one is in place."""
    hand.send("shoe", {"do": do})


@click.command
@click.argument("do", type=click.Choice(["open", "close"]), metavar="open|close")
@BY
@at_a_table
@hand_of
def table(hand: Hand, do: str) -> None:
    """Open the table for play, or close it after the round that is on."""
    hand.send("table", {"do": do})
