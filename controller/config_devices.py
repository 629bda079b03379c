"""The devices in a table's config: `[shoe]`, `[panel]` and `[beacon]`, and what can be wrong with them.

The one rule: what a model can do is asked of its codec.
"""

from typing import Annotated, Literal, get_args

from msgspec import Meta

from drivers.beacons import beacon_codec
from drivers.models import UnknownModel
from drivers.panels import panel_codec
from drivers.serial_link import UnusablePort, usable
from drivers.shoes import baud_of, shoe_codec

from .core.events import Key
from .mistakes import BadConfig, listing
from .procedure import Game
from .sections import Section, Text


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

    def check(self) -> None:
        """Raises BadConfig."""
        try:
            codec = shoe_codec(self.model)
            if self.port is not None:
                usable(self.port)
        except UnknownModel as error:
            raise BadConfig(f"shoe.model: {error}") from None
        except UnusablePort as error:
            raise BadConfig(f"shoe.port: {error}") from None
        if self.allow and not hasattr(codec, "lock"):
            raise BadConfig(f"shoe.allow: expected nothing, a {self.model} takes no commands, got {list(self.allow)}")

    def check_for(self, game: Game, confirm: str | None) -> None:
        """Whether the shoe deals the game, and can confirm its results where it is to. Raises BadConfig."""
        places = getattr(shoe_codec(self.model), "places", None)  # that it names by itself; a plain reader names none
        if not set(places or ()) <= set(game.places):
            raise BadConfig(
                f"shoe.model: expected a shoe for {game.name}, got {self.model!r}, which deals baccarat only"
            )
        if confirm == "shoe" and places is None:
            raise BadConfig(f"table.confirm: expected dealer or auto, a {self.model} knows no result, got 'shoe'")


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
    def bindings(self) -> dict[Key, int]:
        """The number of the key for each meaning that has one."""
        meanings: tuple[Key, ...] = get_args(Key)
        return {meaning: key for meaning in meanings if (key := getattr(self.keys, meaning)) is not None}

    def check(self) -> None:
        """Raises BadConfig."""
        if self.model is None:
            return
        try:
            keys = panel_codec(self.model).keys
        except UnknownModel as error:
            raise BadConfig(f"panel.model: {error}") from None
        meanings: dict[int, str] = {}
        for meaning, key in self.bindings.items():
            if key not in keys:
                raise BadConfig(
                    f"panel.keys.{meaning}: expected a key of the {self.model}, one of {listing(keys)}, got {key}"
                )
            if key in meanings:
                raise BadConfig(
                    f"panel.keys.{meaning}: expected a key of its own, got {key}, which is {meanings[key]} already"
                )
            meanings[key] = meaning


class BeaconSection(Section, frozen=True):
    """The light that calls the shift manager."""

    model: str | None = None
    serial: Text | None = None  # of the USB device, where several are plugged in

    def check(self) -> None:
        """Raises BadConfig."""
        try:
            if self.model is not None:
                beacon_codec(self.model)
        except UnknownModel as error:
            raise BadConfig(f"beacon.model: {error}") from None
