"""Sections of the devices in a table's config: `[shoe]`, `[panel]` and `[beacon]`.

The codec of a model knows what the model can do. A driver that fails is no mistake of the config: a table runs without
that device, and `tablectl check` reports it.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from drivers.beacons import BeaconCodec, Touchable, beacon_codec
from drivers.models import DriverFailed, UnknownModel, guard_codec
from drivers.panels import PanelCodec, panel_codec
from drivers.shoes import ShoeCodec, ShoeModel, ShoeSettings, UsbShoeModel, shoe_model
from drivers.unit_id import Numbered
from drivers.usb_codec import UsbCodec

from ..core.events import Key
from ..rules.cards import Card, Deck
from ..rules.game import Game
from ..text.errors import listing
from .badge_reader import check_model, check_port
from .deck_register import codes_in
from .mistakes import BadConfig, convert_part
from .panel_keys import KeysSection
from .sections import Section, Text


class ShoeSection(Section, frozen=True):
    """Section `[shoe]`: model, port and settings of the card shoe."""

    model: str = "angel_eye"
    port: Text | None = None  # /dev/serial/by-id/... or socket://host:4001; for a keyboard wedge /dev/input/by-id/...
    serial: Text | None = None  # serial number of its adapter; "none": it has none
    at: Text | None = None  # its USB socket, as `tablectl devices` prints it
    baud: Annotated[int, Meta(ge=300, le=921600)] | None = None  # speed of the line; by default that of the model
    allow: tuple[Literal["lock", "cancel_error"], ...] = ()  # commands that may be sent to the shoe; by default none
    settings: dict[str, Any] = field(default_factory=dict)  # settings of this model: see below

    @property
    def line_baud(self) -> int:
        """Bits per second on the line: what the file says, or what the model is made for."""
        return self.baud or shoe_model(self.model).baud

    @property
    def is_keyboard(self) -> bool:
        """True if it is a scanner that types. Raises DriverFailed."""
        model = shoe_model(self.model)
        return isinstance(model, ShoeModel) and model.keyboard

    @property
    def is_set_up(self) -> bool:
        """True if the config has a shoe: with a port, or of a model on USB, which needs none."""
        try:
            return self.port is not None or isinstance(shoe_model(self.model), UsbShoeModel)
        except DriverFailed:
            return False

    def codec(self) -> ShoeCodec | UsbCodec:
        """Make a codec that may send only the commands that the config allows. Raises DriverFailed."""
        return self.usb_codec() or self.serial_codec(self.allow)

    def usb_codec(self) -> UsbCodec | None:
        """Codec of a shoe on USB; None for a serial shoe. Raises DriverFailed."""
        model = shoe_model(self.model)
        return model.codec(self._model_settings(model)) if isinstance(model, UsbShoeModel) else None

    def serial_codec(self, allow: Sequence[str] = ()) -> ShoeCodec:
        """Codec of a shoe on a serial line, with the allowed commands. Raises DriverFailed."""
        model = shoe_model(self.model)
        assert isinstance(model, ShoeModel)  # noqa: S101 - the other kind has no port
        return model.codec(self._model_settings(model), frozenset(allow))

    def _model_settings(self, model: ShoeModel | UsbShoeModel) -> ShoeSettings:
        """The model's own settings. Raises BadConfig."""
        settings = dict(self.settings)
        if "codes" in model.settings.__struct_fields__ and isinstance(file := settings.get("codes"), str):
            try:
                settings["codes"] = codes_in(Path(file))
            except BadConfig as error:
                raise BadConfig(f"shoe.settings.codes: {error}") from None
        return convert_part(settings, model.settings, "shoe.settings")

    def codes_needed(self, deck: Deck) -> int:
        """Number of codes that each card needs: 0 if its name may be its code, more than 1 with `unique`.

        With fewer, a card with the same code as the one before it would count as read twice. Raises DriverFailed.
        """
        settings = self._model_settings(shoe_model(self.model))
        if getattr(settings, "unique", False) and deck.copies > 1:
            return deck.copies
        return 1 if getattr(settings, "codes", {}) else 0

    def cards_without_code(self, deck: Deck) -> list[Card]:
        """Cards with fewer codes than needed. Raises DriverFailed."""
        codes = Counter(getattr(self._model_settings(shoe_model(self.model)), "codes", {}).values())
        needed = self.codes_needed(deck)
        return [card for card in deck.cards if codes[card] < needed]

    def check(self) -> None:
        """Check the section of the shoe. Raises BadConfig."""
        try:
            model = shoe_model(self.model)
            self._model_settings(model)
            if self.port is not None:
                if isinstance(model, UsbShoeModel):
                    raise BadConfig(f"shoe.port: expected nothing, a {self.model} is found on USB, got {self.port!r}")
                check_port("shoe", self.port, keyboard=model.keyboard)
        except DriverFailed:
            return
        except UnknownModel as error:
            raise BadConfig(f"shoe.model: {error}") from None
        self._check_allowed(model)

    def _check_allowed(self, model: ShoeModel | UsbShoeModel) -> None:
        if not model.commands and self.allow:
            raise BadConfig(f"shoe.allow: expected nothing, a {self.model} takes no commands, got {list(self.allow)}")
        for number, command in enumerate(self.allow):
            if command not in model.commands:
                raise BadConfig(f"shoe.allow.{number}: expected one of {listing(model.commands)}, got {command!r}")

    def check_for(self, game: Game, confirm: str | None) -> None:
        """Check that the shoe deals the game, and confirms results if it has to. Raises BadConfig."""
        try:
            places = shoe_model(self.model).places
        except DriverFailed:
            return
        if not set(places) <= set(game.places):
            raise BadConfig(
                f"shoe.model: expected a shoe for {game.name}, got {self.model!r}, which deals baccarat only"
            )
        if confirm == "shoe" and not places:
            raise BadConfig(f"table.confirm: expected dealer or auto, a {self.model} knows no result, got 'shoe'")


class PanelSection(Section, frozen=True):
    """The dealer's button panel."""

    model: str | None = None  # model of the panel; without one the dealer works at the screen
    serial: Text | None = None  # serial number, if several are plugged in; "none": it has none
    at: Text | None = None  # its USB socket, as `tablectl devices` prints it
    unit: Annotated[int, Meta(ge=0, le=255)] | None = None  # or its unit id, set with the maker's program
    keys: KeysSection = KeysSection()

    @property
    def bindings(self) -> dict[Key, int]:
        """Key number of each meaning that has a key."""
        return self.keys.key_numbers(self.model)

    def codec(self) -> PanelCodec | None:
        """Make a codec of the panel; None if the config has no panel. Raises UnknownModel, DriverFailed."""
        return None if self.model is None else panel_codec(self.model)

    def check(self) -> None:
        """Check the section of the panel. Raises BadConfig."""
        check_model(self.model, "panel", "a model", is_set=self != PanelSection())
        try:
            codec = self.codec()
            if codec is not None:
                with guard_codec(codec):
                    keys = tuple(codec.keys)
                self._check_keys(keys)
                if self.unit is not None and not isinstance(codec, Numbered):
                    raise BadConfig(f"panel.unit: expected nothing, a {self.model} says no unit id, got {self.unit}")
        except DriverFailed:
            return
        except UnknownModel as error:
            raise BadConfig(f"panel.model: {error}") from None

    def _check_keys(self, keys: Sequence[int]) -> None:
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

    model: str | None = None  # green: bets; yellow: dealing; red flashing with buzzer: the manager is called
    serial: Text | None = None  # serial number, if several are plugged in; "none": it has none
    at: Text | None = None  # its USB socket, as `tablectl devices` prints it
    touch: bool = False  # ne_usb only: a touch of its sensor acknowledges the fault

    def codec(self) -> BeaconCodec | None:
        """Make a codec of the beacon; None if the config has no beacon. Raises UnknownModel, DriverFailed."""
        codec = None if self.model is None else beacon_codec(self.model)
        if not self.touch or codec is None:
            return codec
        with guard_codec(codec):
            return codec.with_touch() if isinstance(codec, Touchable) else codec

    def check(self) -> None:
        """Check the section of the beacon. Raises BadConfig."""
        check_model(self.model, "beacon", "a model", is_set=self.serial is not None or self.at is not None)
        try:
            self.codec()
        except DriverFailed:
            return
        except UnknownModel as error:
            raise BadConfig(f"beacon.model: {error}") from None
