"""The shoes there are to emulate, by their models' names, and what each of them can do."""

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
        """Put the cable in."""

    def unplug(self) -> None:
        """Pull the shoe's cable out."""

    def draw(self, *, unreadable: bool = False, misread: bool = False) -> str | None:
        """Slide the next card out; the card, as a person sees it."""

    def redraw(self) -> str | None:
        """Slide the unread card again."""

    def put_on_top(self, card: str) -> None:
        """Have this card come next."""

    def garble(self, *, torn: bool = False) -> None:
        """Damage the next message. `torn`: only half of it is sent."""

    def change_shoe(self, cards: Iterable[str] | None = None, seed: int | None = None) -> None:
        """Put other cards in."""


@runtime_checkable
class RoundKeeping(Protocol):
    """A shoe with an idea of the round, and with keys to tell it of one."""

    @property
    def in_round(self) -> bool:
        """True if it has begun a round that is not over."""

    def watch(self) -> None:
        """Answer the table's commands."""

    def start(self) -> None:
        """Switch the shoe on."""

    def stand_by(self) -> None:
        """The key between rounds."""

    def force_quit(self) -> None:
        """The key that ends its round."""

    def cut_card(self) -> None:
        """The cut card comes out."""

    def blank(self) -> str | None:
        """Slide the next card out, told with its place and as no card."""

    def cancel_error(self) -> None:
        """The key that cancels the error there is."""

    def lock_key(self, *, locked: bool) -> None:
        """Turn the physical key."""


EMULATED: Final[Mapping[str, Callable[..., EmulatedShoe]]] = MappingProxyType(
    {
        "angel_eye": EmulatedAngelEye,
        "barcode": EmulatedBarcode,
        "bee_tek": EmulatedBeeTek,
        "wedge": EmulatedBarcode,  # at a keyboard's node
    }
)
