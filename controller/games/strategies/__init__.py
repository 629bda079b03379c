"""How a player decides in the games that ask: one file each, used by the sheet's `GAME`."""
