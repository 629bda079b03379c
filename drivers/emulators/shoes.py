"""Emulated shoes by the names of their models, and the interfaces that they have."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.barcode import EmulatedBarcode
from drivers.emulators.bee_tek import EmulatedBeeTek


class EmulatedShoe(Protocol):
    """Interface of every emulated shoe."""

    @property
    def cards_left(self) -> int:
        """Number of cards in the shoe."""

    def plug(self) -> None:
        """Connect the shoe's cable."""

    def unplug(self) -> None:
        """Disconnect the shoe's cable."""

    def draw(self, *, unreadable: bool = False, misread: bool = False) -> str | None:
        """Slide the next card out; return the card as a person sees it."""

    def redraw(self) -> str | None:
        """Slide the unread card again."""

    def put_on_top(self, card: str) -> None:
        """Put a card into the shoe as the next one."""

    def garble(self, *, torn: bool = False) -> None:
        """Damage the next message. `torn`: only half of it is sent."""

    def change_shoe(self, cards: Iterable[str] | None = None, seed: int | None = None) -> None:
        """Put other cards in."""


@runtime_checkable
class RoundKeeping(Protocol):
    """Interface of an emulated shoe that follows the round itself, with the keys for that."""

    @property
    def in_round(self) -> bool:
        """True if it has begun a round that is not over."""

    def watch(self) -> None:
        """Answer the table's commands."""

    def start(self) -> None:
        """Switch the shoe on."""

    def stand_by(self) -> None:
        """Press the dealer's key between rounds."""

    def force_quit(self) -> None:
        """Press the key that ends the shoe's round."""

    def cut_card(self) -> None:
        """Let the cut card come out."""

    def blank(self) -> str | None:
        """Slide the next card out; it is reported with its place but as no card."""

    def cancel_error(self) -> None:
        """Press the key that cancels the present error."""

    def lock_key(self, *, locked: bool) -> None:
        """Turn the physical key that locks the outlet."""


EMULATED: Final[Mapping[str, Callable[..., EmulatedShoe]]] = MappingProxyType(
    {
        "angel_eye": EmulatedAngelEye,
        "barcode": EmulatedBarcode,
        "bee_tek": EmulatedBeeTek,
        "wedge": EmulatedBarcode,  # at a keyboard's node
    }
)
