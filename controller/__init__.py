"""The controller of one live-dealer table: rule sheets, the round, the record, and the people around it."""

__version__ = "0.1.0"


class Unusable(Exception):
    """A file, an address or a socket that somebody named cannot be used: one line with why, and what to do.

    The command line prints it. Its kinds stand beside what raises them.
    """
