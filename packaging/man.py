"""Write the manual page, made from the commands themselves: `python packaging/man.py >tablectl.1`."""

import re
import sys
from collections.abc import Iterator

import click

from controller import __version__
from controller.cli import main

FILES = {
    "/etc/tablectl/NAME.toml": "The config of the table that the service tablectl@NAME runs.",
    "/var/lib/tablectl/NAME": "Its record.",
    "/run/tablectl/NAME.sock": "Where it is spoken to.",
    "/opt/tablectl": "The program, each version in a folder of its own; the link current says which is started.",
    "/dev/table": "The devices that are plugged in, by names that stay.",
    "/usr/share/doc/tablectl/examples": "A config for each game, and rules and a dashboard for monitoring.",
}


def roff(text: str) -> str:
    """Return the text escaped for groff, so that no line is taken for a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", escaped, flags=re.MULTILINE)


def paragraphs(help_text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; paragraphs that click does not wrap are not wrapped here."""
    for paragraph in re.split(r"\n\s*\n", "\n".join(line.strip() for line in help_text.splitlines()).strip()):
        kept = paragraph.removeprefix("\b\n")
        yield f".PP\n{roff(kept)}" if kept == paragraph else f".PP\n.nf\n{roff(kept)}\n.fi"


def commands(command: click.Command, above: click.Context | None, name: str) -> Iterator[str]:
    """Yield a command's usage, help and options, and the same of all its subcommands."""
    here = click.Context(command, above, name, **command.context_settings)
    yield f'.SS "{roff(" ".join([here.command_path, *command.collect_usage_pieces(here)]))}"'
    yield from paragraphs(command.help or "")
    for record in (parameter.get_help_record(here) for parameter in command.params):
        if record:
            yield f".TP\n\\fB{roff(record[0])}\\fR\n{roff(record[1])}"
    if isinstance(command, click.Group):
        for inner in command.list_commands(here):
            yield from commands(command.get_command(here, inner), here, inner)


def page() -> Iterator[str]:
    """Yield the whole page, piece by piece."""
    yield f'.TH TABLECTL 1 "" "tablectl {__version__}" "User Commands"'
    yield f".SH NAME\ntablectl \\- {roff((main.help or '').strip().rstrip('.').removeprefix('The '))}"
    yield ".SH SYNOPSIS\n.B tablectl\n[OPTIONS] COMMAND [ARGS]..."
    yield ".SH COMMANDS"
    yield from commands(main, None, "tablectl")
    yield ".SH EXIT STATUS\n0 is fine, 1 something was found wrong or was refused, 2 bad usage or bad input."
    yield ".SH FILES"
    yield from (f".TP\n.I {roff(path)}\n{roff(what)}" for path, what in FILES.items())


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
