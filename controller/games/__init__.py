"""The games there are: ours, one file each, and those that installed packages add.

A new game of ours is one file, its name in `installing.OURS`, one test file; anybody else's is a package of its own,
with an entry point.
"""

from .installing import installed

GAMES, FAILED, TEXTS = installed()  # by name; those that could not be loaded; their texts in other languages
