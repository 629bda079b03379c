"""A command that has commands of its own."""

import click


class Group(click.Group):
    """It says which one was probably meant where there is none of that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name, as click has it."""
        from ..text.errors import did_you_mean, shown

        name, names = args[0], self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"no such command {shown(name)}{did_you_mean(name, names)}", ctx)
        return super().resolve_command(ctx, args)
