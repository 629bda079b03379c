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


COMPARE = "compare the whole check before you return CardRead"
KEEP = "store an incomplete message until the next feed"
GARBAGE = "return Garbage(raw, reason)"
HOLD = "drop a message that becomes longer than any other, and store nothing of messages that are complete"
IN_SELF = "store the state in self, made in __init__, not in the class or the module; return no event twice"
BYTES_ALONE = "expected a codec that uses only the bytes it gets, waiting_codecs.py:"
OPENS_NOTHING = "leave it out: the table opens the device"
GAP = "return TelegramLost(expected, got), store the new number as the last one, and read on"
FORGET = "clear in reset all that feed stores"
NEXT_ONE = "drop bytes that are no message, up to the next byte that can begin one"

PLANTS: Mapping[str, CodecPlant] = {
    "the check is not compared": CodecPlant(
        misreading.NeverCompared, "expected no other card from a damaged message, with bit ", COMPARE
    ),
    "half of the check is compared": CodecPlant(
        misreading.HalfCompared, "expected no other card from a damaged message, with bit ", COMPARE
    ),
    "a card before its check": CodecPlant(
        misreading.TooEarly, "expected no other card from a damaged message, with ", COMPARE
    ),
    "the first number is taken for granted": CodecPlant(
        misreading.FromOne,
        "expected no TelegramLost for the first message that comes, there is one",
        "accept any number in the first message, and in the first one after reset",
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
        waiting.NoLimit, "expected the codec to store no more than a message, of 8192 more bytes (", HOLD
    ),
    "all telegrams are remembered": CodecPlant(
        waiting.KeepsAllTelegrams,
        "expected the codec to store no more than a message, of 8192 more bytes (the capture again and again)",
        HOLD,
    ),
    "one buffer for all shoes": CodecPlant(
        waiting.SharesBytes, "expected the same events while a second codec is fed, they differ", IN_SELF
    ),
    "one number for all shoes": CodecPlant(
        waiting.OneNumber, "expected the same events while a second codec is fed, they differ", IN_SELF
    ),
    "one codec for all shoes": CodecPlant(
        waiting.always_the_same,
        "expected a new codec at each call, the same one came twice",
        "pass the class, or a function",
    ),
    "it sleeps for an hour": CodecPlant(
        waiting.SleepsAnHour, "expected feed to return at once, it waits", "leave out what sleeps or waits"
    ),
    "it waits a moment": CodecPlant(
        waiting.WaitsABit, "expected feed to return at once, it waits", "leave out what sleeps or waits"
    ),
    "a clock": CodecPlant(waiting.DropsRepeatsByTime, f"{BYTES_ALONE}", OPENS_NOTHING),
    "the date": CodecPlant(waiting.Date, f"{BYTES_ALONE}", OPENS_NOTHING),
    "it takes the processor": CodecPlant(
        waiting.Busy, "expected a message to take the processor no longer than 200000 steps", "look at each byte"
    ),
    "it goes round for ever": CodecPlant(
        waiting.RoundAndRound, "expected feed to return, it is in an endless loop", "look at each byte"
    ),
    "it waits for a number that is lost": CodecPlant(
        misreading.WaitsForTheNumber, "expected the cards after a missing message, feed did not return them", GAP
    ),
    "a gap is not told": CodecPlant(
        misreading.GapUntold, "expected TelegramLost where a number is left out, there is none", GAP
    ),
    "a gap raises": CodecPlant(
        misreading.GapRaises, "expected feed never to raise, it raised AssertionError: ", GARBAGE
    ),
    "a reset keeps half a telegram": CodecPlant(
        misreading.KeepsHalf, "expected reset to clear the state, after 1 bytes", FORGET
    ),
    "a reset keeps the number": CodecPlant(
        misreading.KeepsNumber, "expected reset to clear the state, after 7 bytes", FORGET
    ),
    "it gives up after noise": CodecPlant(
        misreading.Stuck, "expected the cards after what a GPS receiver sends, feed did not return them", NEXT_ONE
    ),
    "ten with two digits": CodecPlant(
        misreading.Ten, "expected a card such as AS, TD or 9H, feed returned '10H'", "name the rank first, ten as T"
    ),
    "texts in place of events": CodecPlant(
        misreading.Text, "expected only events of this kind of device, feed returned '4S'", "return CardRead"
    ),
    "cards of other devices": CodecPlant(
        misreading.Anywhere,
        "expected no cards from other devices, feed returned cards for what an Angel Eye and a Bee-Tek send",
        "return CardRead only for a whole message",
    ),
    "no bytes tell the last card again": CodecPlant(
        misreading.Twice, "expected the same events while a second codec is fed, they differ", IN_SELF
    ),
    "seven bytes are a telegram": CodecPlant(
        misreading.Joined, "expected the cards after what an Angel Eye sends", NEXT_ONE
    ),
}
