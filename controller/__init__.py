"""Controller of one live-dealer table: rule sheets, rounds, the record, and people around it."""

__version__ = "0.2.0"


class Unusable(Exception):
    """Error: a named file, address or socket cannot be used; one line says why, and what to do.

    The command line prints it. Its kinds stand beside what raises them.
    """
