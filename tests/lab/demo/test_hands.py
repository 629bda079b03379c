"""Hands that deal at a remote table: the commands they send, and the errors they make."""

import asyncio
import random
from collections import Counter
from itertools import islice

import pytest

from controller.lab.demo import hands as module
from controller.lab.demo.hands import RemotePlayers, errors
from controller.lab.demo.plan import ERRORS
from drivers.emulators.angel_eye import EmulatedAngelEye
from tests.lab.demo.far_table import BACCARAT, EACH_ROUND, RemoteTable, dealing, state
from tests.patience import on_loop, turns


@pytest.mark.parametrize(
    ("reasons", "sent"),
    [
        ([None], ["open"]),
        (["not_shuffled", None, None], ["open", "shuffled", "open"]),
        (["shoe_low", None, None, None], ["open", "shoe change", "shoe cut", "shoe ready", "open"]),
        (["cut_card_out", None, None, None], ["open", "shoe change", "shoe cut", "shoe ready", "open"]),
        (["deck_suspect", None, None, None], ["open", "shoe change", "shoe cut", "shoe ready", "open"]),
    ],
)
def test_hands_do_what_a_round_needs_before_it_opens(reasons, sent):
    async def steps():
        table = RemoteTable(*reasons)
        await dealing(table).open_round()
        commands = [" ".join(filter(None, (one["command"], one.get("do")))) for one in table.sent]
        assert commands == sent
        assert [one["counted"] for one in table.sent if one.get("do") == "ready"] == [416 - 104] * (
            "shoe ready" in sent
        )

    on_loop(steps)


def test_a_closed_table_is_asked_again_once_something_is_recorded():
    async def steps():
        table = RemoteTable("table_closed")
        opening = asyncio.create_task(dealing(table).open_round())
        await turns(20)
        assert [one["command"] for one in table.sent] == ["open"]
        table._see(state(seq=8))
        await opening
        assert [one["command"] for one in table.sent] == ["open", "open"]

    on_loop(steps)


@pytest.mark.parametrize(("changing", "sent"), [(True, ["open", "shoe", "shoe", "shoe", "open"]), (False, ["open"])])
def test_a_missing_shoe_is_put_in_only_at_a_change(changing, sent):
    async def steps():
        table = RemoteTable("shoe_missing")
        table._then = state(seq=8, shoe={"left": 300, "changing": changing})
        opening = asyncio.create_task(dealing(table).open_round())
        await turns()
        assert [one["command"] for one in table.sent] == sent
        opening.cancel()

    on_loop(steps)


def test_a_shoe_with_few_cards_is_changed_before_the_round():
    async def steps():
        table, few = RemoteTable(), module.FEW
        hands = dealing(table)
        while hands.device.cards_left >= few:
            hands.device.draw()
        await hands.open_round()
        assert [one["command"] for one in table.sent] == ["shoe", "shoe", "shoe", "open"]
        each = dealing(other := RemoteTable(), EACH_ROUND)
        while each.device.cards_left >= few:
            each.device.draw()
        await each.open_round()
        assert [one["command"] for one in other.sent] == ["open"]

    on_loop(steps)


def test_a_live_round_and_an_empty_shoe_open_nothing():
    async def steps():
        table = RemoteTable()
        table.state = state("dealing")
        await dealing(table).open_round()
        hands = dealing(table, given=True)
        hands.empty = True
        await hands.open_round()
        assert table.sent == []

    on_loop(steps)


def test_the_cards_that_were_given_are_never_filled_up():
    async def steps():
        table = RemoteTable("not_shuffled")
        hands = dealing(table, given=True)
        await hands.open_round()
        assert (hands.empty, [one["command"] for one in table.sent]) == (True, ["open", "shuffled"])
        again = dealing(RemoteTable(), given=True)
        again.round_over()
        assert not again.empty
        while again.device.cards_left:
            again.device.draw()
        again.round_over()
        assert again.empty
        filled = dealing(RemoteTable())
        while filled.device.cards_left:
            filled.device.draw()
        filled.round_over()
        assert not filled.empty

    on_loop(steps)


@pytest.mark.parametrize(
    ("left", "given", "deck", "sent"),
    [(300, False, BACCARAT, 3), (312, False, BACCARAT, 0), (300, True, BACCARAT, 0), (300, False, EACH_ROUND, 0)],
)
def test_a_shift_begins_with_a_shoe_of_the_tables_count(left, given, deck, sent):
    async def steps():
        table = RemoteTable()
        table.state = state(shoe={"left": left, "changing": False})
        await dealing(table, deck, given=given).begin()
        assert len(table.sent) == sent

    on_loop(steps)


def test_keys_are_pressed_and_rounds_opened_and_closed():
    async def steps():
        table = RemoteTable()
        hands = dealing(table)
        for key in ("open", "close", "finish", "manager"):
            await hands.press(key)
        pressed = [{"command": "press", "key": key} for key in ("finish", "manager")]
        assert table.sent == [{"command": "open"}, {"command": "close"}, *pressed]

    on_loop(steps)


def test_a_shoe_that_keeps_rounds_ends_its_own():
    hands = dealing(RemoteTable(), shoe=EmulatedAngelEye)
    hands.device.start()
    hands.device.draw()
    assert hands.device.in_round
    hands.round_over()
    assert not hands.device.in_round
    hands.device.start()
    hands.device.draw(unreadable=True)
    assert hands.device.error_code is not None
    hands.continue_after_ruling()
    assert hands.device.error_code is None


def test_remote_players_get_their_time_to_bet_and_decide():
    async def steps():
        table, waited = RemoteTable(), []

        async def pause(seconds):
            waited.append(seconds)

        table.pause = pause
        table.state = state("deciding")
        others = RemotePlayers(table)
        await others.bet()
        assert waited == [module.BETTING]
        decided = asyncio.create_task(others.decide())
        await asyncio.sleep(0)
        assert not decided.done()
        table._see(state("dealing"))
        await decided

    on_loop(steps)


@pytest.mark.parametrize(("rate", "wrong"), [(0.0, set()), (1.0, set(ERRORS))])
def test_errors_have_the_requested_rate(rate, wrong):
    """At a rate of 0.1 a round has one of the four errors with a chance of 1 - 0.9 ** 4."""
    counts = Counter(islice(errors(rate, random.Random(1)), 200))
    assert set(counts) == (wrong or {None})
    some = Counter(islice(errors(0.1, random.Random(1)), 2000))
    assert 0.28 < 1 - some[None] / 2000 < 0.41
