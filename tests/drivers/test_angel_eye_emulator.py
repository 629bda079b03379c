"""Emulated Angel Eye shoe, read by the product's own codec.

The last tests connect the two through a real pty and the serial link.
"""

import asyncio
from itertools import product

import pytest

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.decks import FULL_DECK, shuffled_cards
from drivers.emulators.shoe_round import ShoeRound
from drivers.events import (
    CardRead,
    CardUnreadable,
    CommandAccepted,
    CommandRefused,
    CutCard,
    Found,
    Garbage,
    LockChanged,
    Lost,
    ShoeError,
    ShoeErrorCleared,
    ShoeResult,
    ShoeStarted,
    StandBy,
    TelegramLost,
)
from drivers.shoes.angel_eye import COMMANDS, AngelEye
from drivers.shoes.angel_eye_frames import text_frame
from tests.drivers.host import Host
from tests.patience import turns

NATURAL = ["8S", "KH", "TD", "7C"]  # Player 8, Banker 7
BOTH_DRAW = ["2S", "3H", "3D", "KC", "6C", "5H"]  # Player 5 draws a six, Banker 3 draws


class PortlessAngelEye:
    """Emulated shoe whose bytes the codec reads directly, without a port."""

    def __init__(self, **shoe):
        self.codec = AngelEye(allow=COMMANDS)
        self.sent = b""
        self._from_host = b""
        self.shoe = EmulatedAngelEye(self, **shoe)

    def write(self, data):
        self.sent += data

    def read(self):
        data, self._from_host = self._from_host, b""
        return data

    def command(self, data):
        self._from_host += data
        self.shoe.answer()
        return self.news()

    def news(self):
        data, self.sent = self.sent, b""
        return self.codec.feed(data)

    def kinds(self):
        return [type(event) for event in self.news()]


def places(events):
    return [(event.place, event.position, event.card) for event in events if isinstance(event, CardRead)]


def test_a_round_ends_with_result_and_stand_by_reports():
    line = PortlessAngelEye(cards=BOTH_DRAW)
    assert [line.shoe.draw() for _ in BOTH_DRAW] == BOTH_DRAW
    *cards, result, stand_by = line.news()
    assert places(cards) == [
        ("player", 1, "2S"),
        ("banker", 1, "3H"),
        ("player", 2, "3D"),
        ("banker", 2, "KC"),
        ("player", 3, "6C"),
        ("banker", 3, "5H"),
    ]
    assert (result.winner, result.pairs) == ("banker", ())
    assert isinstance(stand_by, StandBy)


def test_a_natural_ends_the_round_and_pairs_are_reported():
    line = PortlessAngelEye(cards=["4S", "KH", "4D", "KC"])
    for _ in range(4):
        line.shoe.draw()
    *_, result, _ = line.news()
    assert (result.winner, result.pairs) == ("player", ("player", "banker"))


def test_the_round_ends_where_the_tableau_says():
    """The emulated shoe draws third cards as a second, separately written tableau says."""
    ranks = "TA23456789"
    for player, banker, third in product(range(10), repeat=3):
        shoe = ShoeRound()
        for card in (f"{ranks[player]}S", f"{ranks[banker]}S", "KD", "KD"):
            shoe.lay(card)
        drawn = []
        while place := shoe.due():
            drawn.append(place)
            shoe.lay(f"{ranks[third]}H")
        assert drawn == expected_draws(player, banker, third)


def expected_draws(player, banker, third):
    if player >= 8 or banker >= 8:
        return []
    if player >= 6:
        return ["banker"] if banker <= 5 else []
    stands = {3: [8], 4: [0, 1, 8, 9], 5: [0, 1, 2, 3, 8, 9], 6: [0, 1, 2, 3, 4, 5, 8, 9], 7: list(range(10))}
    return ["player"] if third in stands.get(banker, []) else ["player", "banker"]


def test_no_card_can_be_laid_when_none_is_due():
    shoe = ShoeRound(["8S", "KS"], ["2S", "3S"])
    with pytest.raises(ValueError, match="no card is due"):
        shoe.lay("AS")


def test_a_seed_shuffles_reproducibly_and_keeps_every_card():
    assert (
        shuffled_cards(FULL_DECK, 8, seed=7)
        == shuffled_cards(FULL_DECK, 8, seed=7)
        != shuffled_cards(FULL_DECK, 8, seed=8)
    )
    assert sorted(shuffled_cards(FULL_DECK, 2, seed=1)) == sorted(shuffled_cards(FULL_DECK, 1, seed=2) * 2)
    assert len(set(shuffled_cards(FULL_DECK, 1, seed=1))) == 52


def test_an_empty_shoe_gives_no_card_and_says_nothing():
    line = PortlessAngelEye(cards=[])
    assert line.shoe.draw() is line.shoe.draw(unreadable=True) is line.shoe.burn_card() is None
    assert line.sent == b""


def test_every_telegram_is_sent_three_times_with_the_next_number():
    line = PortlessAngelEye(seed=1)
    for _ in range(20):
        line.shoe.burn_card()
    frames = [line.sent[start : start + 8] for start in range(0, len(line.sent), 8)]
    assert frames[0::3] == frames[1::3] == frames[2::3]
    assert "".join(chr(frame[1]) for frame in frames[::3]) == "12345678912345678912"


def test_an_unreadable_card_slid_again_is_read_in_place():
    line = PortlessAngelEye(cards=NATURAL)
    assert line.shoe.draw() == "8S"
    assert line.shoe.draw(unreadable=True) == "KH"
    assert line.kinds() == [CardRead, CardUnreadable]
    assert line.codec.error_mode
    assert line.shoe.redraw() == "KH"
    cleared, card = line.news()
    assert isinstance(cleared, ShoeErrorCleared)
    assert places([card]) == [("banker", 1, "KH")]
    assert not line.codec.error_mode
    assert line.shoe.redraw() is None


def test_a_blank_card_is_unreadable_at_its_place_until_redrawn():
    line = PortlessAngelEye(cards=BOTH_DRAW)
    assert (line.shoe.draw(), line.shoe.blank(), line.shoe.redraw(), line.shoe.draw()) == ("2S", "3H", "3H", "3D")
    (first, blank, again, last) = line.news()
    assert isinstance(blank, CardUnreadable)
    assert (blank.place, blank.position, blank.error_mode) == ("banker", 1, False)
    assert places([first, again, last]) == [("player", 1, "2S"), ("banker", 1, "3H"), ("player", 2, "3D")]
    assert not line.codec.error_mode


def test_a_blank_from_a_locked_or_empty_shoe_is_none():
    line = PortlessAngelEye(cards=["2S"])
    line.shoe.lock_key(locked=True)
    assert (line.shoe.blank(), line.shoe.blank()) == ("2S", None)
    assert line.shoe.redraw() is None


def test_a_card_drawn_in_error_mode_is_outside_the_game():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.error(3)
    line.shoe.draw()
    error, card = line.news()
    assert (error.code, error.error_mode) == (3, True)
    assert (card.card, card.in_game) == ("8S", False)
    assert line.shoe.due == "player"


def test_an_error_outside_error_mode_stops_nothing():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.error(7, error_mode=False)
    line.shoe.draw()
    error, card = line.news()
    assert (error.error_mode, card.in_game) == (False, True)


def test_a_card_after_the_result_without_standby_is_an_overdraw():
    line = PortlessAngelEye(cards=[*NATURAL, "2C"], stands_by=False)
    for _ in range(5):
        line.shoe.draw()
    *_, result, error = line.news()
    assert isinstance(result, ShoeResult)
    assert isinstance(error, ShoeError)
    assert error.code == 2
    line = PortlessAngelEye(cards=[*NATURAL, "2C"])
    for _ in range(5):
        line.shoe.draw()
    assert places(line.news())[-1] == ("player", 1, "2C")


def test_after_an_overdraw_stand_by_opens_a_new_round():
    line = PortlessAngelEye(cards=[*NATURAL, "2C", "3C"], stands_by=False)
    for _ in range(5):
        line.shoe.draw()
    line.shoe.cancel_error()
    line.shoe.stand_by()
    line.shoe.draw()
    assert places(line.news())[-1] == ("player", 1, "3C")


def test_a_forced_quit_forgets_the_round():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.draw()
    line.shoe.force_quit()
    line.shoe.draw()
    card, result, stand_by, again = line.news()
    assert (card.position, result.winner, again.place, again.position) == (1, "forced_quit", "player", 1)
    assert isinstance(stand_by, StandBy)


def test_a_shoe_change_is_the_cutting_card_then_a_start():
    line = PortlessAngelEye(cards=[])
    line.shoe.change_shoe(cards=["2C"])
    assert line.kinds() == [CutCard, ShoeStarted]
    assert line.shoe.cards_left == 1
    line.shoe.change_shoe(seed=1)
    assert line.shoe.cards_left == 416


@pytest.mark.parametrize("place", ["burn", "first_card", "burn_count"])
def test_a_burnt_card_is_reported_and_dealt_to_no_hand(place):
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.burn_card(place)
    assert places(line.news()) == [(place, None, "8S")]
    assert line.shoe.due == "player"


def test_a_locked_shoe_reports_a_card_as_outside_the_game():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.lock_key(locked=True)
    line.shoe.draw()
    line.shoe.lock_key(locked=False)
    line.shoe.draw()
    locked, outside, unlocked, card = line.news()
    assert (locked, unlocked) == (LockChanged(True, locked.raw), LockChanged(False, unlocked.raw))
    assert (outside.in_game, card.in_game, card.position) == (False, True, 1)


def test_a_start_forgets_lock_error_and_round():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.draw()
    line.shoe.lock_key(locked=True)
    line.shoe.error(3)
    line.shoe.start()
    assert (line.shoe.locked, line.shoe.error_code, line.shoe.due) == (False, None, "player")


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("copies", [1, 2])
def test_damaged_copies_are_garbage_a_good_copy_is_read(copies, torn):
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.garble(copies, torn=torn)
    line.shoe.draw()
    line.shoe.draw()
    assert line.kinds() == [*[Garbage] * copies, CardRead, CardRead]


def test_a_damaged_copy_differs_by_one_bit():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.garble(1)
    line.shoe.lock_key(locked=True)
    damaged, good, _ = (line.sent[len(line.sent) * part // 3 :][: len(line.sent) // 3] for part in range(3))
    assert sum((one ^ other).bit_count() for one, other in zip(damaged, good, strict=True)) == 1


def test_a_telegram_damaged_in_every_copy_is_lost():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.draw()
    line.shoe.garble(3)
    line.shoe.draw()
    line.shoe.draw()
    assert line.kinds() == [CardRead, Garbage, Garbage, Garbage, TelegramLost, CardRead]


def test_a_lock_by_command_blocks_the_outlet_until_unlocked():
    line = PortlessAngelEye(cards=NATURAL)
    assert line.command(line.codec.lock()) == [CommandAccepted()]
    line.shoe.draw()
    assert line.command(line.codec.unlock())[1:] == [CommandAccepted()]
    line.shoe.draw()
    assert [event.position for event in line.news()] == [1]


def test_an_error_cancelled_by_command_is_reported_after_the_answer():
    line = PortlessAngelEye(cards=NATURAL)
    line.shoe.error(3)
    line.news()
    accepted, cleared = line.command(line.codec.cancel_error(3))
    assert accepted == CommandAccepted()
    assert cleared.code == 3
    assert line.shoe.error_code is None


def test_a_process_confirmation_is_accepted():
    line = PortlessAngelEye(cards=NATURAL)
    assert line.command(line.codec.confirm_process()) == [CommandAccepted()]


@pytest.mark.parametrize(
    ("text", "code"), [(b"OPEC03", 0xFF), (b"OPLK03", 0x11), (b"OPGP01", 0x11), (b"OPXX01", 0x14), (b"QPLK02", 0x13)]
)
def test_a_command_it_cannot_carry_out_is_refused(text, code):
    line = PortlessAngelEye(cards=NATURAL)
    line.codec.confirm_process()  # the codec now waits for an answer
    (refused,) = line.command(text_frame(text, with_stx=True))
    assert isinstance(refused, CommandRefused)
    assert refused.code == code
    assert not line.shoe.locked


def test_a_torn_command_is_refused_and_the_next_one_taken():
    line = PortlessAngelEye(cards=NATURAL)
    line.codec.lock()
    whole = line.codec.lock()
    refused, accepted = line.command(whole[:4] + whole)
    assert (refused.code, accepted) == (0x03, CommandAccepted())


def test_bytes_that_are_no_command_are_left_unanswered():
    line = PortlessAngelEye(cards=NATURAL)
    assert line.command(b"hello\x06\x15\x01") == []


def test_rounds_are_dealt_over_a_real_port(port):
    async def run():
        shoe = EmulatedAngelEye(port, cards=NATURAL + BOTH_DRAW)
        shoe.plug()
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
            shoe.start()
            while shoe.draw():
                pass
            await host.hears(ShoeStarted, *[CardRead] * 4, ShoeResult, StandBy, *[CardRead] * 6, ShoeResult, StandBy)

    asyncio.run(run())


def test_a_card_drawn_while_unplugged_is_missed(port):
    async def run():
        shoe = EmulatedAngelEye(port, cards=NATURAL)
        shoe.plug()
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
            shoe.draw()
            await host.hears(CardRead)
            shoe.unplug()
            await host.hears(Lost)
            shoe.draw()
            shoe.plug()
            await host.hears(Found)
            shoe.draw()
            (card,) = await host.hears(CardRead)
            assert (card.place, card.position, card.card) == ("player", 2, "TD")

    asyncio.run(run())


@pytest.mark.parametrize("with_stx", [True, False])
def test_a_lock_reaches_the_shoe_whichever_check_it_expects(port, with_stx):
    async def run():
        shoe = EmulatedAngelEye(port, cards=NATURAL, bcc_with_stx=with_stx)
        shoe.watch()
        shoe.plug()
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
            assert host.link.send(host.codec.lock())
            await host.hears(CommandAccepted)
            assert shoe.locked

    asyncio.run(run())


def test_commands_are_answered_after_a_replug_too(port):
    async def run():
        shoe = EmulatedAngelEye(port, cards=NATURAL)
        shoe.plug()
        shoe.watch()
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
            shoe.unplug()
            await host.hears(Lost)
            shoe.plug()
            await host.hears(Found)
            assert host.link.send(host.codec.lock())
            await host.hears(CommandAccepted)

    asyncio.run(run())


def test_a_card_drawn_before_the_port_is_opened_is_missed(port):
    async def run():
        shoe = EmulatedAngelEye(port, cards=NATURAL)
        shoe.plug()
        shoe.draw()
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
            shoe.draw()
            (card,) = await host.hears(CardRead)
            assert card.card == "KH"

    asyncio.run(run())


def test_a_port_nobody_reads_never_blocks_the_shoe(port):
    shoe = EmulatedAngelEye(port, seed=1)
    shoe.plug()
    for _ in range(416):
        assert shoe.burn_card()


def test_a_port_can_be_plugged_and_unplugged_twice(port):
    port.plug()
    port.plug()
    assert port.is_plugged
    first = port.link.resolve()
    assert first.is_char_device()
    port.unplug()
    port.unplug()
    assert not port.is_plugged
    assert not port.link.is_symlink()
    assert port.read() == b""
    port.write(b"into the air")


def test_a_port_does_not_take_the_place_of_a_file(port):
    port.link.write_text("precious")
    with pytest.raises(FileExistsError, match="remove it"):
        port.plug()
    assert port.link.read_text() == "precious"


def test_a_link_left_by_a_crash_is_replaced(port):
    port.link.symlink_to("/dev/pts/no-longer")
    port.plug()
    assert port.link.resolve().is_char_device()


def test_a_port_with_no_host_costs_nothing(port):
    """After its last host has closed the port, the emulator does not receive hang-ups without end."""

    async def run():
        calls = 0

        def received(data):
            nonlocal calls
            calls += 1

        port.plug()
        port.watch(received)
        async with Host(port, AngelEye(allow=COMMANDS)) as host:
            await host.hears(Found)
        await turns()
        assert calls == 0

    asyncio.run(run())


def test_a_shoe_whose_round_is_over_is_in_no_round():
    line = PortlessAngelEye(cards=NATURAL, stands_by=False)
    found = [line.shoe.in_round]
    for _ in NATURAL:
        line.shoe.draw()
        found.append(line.shoe.in_round)
    assert found == [False, True, True, True, False]
