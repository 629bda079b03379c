"""The command line: `tablectl`. One file per group of commands; here they are only listed.

The one rule: exit 0 is fine, 1 something was found wrong, 2 bad usage or bad input, and an error is one line.
"""

from importlib import import_module

import click

from ..config import BadConfig
from ..journal import JournalError
from ..script import BadScript

COMMANDS = {  # name: the module of controller.cli that has it, imported when it is called
    "check": "check",
    "demo": "demo",
    "diagram": "diagram",
    "journal": "journal",
    "play": "play",
    "run": "run",
}


class Commands(click.Group):
    """The group whose commands are found by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, D102
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002, D102
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f".{COMMANDS[cmd_name]}", __name__), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:  # noqa: D102
        try:
            return super().invoke(ctx)
        except (BadConfig, BadScript, JournalError) as error:
            click.echo(f"tablectl: {error}", err=True)
            ctx.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tablectl")
def main() -> None:
    """The controller of a live-dealer table."""
