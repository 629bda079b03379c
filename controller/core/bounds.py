"""Upper bounds on all input from devices, people and programs, each with its reason.

No working table reaches a bound, and each is reached long before a disk or a memory is full.

Normal input is slow. A card is drawn by hand: the busiest table (blackjack, seven seats) draws thirty cards a minute.
Its shoe adds only a result and a stand-by to each round; a dealer presses four keys a round. An Angel Eye sends 24
bytes per telegram (three times eight), a Bee-Tek about as many per line.

The same bounds hold for every input: the API, the bus, scripts, configs, the command line.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

BURST = 600  # telegrams at once: an eight-deck shoe (416 cards) run through its reader, with its other messages
STEADY = 1.0  # telegrams a second after a burst: twice what the busiest table has; 86,400 a day are under 50 MB
TELEGRAM = 32  # unreadable bytes that count as one telegram: longer than any real telegram
MOST_LOOSE = 20  # cards in one pause: nobody deals then, and only a few slips and re-reads occur
MOST_SHOES_DRAWN = 2  # full shoes of cards drawn during one shoe change: burnt in, tested, and that once again
MOST_WAITING = 256  # events kept while nothing can be recorded: written one by one later, within a second or two

MOST_NUMBER = 2**53 - 1  # JSON carries whole numbers exactly up to here (RFC 7493, 2.2); SQLite up to 2**63 - 1
MOST_STAKE = 10**12  # minor units: a win of 9,000 times that, or 9,000 such stakes together, are below MOST_NUMBER
MOST_CARDS = 10_000  # in the count of a shoe: eight decks are 416
ODDS = "[0-9]{1,9}([.][0-9]{1,9})?"  # decimal odds as text: computed ones have two decimals
YEARS = range(1970, 2255)  # of a clock: microseconds since 1970 are below MOST_NUMBER

Number = Annotated[int, Meta(ge=1, le=MOST_NUMBER)]  # of a round, a record, a question, a fault, a draw
Whole = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]  # a number that may be 0, or an amount in minor units
Cards = Annotated[int, Meta(ge=0, le=MOST_CARDS)]

MOST_NAME = 100  # characters of a name, an id or a PIN: the names of refused sign-ins stay in memory for a while
MOST_REASON = 500  # characters of the reason for an act
MOST_NOTE = 300  # characters of a note for the next shift

MOST_RESETTLE_HOURS = 720  # after the end of a round
MOST_CORRECTIONS = 20  # of a round at once

NOTICES = 5  # log lines about the same thing; further ones within FOLDED_SECONDS become one line with their number
FOLDED_SECONDS = 60.0


def find_too_large(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield path and value of each whole number in parsed JSON or TOML that is beyond MOST_NUMBER."""
    match value:
        case int() if abs(value) > MOST_NUMBER:
            yield path, value
        case dict():
            for key, part in value.items():
                yield from find_too_large(part, (*path, key))
        case list():
            for place, part in enumerate(value):
                yield from find_too_large(part, (*path, place))
