"""Angel Eye codec against the frames that public programs describe (see the captures)."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import (
    CardRead,
    CardUnreadable,
    CommandAccepted,
    CommandRefused,
    CutCard,
    Garbage,
    LockChanged,
    PresetChanged,
    ShoeError,
    ShoeErrorCleared,
    ShoeEvent,
    ShoeResult,
    ShoeStarted,
    StandBy,
    TelegramLost,
)
from drivers.models import UnknownModel
from drivers.shoes import SHOES, ShoeCodec, shoe_model
from drivers.shoes.angel_eye import ANGEL_EYE, COMMANDS, AngelEye, CommandNotAllowed
from drivers.shoes.angel_eye_cards import HANDS, MODES, PLACES, RANKS, DrawReport, OutsideReport
from drivers.shoes.angel_eye_commands import NAK_MEANINGS, Ack, Command, DataReply, Nak, Refused
from drivers.shoes.angel_eye_decoder import decode_report
from drivers.shoes.angel_eye_frames import STARTS, BadFrame, FrameStream, check, report_frame, text_frame
from drivers.shoes.angel_eye_reports import (
    PAIRS,
    WINNERS,
    CutReport,
    ErrorCancelledReport,
    ErrorReport,
    LockReport,
    PresetReport,
    ResultReport,
    StandByReport,
    StartReport,
    UnknownReport,
)
from drivers.shoes.stream import LONGEST

CAPTURES = Path(__file__).parent.parent / "captures"
CHATTY = frozenset(COMMANDS)

seqs = st.sampled_from("!123456789Y~")
cards = st.none() | st.builds("{}{}".format, st.sampled_from(RANKS), st.sampled_from("DCSH"))
codes = st.integers(0, 63)
places = st.sampled_from(sorted(HANDS)).flatmap(lambda hand: st.tuples(st.just(hand), st.integers(1, 3))) | st.tuples(
    st.sampled_from(sorted(set(PLACES.values()) - HANDS)), st.integers(0, 15)
)
texts = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
draws = st.builds(lambda seq, place, *card: DrawReport(seq, *place, *card), seqs, places, cards, st.booleans())
reports = (
    st.builds(StartReport, seqs)
    | st.builds(StandByReport, seqs)
    | st.builds(CutReport, seqs)
    | draws
    | st.builds(OutsideReport, seqs, st.sampled_from(MODES), cards)
    | st.builds(ResultReport, seqs, st.sampled_from(sorted(WINNERS.values())), st.sampled_from(PAIRS))
    | st.builds(ErrorReport, seqs, codes, st.booleans())
    | st.builds(ErrorCancelledReport, seqs, st.integers(0, 127))
    | st.builds(LockReport, seqs, st.booleans())
    | st.builds(PresetReport, seqs, st.text(texts, min_size=2, max_size=2), st.text(texts, min_size=4, max_size=4))
)


def capture(name: str) -> list[tuple[bytes, str]]:
    lines = (CAPTURES / name).read_text().splitlines()
    assert lines[0].startswith("# ")
    split = (line.split("  # ") for line in lines if not line.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning, *_why in split]


WORDS = {
    CommandAccepted: lambda _: "accepted",
    CommandRefused: lambda event: f"refused {event.code:02x}",
    CutCard: lambda _: "cut card",
    Garbage: lambda _: "garbage",
    LockChanged: lambda event: "locked" if event.locked else "unlocked",
    PresetChanged: lambda event: f"preset {event.address} {event.value}",
    ShoeError: lambda event: f"error {event.code} {event.meaning}" + ", error mode" * event.error_mode,
    ShoeErrorCleared: lambda event: f"error {event.code} cleared",
    ShoeResult: lambda event: f"result {event.winner}" + f", pair {' '.join(event.pairs)}" * bool(event.pairs),
    ShoeStarted: lambda _: "start",
    StandBy: lambda _: "stand-by",
    TelegramLost: lambda event: f"lost {event.expected} got {event.got}",
}


def event_text(event: ShoeEvent) -> str:
    """Return an event in the words of the capture files."""
    if isinstance(event, CardRead | CardUnreadable):
        where = f"{event.place or ''} {event.position or ''}" if event.in_game else "outside the game"
        return f"{f'card {event.card}' if isinstance(event, CardRead) else 'unreadable'} {where}".rstrip()
    return WORDS[type(event)](event)


def decode(codec: ShoeCodec, *frames: bytes) -> list[str]:
    return [event_text(event) for frame in frames for event in codec.feed(frame)]


def draw(seq: str, card: str | None, place: str = "player", position: int = 1, *, resent: bool = False) -> bytes:
    return DrawReport(seq, place, position, card, resent).encode()


ROUND = [frame for frame, _ in capture("angel_eye_round.hex")]
ROUND_SAID = [meaning for _, meaning in capture("angel_eye_round.hex")]
ON_THE_LINE = b"".join(frame * 3 for frame in ROUND)


@pytest.mark.parametrize(("frame", "meaning"), capture("angel_eye_reports.hex"))
def test_a_telegram_reads_as_described(frame, meaning):
    (event,) = AngelEye().feed(frame)
    assert event_text(event) == meaning
    assert event.raw == frame


@pytest.mark.parametrize(("frame", "meaning"), capture("angel_eye_garbage.hex"))
def test_impossible_content_is_garbage_and_never_a_card(frame, meaning):
    (event,) = AngelEye().feed(frame)
    assert isinstance(event, Garbage), meaning
    assert event.raw == frame


@pytest.mark.parametrize(("frame", "meaning"), capture("angel_eye_unnamed.hex"))
def test_a_card_telegram_that_names_no_card_is_unreadable(frame, meaning):
    (event,) = AngelEye().feed(frame * 3)
    assert event_text(event) == meaning
    assert event.raw == frame


@pytest.mark.parametrize(
    "frame", [frame for name in ("unnamed", "garbage") for frame, _ in capture(f"angel_eye_{name}.hex")]
)
def test_any_frame_with_a_valid_check_advances_the_sequence(frame):
    before, after = StandByReport("9").encode(), CutReport("2").encode()
    assert not [event for event in AngelEye().feed(before + frame + after) if isinstance(event, TelegramLost)]


@pytest.mark.parametrize("with_stx", [True, False])
def test_a_command_is_sent_as_described(with_stx):
    codec = AngelEye(allow=CHATTY, bcc_with_stx=with_stx)
    frames = [codec.lock(), codec.unlock(), codec.cancel_error(1), codec.confirm_process()]
    described = [frame for frame, _ in capture("angel_eye_commands.hex")]
    assert frames == described[0 if with_stx else 1 :: 2]


@given(reports)
def test_every_telegram_is_decoded_as_it_was_encoded(report):
    assert decode_report(report.encode()) == report


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (DrawReport("1", "dealer", 1, "9H"), "player, banker, burn, first_card, burn_count, got 'dealer'"),
        (ResultReport("1", "dealer"), "player, tie, banker, forced_quit, got 'dealer'"),
    ],
)
def test_an_impossible_report_is_refused_with_the_possible_values(report, reason):
    with pytest.raises(ValueError, match=reason):
        report.encode()


@given(st.sampled_from(["LK", "EC", "GP"]), st.integers(0, 99), st.booleans())
def test_every_command_is_decoded_as_it_was_encoded(kind, number, with_stx):
    command = Command(kind, f"{number:02}")
    assert Command.decode(command.encode(with_stx=with_stx), with_stx=with_stx) == command


@pytest.mark.parametrize("answer", [Ack(), *map(Nak, NAK_MEANINGS), DataReply(b"0102")])
def test_every_answer_is_decoded_as_it_was_encoded(answer):
    (piece,) = FrameStream().feed(answer.encode())
    assert type(answer).decode(piece.raw) == answer


@given(reports)
def test_no_start_byte_occurs_inside_a_telegram(report):
    assert not STARTS & set(report.encode()[1:])


def test_repeated_telegrams_of_a_round_are_heard_once():
    assert decode(AngelEye(), ON_THE_LINE) == ROUND_SAID


def test_byte_by_byte_says_the_same_as_at_once():
    assert decode(AngelEye(), *(bytes([byte]) for byte in ON_THE_LINE)) == ROUND_SAID


@given(st.lists(st.integers(0, len(ON_THE_LINE)), max_size=30))
def test_any_chunking_says_the_same_as_at_once(cuts):
    edges = [0, *sorted(cuts), len(ON_THE_LINE)]
    chunks = [ON_THE_LINE[start:end] for start, end in pairwise(edges)]
    assert decode(AngelEye(), *chunks) == ROUND_SAID


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=10))
def test_noise_reads_the_same_in_any_chunking(noise, cuts):
    edges = [0, *sorted(min(cut, len(noise)) for cut in cuts), len(noise)]
    whole, parts = AngelEye(allow=CHATTY), AngelEye(allow=CHATTY)
    assert whole.lock() == parts.lock()
    chunks = [noise[start:end] for start, end in pairwise(edges)]
    assert [event for chunk in chunks for event in parts.feed(chunk)] == whole.feed(noise)


@given(st.binary(max_size=200).filter(lambda noise: 0x15 not in noise))
def test_the_telegram_after_garbage_is_read(noise):
    *_, last = AngelEye().feed(noise + draw("4", "9H"))
    assert event_text(last) == "card 9H player 1"


def test_garbage_is_reported_with_its_bytes_and_a_reason():
    noise, card = AngelEye().feed(b"\x41\x42\x43" + draw("1", "9H"))
    assert noise == Garbage(b"ABC", "bytes outside a frame")
    assert event_text(card) == "card 9H player 1"


@pytest.mark.parametrize("length", range(1, 8))
def test_a_frame_torn_anywhere_is_dropped_for_the_next(length):
    frame = draw("1", "9H")
    torn, card = AngelEye().feed(frame[:length] + frame)
    assert torn == Garbage(frame[:length], "frame without its end")
    assert event_text(card) == "card 9H player 1"


@pytest.mark.parametrize("broken", [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}])
def test_a_good_copy_replaces_a_broken_one(broken):
    good = draw("1", "9H")
    bad = good[:4] + bytes([good[4] ^ 1]) + good[5:]
    codec = AngelEye()
    events = codec.feed(b"".join(bad if copy in broken else good for copy in range(3)))
    assert [event_text(event) for event in events if not isinstance(event, Garbage)] == ["card 9H player 1"]
    assert [event.raw for event in events if isinstance(event, Garbage)] == [bad] * len(broken)


@given(draws, st.integers(1, 7), st.integers(0, 7))
def test_one_wrong_bit_never_makes_another_card(report, index, bit):
    frame = bytearray(report.encode())
    frame[index] ^= 1 << bit
    assert not [event for event in AngelEye().feed(bytes(frame)) if isinstance(event, CardRead)]


@given(st.lists(st.binary(max_size=2000), max_size=20))
def test_a_flood_of_noise_is_never_kept(floods):
    stream = FrameStream()
    for flood in floods:
        for byte in flood:
            pieces = stream.feed(bytes([byte]))
            assert len(stream._held) < LONGEST
            assert all(len(piece.raw) <= LONGEST for piece in pieces)


def test_a_frame_without_an_end_is_dropped_at_128_bytes():
    (dropped,) = AngelEye().feed(b"\x05" + b"A" * 127)
    assert len(dropped.raw) == 128
    assert decode(AngelEye(), b"\x05" + b"A" * 127, draw("1", "9H")) == ["garbage", "card 9H player 1"]


def test_a_gap_in_the_sequence_is_a_lost_telegram():
    assert decode(AngelEye(), draw("1", "9H"), draw("3", "2C", "player", 2)) == [
        "card 9H player 1",
        "lost 2 got 3",
        "card 2C player 2",
    ]


def test_all_copies_broken_show_as_a_gap():
    bad = draw("2", "AS", "banker")[:-1] + b"!"
    said_ = decode(AngelEye(), draw("1", "9H"), bad * 3, draw("3", "2C", "player", 2))
    assert said_ == ["card 9H player 1", "garbage", "garbage", "garbage", "lost 2 got 3", "card 2C player 2"]


def test_the_sequence_runs_from_9_to_1():
    assert decode(AngelEye(), StandByReport("9").encode(), CutReport("1").encode()) == ["stand-by", "cut card"]


def test_the_run_of_the_sequence_is_a_setting():
    codec = AngelEye(sequence="0123456789ABCDEF")
    assert decode(codec, StandByReport("F").encode(), CutReport("0").encode()) == ["stand-by", "cut card"]


def test_an_out_of_range_sequence_number_is_one_lost_telegram():
    codec = AngelEye()
    frames = [StandByReport("9").encode(), CutReport("0").encode(), StandByReport("5").encode()]
    assert decode(codec, *frames) == ["stand-by", "lost 1 got 0", "cut card", "stand-by"]


def test_a_start_resets_the_sequence():
    frames = [draw("5", "9H"), StartReport("1").encode() * 3, draw("1", "9H")]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "start", "card 9H player 1"]


def test_a_reconnect_resets_the_sequence_and_drops_half_frames():
    codec = AngelEye()
    codec.feed(draw("1", "9H") + draw("2", "AS", "banker")[:5])
    codec.reset()
    assert decode(codec, draw("7", "2C", "player", 2)) == ["card 2C player 2"]


def test_the_same_number_with_another_content_is_no_repeat():
    assert decode(AngelEye(), draw("1", "9H"), draw("1", "AS", "banker")) == [
        "card 9H player 1",
        "lost 2 got 1",
        "card AS banker 1",
    ]


def test_an_equal_card_with_the_next_number_is_new():
    burns = [draw("1", "9H", "burn", 0), draw("2", "9H", "burn", 0)]
    assert decode(AngelEye(), *burns) == ["card 9H burn"] * 2


@pytest.mark.parametrize("seq", ["1", "2", "3", "9"])
def test_a_resent_card_is_no_second_card(seq):
    codec = AngelEye()
    frames = [draw("1", "9H"), draw("2", "AS", "banker")]
    again = draw(seq, "9H", resent=True)
    assert decode(codec, *frames, again * 3) == ["card 9H player 1", "card AS banker 1"]


def test_a_resent_card_advances_the_sequence_only_when_due():
    frames = [draw("1", "9H"), draw("2", "9H", resent=True), draw("3", "AS", "banker")]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "card AS banker 1"]
    frames = [draw("1", "9H"), draw("2", "AS", "banker"), draw("1", "9H", resent=True), draw("3", "2C", "player", 2)]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "card AS banker 1", "card 2C player 2"]


def test_a_resent_card_that_was_missed_is_heard():
    frames = [draw("1", "9H"), draw("3", "AS", "banker", resent=True) * 3]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "lost 2 got 3", "card AS banker 1"]


def test_a_place_resent_without_a_card_is_no_second_card():
    frames = [draw("1", "9H"), draw("2", None, resent=True), draw("3", "AS", "banker")]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "card AS banker 1"]


def test_an_unreadable_card_resent_with_its_value_is_heard():
    frames = [draw("1", None), draw("2", None, resent=True), draw("3", "9H", resent=True)]
    assert decode(AngelEye(), *frames) == ["unreadable player 1", "card 9H player 1"]


def test_an_unreadable_first_card_begins_a_round():
    frames = [draw("1", "9H"), draw("2", "3H", position=2), draw("3", None), draw("4", "3H", position=2, resent=True)]
    assert decode(AngelEye(), *frames)[2:] == ["unreadable player 1", "card 3H player 2"]


def test_a_resent_card_with_another_value_is_passed_on():
    frames = [draw("1", "9H"), draw("2", "9D", resent=True)]
    assert decode(AngelEye(), *frames) == ["card 9H player 1", "card 9D player 1"]


def test_cards_resent_after_a_reconnect_are_not_new_cards():
    codec = AngelEye()
    codec.feed(draw("1", "9H") + draw("2", "AS", "banker"))
    codec.reset()
    again = [draw("4", "9H", resent=True), draw("5", "AS", "banker", resent=True)]
    assert decode(codec, *again, draw("6", "2C", position=2, resent=True)) == ["card 2C player 2"]


@pytest.mark.parametrize("boundary", [StandByReport("2").encode(), StartReport("2").encode(), draw("2", "3C")])
def test_a_new_round_forgets_the_cards_of_the_last_one(boundary):
    codec = AngelEye()
    codec.feed(draw("1", "9H") + boundary)
    assert decode(codec, draw("3", "9H", resent=True)) == ["card 9H player 1"]


def test_an_unreadable_card_is_reported_and_sets_error_mode():
    codec = AngelEye()
    assert decode(codec, ErrorReport("1", 1, error_mode=True).encode()) == ["unreadable"]
    assert codec.error_mode
    assert decode(codec, ErrorCancelledReport("2", 1).encode()) == ["error 1 cleared"]
    assert not codec.error_mode


@pytest.mark.parametrize("frame", [StartReport("2").encode(), draw("2", "9H")])
def test_a_start_or_a_dealt_card_ends_error_mode(frame):
    codec = AngelEye()
    codec.feed(ErrorReport("1", 2, error_mode=True).encode() + frame)
    assert not codec.error_mode


def test_an_error_without_error_mode_does_not_end_error_mode():
    codec = AngelEye()
    codec.feed(ErrorReport("1", 2, error_mode=True).encode() + ErrorReport("2", 3, error_mode=False).encode())
    assert codec.error_mode


def test_an_unknown_error_keeps_its_number():
    assert decode(AngelEye(), ErrorReport("1", 40, error_mode=False).encode()) == ["error 40 unknown error 40"]


def test_an_unknown_telegram_is_reported_once_and_advances_the_sequence():
    unknown = UnknownReport("2", b"X\x81").encode()
    assert decode(AngelEye(), draw("1", "9H"), unknown * 3, draw("3", "AS", "banker")) == [
        "card 9H player 1",
        "garbage",
        "card AS banker 1",
    ]


def test_an_impossible_telegram_of_a_known_kind_says_why():
    (garbage,) = AngelEye().feed(report_frame("1", b"Gx"))
    assert isinstance(garbage, Garbage)
    assert garbage.reason == "expected data bytes with the top bit set, got 78: b'G'"


@pytest.mark.parametrize("data", [b"", b"D" * 8])
def test_a_telegram_without_data_or_with_too_much_is_garbage(data):
    with pytest.raises(BadFrame):
        decode_report(report_frame("1", data))


def test_a_wrong_check_is_reported_with_both_check_values():
    with pytest.raises(BadFrame, match=r"check characters are b'xy', b'00' was expected"):
        DataReply.decode(DataReply(b"12").encode()[:-2] + b"xy")


def test_the_check_of_no_bytes_is_zero():
    assert check(b"") == b"00"


def test_a_card_with_an_invalid_place_byte_is_refused():
    with pytest.raises(BadFrame, match="place byte 84 is no place of a card"):
        DrawReport.decode("1", b"\x84\x81")


@pytest.mark.parametrize("command", [AngelEye.lock, AngelEye.unlock, AngelEye.confirm_process])
def test_a_shoe_is_only_listened_to_unless_allowed(command):
    with pytest.raises(CommandNotAllowed, match="allow it"):
        command(AngelEye())


def test_an_error_is_not_cancelled_unless_allowed():
    with pytest.raises(CommandNotAllowed, match="allow it"):
        AngelEye().cancel_error(1)


def test_only_the_command_allowed_is_sent():
    codec = AngelEye(allow=frozenset({"lock"}))
    assert codec.lock()
    assert codec.unlock()  # allowing lock also allows unlock
    with pytest.raises(CommandNotAllowed):
        codec.cancel_error(1)


def test_an_unknown_command_cannot_be_allowed():
    with pytest.raises(ValueError, match="open_lid"):
        AngelEye(allow=frozenset({"open_lid"}))


@pytest.mark.parametrize("sequence", ["", "1", "1231"])
def test_a_sequence_has_different_characters(sequence):
    with pytest.raises(ValueError, match="sequence"):
        AngelEye(sequence=sequence)


@pytest.mark.parametrize("code", [-1, 100])
def test_an_error_code_has_two_digits(code):
    with pytest.raises(ValueError, match="0 to 99"):
        AngelEye(allow=CHATTY).cancel_error(code)


@pytest.mark.parametrize("answer", [Ack(), DataReply(b"01")])
def test_an_accepted_command_is_reported(answer):
    codec = AngelEye(allow=CHATTY)
    codec.confirm_process()
    assert decode(codec, answer.encode()) == ["accepted"]


@pytest.mark.parametrize("code", sorted(set(NAK_MEANINGS) - {2}))
def test_a_refused_command_is_reported_with_its_reason(code):
    codec = AngelEye(allow=CHATTY)
    codec.lock()
    assert codec.feed(Nak(code).encode()) == [CommandRefused(code, NAK_MEANINGS[code])]


def test_each_refusal_code_has_its_own_words():
    words = {code: str(Refused(code)).removeprefix("command refused: ") for code in NAK_MEANINGS}
    assert words == {
        0x01: "overrun, framing or parity", 0x02: "check characters", 0x03: "no end of text", 0x11: "format or length",
        0x12: "address", 0x13: "command", 0x14: "type", 0x21: "busy", 0x22: "writing", 0xFF: "other",
    }  # fmt: skip


def test_a_command_refused_for_its_check_is_resent_with_another():
    codec = AngelEye(allow=CHATTY)
    first = codec.lock()
    assert decode(codec, Nak(2).encode()) == []
    again = codec.data_to_send()
    assert (first[-2:], again[-2:]) == (b"1B", b"19")
    assert codec.data_to_send() == b""
    assert decode(codec, Ack().encode()) == ["accepted"]
    assert codec.unlock()[-2:] == b"1A", "what worked is kept"


def test_a_command_refused_with_both_checks_is_refused():
    codec = AngelEye(allow=CHATTY)
    first = codec.lock()
    codec.feed(Nak(2).encode())
    codec.data_to_send()
    assert decode(codec, Nak(2).encode()) == ["refused 02"]
    assert codec.data_to_send() == b""
    assert codec.lock() == first


def test_of_two_unanswered_commands_none_is_sent_again():
    codec = AngelEye(allow=CHATTY)
    codec.lock()
    codec.unlock()
    assert decode(codec, Nak(2).encode(), Ack().encode()) == ["refused 02", "accepted"]
    assert codec.data_to_send() == b""


@pytest.mark.parametrize("answer", [Ack(), Nak(0x13), DataReply(b"01")])
def test_an_answer_to_no_command_is_garbage(answer):
    codec = AngelEye(allow=CHATTY)
    assert decode(codec, answer.encode()) == ["garbage"]
    codec.lock()
    codec.reset()
    assert decode(codec, answer.encode()) == ["garbage"]


def test_a_reply_with_a_wrong_check_answers_nothing():
    codec = AngelEye(allow=CHATTY)
    codec.confirm_process()
    assert decode(codec, DataReply(b"01").encode()[:-1] + b"!") == ["garbage"]
    assert decode(codec, Ack().encode()) == ["accepted"]


def test_an_answer_between_two_telegrams_is_heard():
    codec = AngelEye(allow=CHATTY)
    codec.lock()
    assert decode(codec, draw("1", "9H") + Nak(0x21).encode() + draw("2", "AS", "banker")) == [
        "card 9H player 1",
        "refused 21",
        "card AS banker 1",
    ]


@pytest.mark.parametrize(
    ("text", "code"), [(b"OPLK023", 0x11), (b"OPLKXY", 0x11), (b"QPLK02", 0x13), (b"OP1202", 0x14)]
)
def test_a_wrong_command_is_refused_with_its_code(text, code):
    with pytest.raises(Refused) as refused:
        Command.decode(text_frame(text, with_stx=True), with_stx=True)
    assert refused.value.code == code


def test_a_command_with_the_other_check_is_refused():
    with pytest.raises(Refused) as refused:
        Command.decode(Command("LK", "02").encode(with_stx=False), with_stx=True)
    assert refused.value.code == 0x02


def test_the_model_is_found_by_name():
    assert shoe_model("angel_eye") is SHOES["angel_eye"] is ANGEL_EYE
    assert isinstance(ANGEL_EYE.codec(), AngelEye)


def test_an_unknown_model_is_answered_with_the_known_ones():
    with pytest.raises(UnknownModel, match=f"out of {', '.join(sorted(SHOES))}, got 'angel_ey'"):
        shoe_model("angel_ey")


def test_a_package_can_add_a_model(tmp_path, monkeypatch):
    meta = tmp_path / "vendor_shoe-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor-shoe\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[tablectl.shoes]\nvendor_shoe = vendor_shoe:Codec\n")
    (tmp_path / "vendor_shoe.py").write_text("class Codec: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert type(shoe_model("vendor_shoe").codec()).__name__ == "Codec"
