"""The documents of `docs/`: what in them is made from the program, and that the rest of them holds."""
