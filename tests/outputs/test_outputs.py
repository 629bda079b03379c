"""Key lights and shoe commands: they follow from the state of the table alone."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.core.events import CardOut, KeyPressed, ShoeFails
from controller.core.house import House, Terms
from controller.core.life import STATES
from controller.core.open_fault import Fault, QueuedReport
from controller.core.records import DeviceFound, Record
from controller.core.shoe import Shoe
from controller.core.state import Round, State
from controller.games import GAMES
from controller.outputs.keys import KeyLights, Lamps, lights
from controller.outputs.shoe import ShoeCommands, is_open
from controller.rules.procedure import Ask, Deal, Reveal
from drivers.events import CardUnreadable, Found, ShoeError, ShoeErrorCleared, ShoeStarted
from drivers.panels import Colour, Light, panel_codec
from drivers.shoes.angel_eye import AngelEye

BACCARAT = House(GAMES["baccarat"], GAMES["baccarat"].settings())
BLACKJACK = House(GAMES["blackjack"], GAMES["blackjack"].settings())  # a new deck for every round
READY = State(open=True, dealer="d", shoe=Shoe(game="baccarat", size=312))
KEYS = {"open": 0, "close": 1, "finish": 2, "shuffled": 3, "manager": 5}


def confirmed(state):
    """Return the state with rules in which the dealer confirms the result."""
    return replace(state, round=replace(state.round, terms=Terms(confirm="dealer")))


def table(state, due=None, halted=None):
    """Return what the outputs read of a table."""
    return SimpleNamespace(state=state, due=due, halted=halted, house=BACCARAT)


@pytest.mark.parametrize(
    ("life", "lit"),
    [("idle", "open"), ("betting", None), ("complete", "finish"), ("settled", "open"), ("cancelled", "open")],
)
def test_the_key_of_the_next_step_alone_is_lit(life, lit):
    burning = {
        name
        for name, light in lights(BACCARAT, confirmed(replace(READY, life=life)), None).items()
        if light is Light.ON
    }
    assert burning & {"open", "close", "finish"} == ({lit} if lit else set())


def test_the_manager_key_flashes_while_the_round_is_paused():
    assert lights(BACCARAT, replace(READY, life="paused"), None)["manager"] is Light.FLASH


def test_shuffled_is_lit_only_where_a_new_deck_is_wanted():
    full = replace(READY, shoe=Shoe(game="blackjack", size=416))
    wanting = lights(BLACKJACK, full, None)
    assert (wanting["shuffled"], wanting["open"]) == (Light.ON, Light.OFF)
    ready = lights(BLACKJACK, replace(full, shoe=replace(full.shoe, shuffled=True)), None)
    assert (ready["shuffled"], ready["open"]) == (Light.OFF, Light.ON)
    assert lights(BACCARAT, READY, None)["shuffled"] is Light.OFF


def test_open_stays_dark_without_a_dealer():
    assert lights(BACCARAT, replace(READY, dealer=None), None)["open"] is Light.OFF


def test_open_stays_dark_while_the_shoe_is_changed_or_low():
    for shoe in (replace(READY.shoe, changing=True), replace(READY.shoe, size=30)):
        assert lights(BACCARAT, replace(READY, shoe=shoe), None)["open"] is Light.OFF


def test_finish_is_lit_while_a_reveal_waits_for_it():
    round_ = Round(terms=Terms(reveal="dealer"))
    state = replace(READY, life="dealing", round=round_)
    assert lights(BACCARAT, state, Reveal("dealer"))["finish"] is Light.ON
    assert lights(BACCARAT, replace(state, round=Round()), Reveal("dealer"))["finish"] is Light.OFF


def test_finish_stays_dark_where_the_shoe_confirms():
    by_shoe = replace(READY, life="complete", round=Round(terms=Terms(confirm="shoe")))
    assert lights(BACCARAT, by_shoe, None)["finish"] is Light.OFF


class PluggedPanel:
    """Plugged-in XK-24 panel, and the reports sent to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.keys = KeyLights(Lamps(XK24), KEYS, self.sent.append)

    def shows(self, state=READY, halted=None) -> list[bytes]:
        """Show this state; return the reports that were sent for it."""
        before = len(self.sent)
        self.keys.show(table(state, halted=halted), [])
        return self.sent[before:]

    def plugged_in(self) -> list[bytes]:
        """Plug the panel in; return the reports that were sent."""
        before = len(self.sent)
        self.keys.hear(Found("usb at 1-1"))
        return self.sent[before:]


XK24 = panel_codec("xk24")
OPEN_ON, MANAGER_ON = XK24.backlight(0, Light.ON, Colour.BLUE), XK24.backlight(5, Light.ON, Colour.RED)
OPEN_OFF, MANAGER_OFF = XK24.backlight(0, Light.OFF, Colour.BLUE), XK24.backlight(5, Light.OFF, Colour.RED)


def test_a_light_is_sent_only_when_it_changes():
    panel = PluggedPanel()
    assert set(panel.shows()) == {OPEN_ON, MANAGER_ON}
    assert panel.shows() == []
    assert panel.shows(replace(READY, life="betting")) == [OPEN_OFF]


@pytest.mark.parametrize("halted", [None, "disk full"])
def test_a_connected_panel_gets_the_state_of_every_lamp(halted):
    panel = PluggedPanel()
    panel.shows()
    panel.shows(halted=halted)
    reports = panel.plugged_in()
    assert {report[1] for report in reports} == {key + bank for key in XK24.keys for bank in (0, 32)}
    assert [report for report in reports if report[2]] == ([] if halted else [OPEN_ON, MANAGER_ON])


def test_on_connecting_lit_lamps_are_sent_last():
    panel = PluggedPanel()
    panel.shows()
    assert [report[1] % 32 for report in panel.plugged_in()][-2:] == [0, 5]


def test_lights_are_off_during_a_halt_and_restored_after():
    panel = PluggedPanel()
    panel.shows()
    assert panel.shows(halted="disk full") == [OPEN_OFF, MANAGER_OFF]
    assert panel.shows() == [OPEN_ON, MANAGER_ON]


@pytest.mark.parametrize("life", STATES)
def test_the_manager_key_is_lit_in_every_state(life):
    assert lights(BACCARAT, replace(READY, life=life), None)["manager"] is not Light.OFF


def paused(code):
    """Return a state paused by this fault."""
    return replace(READY, life="paused", paused_from="dealing", fault=Fault(1, code, "", "", ()))


def test_the_outlet_is_open_only_while_a_card_is_due():
    assert is_open(replace(READY, life="dealing"), Deal("player"))
    assert not is_open(replace(READY, life="betting"), None)
    assert not is_open(replace(READY, life="deciding"), Ask(("p",), ("call", "fold"), "fold"))
    assert not is_open(replace(READY, life="settled"), None)
    assert not is_open(paused("extra_card"), Deal("player"))


def test_the_outlet_is_open_for_rescans_and_shoe_changes():
    assert is_open(paused("unread_card"), Deal("player"))
    assert is_open(replace(READY, shoe=Shoe(changing=True)), None)


@pytest.fixture
def commands() -> tuple[ShoeCommands, list[bytes]]:
    """Return the commands of an Angel Eye shoe that allows `lock` and `cancel_error`, and the sent bytes."""
    sent: list[bytes] = []

    def send(data: bytes) -> bool:
        sent.append(data)
        return True

    codec = AngelEye(allow=frozenset({"lock", "cancel_error"}))
    return ShoeCommands(codec, frozenset({"lock", "cancel_error"}), send, READY), sent


# from captures/angel_eye_commands.hex; the third is composed in the same way
LOCK, UNLOCK, CANCEL_4 = b"\x02OPLK02\x031B", b"\x02OPLK01\x0318", b"\x02OPEC04\x031C"
CANCEL_1 = b"\x02OPEC01\x0319"


def test_the_shoe_is_unlocked_only_while_a_card_is_due(commands):
    shoe, sent = commands
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    shoe.show(table(replace(READY, life="dealing"), Deal("banker")), [])
    shoe.show(table(replace(READY, life="complete")), [])
    assert sent == [UNLOCK, LOCK]


def test_a_halted_table_locks_its_shoe(commands):
    shoe, sent = commands
    shoe.show(table(replace(READY, life="dealing"), Deal("player"), halted="disk full"), [])
    assert sent == [LOCK]


def test_a_reconnected_shoe_gets_its_command_again(commands):
    shoe, sent = commands
    shoe.show(table(READY), [])
    shoe.show(table(READY), [Record(1, 0, "t", DeviceFound("shoe"))])
    assert sent == [LOCK, LOCK]


def test_an_error_is_cancelled_once_the_manager_has_ruled(commands):
    shoe, sent = commands
    shoe.hear(ShoeError(4, "reverse run at exit", error_mode=True))
    shoe.show(table(paused("shoe_error"), Deal("player")), [])
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    assert sent == [LOCK, UNLOCK, CANCEL_4]


@pytest.mark.parametrize("end", [ShoeErrorCleared(1), ShoeStarted()])
def test_an_error_that_the_shoe_has_ended_is_not_cancelled(commands, end):
    shoe, sent = commands
    shoe.hear(CardUnreadable())
    shoe.hear(end)
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    assert sent == [UNLOCK]


@pytest.mark.parametrize(("error_mode", "then"), [(True, [CANCEL_1]), (False, [])])
def test_only_a_shoe_in_error_mode_is_told_to_cancel(commands, error_mode, then):
    shoe, sent = commands
    shoe.hear(CardUnreadable(error_mode=error_mode))
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    assert sent == [UNLOCK, *then]


def test_no_error_is_cancelled_while_the_table_is_halted(commands):
    shoe, sent = commands
    shoe.hear(CardUnreadable())
    shoe.show(table(replace(READY, life="dealing"), Deal("player"), halted="disk full"), [])
    assert sent == [LOCK]


def test_an_error_is_cancelled_once_the_shoe_is_back():
    sent: list[bytes] = []
    taken = iter([False, True])
    allow = frozenset({"cancel_error"})
    shoe = ShoeCommands(AngelEye(allow=allow), allow, lambda data: next(taken) and not sent.append(data), READY)
    shoe.hear(ShoeError(4, "reverse run at exit", error_mode=True))
    for _ in range(3):
        shoe.show(table(replace(READY, life="cancelled")), [])
    assert sent == [CANCEL_4]


RESTARTED = {
    "the open fault": (ShoeFails(4, "reverse run at exit"), (), [CANCEL_4]),
    "a card not read": (CardOut(None), (), [CANCEL_1]),
    "a report behind it": (KeyPressed("manager"), (QueuedReport(2, ShoeFails(4, "reverse run at exit")),), [CANCEL_4]),
    "the second report behind it": (
        KeyPressed("manager"),
        (QueuedReport(2, CardOut("9H")), QueuedReport(3, CardOut(None)), QueuedReport(4, ShoeFails(4, "reverse"))),
        [CANCEL_1],
    ),
    "a card that was read": (CardOut("9H"), (), []),
}


@pytest.mark.parametrize(("came", "waiting", "then"), RESTARTED.values(), ids=RESTARTED)
def test_an_error_from_before_a_restart_is_cancelled_too(came, waiting, then):
    sent: list[bytes] = []
    allow = frozenset({"cancel_error"})
    open_fault = replace(paused("shoe_error"), fault=Fault(1, "shoe_error", None, came, ()), waiting=waiting)
    shoe = ShoeCommands(AngelEye(allow=allow), allow, lambda data: not sent.append(data), open_fault)
    shoe.show(table(open_fault), [])
    shoe.show(table(replace(READY, life="dealing"), Deal("player")), [])
    assert sent == then


def test_a_listen_only_shoe_is_sent_nothing():
    sent: list[bytes] = []
    shoe = ShoeCommands(AngelEye(), frozenset(), lambda data: bool(sent.append(data)), READY)
    shoe.hear(ShoeError(4, "reverse run at exit", error_mode=True))
    shoe.show(table(READY), [])
    assert sent == []
