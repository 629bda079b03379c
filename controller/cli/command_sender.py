"""Options shared by commands to a running table: which table, who acts, and output form.

Exit 0 when it is done, 1 when the table refuses it, 2 when no table answers.
"""

import sys
import uuid
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from ..core.bounds import MOST_CORRECTIONS, MOST_NAME, MOST_NOTE, MOST_REASON
from ..text.records import QUIET, sentence
from ..text.refusals import refusal_sentence
from .arguments import NUMBER, PATH, Option, check_act, options
from .client import NoAnswer, TableReply, ask, only_running_socket, socket_of_config, socket_of_table

OF_SCRIPTS = frozenset({"badge", "past", "person"})  # in scripts: what the table itself adds to a command


class CommandSender:
    """Sender of commands to one running table, with the options that say which and how."""

    def __init__(self) -> None:
        self.config: Path | None = None
        self.table: str | None = None
        self.socket: Path | None = None
        self.by: str | None = None
        self.as_json = False

    def send(self, command: str, fields: Mapping[str, object] | None = None) -> None:
        """Send a command and print its verdict. Exits with 1 if it is refused."""
        ruling = str((fields or {}).get("ruling", ""))
        self._print_verdict(self._ask("POST", "/api/commands", self._command(command, fields or {})), ruling)

    def rule(self, fields: Mapping[str, object], second: str | None, command: str = "rule") -> None:
        """Send a ruling, with the PIN of a second shift manager if given. Exits with 1 if it is refused."""
        if second is None:
            self.send(command, fields)
            return
        body = {"ruling": self._command(command, fields), "second": {"name": second, "pin": pin_of(second)}}
        reply = self._ask("POST", "/api/rulings", body)
        if "verdicts" not in reply.body:
            whose = f"{second}: " if reply.status == HTTPStatus.UNAUTHORIZED else ""
            refuse(f"refused: {whose}{reply.body['detail']}")
        self._print_verdict(reply, str(fields.get("ruling", "")))

    def preview(self, command: str, fields: Mapping[str, object]) -> dict[str, Any]:
        """Return the effect of a ruling or resettlement; nothing is recorded. Exits with 1 if it would be refused."""
        reply = self._ask("POST", "/api/preview", self._command(command, fields))
        if reply.status != HTTPStatus.OK:
            raise click.ClickException(reply.body["detail"])
        body: dict[str, Any] = reply.body
        return body

    def _command(self, command: str, fields: Mapping[str, object]) -> dict[str, object]:
        """Command with an id of its own and the person."""
        if self.by is not None:
            check_act(self.by, None)
        who = {} if self.by is None else {"by": self.by}
        return {"command": command, "id": str(uuid.uuid4()), **who, **fields}

    def _print_verdict(self, reply: TableReply, ruling: str) -> None:
        """Print the verdict on a command. Exit 1 if it was refused. `ruling`: code of the ruling, if it is one."""
        if "verdicts" not in reply.body:
            raise click.ClickException(reply.body["detail"])
        (verdict,) = reply.body["verdicts"]
        if self.as_json:
            click.echo(msgspec.json.encode(verdict))
        if verdict["verdict"] != "done":
            refuse(f"{verdict['verdict']}: {verdict['says']}{self._choices(verdict.get('reason'), ruling)}")
        if not self.as_json:
            for event in verdict.get("records", ()):
                if event["kind"] not in QUIET:
                    click.echo(sentence(event))

    def _choices(self, reason: str | None, ruling: str) -> str:
        """Rulings that are possible now, as text after a refused one; empty if the refusal itself says enough."""
        is_unnamed = reason == "not_allowed" and ruling and refusal_sentence(reason, ruling) == refusal_sentence(reason)
        fault = self.state()["fault"] if is_unnamed else None
        return f" ({', '.join(fault['rulings'])})" if fault else ""

    def sign_on(self, name: str) -> None:
        """Sign a dealer on with their PIN, typed or from the first line of standard input.

        Exits with 1 if it is refused.
        """
        reply = self._ask("POST", "/session/dealer", {"name": name, "pin": pin_of(name, "PIN")})
        if reply.status != HTTPStatus.OK:
            refuse(f"refused: {reply.body['detail']}")
        click.echo(msgspec.json.encode(reply.body) if self.as_json else f"{reply.body['dealer']} deals")

    def open_points(self) -> tuple[int, list[str]]:
        """Open points of the table, one line each, and the number of the last record in them."""
        reply = self._ask("GET", "/session/hand-over")
        if reply.status != HTTPStatus.OK:
            raise click.ClickException(reply.body["detail"])
        return reply.body["shown"], reply.body["points"]

    def hand_over(self, giver: Mapping[str, str], taker: Mapping[str, str], shown: int, note: str) -> None:
        """Hand over from one shift manager to the next, with both PINs. Exits with 1 if it is refused."""
        body = {"from": giver, "to": taker, "shown": shown, "note": note}
        reply = self._ask("POST", "/session/hand-over", body)
        if reply.status != HTTPStatus.OK:
            refuse(f"refused: {reply.body['detail']}")
        click.echo(f"{reply.body['by']} has handed over to {reply.body['to']}")

    def state(self) -> dict[str, Any]:
        """State of the table, as GET /api/state returns it."""
        reply = self._ask("GET", "/api/state")
        if reply.status != HTTPStatus.OK:
            raise click.ClickException(reply.body["detail"])
        body: dict[str, Any] = reply.body
        return body

    def health(self) -> dict[str, Any]:
        """Health of the table: troubles of its pages, and its clock."""
        body: dict[str, Any] = self._ask("GET", "/healthz").body
        return body

    def losses(self) -> Mapping[str, str]:
        """Reason why each device of the table is missing, by its name; empty if the record cannot be read."""
        reply = self._ask("GET", "/api/devices")
        devices = reply.body["devices"] if reply.status == HTTPStatus.OK else ()
        return {one["device"]["name"]: one["health"]["reason"] for one in devices if one["present"] is False}

    def open_fault(self) -> int:
        """Number of the open fault. Exits with 1 if there is none."""
        fault = self.state()["fault"]
        if fault is None:
            refuse(f"refused: {refusal_sentence('not_paused')}")
        seq: int = fault["seq"]
        return seq

    def _ask(self, method: str, target: str, body: object = None) -> TableReply:
        check_content(body)
        try:
            return ask(self._path(), method, target, body)
        except NoAnswer as error:
            raise click.ClickException(str(error)) from None

    def _path(self) -> Path:
        if self.socket is not None:
            return self.socket
        if self.config is not None:
            return socket_of_config(self.config)
        return only_running_socket() if self.table is None else socket_of_table(self.table)


def check_said_once(words: Sequence[str], by: str | None, because: str | None) -> None:
    """Check that the person and the reason are named once, by words or by options. Raises UsageError.

    A `by` behind the reason may be a part of it: the record would name its next word as the person.
    """
    if because is not None and "because" in words:
        raise click.UsageError("expected one reason, got `because` and --because")
    if "by" not in words:
        return
    if "because" in words[: words.index("by")]:
        raise click.UsageError("expected the reason in quotes, and the person before it or as --by NAME")
    if by is not None:
        raise click.UsageError("expected one name, got `by` and --by")


def check_words(words: Sequence[str]) -> None:
    """Check that no word belongs to exported scripts alone, as no command sends it. Raises UsageError."""
    for before, word in pairwise(("", *words)):
        if word in OF_SCRIPTS and before not in ("with", "by", "because"):
            raise click.UsageError(f"`{word}` is a word of exported scripts alone: leave it out")


def check_content(content: object) -> None:
    """Check that no text of a request is empty or too long, and no list too long. Raises UsageError."""
    match content:
        case dict():
            for name, value in content.items():
                if isinstance(value, str):
                    _check_text(name, value)
                check_content(value)
        case list() | tuple():
            if len(content) > MOST_CORRECTIONS:
                raise click.UsageError(f"expected at most {MOST_CORRECTIONS} corrections at once, got {len(content)}")
            for part in content:
                check_content(part)


def _check_text(name: str, text: str) -> None:
    most = {"because": MOST_REASON, "note": MOST_NOTE}.get(name, MOST_NAME)
    if len(text) > most:
        raise click.UsageError(f"{name}: expected at most {most} characters, got {len(text)}")
    if not text.strip() and name != "note":
        raise click.UsageError(f"{name}: expected a text, got {'spaces alone' if text else 'an empty one'}")


def pin_of(whose: str, question: str = "") -> str:
    """Ask for a PIN at the terminal, or read it as a line of standard input. Raises ClickException without one.

    It is never an argument, which every user of the PC could read.
    """
    if sys.stdin.isatty():
        answer: str = click.prompt(question or f"PIN of {whose}", hide_input=True)
        return answer
    pin = sys.stdin.readline().strip()
    if not pin:
        raise click.ClickException(f"expected the PIN of {whose} on standard input, got none")
    return pin


def refuse(says: str) -> NoReturn:
    """Print a refusal on standard error and exit with 1."""
    click.echo(f"tablectl: {says}", err=True)
    sys.exit(1)


def keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Store the value of an option in the command sender."""
    if value is not None:
        setattr(ctx.ensure_object(CommandSender), str(param.name).rstrip("_"), value)


def _option(*names: str, kind: click.Path | None = None, flag: bool = False, says: str) -> Option:
    return click.option(*names, type=kind, is_flag=flag, expose_value=False, callback=keep, help=says)


pass_sender = click.make_pass_decorator(CommandSender, ensure=True)
at_a_table = options(  # options that select the table
    _option(
        "--config",
        kind=PATH,
        says="The config of the table; needed unless its socket is the only one in the usual folder.",
    ),
    _option("--table", says="The name of the table."),
    _option("--socket", kind=PATH, says="The socket of the table."),
    _option("--json", "as_json", flag=True, says="Print one JSON object."),
)
BY = _option("--by", says="Your name, if several people use this login; by default the name of the login.")
FAULT = click.option("--fault", type=NUMBER, metavar="SEQ", help="The number of the fault; by default the open one.")
