"""Files of a floor on its disk: events of the tables, rows derived from them, its own record."""
