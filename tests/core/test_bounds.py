"""Bounds of numbers and stakes: every entrance (API, script, config, floor) refuses the same values."""

import json
from contextlib import suppress

import click
import pytest
from msgspec.structs import replace
from starlette.datastructures import QueryParams

from controller.cli.arguments import CARDS, NUMBER, WHOLE
from controller.config.mistakes import BadConfig, check_numbers
from controller.config.shifts import ShiftsSection
from controller.config.table_file import check
from controller.core import events as e
from controller.core.bounds import MOST_CARDS, MOST_NUMBER, MOST_STAKE
from controller.core.currency import to_amount
from controller.core.house import Limits
from controller.floor.people.act_messages import read_act
from controller.floor.site.history_parameters import parse_search
from controller.floor.storage.table_events import InvalidEvent, decode_event
from controller.script.reader import BadScript, parse
from controller.web.api.command_decoder import MalformedCommand, read, read_seconded
from controller.web.api.command_events import as_event
from controller.web.api.commands import Caller
from controller.web.api.request_parameters import is_number
from controller.web.net.replies import RequestRefused
from tests.core.bench import Bench

NUMBERS = (-(2**70), -1, 0, 1, 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64, 2**70)
STAKES = (*NUMBERS, MOST_STAKE, MOST_STAKE + 1)
REFUSED = (BadConfig, BadScript, RequestRefused, MalformedCommand, InvalidEvent, click.UsageError)


# ── stakes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def by_event(bench, stake):
    bench.do(e.PlaceBet("p", "tie", stake))


def by_script(bench, stake):
    bench.says(f"bet p tie {to_amount(stake, 'EUR'):f}")


def by_api(bench, stake):
    """Place a bet the way a game server does, over HTTP or the bus."""
    body = {"command": "bet", "id": "1", "player": "p", "market": "tie", "stake": stake, "round": 1}
    (command,) = read(json.dumps(body).encode()).commands
    bench.do(as_event(Caller("server", "s", "token:s"), command, bench.state))


STAKE_DOORS = {"an event": by_event, "a script": by_script, "the API": by_api}


@pytest.mark.parametrize("stake", STAKES)
@pytest.mark.parametrize("door", STAKE_DOORS.values(), ids=STAKE_DOORS)
def test_no_door_takes_a_stake_above_the_highest(door, stake):
    bench = Bench()
    bench.says("open")
    with suppress(MalformedCommand):  # the API refuses a number that it cannot read
        door(bench, stake)
    stakes = [bet.stake for bet in bench.state.round.bets.values()]
    assert stakes == ([stake] if 0 < stake <= MOST_STAKE else [])


@pytest.mark.parametrize(
    ("stake", "reason"),
    [(-(2**70), "bad_amount"), (-1, "bad_amount"), (0, "bad_amount"), (MOST_STAKE + 1, "above_maximum"),
     (MOST_NUMBER, "above_maximum"), (MOST_NUMBER + 1, "bad_amount"), (2**70, "bad_amount")],
)  # fmt: skip
@pytest.mark.parametrize("door", [by_event, by_script])
def test_a_stake_beyond_all_numbers_is_no_amount(door, stake, reason):
    bench = Bench()
    bench.says("open")
    door(bench, stake)
    refused = bench.records[-1]
    recorded = stake if abs(stake) <= MOST_NUMBER else None
    assert (refused.what.reason, refused.what.stake) == (reason, recorded or 0)
    assert refused.input.event.stake in (recorded, None)


@pytest.mark.parametrize("stake", [2**53, 2**70])
def test_a_stake_refused_in_a_list_is_recorded_bounded(stake):
    bench = Bench()
    bench.says("open")
    (refused,) = bench.do(e.NotAll(e.PlaceBet("p", "tie", stake), "seat_taken"))
    assert (refused.what.stake, refused.input.event.said.stake) == (0, None)


def test_a_table_without_maxima_has_the_highest_stake():
    bench = Bench("casino_holdem")
    configured = check({"game": {"name": "casino_holdem"}}).house("auto")
    for house in (bench.house, configured):
        assert {limits.maximum for limits in house.limits.values()} == {MOST_STAKE}


@pytest.mark.parametrize(
    ("odds", "most"),
    [("9.00", MOST_STAKE), ("9007.00", MOST_STAKE), ("9007199.25", 10**9), ("69431.00", MOST_NUMBER // 69431)],
)  # the last stake wins exactly the most that a record can hold
def test_no_stake_wins_more_than_a_record_can_hold(odds, most):
    bench = Bench("baccarat", {"betting_windows": 3})
    bench.says("open")
    bench.state = replace(bench.state, round=replace(bench.state.round, odds={"tie": odds}))
    bench.do(e.PlaceBet("p1", "tie", most))
    assert bench.records[-1].kind == "bet_accepted"
    bench.do(e.PlaceBet("p2", "tie", MOST_NUMBER if most == MOST_STAKE else most + 1))
    assert bench.records[-1].what.reason == "above_maximum"


def test_limits_recorded_without_a_maximum_still_take_any_stake():
    bench = Bench(limits={market: Limits(1, None) for market in Bench().house.limits})
    bench.says("open")
    bench.do(e.PlaceBet("p", "tie", 2**70))
    assert bench.records[-1].what.stake == bench.records[-1].input.event.stake == 2**70


@pytest.mark.parametrize(("currency", "most"), [("JPY", 1e12), ("EUR", 1e10), ("KWD", 1e9)])
def test_a_config_sets_limits_up_to_the_highest_stake(currency, most):
    raw = {"table": {"currency": currency}, "game": {"name": "baccarat"}, "limits": {"maximum": most, "prize": most}}
    house = check(raw).house("auto")
    assert {limits.maximum for limits in house.limits.values()} == {house.terms.prize_limit} == {MOST_STAKE}
    for section in ({"limits": {"maximum": most + 1}}, {"limits": {"prize": most + 1}}):
        with pytest.raises(BadConfig, match=r"^limits\.(maximum|prize): expected "):
            check({**raw, **section})


# ── other numbers ────────────────────────────────────────────────────────────────────────────────────────────────


def commanded(**fields):
    return lambda number: read(
        json.dumps({name: number if value is ... else value for name, value in fields.items()}).encode()
    )


def scripted(line):
    return lambda number: parse(line.replace("N", str(number)))


def ruled_by_two(number):
    rule = {"command": "rule", "id": "1", "fault": number, "ruling": "resume", "because": "x"}
    read_seconded(json.dumps({"ruling": rule, "second": {"name": "bea", "pin": "1234"}}).encode())


def parse_number(number):
    if not is_number(str(number)):
        raise MalformedCommand(str(number))


def acted(number):
    read_act(json.dumps({"act": "claim", "table": "t1", "fault": number}).encode())


def event_told(number):
    decode_event("t1", "e1", json.dumps({"seq": 1, "kind": "opened", "round": number}).encode())


def searched(name):
    return lambda number: parse_search(QueryParams({name: str(number)}), ShiftsSection())


def typed(kind):
    return lambda number: kind.convert(str(number), None, None)


def setting(number):
    check_numbers({"game": {"name": "x", "lists": [{"deep": number}]}})


_RULE = {"command": "rule", "id": "1", "ruling": "resume", "because": "x"}
FROM_ONE = {
    "API open": commanded(command="open", id="1", round=...),
    "API close": commanded(command="close", id="1", round=...),
    "API bet": commanded(command="bet", id="1", player="p", market="tie", stake=1, round=...),
    "API unbet": commanded(command="unbet", id="1", player="p", market="tie", round=...),
    "API decide": commanded(command="decide", id="1", who="p", decision="call", question=...),
    "API ack": commanded(command="ack", id="1", fault=...),
    "API rule": commanded(**_RULE, fault=...),
    "API rule draw": commanded(**_RULE, fault=1, draw=...),
    "API second": ruled_by_two,
    "option": typed(NUMBER),
    "floor search number": searched("number"),
}
FROM_NOTHING = {
    "API query": parse_number,
    "floor act": acted,
    "floor event": event_told,
    "floor search above": searched("above"),
    "whole option": typed(WHOLE),
    "open": scripted("open round N"),
    "close": scripted("close round N"),
    "bet": scripted("bet p tie 1.00 round N"),
    "unbet": scripted("unbet p tie round N"),
    "decide": scripted("decide p call question N"),
    "ack": scripted("ack on N"),
    "rule": scripted("rule resume on N by m"),
    "card": scripted("card 9H at player N"),
    "record damaged": scripted("record damaged N"),
    "losing": scripted("journal failed losing N"),
    "babble": scripted("babble shoe N 4"),
    "babble seconds": scripted("babble shoe 600 N"),
    "signing refused": scripted("signing refused N 0 0 0"),
    "handed over": scripted("handed over bo shown N"),
    "refused window": scripted('refused window N saying \'{"kind":"open"}\''),
    "begin": scripted("begin '{\"seq\":N}'"),
}
BELOW_NOTHING = {
    "draw": scripted("rule void N by m"),
    "lost": scripted('record continued e2 lost \'{"epoch":"e","seq":N,"hash":"00"}\''),
    "code": scripted("shoe error N"),
    "limit": scripted('refused limit \'{"of":"bet","left":N}\' saying \'{"kind":"open"}\''),
    "setting": setting,
    "saying": scripted('refused saying \'{"kind":"open","round":N}\''),
}
DOORS = [
    pytest.param(door, least, id=name)
    for least, doors in ((1, FROM_ONE), (0, FROM_NOTHING), (-MOST_NUMBER, BELOW_NOTHING))
    for name, door in doors.items()
]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(("door", "least"), DOORS)
def test_every_door_takes_the_numbers_that_json_carries(door, least, number):
    if least <= number <= MOST_NUMBER:
        door(number)
    else:
        with pytest.raises(REFUSED) as error:
            door(number)
        assert "\n" not in str(error.value)


CARD_DOORS = {
    "API counted": commanded(command="shoe", id="1", do="ready", counted=...),
    "API left": commanded(command="shoe", id="1", do="change", left=...),
    "script counted": scripted("shoe ready S1 N"),
    "script left": scripted("shoe change left N"),
    "option": typed(CARDS),
}


@pytest.mark.parametrize("cards", [-1, 0, MOST_CARDS, MOST_CARDS + 1, 2**70])
@pytest.mark.parametrize("door", CARD_DOORS.values(), ids=CARD_DOORS)
def test_every_door_takes_the_same_numbers_of_counted_cards(door, cards):
    if 0 <= cards <= MOST_CARDS:
        door(cards)
    else:
        with pytest.raises(REFUSED):
            door(cards)


def test_a_refusal_names_the_number_and_its_place():
    with pytest.raises(
        BadScript, match=r"^line 2: expected a whole number up to 9007199254740991, got '9007199254740992'"
    ):
        parse("open\nack on 9007199254740992")
    bets = [{"command": "bet", "id": "1", "player": "p", "market": "tie", "round": 1, "stake": n} for n in (1, 2**53)]
    with pytest.raises(MalformedCommand, match=r"expected `int` <= 9007199254740991 - at `\$\[1\]\.stake`"):
        read(json.dumps(bets).encode())
    with pytest.raises(BadConfig, match=r"^game\.lists\.0\.deep: expected a whole number from -9007199254740991 to "):
        setting(2**53)


@pytest.mark.parametrize("key", ["", "x" * 401])
def test_a_floor_takes_no_empty_and_no_endless_key(key):
    with pytest.raises(MalformedCommand, match="length"):
        read_act(json.dumps({"act": "acknowledge", "key": key}).encode())
    assert read_act(json.dumps({"act": "acknowledge", "key": key[:400] or "x"}).encode())
