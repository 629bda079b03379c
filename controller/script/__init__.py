"""The language of `tablectl play`: read, played, and written from a record."""
