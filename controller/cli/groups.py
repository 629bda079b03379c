"""Command groups that suggest names for misspelt commands and import commands on call."""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

import click

SENTENCE = 400  # characters of a command's first sentence, at most


class Group(click.Group):
    """Command group that suggests a name for a misspelt command, and cuts no sentence short in its help."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all commands, each with its first sentence."""
        self.format_section(ctx, formatter, "Commands", self.list_commands(ctx))

    def format_section(
        self, ctx: click.Context, formatter: click.HelpFormatter, heading: str, names: Collection[str]
    ) -> None:
        """Write these commands under a heading; all sections of a help text have the same columns."""
        longest = max(map(len, self.list_commands(ctx)))
        commands = ((name, self.get_command(ctx, name)) for name in names)
        rows = [(name.ljust(longest), command.get_short_help_str(SENTENCE)) for name, command in commands if command]
        with formatter.section(heading):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return click's result for the named command. Raises UsageError with a suggestion for an unknown name."""
        from ..text.errors import did_you_mean, quote

        name, names = args[0], self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"no such command {quote(name)}{did_you_mean(name, names)}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """Command group that imports a command when it is called.

    `modules`: by command name, its module relative to controller.cli.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **named: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **named)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, for the help."""
        return sorted({*super().list_commands(ctx), *self._modules})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, imported now; None if there is none."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        module, name = import_module(f".{self._modules[cmd_name]}", __package__), cmd_name.replace("-", "_")
        command: click.Command | None = getattr(module, name, None)
        return command or getattr(module, f"{name}_")  # with `_` if the name is also Python's, or an argument's
