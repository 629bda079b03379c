"""Messages of a floor to its page: strips of tables, as in air traffic control, and people at work.

A strip has the same fields in every bay. All texts are in the viewer's language.
"""

from typing import Literal

from msgspec import Struct

Bay = Literal["calls", "watch", "playing", "resting"]
BAYS: tuple[Bay, ...] = ("calls", "watch", "playing", "resting")


class ShownClaim(Struct, frozen=True):
    """Claim of a call by a person. `mine`: True if this is the viewer."""

    id: str
    name: str
    at: str
    mine: bool


class ShownCall(Struct, frozen=True):
    """Open fault of a table, or a halt: its record cannot be written (`seq` 0)."""

    seq: int
    code: str
    head: str
    text: str
    since: str  # in the table's time; the age is counted from it
    level: int  # of escalation, from 1
    money: str  # at risk
    seen_by: str | None  # person who acknowledged it at the table
    claim: ShownClaim | None


class Alarm(Struct, frozen=True):
    """Warning with the action it asks for, shown until it is over and acknowledged."""

    key: str  # TABLE:KIND:DETAIL
    kind: str
    head: str
    act: str  # what a person should do about it
    since: str
    standing: bool  # True while its cause is there
    acknowledged: str | None  # name of the person
    shelved: str | None  # end of the shelving
    because: str  # reason of the shelving


class Strip(Struct, frozen=True):
    """Display of one table, for one viewer in one language."""

    table: str
    bay: Bay
    order: tuple[int, ...]  # within the bay: the smallest first
    game: str
    round: str
    dealer: str
    life: str
    says: str  # the life in words
    next: str
    until: str | None  # end of the open window
    left: float | None  # seconds left of the window, while paused
    shoe: int | None  # cards left
    misreads: int | None  # number among the last 100 cards
    owner: str  # name of the person that the table is assigned to
    mine: bool  # True if the viewer may act at the table
    heard: str | None  # time of the last beat if the table is silent; None: it is heard
    call: ShownCall | None
    alarms: tuple[Alarm, ...]


class AssignablePerson(Struct, frozen=True):
    """Person who may be assigned tables. `at_most`: their limit; None: no limit."""

    id: str
    name: str
    role: str
    tables: tuple[str, ...]
    at_most: int | None


class PageHead(Struct, frozen=True):
    """Part of the page that concerns all tables.

    `flood`: another floor of the same name, then frequent calls and alarms, one line per kind; `may`: acts that the
    viewer may do at any table.
    """

    floor: str
    line: str | None  # defect of the connection to the bus
    behind: int  # number of events still to come
    counts: dict[str, int]  # strips by bay
    flood: tuple[str, ...]
    people: tuple[AssignablePerson, ...]
    may: tuple[str, ...] = ()


class PagePicture(Struct, frozen=True):
    """Complete display, the first message of the stream; `PageChange` follows."""

    head: PageHead
    strips: tuple[Strip, ...]
    words: dict[str, str]


class PageChange(Struct, frozen=True):
    """Changes since the message before. `gone`: tables that are no longer on the bus."""

    head: PageHead | None
    strips: tuple[Strip, ...]
    gone: tuple[str, ...]
