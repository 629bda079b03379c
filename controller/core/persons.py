"""Who is a person among those that a record names.

Names change and are shared; a person has an id, which stands in the record beside the name. As long as nobody keeps a
register of persons, the id of each is their name.
"""

NOBODY = frozenset({  # what acts, or is told of, under these names is no person
    "anybody", "auto", "clock", "config", "dealer", "kiosk", "play", "player", "script", "server", "shoe",
    "table",
})  # fmt: skip


def id_of(name: str | None) -> str | None:
    """The id of the person of that name; null where it is nobody's."""
    return None if name in NOBODY else name
