"""Faulty codecs, and the sentence in which `check_codec` must report each of them."""

from collections.abc import Mapping

from msgspec import Struct

from . import misreading_codecs as misreading
from . import waiting_codecs as waiting


class CodecPlant(Struct, frozen=True):
    """Maker of a faulty codec, and its report: the beginning of what was expected, what to change."""

    makes: object
    expected: str
    change: str


COMPARE = "compare the whole check before a card is told"
KEEP = "keep what is not whole yet until the next feed"
GARBAGE = "answer what is no message with Garbage(raw, reason)"
HOLD = "drop what has grown longer than any message, and keep nothing of messages that were told"
IN_SELF = "keep all that feed keeps in self, made in __init__; nothing in the class or the module, nothing twice"
BYTES_ALONE = "expected a codec that knows the bytes alone, waiting_codecs.py:"
OPENS_NOTHING = "leave it out: a codec opens nothing, keeps no clock and waits for nothing"
GAP = "give TelegramLost(expected, got), take the new number as the last one, and go on"
FORGET = "clear in reset all that feed keeps"
NEXT_ONE = "drop what is no message, and go on with the next one that can begin"

PLANTS: Mapping[str, CodecPlant] = {
    "the check is not compared": CodecPlant(
        misreading.NeverCompared, "expected no other card of a damaged telegram, with bit ", COMPARE
    ),
    "half of the check is compared": CodecPlant(
        misreading.HalfCompared, "expected no other card of a damaged telegram, with bit ", COMPARE
    ),
    "a card before its check": CodecPlant(
        misreading.TooEarly, "expected no other card of a damaged telegram, with ", COMPARE
    ),
    "the first number is taken for granted": CodecPlant(
        misreading.FromOne,
        "expected no TelegramLost of the first telegram that is heard, there is one",
        "expect any number of the first telegram, and of the first after reset",
    ),
    "nothing is kept between feeds": CodecPlant(
        misreading.Torn, "expected the same events however the bytes are cut, cut after byte 1", KEEP
    ),
    "a check that is no number": CodecPlant(
        misreading.NoNumber, "expected feed never to raise, it raised ValueError: ", GARBAGE
    ),
    "a byte beyond ASCII": CodecPlant(
        misreading.TopBit, "expected feed never to raise, it raised UnicodeDecodeError: ", GARBAGE
    ),
    "a telegram of any length": CodecPlant(
        waiting.NoLimit, "expected no more than a message to be held back, of 8192 more bytes (", HOLD
    ),
    "all telegrams are remembered": CodecPlant(
        waiting.KeepsAllTelegrams,
        "expected no more than a message to be held back, of 8192 more bytes (the capture again and again)",
        HOLD,
    ),
    "one buffer for all shoes": CodecPlant(
        waiting.SharesBytes, "expected the same events while a second codec is fed, they are others", IN_SELF
    ),
    "one number for all shoes": CodecPlant(
        waiting.OneNumber, "expected the same events while a second codec is fed, they are others", IN_SELF
    ),
    "one codec for all shoes": CodecPlant(
        waiting.always_the_same, "expected a fresh codec each time, the same one came twice", "make it in"
    ),
    "it sleeps for an hour": CodecPlant(
        waiting.SleepsAnHour, "expected feed to answer at once, it waits", "leave out what sleeps or waits"
    ),
    "it waits a moment": CodecPlant(
        waiting.WaitsABit, "expected feed to answer at once, it waits", "leave out what sleeps or waits"
    ),
    "a clock": CodecPlant(waiting.DropsRepeatsByTime, f"{BYTES_ALONE}", OPENS_NOTHING),
    "the date": CodecPlant(waiting.Date, f"{BYTES_ALONE}", OPENS_NOTHING),
    "it takes the processor": CodecPlant(
        waiting.Busy, "expected a telegram to take the processor no longer than 200000 steps", "do no more"
    ),
    "it goes round for ever": CodecPlant(
        waiting.RoundAndRound, "expected feed to come back, it goes round without an end", "do no more"
    ),
    "it waits for a number that is lost": CodecPlant(
        misreading.WaitsForTheNumber, "expected the cards behind a missing telegram, they are not told", GAP
    ),
    "a gap is not told": CodecPlant(
        misreading.GapUntold, "expected TelegramLost where a number is left out, there is none", GAP
    ),
    "a gap raises": CodecPlant(
        misreading.GapRaises, "expected feed never to raise, it raised AssertionError: ", GARBAGE
    ),
    "a reset keeps half a telegram": CodecPlant(
        misreading.KeepsHalf, "expected reset to forget what was half received, after 1 bytes", FORGET
    ),
    "a reset keeps the number": CodecPlant(
        misreading.KeepsNumber, "expected reset to forget what was half received, after 7 bytes", FORGET
    ),
    "it gives up after noise": CodecPlant(misreading.Stuck, "expected the codec to find back after ", NEXT_ONE),
    "ten with two digits": CodecPlant(
        misreading.Ten, "expected a card such as AS, TD or 9H, feed gave '10H'", "name the rank first, ten as T"
    ),
    "texts in place of events": CodecPlant(
        misreading.Text, "expected events of drivers.events, feed gave '4S'", "give CardRead"
    ),
    "cards of other devices": CodecPlant(
        misreading.Anywhere,
        "expected cards of this device alone, cards are told of what an Angel Eye and a Bee-Tek send",
        "take a card",
    ),
    "no bytes tell the last card again": CodecPlant(
        misreading.Twice, "expected the same events while a second codec is fed, they are others", IN_SELF
    ),
    "seven bytes are a telegram": CodecPlant(misreading.Joined, "expected the codec to find back after ", NEXT_ONE),
}
