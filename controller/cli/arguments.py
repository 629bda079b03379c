"""Arguments that several commands take."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import click

from ..core.bounds import MOST_CARDS, MOST_NUMBER
from ..text.errors import did_you_mean, listing, quote
from ..text.spelling import Misspelt, check_name, check_reason

Command = Callable[..., Any]
Option = Callable[[Command], Command]

PATH = click.Path(path_type=Path)


class WholeNumber(click.IntRange):
    """Parameter type: a whole number of a range; an error names the range in words."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Return the number; fail with a line that says which numbers are possible."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            above = "" if self.max in (None, MOST_NUMBER) else f" to {self.max}"
            self.fail(f"expected a whole number from {self.min}{above or ' on'}, got {quote(value)}", param, ctx)


NUMBER = WholeNumber(1, MOST_NUMBER)  # number of a record, round or fault; or a count
WHOLE = WholeNumber(0, MOST_NUMBER)
CARDS = WholeNumber(0, MOST_CARDS)
CONFIG = click.argument("config", type=PATH)


class OneOf(click.Choice[str]):
    """Parameter type: one of several words. `what`: name of the thing, for the error message."""

    def __init__(self, what: str, words: Collection[str]) -> None:
        super().__init__(sorted(words))
        self._what, self._words = what, words

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,
    ) -> str:
        """Return the word; fail with a line that lists the possible ones."""
        if value not in self._words:
            meant = did_you_mean(value, self._words)
            choices = f"{self._what} out of {listing(self._words)}"
            raise click.UsageError(f"expected {choices}, got {quote(value)}{meant}", ctx)
        return str(value)


def check_act(by: str, because: str | None) -> None:
    """Check the name and the reason, if one is given, of a person's act before anything is done. Raises UsageError."""
    if not by:
        raise click.UsageError("--by: expected a name, got an empty text")
    try:
        check_name(by)
        if because is not None:
            check_reason(because)
    except Misspelt as error:
        raise click.UsageError(str(error)) from None


def options(*each: Option) -> Option:
    """Combine several option decorators into one; the help lists them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return add


BY_WHOM = options(
    click.option("--by", required=True, metavar="NAME", help="The person who decides this; recorded."),
    click.option("--because", required=True, metavar="TEXT", help="The reason; recorded."),
)
