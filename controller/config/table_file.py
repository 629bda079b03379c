"""The config of a table: one TOML file, checked whole before anything starts.

A mistake is one line that names the key by its path and says what to write.
"""

import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from ..core.clock import DAY
from ..core.currency import CURRENCIES, USUAL
from ..core.house import House, Terms
from ..journal import Bounds
from ..text.errors import as_key, system_message, toml_error
from ..text.spelling import Misspelt, check_name
from .alerts import Target
from .badge_reader import BadgeReaderSection
from .bus import BusSection
from .clock import ClockSection
from .devices import BeaconSection, PanelSection, ShoeSection
from .game_section import find_game, playable, posted_digest, settings_of
from .limits import LimitsSection
from .mistakes import BadConfig, check_numbers, convert_part
from .nested_limits import check_nested
from .overlay import OverlaySection
from .paths import users_of
from .people import PeopleSection
from .rulings import RulingsSection
from .sections import Name, Section, Text
from .shifts import ShiftsSection
from .web import ServerSection, WebSection

_T = TypeVar("_T")

PROGRAM = version("tablectl")

Seconds = Annotated[int, Meta(ge=1, le=3600)]


class TableSection(Section, frozen=True):
    """Section `[table]` of the config: name, people and rules of the table."""

    name: Name = "table"  # name of the table, unique in the studio
    studio: Text | None = None  # studio of this table; stored in the record
    currency: str = USUAL  # currency of all stakes (ISO 4217)
    dealer: Name | None = None  # dealer who is signed on when the table starts
    confirm: Literal["dealer", "shoe", "auto"] | None = None  # confirms a result; by default dealer, in `play` auto
    reveal: Literal["auto", "dealer"] = "auto"  # "dealer": the dealer's cards count as turned over at the FINISH key
    carry: bool = False  # an extra card that nobody saw may be the first of this shoe's next round
    wrong_odds: Literal["withdraw", "lower"] = "withdraw"  # bets at odds computed from a misread card
    gone: Literal["return", "keep"] = "return"  # stakes of a player who is offline when betting closes
    panel_loss: Literal["warning", "fault"] = "warning"
    telegram_loss: Literal["warning", "fault"] = "warning"  # a gap in the shoe's numbering of its messages
    unruled: Literal["offer", "cancel"] = "offer"  # what happens to a round if nobody rules in time
    cut_card: Literal["last_round", "one_more"] = "last_round"  # last round of a shoe: with the cut card, or the next
    burn: Literal["free", "none", "one", "first_card"] = "free"  # cards burnt from a new shoe; "free": any number
    count_in: bool = False  # a new shoe needs a confirmed number of cards: a receipt or two people
    training: bool = False  # rounds are marked as training; players and game server do not get them

    def check(self) -> None:
        """Check the spelling of the table's and the dealer's name. Raises BadConfig."""
        for key, name in (("name", self.name), ("dealer", self.dealer)):
            try:
                if name is not None:
                    check_name(name)
            except Misspelt as error:
                raise BadConfig(f"table.{key}: {error}") from None


class TimersSection(Section, frozen=True):
    """Section `[timers]` of the config: time limits, in seconds."""

    betting: Seconds = 15  # until the table closes the bets
    decision: Seconds = 15  # until the default decision is taken
    stall: Seconds = 30  # without an expected card until this is a fault
    acknowledge: Seconds = 30  # until the next level is called for a fault that nobody acknowledged; repeated
    ruling: Seconds = 180  # until the cancellation of a round without a ruling is offered, or done
    server: Seconds = 60  # until a round in betting is cancelled because the game server is lost


class JournalSection(Section, frozen=True):
    """Section `[journal]` of the config: path, anchor, and limits of a file (0: never a new file)."""

    path: Text | None = None  # file of the record, such as "table1.journal"; a table does not run without it
    rotate_mb: Annotated[int, Meta(ge=0, le=100_000)] = 256  # size at which the record continues in a new file
    rotate_days: Annotated[int, Meta(ge=0, le=3650)] = 0  # age in days at which it continues in a new file
    anchor: Text | None = None  # file on another disk that stores the number of the last record
    anchor_loss: Literal["refuse", "warn"] = "refuse"  # what happens if that file is missing at the start
    anchor_required: bool = False  # no round opens while that file cannot be used
    first_round: Annotated[int, Meta(ge=1, le=10**9)] = 1  # number of the first round of a new record

    def check(self) -> None:
        """Check that the anchor is another file than the journal, and named if it is required. Raises BadConfig."""
        if self.anchor is not None and self.path is not None and Path(self.anchor) == Path(self.path):
            raise BadConfig("journal.anchor: expected a file of its own, on another disk, got that of journal.path")
        if self.anchor_required and self.anchor is None:
            raise BadConfig("journal.anchor_required: expected an anchor too, as in [journal] anchor, got true alone")

    @property
    def bounds(self) -> Bounds:
        """Size (bytes) and age (microseconds) that one journal file may reach; 0: no limit."""
        return Bounds(self.rotate_mb * 10**6, self.rotate_days * DAY)


class ApiSection(Section, frozen=True):
    """The socket on which a running table takes commands."""

    socket: Text | None = None  # by default NAME.sock in /run/tablectl, or in the user's runtime folder
    group: Name | None = None  # group that may use the socket; by default the program's own


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of a whole table config file, one field per section."""

    table: TableSection = TableSection()
    game: dict[str, Any] = {}
    shoe: ShoeSection = ShoeSection()
    panel: PanelSection = PanelSection()
    beacon: BeaconSection = BeaconSection()
    badge_reader: BadgeReaderSection = BadgeReaderSection()
    alerts: dict[str, Target] = {}  # by name
    timers: TimersSection = TimersSection()
    limits: LimitsSection = LimitsSection()
    rulings: RulingsSection = RulingsSection()
    journal: JournalSection = JournalSection()
    clock: ClockSection = ClockSection()
    api: ApiSection = ApiSection()
    web: WebSection = WebSection()
    overlay: OverlaySection = OverlaySection()
    server: ServerSection = ServerSection()
    people: PeopleSection = PeopleSection()
    shifts: ShiftsSection = ShiftsSection()
    bus: BusSection = BusSection()

    def users_beside(self, journal: Path) -> Path:
        """Return the path of the users file of a table with this journal."""
        return Path(self.web.users) if self.web.users else users_of(journal)

    def house(self, confirm: Literal["dealer", "auto"], game: str | None = None) -> House:
        """Build the table's rules. `confirm`: used if the file does not set it; `game`: in place of the file's."""
        sheet = playable(game or self.game["name"])
        terms = Terms(
            confirm=self.table.confirm or confirm,
            reveal=self.table.reveal,
            carry=self.table.carry,
            wrong_odds=self.table.wrong_odds,
            gone=self.table.gone,
            panel_loss=self.table.panel_loss,
            betting_seconds=self.timers.betting,
            telegram_loss=self.table.telegram_loss,
            unruled=self.table.unruled,
            training=self.table.training,
            cut_card=self.table.cut_card,
            burn=self.table.burn,
            count_in=self.table.count_in,
            decision_seconds=self.timers.decision,
            stall_seconds=self.timers.stall,
            acknowledge_seconds=self.timers.acknowledge,
            ruling_seconds=self.timers.ruling,
            server_seconds=self.timers.server,
            **self.limits.terms(sheet, self.table.currency),
            second_above=self.rulings.second_above(self.table.currency),
            resettle_hours=self.rulings.resettle_hours,
        )
        about = (self.table.name, self.table.studio or "", self.table.currency, PROGRAM)
        return House(sheet, settings_of(sheet, self.game), terms, *about, posted_digest=posted_digest(self.game))


def load(path: Path) -> Config:
    """Read and check a config file. Raises BadConfig."""
    return check_file(path, check)


def load_alerts(path: Path) -> tuple[str, dict[str, Target]]:
    """Read the table's name and alert targets, even if the rest of the file is invalid.

    Raises BadConfig.
    """
    name, targets = check_file(path, _alerts)
    return name or path.stem, targets


def _alerts(raw: dict[str, Any]) -> tuple[str | None, dict[str, Target]]:
    table = raw.get("table")
    name = table.get("name") if isinstance(table, dict) else None
    targets = convert_part(raw.get("alerts", {}), dict[str, Target], "alerts")
    check_alerts(targets)
    return name if isinstance(name, str) else None, targets


def check_file(path: Path, check: Callable[[dict[str, Any]], _T]) -> _T:
    """Return the result of `check` on a TOML file. Raises BadConfig, with the path in its message."""
    raw = raw_of(path)
    try:
        return check(raw)
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def raw_of(path: Path) -> dict[str, Any]:
    """Read a TOML file, unchecked. Raises BadConfig."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadConfig(f"{path}: {system_message(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path}: not TOML: {toml_error(error)}") from None
    except RecursionError:
        raise BadConfig(f"{path}: not TOML: nested too deep") from None
    except ValueError:
        raise BadConfig(f"{path}: expected whole numbers of at most 4,300 digits, got a longer one") from None


def check(raw: dict[str, Any]) -> Config:
    """Check a parsed config and convert it. Raises BadConfig."""
    config = convert_part(raw, Config, "")
    for section in (config.table, config.shoe, config.journal, config.panel, config.beacon, config.web, config.shifts):
        section.check()
    config.badge_reader.check(config.people.badge)
    check_alerts(config.alerts)
    if config.table.currency not in CURRENCIES:
        raise BadConfig(f"table.currency: expected the code of an ISO 4217 currency, got {config.table.currency!r}")
    config.limits.money_terms(config.table.currency)
    config.rulings.second_above(config.table.currency)
    config.bus.check(config.table.name)
    if "name" in config.game:
        _check_game(config)
        config.overlay.check(find_game(config.game["name"]))
    check_numbers(raw)
    return config


def check_alerts(targets: dict[str, Target]) -> None:
    """Check that each alert target has exactly one of url, file and env. Raises BadConfig."""
    for name, target in targets.items():
        if target.ways != 1:
            raise BadConfig(f"alerts.{as_key(name)}: expected either url, file or env, got {target.ways} of them")


def _check_game(config: Config) -> None:
    game = find_game(config.game["name"])
    deck = game.deck(settings_of(game, config.game))
    if deck.change_below > deck.size:
        raise BadConfig(
            f"game.change_below: expected at most the {deck.size} cards of a full shoe, got {deck.change_below}"
        )
    config.limits.terms(game, config.table.currency)
    check_nested(config.limits, (market.name for market in game.markets), config.table.currency)
    posted_digest(config.game)
    if config.shoe.is_set_up:
        config.shoe.check_for(game, config.table.confirm)
