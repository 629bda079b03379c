"""`tablectl resettle`, `dismiss`: correct a round that is over, or dismiss its case."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from ..core import events as e
from ..script.lines import event_of
from ..text.money import money
from ..text.outcome_words import outcome_in_words
from .arguments import NUMBER
from .command_sender import BY, CommandSender, at_a_table, check_said_once, check_words, pass_sender, refuse


@click.command
@click.argument("number", type=NUMBER, metavar="ROUND")
@click.argument("words", nargs=-1, required=True, metavar="CORRECTION [and CORRECTION] with NAME")
@BY
@click.option("--because", metavar="TEXT", help="The reason; required, except for a preview.")
@click.option("--preview", is_flag=True, help="Show each bet's difference; change nothing.")
@at_a_table
@pass_sender
def resettle(sender: CommandSender, number: int, words: tuple[str, ...], because: str | None, *, preview: bool) -> None:
    """Settle a settled or cancelled ROUND anew, by two shift managers.

    \b
    tablectl resettle 17 correct 1 2C --preview
    tablectl resettle 17 correct 1 2C with bea --by anna --because misread
    tablectl resettle 17 correct 1 9C and move 5 banker with bea --because misread
    tablectl resettle 17 void with bea --because "wrong shoe"

    The corrections are `correct DRAW CARD`, `move DRAW PLACE`, `burn DRAW`, `void DRAW`, `void_hand SEAT`, `resume`
    (a cancelled round is settled by its cards), and `void` for the whole round. With `revision N` at the end, the
    command is refused if more than N revisions are recorded: 0 is the first settlement. The command asks for the PIN
    of the second person; if standard input is not a terminal, the PIN is its first line.
    """
    check_said_once(words, sender.by, because)
    check_words(words)
    event = _resettlement(number, [*words, *(["because", because] if because else [])], preview=preview)
    fields = {"round": number, "because": event.because or "preview", "revision": event.revision}
    fields |= {"amendments": [_fields(one) for one in event.amendments]}
    fields |= {"by": event.by} if "by" in words else {}
    if preview:
        _show(sender, sender.preview("resettle", fields))
    else:
        sender.rule(fields, event.second, "resettle")


def _resettlement(number: int, words: list[str], *, preview: bool) -> e.Resettle:
    """Parse the words of a resettlement, in the grammar of a script's `resettle`. Raises UsageError."""
    try:
        event = event_of(["resettle", str(number), *words])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    assert isinstance(event, e.Resettle)  # noqa: S101 - what `resettle` is read as
    if not event.because and not preview:
        raise click.UsageError("expected a reason: --because TEXT")
    return event


def _fields(amendment: e.Amendment) -> dict[str, object]:
    fields: dict[str, object] = msgspec.to_builtins(amendment)
    return fields


def _show(sender: CommandSender, body: Mapping[str, Any]) -> None:
    if sender.as_json:
        click.echo(msgspec.json.encode(body))
    if body["verdict"] == "refused":
        refuse(f"refused: {body['says']}")
    if not sender.as_json:
        _print_preview(body["preview"])


def _print_preview(preview: Mapping[str, Any]) -> None:
    was, now = ("void" if one is None else outcome_in_words(one) for one in (preview["was"], preview["now"]))
    now = "?" if preview["unknown"] else now
    click.echo(f"round {preview['round']}, revision {preview['revision']}: {was} → {now}")
    for one in preview["movements"]:
        amounts = [money(one[name], preview["currency"]) for name in ("was", "now", "difference")]
        click.echo(f"{one['player']} {one['market']}: {amounts[0]} → {amounts[1]} ({amounts[2]})")
    if preview["more"]:
        click.echo(f"… and {preview['more']} more bets")
    if not preview["unknown"]:
        click.echo(f"in all {money(preview['total'], preview['currency'])}")
    if preview["open"]:
        click.echo("what follows depends on a card that lies face down")


@click.command
@click.argument("case", type=NUMBER, metavar="CASE")
@BY
@click.option("--because", metavar="TEXT", required=True, help="The reason why no correction is needed.")
@at_a_table
@pass_sender
def dismiss(sender: CommandSender, case: int, because: str) -> None:
    """Dismiss an open CASE about a round that is over: the round stays as it is settled."""
    sender.send("dismiss", {"case": case, "because": because})
