"""Commands: rights of each role, refusal of malformed commands, and the core's event for each."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from controller.core import events as e
from controller.core.fault_catalogue import CATALOGUE
from controller.core.state import Round, State
from controller.script import lines as script
from controller.text.refusals import WORDS, refusal_sentence
from controller.web.api import commands as c
from controller.web.api.command_decoder import MalformedCommand, SentCommands, read
from controller.web.api.command_events import as_event
from controller.web.api.commands import Caller, Forbidden
from controller.web.api.staff import permit

ANNA = Caller("manager", "anna", "unix:anna")
EVERY = {c.word(kind(id="1", **fields)): kind(id="1", **fields) for kind, fields in {
    c.OpenCommand: {}, c.CloseCommand: {}, c.ShuffledCommand: {},
    c.Press: {"key": "finish"}, c.ShoeCommand: {"do": "change"},
    c.TableDoor: {"do": "close"}, c.DealerCommand: {"name": "d2"}, c.LeaveCommand: {},
    c.RuleCommand: {"fault": 7, "ruling": "burn", "because": "stuck"}, c.AcknowledgeCommand: {"fault": 7},
    c.ResettleCommand: {"round": 3, "amendments": [c.Correction("correct", 2, "9H")], "because": "misread"},
    c.DismissCommand: {"case": 7, "because": "a chip fell"},
    c.BetCommand: {"player": "p1", "market": "banker", "stake": 1000, "round": 3},
    c.Unbet: {"player": "p1", "market": "banker", "round": 3},
    c.Decide: {"who": "p1", "decision": "call", "question": 9}, c.GoneCommand: {"player": "p1"},
    c.Back: {"player": "p1"},
}.items()}  # fmt: skip

AT_THE_TABLE = {"open", "close", "shuffled", "press", "shoe", "leave"}
ALLOWED = {
    "manager": AT_THE_TABLE | {"table", "dealer", "rule", "ack", "resettle", "dismiss"},
    "dealer": AT_THE_TABLE,
    "server": {"open", "close", "bet", "unbet", "decide", "gone", "back"},
    "player": set(),
}


def test_the_list_of_commands_has_every_kind():
    assert {type(command) for command in EVERY.values()} == set(get_args(c.Command))


@pytest.mark.parametrize("role", ALLOWED)
@pytest.mark.parametrize("word", EVERY)
def test_a_role_may_send_exactly_its_own_commands(role, word):
    caller = Caller(role, "x", "unix:x")
    if word in ALLOWED[role]:
        permit(caller, EVERY[word])
    else:
        with pytest.raises(Forbidden, match=f"{word} is for the .*, not for the {role}"):
            permit(caller, EVERY[word])


@pytest.mark.parametrize("word", EVERY)
def test_every_command_is_read_as_it_was_written(word):
    assert read(msgspec.json.encode(EVERY[word])) == SentCommands([EVERY[word]])
    assert read(b" [" + msgspec.json.encode(EVERY[word]) + b"]") == SentCommands([EVERY[word]])


def test_commands_that_belong_together_are_read_as_such():
    body = {"all": True, "commands": [EVERY["open"], EVERY["bet"]]}
    assert read(msgspec.json.encode(body)) == SentCommands([EVERY["open"], EVERY["bet"]], together=True)


@pytest.mark.parametrize("word", EVERY)
def test_every_command_becomes_an_event_of_the_core(word):
    assert isinstance(as_event(ANNA, EVERY[word], State()), e.Event)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "input data was truncated"),
        ("[]", "expected `array` of length >= 1"),
        ("7", "expected `object`, got `int`"),
        ('{"id": "1"}', "object missing required field `command`"),
        ('{"command": "open"}', "object missing required field `id`"),
        ('{"command": "jump", "id": "1"}', "invalid value 'jump' - at `$.command`"),
        ('[{"command": "open", "id": "1"}, {"command": "open", "id": "2", "x": 1}]', "field `x` - at `$[1]`"),
        ('{"command": "open", "id": "a\\nb"}', "got U+000A - at `$.id`"),
        ('{"command": "open", "id": "a\\n"}', "got U+000A - at `$.id`"),
        ('{"command": "open", "id": "\\u001b[2J"}', "expected characters that can be seen, got U+001B - at `$.id`"),
        ('{"command": "open", "id": ""}', "`str` of length >= 1 - at `$.id`"),
        ('{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": "5"}', "got `str` - at `$.stake`"),
        ('{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": 5.0}', "got `float` - at `$.stake`"),
        ('{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": true}', "got `bool` - at `$.stake`"),
        ('{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": -1}', "at `$.stake`"),
        ('{"command": "ack", "id": "1"}', "missing required field `fault`"),
        ('{"command": "rule", "id": "1", "fault": 1, "ruling": "burn", "because": ""}', "at `$.because`"),
        ('{"command": "rule", "id": "1", "fault": 1, "ruling": "burn", "because": "  "}', "at `$.because`"),
        ('{"command": "rule", "id": "1", "fault": 1, "ruling": "burn", "because": "x", "card": "1H"}', "at `$.card`"),
        ('{"command": "open", "id": "\\ud800 and more"}', "surrogate"),
        ('{"all": false, "commands": [{"command": "open", "id": "1"}]}', "expected `true`, or a list"),
        ('{"all": true, "commands": []}', "`array` of length >= 1 - at `$.commands`"),
        ('{"all": true, "commands": [{"command": "ack", "id": "1", "fault": 1}]}', "invalid value 'ack'"),
        ('{"all": true, "commands": [{"command": "gone", "id": "1", "player": "a\\nb"}]}', "at `$.commands[0].player`"),
        (
            '{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": 5}',
            "missing required field `round`",
        ),
        ('{"command": "decide", "id": "1", "who": "p1", "decision": "call"}', "required field `question`"),
    ],
)
def test_a_malformed_command_is_refused_with_its_path(body, said):
    with pytest.raises(MalformedCommand, match=re.escape(said)):
        read(body.encode())


@pytest.mark.parametrize(
    "body", [b"[" * 10**6, b'{"command":"open","id":"1","x":' + b"[" * 10**6, b"\xff\xfe", b"[\x00"]
)
def test_invalid_utf_8_and_unclosed_json_are_malformed(body):
    with pytest.raises(MalformedCommand):
        read(body)


@pytest.mark.parametrize(
    "body",
    [
        '{"command":"bet","id":"a","player":"p1","market":"player","stake":2500,"round":4,"window":1e400}',
        '{"command":"bet","id":"a","player":"p1","market":"player","stake":2500.0,"round":4,"odds":NaN}',
        '{"command":"open","id":"a","round":1e400}',
        '{"command":"dealer","id":"a","name":-1e999}',
        '{"command":"unbet","id":"a","player":"p1","market":"player","round":4.0,"bet":-Infinity}',
    ],
)
def test_infinite_numbers_and_nan_are_malformed(body):
    with pytest.raises(MalformedCommand):
        read(body.encode())


def test_a_command_counts_for_its_named_person_or_the_login():
    assert as_event(ANNA, EVERY["ack"], State()) == e.Acknowledge("anna", 7)
    named = msgspec.structs.replace(EVERY["ack"], by="bert")
    assert as_event(ANNA, named, State()) == e.Acknowledge("bert", 7)


@pytest.mark.parametrize("state", [State(dealer="anna"), State(round=Round(dealer="anna"))])
def test_a_dealer_cannot_rule_under_another_name(state):
    named = msgspec.structs.replace(EVERY["rule"], by="bert")
    assert as_event(ANNA, named, state).by == "anna"


def test_commands_of_game_server_and_dealer_name_their_role():
    assert as_event(Caller("server", "root", "unix:root"), EVERY["close"], State()) == e.Close("server")
    assert as_event(Caller("dealer", "root", "unix:root"), EVERY["open"], State()) == e.Open("dealer")


def test_a_card_has_many_spellings_and_one_name():
    (command,) = read(b'{"command":"rule","id":"1","fault":1,"ruling":"enter","because":"x","card":"10h"}').commands
    assert as_event(ANNA, command, State()).card == "TH"


def test_the_command_rulings_equal_those_of_catalogue_and_scripts():
    rulings = {form.fixed["ruling"] for form in script.FORMS if form.event is e.Rule}
    of_faults = {ruling for entry in CATALOGUE.values() for ruling in entry.rulings}
    assert rulings == set(get_args(e.Ruling)) == of_faults | {"extend"}


SOURCES = Path(script.__file__).parents[1] / "core" / "decide"
REASON = re.compile(r'(?:, |return |or |if )"([a-z]+(?:_[a-z]+)+)"')
NO_REASONS = {"card_before_close"} | set(CATALOGUE)


def test_every_reason_of_the_core_has_a_sentence():
    reasons = {
        reason
        for name in ("bets", "rounds", "decisions", "rulings", "shoe_change", "table")
        for reason in REASON.findall((SOURCES / f"{name}.py").read_text(encoding="utf-8"))
    } - NO_REASONS
    assert {"own_round", "betting_closed", "shoe_low", "too_late"} <= reasons
    assert reasons <= set(WORDS)


def test_a_reason_without_a_sentence_is_its_word():
    assert refusal_sentence("moon_too_bright") == "moon too bright"


@pytest.mark.parametrize(("stake", "taken"), [("1000.0", 1000), ("1e3", 1000), ("1000.5", None), ("1e300", None)])
def test_a_whole_number_is_one_however_it_is_written(stake, taken):
    body = f'{{"command": "bet", "id": "1", "player": "p1", "market": "tie", "stake": {stake}, "round": 1}}'.encode()
    if taken is None:
        with pytest.raises(MalformedCommand, match=r"expected `int`, got `float` - at `\$.stake`"):
            read(body)
    else:
        assert read(body).commands[0].stake == taken
