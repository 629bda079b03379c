"""`tablectl rule`, `ack`, `open` ...: commands to a running table.

Each ruling applies to one fault. Without --fault, the command first asks the table for the number of the open fault, so
that a fault that opens meanwhile is not ruled on.
"""

import click

from ..core import events as e
from ..script.lines import event_of
from ..script.ruling_words import check_ruling
from .arguments import CARDS, NUMBER, OneOf
from .command_sender import BY, FAULT, CommandSender, at_a_table, check_said_once, check_words, pass_sender


@click.command
@click.argument("words", nargs=-1, required=True, metavar="RULING [DRAW] [CARD|PLACE]")
@BY
@click.option("--because", metavar="TEXT", help="The reason; required.")
@FAULT
@at_a_table
@pass_sender
def rule(sender: CommandSender, words: tuple[str, ...], because: str | None, fault: int | None) -> None:
    """Rule on the open fault of a running table.

    \b
    tablectl rule burn 5 --by anna --because "second card stuck"
    tablectl rule correct 4 7H --because misread
    tablectl rule cancel with bea --because "wrong shoe"

    `with NAME`: a second shift manager confirms, as large stakes require. The command asks for their PIN; if standard
    input is not a terminal, the PIN is its first line.

    `touched stand` (or anew, withdraw, cancel) behind a ruling chooses what becomes of affected decisions and odds.
    `carry` needs `seen yes` or `seen no`. `checked deck`: the deck was checked for a second copy of a card.
    """
    check_said_once(words, sender.by, because)
    check_words(words)
    event = _ruling([*words, *(["because", because] if because else [])])
    sender.rule({"fault": fault or event.fault or sender.open_fault(), **_as_fields(event, words)}, event.second)


def _ruling(words: list[str]) -> e.Rule:
    """Parse the words by the grammar of a script's `rule`. Raises UsageError."""
    try:
        event = event_of(["rule", *words])
        assert isinstance(event, e.Rule)  # noqa: S101 - what `rule` is read as
        check_ruling(event)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not event.because:
        raise click.UsageError("expected a reason: --because TEXT")
    return event


def _as_fields(event: e.Rule, words: tuple[str, ...]) -> dict[str, object]:
    """Convert a ruling into the fields of a command."""
    fields = {"ruling": event.ruling, "because": event.because, "draw": event.draw, "card": event.card}
    fields |= {"place": event.place, "by": event.by if "by" in words else None}
    fields |= {"touched": event.touched, "seen": event.seen, "checked": event.checked}
    return {name: value for name, value in fields.items() if value is not None}


@click.command
@BY
@FAULT
@at_a_table
@pass_sender
def ack(sender: CommandSender, fault: int | None) -> None:
    """Acknowledge the open fault of a running table, so that no further alert level is called."""
    sender.send("ack", {"fault": fault or sender.open_fault()})


@click.command("open")
@BY
@at_a_table
@pass_sender
def open_(sender: CommandSender) -> None:
    """Open a round for bets."""
    sender.send("open")


@click.command
@click.option("--window", type=NUMBER, metavar="N", help="The number of the betting window; by default the open one.")
@BY
@at_a_table
@pass_sender
def close(sender: CommandSender, window: int | None) -> None:
    """End the betting: no more bets.

    The command first asks the table which window is open, so that it never closes one that opens meanwhile.
    """
    sender.send("close", {"window": window or sender.state()["window"]})


@click.command
@click.option("--deck", metavar="ID", help="The deck, if the table has several.")
@BY
@at_a_table
@pass_sender
def shuffled(sender: CommandSender, deck: str | None) -> None:
    """Confirm a new or freshly shuffled deck."""
    sender.send("shuffled", {} if deck is None else {"deck": deck})


@click.command
@click.argument("key", type=OneOf("a key", ("finish", "manager", "dropped", "exposed")), metavar="KEY")
@BY
@at_a_table
@pass_sender
def press(sender: CommandSender, key: str) -> None:
    """Press the dealer's KEY (finish, manager, dropped or exposed) if the panel is missing or broken."""
    sender.send("press", {"key": key})


@click.command
@click.argument("name", metavar="ID|NAME")
@click.option(
    "--pin", "by_themselves", is_flag=True, help="Sign on with the dealer's own PIN, which the command asks for."
)
@BY
@at_a_table
@pass_sender
def dealer(sender: CommandSender, name: str, *, by_themselves: bool) -> None:
    """Sign a dealer on, between two rounds; - signs off.

    If the table has a registry of persons, the dealer must be in it: give the badge number or the name.
    """
    if by_themselves:
        sender.sign_on(name)
    else:
        sender.send("dealer", {"name": None if name == "-" else name})


@click.command
@click.argument("do", type=OneOf("a word", ("change", "readout", "cut", "uncut", "ready")), metavar="DO")
@click.argument("id_", metavar="[ID]", required=False)
@click.argument("cards", type=CARDS, required=False)
@click.option("--left", type=CARDS, help="change: number of cards left in the shoe.")
@click.option("--because", metavar="TEXT", help="uncut: the reason why the cards are not cut.")
@click.option("--receipt", help="ready: the receipt of the machine that counted the cards.")
@click.option("--with", "witness", metavar="NAME", help="ready: the witness of the count.")
@BY
@at_a_table
@pass_sender
def shoe(sender: CommandSender, /, do: str, id_: str | None, cards: int | None, **more: object) -> None:
    """Report a step of a shoe change.

    DO is change (the shoe is taken away; its cards cause no faults), readout (the same, and its remaining cards are
    read out, until change or ready), cut (the new cards are cut), uncut (they are not cut, for a reason) or ready (a
    full shoe is in place; ID and counted CARDS can be given).
    """
    if id_ is not None and do != "ready":
        raise click.UsageError(f"expected nothing after {do}, got {id_}")
    if (do == "uncut") != (more["because"] is not None):
        raise click.UsageError("expected --because with uncut, and with nothing else")
    fields = {"do": do, "shoe": id_, "counted": cards, **more}
    sender.send("shoe", {name: value for name, value in fields.items() if value is not None})
