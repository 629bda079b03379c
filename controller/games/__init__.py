"""Games of the program: built-in ones, one file each, and games that installed packages add.

A new built-in game is one file, its name in `installing.OURS` and one test file. Any other game is a package of its
own, with an entry point.
"""

from .installing import load_games

GAMES, FAILED, TEXTS = load_games()  # by name; those that could not be loaded; their texts in other languages
