"""Console of rich for output that may go to a pipe."""

import os
from errno import EPIPE

from rich.console import Console


class PipeConsole(Console):
    """Console that leaves a pipe closed by its reader to the command line; rich would exit with code 1."""

    def on_broken_pipe(self) -> None:
        """Raise the error again."""
        raise BrokenPipeError(EPIPE, os.strerror(EPIPE))
