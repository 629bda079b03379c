"""The config of a table: one TOML file, checked whole before anything starts.

The one rule: a mistake is one line that names the key by its path and says what to write.
"""

import tomllib
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from drivers.beacons import UnknownModel as UnknownBeacon
from drivers.beacons import beacon_codec
from drivers.panels import UnknownModel as UnknownPanel
from drivers.panels import panel_codec
from drivers.serial_link import UnusablePort, usable
from drivers.shoes import UnknownModel as UnknownShoe
from drivers.shoes import baud_of, shoe_codec

from .core.clock import DAY
from .core.house import House, Terms
from .games import GAMES
from .journal import Bounds
from .limits import LimitsSection
from .mistakes import BadConfig, did_you_mean, explain, listing
from .outputs.courier import Target
from .procedure import Game, Settings

_T = TypeVar("_T")

Seconds = Annotated[int, Meta(ge=1, le=3600)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=4096)]


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """One `[section]` of the file."""


class TableSection(Section, frozen=True):
    """Who and what the table is."""

    name: Name = "table"
    dealer: Name | None = None  # signed on when the table opens
    confirm: Literal["dealer", "shoe", "auto"] | None = None  # who confirms a result; `run`: dealer, `play`: auto
    reveal: Literal["auto", "dealer"] = "auto"  # dealer: a reveal waits for the FINISH key
    carry: bool = True  # a surplus card may open the next round, where the shoe stays
    panel_loss: Literal["warning", "fault"] = "warning"
    telegram_loss: Literal["warning", "fault"] = "warning"  # a gap in the shoe's own numbering
    unruled: Literal["offer", "cancel"] = "offer"  # what becomes of a round that nobody rules on in time
    training: bool = False  # rounds are marked as such, and announced to nobody


class ShoeSection(Section, frozen=True):
    """The card shoe."""

    model: str = "angel_eye"
    port: Text | None = None  # /dev/serial/by-id/..., or socket://host:4001
    baud: Annotated[int, Meta(ge=300, le=921600)] | None = None  # as the model is made
    allow: tuple[Literal["lock", "cancel_error"], ...] = ()  # what may be sent to the shoe; by default nothing
    bcc_with_stx: bool = True  # Angel Eye: the check of a command covers its STX
    free_draw: bool = True  # Bee-Tek: a card drawn in its mode "Manual Burn Cards" counts as any other

    @property
    def line_baud(self) -> int:
        """Bits per second on the line: what the file says, or what the model is made for."""
        return self.baud or baud_of(self.model)


class KeysSection(Section, frozen=True):
    """Which key of the panel means what; without one the dealer does it on the screen."""

    open: int | None = 0
    close: int | None = 1
    finish: int | None = 2
    shuffled: int | None = 3
    manager: int | None = 5
    dropped: int | None = 8  # a card is off the table
    exposed: int | None = 9  # a face-down card was seen


class PanelSection(Section, frozen=True):
    """The dealer's button panel."""

    model: str | None = None
    serial: Text | None = None  # of the USB device, where several are plugged in
    keys: KeysSection = KeysSection()

    @property
    def bindings(self) -> dict[str, int]:
        """The number of the key for each meaning that has one."""
        return {name: key for name, key in msgspec.to_builtins(self.keys).items() if key is not None}


class BeaconSection(Section, frozen=True):
    """The light that calls the shift manager."""

    model: str | None = None
    serial: Text | None = None  # of the USB device, where several are plugged in


class TimersSection(Section, frozen=True):
    """Limits in seconds."""

    betting: Seconds = 15
    decision: Seconds = 15
    stall: Seconds = 30  # without a card while one is due
    acknowledge: Seconds = 30  # until a fault that nobody has seen calls the next level, each time
    ruling: Seconds = 180  # until cancellation is offered, or done
    server: Seconds = 60  # that betting is held for a game server whose line is gone


class JournalSection(Section, frozen=True):
    """Where the record is kept, and when it goes on in a new file; 0: never."""

    path: Text | None = None
    rotate_mb: Annotated[int, Meta(ge=0, le=100_000)] = 256  # when the file has grown to this
    rotate_days: Annotated[int, Meta(ge=0, le=3650)] = 0  # when its records span so many days

    @property
    def bounds(self) -> Bounds:
        """What one file may grow to."""
        return Bounds(self.rotate_mb * 10**6, self.rotate_days * DAY)


class ApiSection(Section, frozen=True):
    """The socket on which a running table takes commands."""

    socket: Text | None = None  # by default NAME.sock in /run/tablectl, or in the user's runtime folder
    group: Name | None = None  # whose members may use it; by default the program's own


class WebSection(Section, frozen=True):
    """The pages, and the door for the game server."""

    listen: Text = "127.0.0.1:8032"  # an address of this PC with a port, or "off"
    certificate: Text | None = None  # with its key: the line is encrypted
    key: Text | None = None
    plain: bool = False  # an address on the network without encryption, where the network itself is protected
    hosts: tuple[Name, ...] = ()  # names under which people reach it, where they do not use the address
    users: Text | None = None  # by default beside the journal
    kiosk: bool = True  # whoever sits at this PC may press the dealer's keys on its screen
    language: Literal["en", "ro"] = "en"  # that players and the dealer are shown

    def place(self) -> tuple[str, int] | None:
        """Host and port; none where it is off. Raises BadConfig."""
        if self.listen == "off":
            return None
        host, _, port = self.listen.rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        host = "127.0.0.1" if host == "localhost" else host[1:-1] if bracketed else host
        if (":" in host) != bracketed or not (
            _is_address(host) and port.isascii() and port.isdecimal() and int(port) < 2**16
        ):
            raise BadConfig(
                f'web.listen: expected an address and port such as 127.0.0.1:8032, or off, got "{self.listen}"'
            )
        return host, int(port)


class Config(Section, frozen=True):
    """The whole file."""

    table: TableSection = TableSection()
    game: dict[str, Any] = {}
    shoe: ShoeSection = ShoeSection()
    panel: PanelSection = PanelSection()
    beacon: BeaconSection = BeaconSection()
    alerts: dict[str, Target] = {}  # by name
    timers: TimersSection = TimersSection()
    limits: LimitsSection = LimitsSection()
    journal: JournalSection = JournalSection()
    api: ApiSection = ApiSection()
    web: WebSection = WebSection()

    def users_beside(self, journal: Path) -> Path:
        """Where the users file of a table with this journal is."""
        return Path(self.web.users) if self.web.users else journal.with_suffix(".users")

    def house(self, confirm: Literal["dealer", "auto"], game: str | None = None) -> House:
        """The table's rules. `confirm`: what holds where the file is silent; `game`: what is played, likewise."""
        sheet = GAMES[game or self.game["name"]]
        terms = Terms(
            confirm=self.table.confirm or confirm,
            reveal=self.table.reveal,
            carry=self.table.carry,
            panel_loss=self.table.panel_loss,
            betting_seconds=self.timers.betting,
            telegram_loss=self.table.telegram_loss,
            unruled=self.table.unruled,
            training=self.table.training,
            decision_seconds=self.timers.decision,
            stall_seconds=self.timers.stall,
            acknowledge_seconds=self.timers.acknowledge,
            ruling_seconds=self.timers.ruling,
            server_seconds=self.timers.server,
            limits=self.limits.of(sheet),
            prize_limit=self.limits.prize_limit(),
        )
        return House(sheet, settings_of(sheet, self.game), terms, self.table.name)


def load(path: Path) -> Config:
    """Read and check a config file. Raises BadConfig."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadConfig(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise BadConfig(f"{path}: not TOML: nested too deep") from None
    try:
        return check(raw)
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def check(raw: dict[str, Any]) -> Config:
    """A parsed config, checked. Raises BadConfig."""
    config = _convert(raw, Config, "")
    _check_shoe(config.shoe)
    config.limits.prize_limit()
    if config.panel.model is not None:
        _check_panel(config.panel, config.panel.model)
    _check_beacon(config.beacon)
    _check_alerts(config.alerts)
    _check_web(config.web)
    if "name" in config.game:
        _check_game(config)
    return config


def _check_shoe(shoe: ShoeSection) -> None:
    try:
        shoe_codec(shoe.model)
        if shoe.port is not None:
            usable(shoe.port)
        if shoe.allow and not hasattr(shoe_codec(shoe.model), "lock"):
            raise BadConfig(f"shoe.allow: expected nothing, a {shoe.model} takes no commands, got {list(shoe.allow)}")
    except UnknownShoe as error:
        raise BadConfig(f"shoe.model: {error}") from None
    except UnusablePort as error:
        raise BadConfig(f"shoe.port: {error}") from None


def _check_panel(panel: PanelSection, model: str) -> None:
    try:
        codec = panel_codec(model)
    except UnknownPanel as error:
        raise BadConfig(f"panel.model: {error}") from None
    meanings: dict[int, str] = {}
    for meaning, key in panel.bindings.items():
        if key not in codec.keys:
            raise BadConfig(
                f"panel.keys.{meaning}: expected a key of the {model}, one of {listing(codec.keys)}, got {key}"
            )
        if key in meanings:
            raise BadConfig(
                f"panel.keys.{meaning}: expected a key of its own, got {key}, which is {meanings[key]} already"
            )
        meanings[key] = meaning


def _check_beacon(beacon: BeaconSection) -> None:
    try:
        if beacon.model is not None:
            beacon_codec(beacon.model)
    except UnknownBeacon as error:
        raise BadConfig(f"beacon.model: {error}") from None


def _check_alerts(targets: dict[str, Target]) -> None:
    for name, target in targets.items():
        if target.ways != 1:
            raise BadConfig(f"alerts.{name}: expected either url, file or env, got {target.ways} of them")


def _check_web(web: WebSection) -> None:
    place = web.place()
    if (web.certificate is None) != (web.key is None):
        missing = "key" if web.key is None else "certificate"
        raise BadConfig(f"web.{missing}: expected a file: certificate and key belong together")
    if place and not ip_address(place[0]).is_loopback and web.certificate is None and not web.plain:
        raise BadConfig(
            f"web.listen: expected an address of this PC alone, or certificate and key too, got {web.listen!r}: PINs "
            "and tokens would pass the network for all to read; plain = true allows it where the network is protected"
        )


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _check_game(config: Config) -> None:
    name = config.game["name"]
    if not isinstance(name, str) or name not in GAMES:
        raise BadConfig(f"game.name: expected one of {listing(GAMES)}, got {name!r}{did_you_mean(str(name), GAMES)}")
    deck = GAMES[name].deck(settings_of(GAMES[name], config.game))
    if deck.change_below > deck.size:
        raise BadConfig(
            f"game.change_below: expected at most the {deck.size} cards of a full shoe, got {deck.change_below}"
        )
    config.limits.of(GAMES[name])
    if config.shoe.port is not None:
        _check_shoe_fits(config, GAMES[name])


def _check_shoe_fits(config: Config, game: Game) -> None:
    model = config.shoe.model
    if not _deals(model, game):
        raise BadConfig(f"shoe.model: expected a shoe for {game.name}, got {model!r}, which deals baccarat only")
    if config.table.confirm == "shoe" and not hasattr(shoe_codec(model), "places"):
        raise BadConfig(f"table.confirm: expected dealer or auto, a {model} knows no result, got 'shoe'")


def _deals(model: str, game: Game) -> bool:
    """Whether the places that a shoe names by itself are those of the game; a plain reader names none."""
    return set(getattr(shoe_codec(model), "places", ())) <= set(game.places)


def settings_of(game: Game, section: dict[str, Any]) -> Settings:
    """The settings of a game from its section. Raises BadConfig."""
    return _convert({key: value for key, value in section.items() if key != "name"}, game.settings, "game")


def _convert(raw: object, kind: type[_T], prefix: str) -> _T:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise BadConfig(explain(str(error), raw, kind, prefix)) from None
