"""Report of a broken rule: what was expected, the smallest script, and what to change."""

from collections.abc import Iterable

from ...core import events as e
from ...script.export import lines_of_input
from ...script.reader import write_line

Finding = tuple[str, str]  # sentence on the expected and the actual behaviour; what to change


class Broken(AssertionError):
    """Error: a game or a codec breaks a rule."""

    def __init__(self, expected: str, script: Iterable[str] = (), change: str = "") -> None:
        self.expected, self.script, self.change = expected, tuple(script), change
        shown = "".join(f"\n    {line}" for line in self.script)
        super().__init__(f"{expected}{shown and ', in'}{shown}" + (f"\nto change: {change}" if change else ""))


def lines_of(inputs: Iterable[e.Input]) -> Iterable[str]:
    """Yield the lines of a script that gives these inputs."""
    now = None
    for input_ in inputs:
        yield from (write_line(line) for line in lines_of_input(input_, input_.at if now is None else now))
        now = input_.at
