"""Bee-Tek shoe (USPC, Bee): RS-232, 9600 baud 8N1 [2], a plain stream of cards.

The shoe does not report the place of a card.

Invariant: a card event comes only from a line that is right from its first character to its last. Any other sign that
a card came out is reported as an unreadable card.

How sure each fact is: [2] two or more independent public programs agree; [1] one says so; [?] unverified or
contradicted. The vendor has published no specification, and this was never tried on a real Bee-Tek.

Lines: ASCII text with a space before and after it [2], then CR LF [2]. One program needs no CR LF [1], so a line is
complete at its closing `> `.
  [Game]<Card:4S>                   a card was read [2]
  [Manual Burn Cards]<Card:H3>      likewise, in the mode of that name [2]
  [Game]<Game>                      a card could not be read [1]; likewise [Manual Burn Cards]<Game> [1]
  [Game]<Alarm:E3 Card Not Read>    an alarm [1]; also under [GameAlarm] and [Manual Burn Cards] [1]
  <W0x01>                           a warning, in hex; its meaning is not known [1]
Card: rank 2 to 9, T or 10, J, Q, K, A; suit C, D, H, S [2]. The programs expect the rank first [2], an example has the
suit first [1]: both are read, as no letter is both rank and suit. Small letters are read as capitals [1].
Not known [?]: other lines, other alarms, what ends an alarm. No line is known for the cut card, a new shoe or the end
of a round, and no command from host to shoe: nothing is sent.

Transmission errors. A line has no check and no number. A changed bit can turn one card into another (4 into 5, C into
S), lost bytes can join the beginning of one line to the end of another, and a whole line can be lost. The codec cannot
detect any of this. The table can: it counts the deck, knows whether a card was due, and has people who look. So:
  A line must be right from its first character to its last. Noise before it does not belong to it (it may be old), nor
  does noise after its closing `> `. Noise inside makes the line invalid.
  An invalid line about a card, or one that breaks off before its kind is known, is Garbage and an unreadable card: a
  card seems to have left the shoe, and otherwise the next card would take its place. Such a line in two pieces may be
  reported twice.
  Anything else is Garbage, which stops nothing. Neither is ever read as a card.

Unreadable cards. The failed read and the alarm E3 are treated as two messages about one card; whether both come, and in
which order, is not known [?]. The first is reported as an unreadable card, the second as ShoeError 3 if no card came
between them; a paused table ignores that. The same message twice means two cards: an unnecessary pause does less harm
than an uncounted card. If a ruling resumed the round between the two messages, the second pauses it once more.

Mode. Tables for games other than the shoe's own run in "Manual Burn Cards" (key switch, Diagnostic, Mode, Enter) [1].
So by default a card counts in both modes.
"""

from typing import Literal

from drivers.events import CardRead, CardUnreadable, Garbage, ShoeError, ShoeEvent, ShoeWarning
from drivers.shoes.bee_tek_lines import (
    GAME,
    AlarmLine,
    BadLine,
    CardLine,
    FailedReadLine,
    Line,
    LineStream,
    WarningLine,
    decode_line,
    speaks_of_card,
)
from drivers.shoes.model import ShoeModel, ShoeSettings
from drivers.shoes.stream import Piece

NOT_READ = 3
NOT_READ_MEANING = "card not read"


class BeeTek:
    """Codec of one Bee-Tek shoe: bytes in, events out.

    free_draw: a card read in the mode "Manual Burn Cards" is a card of the game. Without it, such a card is reported as
    drawn outside the game: for a shoe that deals its own game in the mode "Game" and burns cards in the other.
    """

    def __init__(self, *, free_draw: bool = True) -> None:
        self._free_draw = free_draw
        self._stream = LineStream()
        self._reported_by: Literal["line", "alarm"] | None = None  # what reported the last unread card

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Return the events that `data` completes; the chunking does not matter."""
        return [event for piece in self._stream.feed(data) for event in self._take(piece)]

    def reset(self) -> None:
        """Forget half a line, and the last unread card, after a reconnect."""
        self._stream.clear()
        self._reported_by = None

    def _take(self, piece: Piece) -> list[ShoeEvent]:
        if piece.fault:
            return self._doubtful_line_events(piece.raw, piece.fault)
        try:
            return [self._event(decode_line(piece.raw), piece.raw)]
        except BadLine as wrong:
            return self._doubtful_line_events(piece.raw, str(wrong))

    def _doubtful_line_events(self, raw: bytes, reason: str) -> list[ShoeEvent]:
        """Events for a damaged or unknown line.

        `reason` is logged, so it must not name the card, which may be about to lie face down.
        """
        if not speaks_of_card(raw):
            return [Garbage(raw, reason)]
        self._reported_by = None
        return [Garbage(raw, reason), CardUnreadable(raw)]

    def _event(self, line: Line, raw: bytes) -> ShoeEvent:
        match line:
            case CardLine(mode=mode, card=card):
                self._reported_by = None
                return CardRead(card, in_game=self._free_draw or mode == GAME, raw=raw)
            case FailedReadLine():
                return self._unread_event("line", raw)
            case AlarmLine(code=code) if code == NOT_READ:
                return self._unread_event("alarm", raw)
            case AlarmLine(code=code, text=text):
                return ShoeError(code, text.lower() or f"alarm {code}", raw=raw)
            case WarningLine(code=code):
                return ShoeWarning(code, raw)

    def _unread_event(self, word: Literal["line", "alarm"], raw: bytes) -> ShoeEvent:
        if self._reported_by not in (None, word):
            self._reported_by = None
            return ShoeError(NOT_READ, NOT_READ_MEANING, raw=raw)
        self._reported_by = word
        return CardUnreadable(raw)


class BeeTekSettings(ShoeSettings, frozen=True):
    """Settings of a Bee-Tek shoe in a config."""

    free_draw: bool = True  # a card drawn in its mode "Manual Burn Cards" counts like any other


BEE_TEK = ShoeModel(BeeTek, baud=9600, settings=BeeTekSettings)
