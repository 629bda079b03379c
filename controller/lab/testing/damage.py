"""Damage that a line does to messages: wrong bits, lost bytes, missing messages.

Also joined messages, and messages of other devices.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from drivers.events import CardRead, ShoeStarted, TelegramLost

from .broken import Broken
from .watch import Fresh, Tells

MOST_FLIPS = 1_500  # wrong bits that are tried in a capture; at least one in each byte
MOST_CUTS = 900

COMPARE = (
    "compare the whole check before you return CardRead; if no check of the device shows such damage, call "
    "check_codec(..., check_sum=False): only the table can then find such cards"
)
NEXT_ONE = "drop bytes that are no message, up to the next byte that can begin one"
FOREIGN = {  # valid messages of other devices
    "an Angel Eye": bytes.fromhex("05 32 44 81 B8 03 34 43 05 33 44 91 CD 03 32 38"),
    "a Bee-Tek": b" [Game]<Card:4S> \r\n [Game]<Card:10H> \r\n",
    "a scanner of names": b"AS\r\nTD\r\n9H\r\n",
    "a scanner of bar codes": b"]E04006381333931\r\n4006381333931\r\n02111113\r\n",
    "a GPS receiver": b"$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*76\r\n",
    "a modem": b"ATZ\r\r\nOK\r\nRING\r\n",
    "a scale": b"S S      100.00 g\r\nS D     -  4.12 g\r\n",
    "a meter (Modbus)": bytes.fromhex("01 03 04 00 06 00 05 DA 31 11 03 02 00 2A F9 9F"),
}


def cards_of(events: Iterable[object]) -> Counter[tuple[object, ...]]:
    """Count equal reported cards, ignoring their raw bytes."""
    return Counter((one.card, one.place, one.position, one.in_game) for one in events if isinstance(one, CardRead))


def check_damage(makes: Fresh, tells: Tells, messages: Sequence[bytes], *, check_sum: bool) -> None:
    """Check that damage leads to no other card, and hides no later message. Raises Broken."""
    dice = random.Random(0)
    damages = (
        [(flip_bits(line, dice), MOST_FLIPS) for line in messages],
        [(cut_copies(line), MOST_CUTS) for line in messages],
    )
    for kind in damages:
        length = max(1, sum(len(line) for line in messages))
        for number, (ways, most) in enumerate(kind):
            some = [*ways]
            share = max(len(messages[number]), most * len(messages[number]) // length)
            for damaged, what in dice.sample(some, min(len(some), share)):
                _check_one(makes, tells, messages, number, damaged, what, check_sum=check_sum)


def flip_bits(line: bytes, dice: random.Random) -> Iterator[tuple[bytes, str]]:
    """Yield copies of the message with one wrong bit, for each byte and bit."""
    for at in range(len(line)):
        for bit in dice.sample(range(8), 8):
            yield bytes([*line[:at], line[at] ^ 1 << bit, *line[at + 1 :]]), f"bit {bit} of byte {at + 1} inverted"


def cut_copies(line: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield copies of the message with lost bytes: one byte, its end, or its beginning."""
    for at in range(len(line)):
        yield line[:at] + line[at + 1 :], f"byte {at + 1} lost"
        yield line[:at], f"all from byte {at + 1} on lost"
        yield line[at + 1 :], f"the first {at + 1} bytes lost"


def _check_one(
    makes: Fresh, tells: Tells, messages: Sequence[bytes], number: int, damaged: bytes, what: str, *, check_sum: bool
) -> None:
    """Check the codec with one damaged message between undamaged ones. Raises Broken."""
    before, after = messages[max(0, number - 1) : number], messages[number + 1 : number + 4]
    usual = tells(makes(), [*before, messages[number], *after])
    output = tells(makes(), [*before, damaged, *after])
    shown = [f"{messages[number].hex(' ').upper()[:160]}  # {what}", damaged.hex(" ").upper()[:160]]
    more = cards_of(output) - cards_of(usual)
    if check_sum and more:
        raise Broken(
            f"expected no other card from a damaged message, with {what} feed returned {next(iter(more))[0]}",
            shown,
            COMPARE,
        )
    later_cards = cards_of(tells(makes(), [*before, *after])) & cards_of(tells(makes(), after[2:]))
    if later_cards - cards_of(output):
        raise Broken(
            f"expected the messages after a damaged one to be read, with {what} they are lost", shown, NEXT_ONE
        )


def check_gaps(makes: Fresh, tells: Tells, messages: Sequence[bytes], *, numbered: bool) -> None:
    """Check that a missing message is reported, and that no other message is lost with it. Raises Broken."""
    runs = _runs(messages)
    codec = makes()
    each = [tells(codec, run) for run in runs]
    if numbered and any(isinstance(event, TelegramLost) for events in each for event in events):
        raise Broken(
            "expected no TelegramLost in a complete capture, there is one",
            [line.hex(" ").upper() for line in messages[:4]],
            "see which number follows the last one, and when the numbers start again",
        )
    if numbered:
        _check_beginning(makes, tells, runs)
    for missing in range(1, len(runs) - 1):
        lines = [line for number, run in enumerate(runs) if number != missing for line in run]
        output = tells(makes(), lines)
        due = sum((cards_of(events) for number, events in enumerate(each) if number != missing), Counter())
        shown = [f"{runs[missing][0].hex(' ').upper()}  # missing", runs[missing + 1][0].hex(" ").upper()]
        if due - cards_of(output):
            raise Broken("expected the cards after a missing message, feed did not return them", shown, GAP)
        around = [*each[missing - 1], *each[missing + 1]]
        begun_anew = any(isinstance(event, ShoeStarted) for event in around)  # after a start any number is right
        if numbered and not begun_anew and not any(isinstance(event, TelegramLost) for event in output):
            raise Broken("expected TelegramLost where a number is left out, there is none", shown, GAP)


def _check_beginning(makes: Fresh, tells: Tells, runs: Sequence[Sequence[bytes]]) -> None:
    """Check that the codec accepts any number in the first message it reads. Raises Broken."""
    for lines in runs:
        if any(isinstance(event, TelegramLost) for event in tells(makes(), lines)):
            raise Broken(
                "expected no TelegramLost for the first message that comes, there is one",
                [lines[0].hex(" ").upper()[:160]],
                "accept any number in the first message, and in the first one after reset",
            )


GAP = "return TelegramLost(expected, got), store the new number as the last one, and read on"


def _runs(messages: Sequence[bytes]) -> list[list[bytes]]:
    """Group consecutive equal messages, because some devices send each message several times."""
    runs: list[list[bytes]] = []
    for line in messages:
        if runs and runs[-1][-1] == line:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def check_foreign(makes: Fresh, tells: Tells, whole: bytes, sent: bytes) -> None:
    """Check that messages of other devices and the table's own commands give no cards. Raises Broken.

    `sent`: commands of the table in the capture, which a line may echo.
    """
    usual = tells(makes(), [whole])
    read = [who for who, data in FOREIGN.items() if cards_of(tells(makes(), [data]))]
    if len(read) > 1:
        raise Broken(
            f"expected no cards from other devices, feed returned cards for what {' and '.join(read)} send",
            [FOREIGN[who].hex(" ").upper()[:200] for who in read],
            "return CardRead only for a whole message of this device, never for a part that looks like one",
        )
    if sent and cards_of(tells(makes(), [sent])):
        raise Broken(
            "expected no card from what the table sends (a line may echo it), feed returned one",
            [sent.hex(" ").upper()[:200]],
            NEXT_ONE,
        )
    for who, data in FOREIGN.items():
        if cards_of(tells(makes(), [data, whole, whole])) < cards_of(usual):
            raise Broken(
                f"expected the cards after what {who} sends, feed did not return them",
                [data.hex(" ").upper()[:200], "then the whole capture, twice"],
                NEXT_ONE,
            )
