"""Command line `tablectl`: list of all commands, which are in one file per group.

Exit codes: 0 success, 1 a defect or a refusal, 2 bad usage or input, or a full disk, 130 after Ctrl-C. Each
error is one line.
"""

import os
import select
import sys
from collections.abc import Mapping, Sequence
from errno import EDQUOT, ENOSPC
from typing import Any, NoReturn

import click

from .. import Unusable, __version__
from .groups import LazyGroup

HEADINGS: Mapping[str, Mapping[str, str]] = {
    # command name: its module, relative to controller.cli, imported when the command is called
    "At a running table": {
        "status": "status",
        "open": "live",
        "close": "live",
        "press": "live",
        "shoe": "live",
        "shuffled": "live",
        "dealer": "live",
        "table": "table",
        "monitor": "monitor",
    },
    "Faults, rulings and shifts": {
        "ack": "live",
        "rule": "live",
        "resettle": "resettle",
        "dismiss": "resettle",
        "shift": "shift",
        "report": "report",
        "faults": ".lab.commands.faults",
        "glossary": "glossary",
    },
    "Set up a table, a floor, a bus": {
        "init": "init",
        "check": "check",
        "doctor": "doctor",
        "devices": "devices",
        "deck": "deck",
        "kiosk": "kiosk",
        "people": "people",
        "user": "user",
        "token": "user",
        "alerts": "alerts",
        "bus": "bus",
        "api": "api",
    },
    "Run and keep": {
        "run": "run",
        "floor": "floor",
        "journal": "journal",
        "takeover": "takeover",
    },
    "Learn and try": {
        "help": "help",
        "demo": ".lab.commands.demo",
        "play": "play",
        "emulate": ".lab.commands.emulate",
        "diagram": ".lab.commands.diagram",
        "rtp": ".lab.commands.rtp",
        "bench": ".lab.commands.bench",
    },
}
COMMANDS = {name: module for commands in HEADINGS.values() for name, module in commands.items()}
WIDEST = 120  # columns of a help text
CLICK_BEGINS = ("Argument ", "Could not ", "Got unexpected ", "Invalid ", "Missing ", "No such ", "Option ")


class Commands(LazyGroup):
    """Group of all commands of tablectl: each error is one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings."""
        for heading, names in HEADINGS.items():
            self.format_section(ctx, formatter, heading, names)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; exit with code 0 and without a message if the reader closes the pipe.

        click itself would exit with code 1.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            if not _is_unread():
                raise
            _write_no_more()
            return 0

    def main(  # type: ignore[override] # click's own is overloaded on standalone_mode
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,  # noqa: ANN401 - what else click hands on
    ) -> NoReturn:
        """Run a command and exit: every error is one line."""
        extra["standalone_mode"] = False
        _open_closed_streams()
        sys.exit(self._exit_code(args, prog_name, extra))

    def _exit_code(self, args: Sequence[str] | None, prog_name: str | None, extra: dict[str, Any]) -> int:
        try:
            code = super().main(args, prog_name, **extra)
        except click.exceptions.NoArgsIsHelpError as asked:
            asked.show()
            return 2
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "tablectl"
            return _refuse(f"{_sentence(error.format_message())}; see `{command} --help`")
        except click.ClickException as error:
            return _refuse(error.format_message())
        except Unusable as error:
            return _refuse(str(error))
        except click.Abort:
            return 130
        except OSError as error:
            return _no_room(error)
        return code if isinstance(code, int) else 0


@click.group(
    cls=Commands,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)
@click.version_option(__version__, message="%(prog)s, version %(version)s, from " + sys.prefix)
def main() -> None:
    """The controller of a live-dealer table."""


def _open_closed_streams() -> None:
    """Open /dev/null for each standard stream that the caller has closed: Python has None in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = os.open(os.devnull, os.O_RDWR)  # it gets the number of the closed one
            setattr(sys, name, os.fdopen(stream, mode, encoding="utf-8"))


def _is_unread() -> bool:
    """True if the reader of standard output has closed the pipe; other broken pipes are errors."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return bool(poll.poll(0))


def _write_no_more() -> None:
    """Send the rest of the output to /dev/null."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _no_room(error: OSError) -> int:
    """Print that the disk is full and return the exit code; raises any other error again."""
    if error.errno not in (ENOSPC, EDQUOT):
        raise error
    _write_no_more()
    return _refuse(f"{error.filename or 'standard output'}: {os.strerror(error.errno).lower()}")


def _refuse(message: str) -> int:
    click.echo(f"tablectl: {' '.join(message.split())}", err=True)
    return 2


def _sentence(message: str) -> str:
    """Write click's own sentence as all others are written; another message may begin with a path, which stays."""
    return (message[:1].lower() + message[1:] if message.startswith(CLICK_BEGINS) else message).rstrip(".")
