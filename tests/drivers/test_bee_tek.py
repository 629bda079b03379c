"""Bee-Tek codec against the lines that public programs read (see the captures); the emulated shoe.

The last tests connect the two through a real pty and the serial link.
"""

import asyncio
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import shoes
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.decks import FULL_DECK
from drivers.events import (
    CardRead,
    CardUnreadable,
    Found,
    Garbage,
    Lost,
    ShoeError,
    ShoeEvent,
    ShoeWarning,
)
from drivers.serial_port import SerialSettings
from drivers.shoes import SHOES, shoe_model
from drivers.shoes.angel_eye import ANGEL_EYE
from drivers.shoes.bee_tek import BEE_TEK, BeeTek
from drivers.shoes.bee_tek_lines import (
    DRAWING,
    FREE,
    GAME,
    MODES,
    AlarmLine,
    CardLine,
    FailedReadLine,
    LineStream,
    WarningLine,
    decode_line,
)
from drivers.shoes.stream import LONGEST
from tests.drivers.host import Host

CAPTURES = Path(__file__).parent.parent / "captures"
THIRTY_TWO = [card for card in FULL_DECK if card[0] in "6789TJQK"]

modes = st.sampled_from(DRAWING)
cards = st.sampled_from(FULL_DECK)
card_lines = st.builds(CardLine.encode, st.builds(CardLine, modes, cards), suit_first=st.booleans())
words = st.text("ABCDEfghi ", max_size=20)
lines = (
    st.builds(CardLine, modes, cards)
    | st.builds(FailedReadLine, modes)
    | st.builds(AlarmLine, st.sampled_from(MODES), st.integers(1, 999), words)
    | st.builds(WarningLine, st.integers(0, 0xFFFF))
)


def capture(name: str) -> list[tuple[bytes, str]]:
    rows = (CAPTURES / name).read_text().splitlines()
    assert rows[0].startswith("# ")
    split = (row.split("  # ") for row in rows if not row.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning in split]


WORDS = {
    CardRead: lambda event: f"card {event.card}" + ", outside the game" * (not event.in_game),
    CardUnreadable: lambda _: "unreadable",
    Garbage: lambda _: "garbage",
    ShoeError: lambda event: f"error {event.code} {event.meaning}",
    ShoeWarning: lambda event: f"warning {event.code}",
}


def event_text(event: ShoeEvent) -> str:
    """Return an event in the words of the capture files."""
    return WORDS[type(event)](event)


def decode(codec: BeeTek, *chunks: bytes) -> list[str]:
    return [event_text(event) for chunk in chunks for event in codec.feed(chunk)]


def told_of_cards(data: bytes) -> list[type]:
    return [type(event) for event in BeeTek().feed(data) if isinstance(event, CardRead | CardUnreadable)]


def card(name: str, mode: str = GAME) -> bytes:
    return CardLine(mode, name).encode()


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


FAILED = b" [Game]<Game> \r\n"
E3 = b" [Game]<Alarm:E3 Card Not Read> \r\n"
ROUND = b"".join(line for line, _ in capture("bee_tek_round.hex"))
ROUND_SAID = [meaning for _, meaning in capture("bee_tek_round.hex")]


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("line", "meaning"), capture("bee_tek_lines.hex"))
def test_a_line_reads_as_in_the_examples(line, meaning):
    (event,) = BeeTek().feed(line)
    assert event_text(event) == meaning
    assert event.raw == line.strip(b" \r\n")


@pytest.mark.parametrize(("line", "meaning"), capture("bee_tek_garbage.hex"))
def test_a_malformed_line_is_garbage_and_possibly_an_unread_card(line, meaning):
    events = BeeTek().feed(line)
    expected = ["garbage", "unreadable"] if meaning.startswith("unreadable") else ["garbage"]
    assert [event_text(event) for event in events] == expected, meaning


@given(lines)
def test_every_line_is_decoded_as_it_was_encoded(line):
    (piece,) = LineStream().feed(line.encode())
    assert decode_line(piece.raw) == line


@pytest.mark.parametrize("mode", DRAWING)
@pytest.mark.parametrize("name", FULL_DECK)
def test_every_card_is_read_in_any_order_and_spelling(name, mode):
    for text in {name, name[::-1], name.replace("T", "10"), name[::-1].replace("T", "10")}:
        (event,) = BeeTek().feed(f" [{mode}]<Card:{text}> \r\n".encode())
        assert event_text(event) == f"card {name}"


def test_a_card_has_no_place():
    (event,) = BeeTek().feed(card("4S"))
    assert event == CardRead("4S", raw=b"[Game]<Card:4S>")


@pytest.mark.parametrize("name", ["", "1S", "10S", "4X", "JOKER", "4S>"])
def test_an_invalid_card_name_is_never_encoded(name):
    with pytest.raises(ValueError, match="expected a card"):
        CardLine(GAME, name).encode()


# ── the stream ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_is_heard_at_once_and_byte_by_byte():
    assert decode(BeeTek(), ROUND) == ROUND_SAID
    assert decode(BeeTek(), *(bytes([byte]) for byte in ROUND)) == ROUND_SAID


@given(st.lists(st.integers(0, len(ROUND)), max_size=30))
def test_any_chunking_says_the_same_as_at_once(cuts):
    assert decode(BeeTek(), *in_pieces(ROUND, cuts)) == ROUND_SAID


LOOKALIKE = st.lists(st.binary(max_size=5) | st.sampled_from([b"[Game]", b"<Card:", b"4S>", b"<Game>", b"\r\n"]))


@given(LOOKALIKE.map(b"".join), st.lists(st.integers(0, 300), max_size=10))
def test_noise_reads_the_same_in_any_chunking(noise, cuts):
    parts = BeeTek()
    assert [event for chunk in in_pieces(noise, cuts) for event in parts.feed(chunk)] == BeeTek().feed(noise)


def test_a_card_is_whole_at_its_closing_bracket_and_space():
    codec = BeeTek()
    assert decode(codec, b" [Game]<Card:4S>") == []
    assert decode(codec, b" ") == ["card 4S"]
    assert decode(codec, b"\r\n") == []


@pytest.mark.parametrize("end", [b"\r", b"\n"])
def test_a_card_is_whole_at_its_line_end_too(end):
    codec = BeeTek()
    assert decode(codec, b" [Game]<Card:4S>") == []
    assert decode(codec, end) == ["card 4S"]


@given(st.lists(lines.map(lambda line: line.encode()), max_size=6))
def test_small_letters_and_no_line_ends_say_the_same(told):
    bare = b"".join(line.lower().replace(b"> \r\n", b"> ") for line in told)
    assert decode(BeeTek(), bare) == decode(BeeTek(), *told)


@given(st.binary(max_size=300))
def test_after_garbage_the_next_line_is_heard(noise):
    assert event_text(BeeTek().feed(noise + card("9H"))[-1]) == "card 9H"


def test_garbage_is_reported_with_its_bytes_and_a_reason():
    noise, after = BeeTek().feed(b"\0AB\xff" + card("9H"))
    assert noise == Garbage(b"\0AB\xff", "not a complete line of this shoe")
    assert event_text(after) == "card 9H"


@given(card_lines, st.data())
def test_a_line_torn_anywhere_spoils_none_but_itself(line, data):
    length = data.draw(st.integers(0, len(line.rstrip()) - 1))
    *before, last = BeeTek().feed(line[:length] + card("9H"))
    assert event_text(last) == "card 9H"
    assert not [event for event in before if isinstance(event, CardRead)]


@given(card_lines, st.data())
def test_a_line_cut_after_its_mode_is_an_unread_card(line, data):
    length = data.draw(st.integers(line.index(b"]") + 1, line.index(b">")))
    assert decode(BeeTek(), line[:length], card("9H")) == ["garbage", "unreadable", "card 9H"]


@given(card_lines, st.data())
def test_a_line_whose_start_is_lost_makes_no_card(line, data):
    length = data.draw(st.integers(line.index(b"[") + 1, len(line)))
    assert not [event for event in BeeTek().feed(line[length:]) if isinstance(event, CardRead)]


@given(st.lists(lines.map(lambda line: line.encode()), max_size=6), st.sampled_from([b"", b" ", b"\r", b"\n"]))
def test_joined_lines_are_told_apart(told, between):
    joined = between.join(line.removesuffix(b"\r\n") for line in told) + b"\r\n"
    assert decode(BeeTek(), joined) == decode(BeeTek(), *told)


@given(card_lines, st.data())
def test_with_one_byte_wrong_a_card_is_never_passed_over(line, data):
    """A wrong byte may give another card, as a line has no check, but a card or an unread one is reported."""
    at = data.draw(st.integers(0, len(line.rstrip()) - 1))
    wrong = line[:at] + data.draw(st.binary(max_size=1)) + line[at + 1 :]
    assert told_of_cards(wrong)


@given(card_lines, st.data())
def test_a_bit_above_the_text_never_makes_a_card(line, data):
    at = data.draw(st.integers(1, len(line.rstrip()) - 1))
    wrong = line[:at] + bytes([line[at] | 0x80]) + line[at + 1 :]
    assert told_of_cards(wrong) == [CardUnreadable]


def test_one_wrong_bit_can_make_another_card_undetected():
    line = card("4S")
    at = line.index(b"4S")
    assert decode(BeeTek(), line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]) == ["card 5S"]


def test_a_reason_names_no_card():
    reasons = {event.reason for line, _ in capture("bee_tek_garbage.hex") for event in BeeTek().feed(line)[:1]}
    assert reasons == {"not a complete line of this shoe", "a line of an unknown kind"}


@given(st.lists(st.binary(max_size=2000), max_size=5))
def test_a_flood_of_noise_is_never_kept(floods):
    stream = LineStream()
    for flood in floods:
        assert all(len(piece.raw) <= LONGEST for piece in stream.feed(flood))
        assert len(stream._held) < LONGEST


def test_a_line_without_an_end_is_dropped_at_128_bytes():
    (dropped,) = BeeTek().feed(b"A" * 128)
    assert dropped == Garbage(b"A" * 128, "a line without its end")
    assert decode(BeeTek(), b"A" * 200, card("9H")) == ["garbage", "garbage", "card 9H"]
    assert decode(BeeTek(), b"[Game]<Card:4S" + b" " * 114) == ["garbage", "unreadable"]


def test_after_a_reconnect_half_a_line_is_forgotten():
    codec = BeeTek()
    assert decode(codec, b" [Game]<Card:4") == []
    codec.reset()
    assert decode(codec, card("9H")) == ["card 9H"]


# ── cards not read ───────────────────────────────────────────────────────────────────────────────────────────────

NOT_READ = "error 3 card not read"


@pytest.mark.parametrize("words", [[FAILED, E3], [E3, FAILED], [FAILED, b"<W0x01>\r\n", E3]])
def test_a_failed_read_and_its_alarm_are_one_card(words):
    events = decode(BeeTek(), *words)
    assert [one for one in events if one != "warning 1"] == ["unreadable", NOT_READ]


@pytest.mark.parametrize("word", [FAILED, E3])
def test_two_failed_reads_or_two_alarms_are_two_cards(word):
    assert decode(BeeTek(), word, word) == ["unreadable"] * 2


def test_two_cards_not_read_each_with_its_alarm_are_two():
    assert decode(BeeTek(), FAILED, E3, FAILED, E3) == ["unreadable", NOT_READ] * 2
    assert decode(BeeTek(), E3, FAILED, E3, FAILED) == ["unreadable", NOT_READ] * 2


@pytest.mark.parametrize("words", [[FAILED, E3], [E3, FAILED]])
@pytest.mark.parametrize("third", [FAILED, E3])
def test_a_message_after_failed_read_and_alarm_is_another_card(words, third):
    assert decode(BeeTek(), *words, third) == ["unreadable", NOT_READ, "unreadable"]


@pytest.mark.parametrize("between", [card("4S"), b" [Game]<Card:4> \r\n"])
def test_an_alarm_after_another_card_is_a_new_card(between):
    events = [one for one in decode(BeeTek(), FAILED, between, E3) if one != "garbage"]
    assert (events[0], events[-1]) == ("unreadable", "unreadable")
    assert NOT_READ not in events


def test_after_a_reconnect_an_alarm_is_a_new_card():
    codec = BeeTek()
    codec.feed(FAILED)
    codec.reset()
    assert decode(codec, E3) == ["unreadable"]


def test_another_alarm_is_an_error_of_the_shoe():
    (event,) = BeeTek().feed(AlarmLine("GameAlarm", 12, "Motor Jam").encode())
    assert (event.code, event.meaning, event.error_mode) == (12, "motor jam", False)


# ── the free mode, and the model ─────────────────────────────────────────────────────────────────────────────────


def test_a_card_counts_in_either_mode_by_default():
    assert decode(BeeTek(), card("4S", GAME), card("3H", FREE)) == ["card 4S", "card 3H"]


def test_without_free_draw_free_mode_cards_are_outside_the_game():
    events = decode(BeeTek(free_draw=False), card("4S", GAME), card("3H", FREE))
    assert events == ["card 4S", "card 3H, outside the game"]


def test_the_model_is_found_by_name_with_its_baud():
    assert shoe_model("bee_tek") is SHOES["bee_tek"] is BEE_TEK
    assert isinstance(BEE_TEK.codec(), BeeTek)
    assert (BEE_TEK.baud, ANGEL_EYE.baud) == (9600, 4800)


def test_a_model_without_a_baud_rate_uses_the_default(monkeypatch):
    monkeypatch.setattr(shoes, "SHOES", {"plain": BeeTek})
    model = shoe_model("plain")
    assert (model.baud, model.places, model.commands) == (4800, (), ())
    assert isinstance(model.codec(), BeeTek)


# ── the emulated shoe ────────────────────────────────────────────────────────────────────────────────────────────


class PortlessBeeTek:
    """Emulated shoe whose bytes the codec reads directly, without a port."""

    def __init__(self, **shoe):
        self.codec = BeeTek()
        self.sent = b""
        self.shoe = EmulatedBeeTek(self, **shoe)

    def write(self, data):
        self.sent += data

    def news(self):
        data, self.sent = self.sent, b""
        return decode(self.codec, data)


@pytest.mark.parametrize("mode", DRAWING)
@pytest.mark.parametrize("suit_first", [False, True])
def test_given_cards_come_in_their_order(mode, suit_first):
    line = PortlessBeeTek(cards=["4S", "TH", "KC"], mode=mode, suit_first=suit_first)
    assert [line.shoe.draw() for _ in range(3)] == ["4S", "TH", "KC"]
    assert line.news() == ["card 4S", "card TH", "card KC"]
    assert line.shoe.draw() is None
    assert line.sent == b""


def test_eight_decks_are_shuffled_the_same_for_the_same_seed():
    drawn = [
        [shoe.draw() for _ in range(416)]
        for shoe in (PortlessBeeTek(seed=1).shoe, PortlessBeeTek(seed=1).shoe, PortlessBeeTek(seed=2).shoe)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert set(Counter(drawn[0]).values()) == {8}
    assert len(set(drawn[0])) == 52


def test_a_deck_of_32_is_drawn_to_its_end():
    line = PortlessBeeTek(deck=THIRTY_TWO, decks=1, seed=3)
    assert line.shoe.cards_left == 32
    drawn = [line.shoe.draw() for _ in range(32)]
    assert sorted(drawn) == sorted(THIRTY_TWO)
    assert line.news() == [f"card {name}" for name in drawn]


def test_an_unreadable_card_slid_again_is_read():
    line = PortlessBeeTek(cards=["4S", "KH"])
    assert line.shoe.draw(unreadable=True) == "4S"
    assert line.news() == ["unreadable"]
    assert line.shoe.redraw() == "4S"
    assert line.news() == ["card 4S"]
    assert line.shoe.redraw() is None


def test_a_misread_changes_the_suit_of_one_card_only():
    line = PortlessBeeTek(cards=["4S", "KH", "KH"])
    assert [line.shoe.draw(), line.shoe.draw(misread=True), line.shoe.draw()] == ["4S", "KH", "KH"]
    assert line.news() == ["card 4S", "card KS", "card KH"]


def test_an_alarm_after_a_failed_read_is_one_card():
    line = PortlessBeeTek(cards=["4S"], alarms=True)
    line.shoe.draw(unreadable=True)
    line.shoe.redraw()
    assert line.news() == ["unreadable", NOT_READ, "card 4S"]


def test_alarms_and_warnings_are_reported():
    line = PortlessBeeTek(cards=[])
    line.shoe.warning(0x1F)
    line.shoe.alarm(7, "Lid Open")
    assert line.news() == ["warning 31", "error 7 lid open"]


@pytest.mark.parametrize("torn", [False, True])
def test_a_damaged_line_is_an_unread_card(torn):
    line = PortlessBeeTek(cards=["4S", "KH"], mode=GAME)
    line.shoe.garble(torn=torn)
    line.shoe.draw()
    line.shoe.draw()
    assert line.news() == ["garbage", "unreadable", "card KH"]


def test_a_shoe_change_sends_no_line():
    line = PortlessBeeTek(cards=["4S"])
    line.shoe.draw(unreadable=True)
    line.news()
    line.shoe.change_shoe(cards=["2C"])
    assert (line.sent, line.shoe.cards_left, line.shoe.redraw()) == (b"", 1, None)
    line.shoe.change_shoe(seed=1)
    assert line.shoe.cards_left == 416


def test_the_key_switch_has_two_modes():
    line = PortlessBeeTek(cards=["4S", "KH"], mode=GAME)
    line.shoe.turn_key(FREE)
    line.shoe.draw()
    assert line.sent == b" [Manual Burn Cards]<Card:4S> \r\n"
    with pytest.raises(ValueError, match="expected a mode"):
        line.shoe.turn_key("GameAlarm")


def test_a_deck_is_dealt_over_a_real_port(port):
    async def run():
        shoe = EmulatedBeeTek(port, deck=THIRTY_TWO, decks=1, seed=5)
        shoe.plug()
        async with Host(port, BeeTek(), SerialSettings(BEE_TEK.baud)) as host:
            await host.hears(Found)
            drawn = [shoe.draw() for _ in range(32)]
            events = await host.hears(*[CardRead] * 32)
            assert [event.card for event in events] == drawn

    asyncio.run(run())


def test_unread_and_missed_cards_over_a_real_port(port):
    async def run():
        shoe = EmulatedBeeTek(port, cards=["4S", "KH", "2C"], alarms=True)
        shoe.plug()
        async with Host(port, BeeTek(), SerialSettings(BEE_TEK.baud)) as host:
            await host.hears(Found)
            shoe.draw(unreadable=True)
            shoe.redraw()
            shoe.warning()
            *_, event, _ = await host.hears(CardUnreadable, ShoeError, CardRead, ShoeWarning)
            assert event.card == "4S"
            shoe.unplug()
            await host.hears(Lost)
            shoe.draw()
            shoe.plug()
            await host.hears(Found)
            shoe.draw()
            (event,) = await host.hears(CardRead)
            assert event.card == "2C"

    asyncio.run(run())
