"""Emulated Angel Eye: the shoe's side of the line, with cards and its own baccarat round.

It sends only what the product's own codec can encode, and answers only what it can decode. Nothing happens by itself:
every telegram is the answer to a call here or to a command of the host.

What a real shoe does where its description is silent is this module's choice: after a result it stands by at once
unless `stands_by` is off; an unread card slid again first cancels the error, since a card drawn in error mode is
reported as drawn outside the game; it refuses (FF) to cancel an error that it does not have.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from drivers.emulators.angel_eye_ear import CommandEar
from drivers.emulators.angel_eye_voice import TelegramVoice
from drivers.emulators.decks import FULL_DECK, other_suit, shuffled_cards
from drivers.emulators.port import EmulatedPort
from drivers.emulators.shoe_round import ShoeRound
from drivers.shoes.angel_eye_cards import DrawReport, OutsideReport
from drivers.shoes.angel_eye_commands import Command, Refused
from drivers.shoes.angel_eye_numbers import SEQUENCE
from drivers.shoes.angel_eye_reports import (
    UNREADABLE,
    CutReport,
    ErrorCancelledReport,
    ErrorReport,
    LockReport,
    ResultReport,
    StandByReport,
    StartReport,
)

COPIES = 3
OVERDRAW = 2
BAD_FORMAT, BAD_TYPE, OTHER = 0x11, 0x14, 0xFF  # refusals


class EmulatedAngelEye:
    """A shoe at the far end of `port`.

    cards: what is in it, first card first; by default `decks` times the cards of `deck`, shuffled with `seed`.
    copies: how often each telegram is sent.
    sequence, error_restarts: how it numbers its telegrams, as the codec's; at a restart with the first character again.
    stands_by: goes to stand-by right after a result. Without it a card drawn before `stand_by()` is an overdraw.
    bcc_with_stx: whether it expects the check of commands to cover their 02; else it refuses them (02).
    """

    def __init__(
        self,
        port: EmulatedPort,
        *,
        cards: Iterable[str] | None = None,
        deck: Sequence[str] = FULL_DECK,
        decks: int = 8,
        seed: int | None = None,
        copies: int = COPIES,
        sequence: str = SEQUENCE,
        error_restarts: bool = False,
        stands_by: bool = True,
        bcc_with_stx: bool = True,
    ) -> None:
        self.port = port
        self.locked = False
        self.error_code: int | None = None  # error that must be cancelled; None: not in error mode
        self._deck, self._decks, self._stands_by = tuple(deck), decks, stands_by
        self._ear = CommandEar(port, self._carry_out, with_stx=bcc_with_stx)
        self._voice, self._error_restarts = TelegramVoice(port, copies, sequence), error_restarts
        self._fill(cards, seed)
        self._round, self._over = ShoeRound(), False
        self._unread: str | None = None
        self._blank_at: tuple[str, int] | None = None  # where an unread card was reported as no card

    @property
    def cards_left(self) -> int:
        """Number of cards in the shoe."""
        return len(self._cards)

    @property
    def due(self) -> str | None:
        """Place of the next card by the shoe's own round; None if its round is over."""
        return None if self._over else self._round.due()

    @property
    def in_round(self) -> bool:
        """True if it has begun a round that is not over."""
        return self._round != ShoeRound() and not self._over

    def plug(self) -> None:
        """Connect the cable. The shoe itself was on all the time and sends nothing."""
        self.port.plug()

    def unplug(self) -> None:
        """Disconnect the cable. What the shoe sends now is lost."""
        self.port.unplug()

    def start(self) -> None:
        """Switch on, or off and on: error, lock and round are forgotten."""
        self.locked, self.error_code = False, None
        self._new_round()
        self._voice.say(StartReport)

    def draw(self, *, unreadable: bool = False, misread: bool = False) -> str | None:
        """Slide the next card out; return the card as a dealer sees it, None from an empty shoe.

        In the game the shoe reports it with the place that it has for it; after the round's last card it reports the
        result, and the stand-by if it stands by. `unreadable`: reported as error 1; `misread`: with another suit. With
        the round over it is an overdraw, error 2. While locked or in error mode it is drawn outside the game.
        """
        if not self._cards:
            return None
        card = self._cards.pop(0)
        if self.locked or self.error_code is not None:
            mode = "lock" if self.locked else "error"
            self._voice.say(lambda seq: OutsideReport(seq, mode, card))
        elif self.due is None:
            self.error(OVERDRAW)
        elif unreadable:
            self._unread = card
            self.error(UNREADABLE)
        else:
            self._lay(other_suit(card) if misread else card)
        return card

    def blank(self) -> str | None:
        """Slide the next card out as unreadable, with its place and without an error.

        Returns the card; None from an empty shoe. The shoe's own round goes on as if it had read the card.
        """
        if self.due is None or self.locked or self.error_code is not None:
            return self.draw()
        if not self._cards:
            return None
        card = self._cards.pop(0)
        self._lay(card, blank=True)
        return card

    def redraw(self) -> str | None:
        """Slide the unread card again, readable now; return it, None if there is none.

        The error is cancelled and the card reported; one that was reported as no card keeps its place.
        """
        card, self._unread = self._unread, None
        where, self._blank_at = self._blank_at, None
        if card is not None and where is not None:
            self._voice.say(lambda seq: DrawReport(seq, *where, card))
        elif card is not None:
            self.cancel_error()
            self._lay(card)
        return card

    def put_on_top(self, card: str) -> None:
        """Put a card into the shoe as the next one."""
        self._cards.insert(0, card)

    def burn_card(
        self, place: Literal["burn", "first_card", "burn_count"] = "burn", *, blank: bool = False
    ) -> str | None:
        """Slide a card out that is burnt: by itself, the first of a shoe, or one of its count.

        `blank`: reported as no card.
        """
        if not self._cards:
            return None
        card = self._cards.pop(0)
        self._voice.say(lambda seq: DrawReport(seq, place, 0, None if blank else card))
        return card

    def cut_card(self) -> None:
        """Let the cut card come out."""
        self._voice.say(CutReport)

    def change_shoe(self, cards: Iterable[str] | None = None, seed: int | None = None) -> None:
        """End this shoe and start the next one: the shoe reports C, then S."""
        self._fill(cards, seed)
        self.cut_card()
        self.start()

    def stand_by(self) -> None:
        """Press the dealer's key between rounds."""
        self._new_round()
        self._voice.say(StandByReport)

    def force_quit(self) -> None:
        """End the round at the shoe, as the dealer can."""
        self._voice.say(lambda seq: ResultReport(seq, "forced_quit"))
        self.stand_by()

    def error(self, code: int, *, error_mode: bool = True) -> None:
        """Report an error; in error mode the shoe deals no game until it is cancelled."""
        if error_mode:
            self.error_code = code
        self._restart_at_error()
        self._voice.say(lambda seq: ErrorReport(seq, code, error_mode))

    def cancel_error(self) -> None:
        """Press the dealer's key that cancels the present error."""
        code, self.error_code = self.error_code, None
        if code is not None:
            self._restart_at_error()
            self._voice.say(lambda seq: ErrorCancelledReport(seq, code))

    def lock_key(self, *, locked: bool) -> None:
        """Turn the physical key that locks the outlet."""
        self.locked = locked
        self._voice.say(lambda seq: LockReport(seq, locked))

    def garble(self, copies: int = 1, *, torn: bool = False) -> None:
        """Damage the first copies of the next telegram: one bit each, or with `torn` half is missing."""
        self._voice.garble(copies, torn=torn)

    def watch(self) -> None:
        """Answer the host's commands as they come, on the running loop."""
        self.port.watch(self._ear.hear)

    def answer(self) -> None:
        """Answer the commands the host has sent until now."""
        self._ear.hear(self.port.read())

    def _fill(self, cards: Iterable[str] | None, seed: int | None) -> None:
        self._cards = shuffled_cards(self._deck, self._decks, seed) if cards is None else list(cards)

    def _lay(self, card: str, *, blank: bool = False) -> None:
        place, position = self._round.lay(card)
        if blank:
            self._unread, self._blank_at = card, (place, position)
        self._voice.say(lambda seq: DrawReport(seq, place, position, None if blank else card))
        if self._round.due() is None:
            self._over = True
            winner, pairs = self._round.result()
            self._voice.say(lambda seq: ResultReport(seq, winner, pairs))
            if self._stands_by:
                self.stand_by()

    def _new_round(self) -> None:
        self._round, self._over = ShoeRound(), False
        self._unread, self._blank_at = None, None

    def _restart_at_error(self) -> None:
        if self._error_restarts:
            self._voice.restart()

    def _carry_out(self, command: Command) -> Callable[[], None]:
        """Carry out a command; returns what follows the answer. Raises Refused."""
        match command.kind, command.data:
            case "LK", "01" | "02":
                self.locked = command.data == "02"
                return lambda: None
            case "EC", code if self.error_code == int(code):
                return self.cancel_error
            case "EC", _:
                raise Refused(OTHER)
            case "GP", "00":
                return lambda: None
            case "LK" | "GP", _:
                raise Refused(BAD_FORMAT)
        raise Refused(BAD_TYPE)
