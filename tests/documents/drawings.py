"""Diagrams of `docs/`, as Mermaid text or tables; keys, codes and names in them come from the program."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from controller.bus.names import EVENTS, HEADS, STATUS
from controller.config.panel_keys import KeysSection
from controller.core.clock import SECOND
from controller.core.fault_catalogue import CATALOGUE
from controller.text.keys import KEYS
from controller.web.screens.player import DWELL, SHOWN_FOR
from controller.web.screens.player_texts import PHASES
from drivers.panels.stream_deck_models import MINI, MK2, NEO, XL
from drivers.panels.xkeys_models import XK_24

from .grids import grid

FAULT_PICTURES = "../tests/browser/pictures/faults"


def _mermaid(*lines: str) -> str:
    return "\n".join(("```mermaid", *lines, "```"))


def _flow(way: str, *lines: str) -> str:
    return _mermaid(f"flowchart {way}", *(f"    {line}" for line in lines))


def _sequence(*lines: str) -> str:
    return _mermaid("sequenceDiagram", *(f"    {line}" for line in lines))


def studio() -> str:
    """Draw the network of a studio: devices, tables, bus, floors, game server, browsers."""
    return _flow(
        "LR",
        'shoe["card shoe, panel, beacon"] -->|"serial port, USB"| table["PC of a table<br>tablectl run"]',
        'table --> journal[("record on its disk")]',
        'table --> pages["the table\'s pages<br>/dealer /manager /overlay"]',
        f'table <-->|"events, heads, commands"| bus[("bus: NATS<br>{EVENTS}, {HEADS}, {STATUS}")]',
        'others["PCs of other tables"] <--> bus',
        'bus <--> floor["PC of a floor<br>tablectl floor"]',
        'floor --> hall["/floor in browsers"]',
        'bus <--> platform["game server"]',
    )


def first_table() -> str:
    """Draw the programs and files of the first table."""
    return _flow(
        "LR",
        'config["/etc/tablectl/table1.toml"] --> run["tablectl@table1"]',
        'shoe["card shoe: here tablectl emulate"] -->|"socket://127.0.0.1:4001"| run',
        'run --> journal[("/var/lib/tablectl/table1/table1.journal")]',
        'run --> pages["http://127.0.0.1:8032"]',
        'run <--> socket["/run/tablectl/table1.sock:<br>tablectl status, rule, table"]',
    )


def second_table() -> str:
    """Draw what two tables on one PC share, and which files each has of its own."""
    return _flow(
        "LR",
        'people["people.toml: shared"] --> one["tablectl@table1"] & two["tablectl@table2"]',
        'one --- a["table1.toml, port 8032,<br>/var/lib/tablectl/table1"]',
        'two --- b["table2.toml, port 8033,<br>/var/lib/tablectl/table2"]',
    )


def backup() -> str:
    """Draw the files of a table and where each is copied."""
    return _flow(
        "LR",
        'journal["table1.journal"] -->|"tablectl journal backup"| night["/mnt/backup/table1/DATE/"]',
        'users["table1.users, table1.outbox"] -->|"with it"| night',
        'config["/etc/tablectl/table1.toml"] -->|"cp"| night',
        'archives["table1.0….journal: archives"] -->|"cp, once each"| all["/mnt/backup/table1/"]',
        'named["people.toml, keys, certificates"] -.->|"by hand, when they change"| all',
    )


def upgrade() -> str:
    """Draw the versions on disk while a table still runs the old one."""
    return _flow(
        "LR",
        'current["/opt/tablectl/current"] --> new["/opt/tablectl/NEW"]',
        'running["table1: in a round"] --> old["/opt/tablectl/OLD"]',
        'running -.->|"restart between two rounds"| new',
        'old -.->|"removed when no table runs from it"| gone(("removed"))',
    )


def takeover() -> str:
    """Draw the steps of a takeover between two PCs."""
    return _sequence(
        "participant A as PC 1",
        "participant S as shipped folder",
        "participant B as PC 2, the standby",
        "participant M as shift manager",
        "loop every second",
        "    A->>S: new records",
        "end",
        "Note over A: dies during round 2",
        "Note over A: switched off, shoe moved to PC 2",
        "B->>S: tablectl takeover: read and verify all parts",
        "B->>B: begin a new epoch, write the record",
        "B->>M: table runs, round 2 is paused",
        "M->>B: enter the missing cards or cancel the round",
        "B->>S: ships from now on",
    )


def epochs() -> str:
    """Draw a table's record over two epochs; the record numbers are examples."""
    return _flow(
        "LR",
        'a["epoch A<br>records 1 to 420"] -->|"takeover at 420"| b["epoch B<br>records 421, 422, …"]',
        'a -.-> lost["epoch A<br>records 421 to 424:<br>only on PC 1, do not count"]',
        "style lost stroke-dasharray: 5 5",
    )


def commands() -> str:
    """Draw the ways in which commands reach a running table."""
    return _flow(
        "LR",
        'cli["tablectl status, ack, rule …"] -->|"/run/tablectl/NAME.sock"| table["tablectl run"]',
        'page["/manager, /dealer in a browser"] -->|"HTTP, signed in"| table',
        'server["game server"] -->|"HTTP with a token"| table',
        'floor["floor, game server"] -->|"bus, signed"| table',
        'table --> journal[("record")]',
        'table --> alerts["alerts: mail, chat, phone, webhook"]',
        'table --> log["log, metrics, /healthz"]',
    )


def wiring() -> str:
    """Draw the cables between the devices and the PC of a table."""
    return _flow(
        "LR",
        'shoe["shoe or scanner on RS-232"] -->|"USB adapter"| pc["PC of the table"]',
        'far["shoe or scanner on RS-232"] -->|"serial device server, TCP"| pc',
        'scanner["scanner: HID-POS, wedge, CDC-ACM"] -->|USB| pc',
        'panel["panel: X-keys, Stream Deck"] <-->|USB| pc',
        'beacon["beacon: LR6-USB, NE-USB, blink(1)"] <-->|USB| pc',
        'badge["badge reader"] -->|"USB or serial"| pc',
        'pc -->|browser| screen["the dealer\'s screen"]',
    )


def keys() -> str:
    """Draw the keys of each panel in their positions, each with its meaning and number."""
    stick = [[XK_24.numbers[column, row] for column in range(XK_24.columns)] for row in range(XK_24.rows)]
    decks = {"stream_deck": MK2, "stream_deck_mini": MINI, "stream_deck_neo": NEO, "stream_deck_xl": XL}
    parts = [_keyboard("X-keys XK-24; the XK-80 has the same numbers", "xk24", stick)]
    for model, deck in decks.items():
        title = f"{deck.name}{'; the Plus has the same keys' if deck is NEO else ''}"
        parts.append(_keyboard(title, model, _by_rows(deck.columns, deck.rows)))
    return "\n\n".join(parts)


def _by_rows(columns: int, rows: int) -> Sequence[Sequence[int]]:
    return tuple(tuple(range(row * columns, (row + 1) * columns)) for row in range(rows))


def _keyboard(title: str, model: str, rows: Iterable[Sequence[int]]) -> str:
    acts = {number: KEYS[meaning] for meaning, number in KeysSection().key_numbers(model).items()}
    cells = [[f"{acts[number]} ({number})" if number in acts else str(number) for number in row] for row in rows]
    return f"**{title}:**\n\n{grid([' '] * len(cells[0]), cells)}"


def fault() -> str:
    """Draw a fault from the card to the end of the pause."""
    return _sequence(
        "participant S as shoe",
        "participant T as table",
        "participant D as dealer",
        "participant M as shift manager",
        "S->>T: a card that does not fit",
        "T->>D: stop, leave the card, wait",
        "T->>M: fault and allowed rulings",
        "loop every 30 s until somebody acknowledges",
        "    T->>M: call again, the next level too",
        "end",
        "M->>T: ask for the effect of a ruling",
        "T->>M: result, cards and money that would change",
        "M->>T: ruling, reason, PIN if the sign-in has ended",
        "T->>D: next step",
        "Note over T: a report that waits becomes the next fault",
    )


def chain() -> str:
    """Draw records, their chain of hashes, and the places outside the record that keep a head."""
    return _flow(
        "LR",
        'a["record 41<br>hash"] --> b["record 42<br>hash of 41 and 42"] --> c["record 43<br>hash of 42 and 43"]',
        'c -->|"after each round"| anchor[("anchor on another disk")]',
        'c -->|"after each round"| bus[("bus")]',
        'c -->|"after each round"| log["log"]',
    )


def bet() -> str:
    """Draw a bet between game server and table, from its command to its payment."""
    return _sequence(
        "participant G as game server",
        "participant T as table",
        "T->>G: opened (round 4, window 1)",
        "G->>T: bet, id 4-ann-1, 25.00 on player",
        "T->>G: verdict done, then event bet_accepted (debit 25.00)",
        "T->>G: closed, dealt, …",
        "T->>G: settled",
        "T->>G: paid: credit 50.00",
        "Note over G: books each movement once, by its id",
    )


def doors() -> str:
    """Draw which people sign in where, and who has the right to rule."""
    return _flow(
        "LR",
        'dealer["dealer"] -->|"PIN or badge"| screen["the dealer\'s screen, the table\'s reader"]',
        'manager["shift manager"] -->|"PIN or badge"| page["/manager, /floor"] -->|"rules"| table["table"]',
        'supervisor["supervisor"] -->|"PIN or badge"| floor["/floor: assigned tables"] -->|"rules"| table',
        'others["engineer, auditor"] -->|"PIN or badge"| looks["/manager, /floor: read only"]',
        'platform["game server"] -->|token| api["HTTP API: bets, decisions"] --> table',
    )


def overlay() -> str:
    """Draw the states of the players' overlay, named as on the overlay."""
    drawn = ("betting", "dealing", "deciding", "complete", "shoe_change", "dealer_change", "closed", "paused")
    return _mermaid(
        "stateDiagram-v2",
        *(f'    state "{PHASES[one]}" as {one}' for one in drawn),
        f"    betting --> dealing: no more bets, {SHOWN_FOR['closed'] // SECOND} s",
        "    dealing --> deciding",
        "    deciding --> dealing",
        "    dealing --> complete: last card",
        f"    complete --> result: shown for {DWELL // SECOND} s at least",
        *(f"    result --> {one}" for one in ("betting", "shoe_change", "dealer_change", "closed")),
        "    dealing --> paused",
        f"    paused --> dealing: play resumes, {SHOWN_FOR['resumed'] // SECOND} s",
    )


def fault_screens() -> str:
    """Return a table of pictures of the dealer's screen at each fault, two in a row."""
    cells = [f"`{code}`<br>![The dealer's screen at {code}]({FAULT_PICTURES}/{code}.webp)" for code in CATALOGUE]
    return grid(("", ""), [(*cells[at : at + 2], "")[:2] for at in range(0, len(cells), 2)])


DRAWINGS: Mapping[str, Callable[[], str]] = {
    "studio": studio, "first_table": first_table, "second_table": second_table, "backup": backup, "upgrade": upgrade,
    "takeover": takeover, "epochs": epochs, "commands": commands, "wiring": wiring, "keys": keys, "fault": fault,
    "chain": chain, "bet": bet, "doors": doors, "overlay": overlay,
    "fault_screens": fault_screens,
}  # fmt: skip
