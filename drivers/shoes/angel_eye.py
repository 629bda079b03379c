"""Angel Eye II-EX baccarat shoe (Angel Playing Cards): RS-232, 4800 baud 8N1 [2].

No flow control [2]; one source says 9600 baud [1].

Invariant: a card is reported once, and only by a frame with the right check. A card telegram with the right check that
names no card (suit or rank 0, or an impossible one) is an unreadable card that has left the shoe, with its place if the
telegram has one. Any other impossible content is garbage. Both count in the sequence.

How sure each fact is: [2] two independent public implementations agree; [1] one says so; [?] unverified or
contradicted. The vendor's specification is not public, and this was never tried on a real one.

Frames (numbers in hex)
  shoe to host, report   05 seq data(1 to 7) 03 check                         [2]
  shoe to host, reply    02 data 03 check                                     [1]
  shoe to host, answer   06 (accepted) or 15 and one byte (refused)           [1]
  host to shoe, command  02 'O' 'P' type(2 letters) data(2 digits) 03 check   [1]
The check is the XOR of the bytes, as two upper-case hex digits. In a report it covers seq to 03, not the 05 [1].
In a command it may cover the leading 02 too [?]: the one published example includes it, the description does not. The
setting chooses; if the shoe refuses with 02 (check), the codec changes over and sends the command once more.
Every data byte after the code has bit 7 set, except in `M`, which is plain text [1]: so 02 03 05 06 15 never occur
inside a frame, and each of them resynchronises the decoder.

Reports: code, number of data bytes, meaning
  S 0  the shoe booted, was reset, or got new cards [2]     P 0  stand-by, between rounds [2]
  C 0  the cut card came out [1]                            D 2  card drawn in the game [2]
  d 2  card drawn outside the game [2], its layout [1]      R 2  a card sent again [?]
  G 1  result [2]                                           E 1  error [2], its layout [1]
  e 1  error cancelled [2], its layout [1]                  L 1  lock changed by the key [1]
  M 6  setting changed: address(2) value(4) [1]
D and R: first byte, bits 6-4: 0 player, 1 banker, 2 burn, 4 the card that sets the burn count, 5 card of that count;
bits 3-0: position, 1 to 3 for player and banker. d: bits 6-4: 0 lock mode, 1 error mode, 2 setting mode.
Card byte: bits 6-4: 1 diamonds, 2 clubs, 3 spades, 4 hearts; bits 3-0: 1 ace, 2 to 10, 11 jack, 12 queen, 13 king [2];
0 in either: no card [2]. When a shoe sends "no card", and whether error 1 comes with it, is not known [?]: both are
reported, so that every card is counted. If the two were one card, a shift manager voids the second.
G: bits 6-4: 1 player, 2 tie, 4 banker, 7 forced quit; bit 0 player pair, bit 1 banker pair [2].
E: bit 6 now in error mode, bits 5-0 code. e: bits 6-0 code. L: bit 0 locked [1].
Errors: 1 card cannot be read, 2 overdraw, 3 button, 4 and 5 card moved backwards, 6 card code, 7 too slow [1].

Each report is sent three times [1]; the reason is not known (perhaps the shoe waits for an answer [?]), so nothing is
answered. The sequence character runs '1' to '9' in the only known simulator [1]. A shoe may count on to 'F', and may
start again at an error (`E`, `e`) as it does at `S` [?]: both are settings.

Commands [1]: LK 02 lock, LK 01 unlock, EC nn cancel error nn, GP 00 confirm the game process. After a lock by command
the report `L` may be missing: the answer 06 counts.
Refusals, the byte after 15 [1]: 01 line error, 02 check, 03 no end, 11 format or length, 12 address, 13 command,
14 type, 21 busy, 22 writing, FF other.
"""

from collections import deque
from typing import Annotated

from msgspec import Meta

from drivers.events import (
    CommandAccepted,
    CommandRefused,
    Garbage,
    ShoeEvent,
)
from drivers.shoes.angel_eye_cards import DrawReport
from drivers.shoes.angel_eye_commands import Command, DataReply, Nak
from drivers.shoes.angel_eye_decoder import Report, decode_report
from drivers.shoes.angel_eye_frames import ENQ, NAK, STX, BadFrame, FrameStream
from drivers.shoes.angel_eye_numbers import SEQUENCE, TelegramNumbers
from drivers.shoes.angel_eye_reports import ErrorCancelledReport, ErrorReport, StandByReport, StartReport
from drivers.shoes.model import ShoeModel, ShoeSettings
from drivers.shoes.stream import Piece

COMMANDS = frozenset({"lock", "cancel_error", "confirm_process"})
BAD_CHECK = 0x02  # refusal
UNANSWERED = 8  # commands remembered while their answers are awaited


class CommandNotAllowed(PermissionError):
    """The table is not set up to send this command to its shoe."""

    def __init__(self, command: str) -> None:
        super().__init__(f"this table may not send {command!r} to its shoe: allow it in the table's settings first")


class AngelEye:
    """Codec of one Angel Eye: bytes in, events out; commands as bytes for the line, if allowed.

    allow: names of COMMANDS that may be sent, with "lock" `unlock` too; by default none, the shoe is only listened to.
    sequence: the characters that number the messages, in order, each once.
    error_restarts: the numbering begins anew at an error and at its end too, so that no gap is seen there.
    bcc_with_stx: whether a command's check covers its leading 02.
    `error_mode`: by the messages so far, the shoe waits until an error is cancelled. Raises ValueError for an unknown
    command in `allow`, or for a `sequence` with equal characters.
    """

    def __init__(
        self,
        *,
        allow: frozenset[str] = frozenset(),
        sequence: str = SEQUENCE,
        error_restarts: bool = False,
        bcc_with_stx: bool = True,
    ) -> None:
        if unknown := allow - COMMANDS:
            raise ValueError(f"expected commands out of {sorted(COMMANDS)}, got {sorted(unknown)}")
        self.error_mode = False
        self.bcc_with_stx = bcc_with_stx
        self._allow = allow
        self._numbers = TelegramNumbers(sequence, error_restarts=error_restarts)
        self._stream = FrameStream()
        self._last = b""
        self._reported_cards: set[tuple[str, int, str | None]] = set()
        self._unanswered: deque[Command] = deque(maxlen=UNANSWERED)
        self._resent = False
        self._outgoing = b""

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Return the events that `data` completes; the chunking does not matter."""
        return [event for piece in self._stream.feed(data) for event in self._take(piece)]

    def data_to_send(self) -> bytes:
        """Take the bytes that the codec itself sends after `feed`: a refused command once more."""
        data, self._outgoing = self._outgoing, b""
        return data

    def reset(self) -> None:
        """Forget half a frame, the sequence, and commands not answered, after a reconnect.

        Reported cards are remembered, so that a shoe that sends the round again after a broken line adds no cards.
        """
        self._stream.clear()
        self._last = b""
        self._numbers.forget()
        self._unanswered.clear()
        self._outgoing = b""

    def lock(self) -> bytes:
        """Bytes that lock the outlet; CommandNotAllowed unless "lock" was allowed."""
        return self._command("lock", Command("LK", "02"))

    def unlock(self) -> bytes:
        """Bytes that unlock the outlet; CommandNotAllowed unless "lock" was allowed."""
        return self._command("lock", Command("LK", "01"))

    def cancel_error(self, code: int) -> bytes:
        """Bytes that cancel error `code`. Raises ValueError unless it is 0 to 99; CommandNotAllowed."""
        if not 0 <= code <= 99:
            raise ValueError(f"expected an error code from 0 to 99, got {code}")
        return self._command("cancel_error", Command("EC", f"{code:02}"))

    def confirm_process(self) -> bytes:
        """Bytes that confirm the game process; CommandNotAllowed unless "confirm_process" was allowed."""
        return self._command("confirm_process", Command("GP", "00"))

    def _command(self, name: str, command: Command) -> bytes:
        if name not in self._allow:
            raise CommandNotAllowed(name)
        self._unanswered.append(command)
        self._resent = False
        return command.encode(with_stx=self.bcc_with_stx)

    def _take(self, piece: Piece) -> list[ShoeEvent]:
        if piece.fault:
            return [Garbage(piece.raw, piece.fault)]
        try:
            return self._report(piece.raw) if piece.raw[0] == ENQ else self._answer(piece.raw)
        except BadFrame as wrong:
            return [Garbage(piece.raw, str(wrong))]

    def _report(self, raw: bytes) -> list[ShoeEvent]:
        """Decode a report to events; drop repeats, after the check, so that a good copy replaces a broken one.

        A telegram that equals the one before it, with its sequence character, is a repeat. A new one that happens to be
        equal (as after nine lost telegrams) cannot be distinguished from a repeat. One with an equal sequence character
        and other content is no repeat: something was lost, and that is reported.
        """
        report = decode_report(raw)
        if raw == self._last or self._is_repeat(report):
            return []
        lost = self._numbers.find_gap(report)
        self._last = raw
        self._numbers.count(report)
        self._remember(report)
        return [*lost, report.event(raw)]

    def _is_repeat(self, report: Report) -> bool:
        """True if this is an `R` for a card that was reported before; it then makes no event.

        Whether `R` counts on in the sequence or carries the number the card first had is unknown [?]. If it has the
        number due, it is counted; if not, it neither shows a loss nor moves the sequence, and a telegram really lost
        before it shows at the next one. An `R` for a card not reported yet is that card, late: it is treated like any
        telegram, with its gap. The same place with another card does not count as reported: the table must see that the
        shoe differs. An `R` that names no card, at a place that was reported, has no news.

        Cards count as reported until the next round begins (stand-by, start, or a live Player 1). If all of those were
        lost, an `R` that equals the old round's card at the same place is missed; the gap shows at the next telegram.
        """
        if not (isinstance(report, DrawReport) and report.resent and self._was_reported(report)):
            return False
        if report.seq == self._numbers.due:
            self._numbers.count(report)
        return True

    def _was_reported(self, report: DrawReport) -> bool:
        where = (report.place, report.position)
        return any(where == entry[:2] and report.card in (entry[2], None) for entry in self._reported_cards)

    def _remember(self, report: Report) -> None:
        match report:
            case StartReport():
                self.error_mode = False
                self._reported_cards.clear()
            case StandByReport():
                self._reported_cards.clear()
            case ErrorReport():
                self.error_mode = self.error_mode or report.error_mode
            case ErrorCancelledReport():
                self.error_mode = False
            case DrawReport():
                self._remember_card(report)

    def _remember_card(self, report: DrawReport) -> None:
        if not report.resent:
            self.error_mode = False  # a card drawn in error mode comes as `d`
            if (report.place, report.position) == ("player", 1):
                self._reported_cards.clear()  # a new round, even if its stand-by was not heard
        self._reported_cards.add(_card_of(report))

    def _answer(self, raw: bytes) -> list[ShoeEvent]:
        if raw[0] == STX:
            DataReply.decode(raw)  # a valid reply counts as 06; the meaning of its data is not known
        if not self._unanswered:
            return [Garbage(raw, "an answer, but no command was sent")]
        if raw[0] == NAK:
            return self._handle_refusal(Nak.decode(raw))
        self._unanswered.popleft()
        return [CommandAccepted()]

    def _handle_refusal(self, nak: Nak) -> list[ShoeEvent]:
        """Handle a refused command, and send it once more if it is the only one unanswered.

        With several commands unanswered it is not sure which one is meant: then nothing is sent again.
        """
        if nak.code == BAD_CHECK and len(self._unanswered) == 1:
            self.bcc_with_stx = not self.bcc_with_stx
            if not self._resent:
                self._resent = True
                self._outgoing += self._unanswered[0].encode(with_stx=self.bcc_with_stx)
                return []
        self._unanswered.popleft()
        return [CommandRefused(nak.code, nak.meaning)]


def _card_of(report: DrawReport) -> tuple[str, int, str | None]:
    return report.place, report.position, report.card


_RUN = Meta(
    pattern=r"^(?!.*(.).*\1)[!-~]{2,}$",
    description="two or more different characters in quotes, such as 123456789ABCDEF",
)


class AngelEyeSettings(ShoeSettings, frozen=True):
    """Settings of an Angel Eye in a config."""

    sequence: Annotated[str, _RUN] = SEQUENCE  # characters that number the messages, in order
    error_restarts: bool = False  # true: the numbers start again at an error and at its end
    bcc_with_stx: bool = True  # the check sum of a command includes its STX


ANGEL_EYE = ShoeModel(
    AngelEye,
    baud=4800,
    places=("player", "banker"),  # its game is baccarat alone
    commands=("lock", "cancel_error"),
    settings=AngelEyeSettings,
)
