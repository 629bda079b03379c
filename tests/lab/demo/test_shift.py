"""Shift at a remote table: what the demo sees and reports of it, and how the shift ends."""

import asyncio
from itertools import repeat

import pytest

from controller.cli.client import TableReply
from controller.lab.demo.api_pace import NoTable
from controller.lab.demo.hands import Hands, Shift
from controller.lab.demo.pace import StuckDemo
from controller.rules.procedure import Deal
from tests.lab.demo.far_table import RemoteTable, dealing, state
from tests.patience import on_loop, turns


def test_the_sight_of_a_table_counts_all_laid_cards():
    table = RemoteTable()
    sight = table.sight
    assert (sight.seq, sight.life, sight.laid, sight.due, sight.faulted) == (7, "idle", 3, Deal("player"), False)
    table.state = state(loose=None, due=None, fault={"code": "unread_card"})
    assert (table.sight.laid, table.sight.due, table.sight.faulted) == (1, None, True)


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({"life": "dealing"}, "round 3 is dealing; next: card to player"),
        ({"life": "settled"}, "round 3 is settled"),
        ({"life": "idle", "round": 0}, "no round yet"),
        (
            {"life": "paused", "fault": {"code": "unread_card"}, "lost": ["shoe", "panel"]},
            "round 3 is paused; fault unread_card; missing: shoe, panel; next: card to player",
        ),
    ],
)
def test_each_look_reports_the_tables_state(about, says):
    table, news = RemoteTable(), list[str]()
    table._news = news.append
    table._see(state(**about))
    assert news == [says]
    assert table.changed.is_set()


def test_a_stuck_table_says_what_it_waits_for():
    table = RemoteTable()
    table.state = state("dealing")
    assert table.describe_state() == "round 3 stays dealing, expected: card to player"
    table.state = state("paused", fault={"code": "unread_card"})
    assert table.describe_state() == "round 3 stays paused by unread_card, expected: card to player"


def test_an_unexpected_refusal_is_reported():
    async def steps():
        table = RemoteTable(None, "shoe_low", "paused")
        assert await table.act("open") is None
        assert await table.act("open", ("shoe_low",)) == "shoe_low"
        assert table.told == []
        assert await table.act("open", ("shoe_low",)) == "paused"
        assert table.told == ["open refused: for paused"]

        async def problem(*_):
            return TableReply(503, {"detail": "the program ends"})

        table.ask = problem
        table.request_patiently = lambda *_: asyncio.sleep(0)
        assert await table.act("open") == "ignored"
        assert table.told[-1] == "open refused: the program ends"

    on_loop(steps)


class ScriptedDealer:
    """Dealer whose rounds end as `ends` says: each by an exception, or normally for None."""

    def __init__(self, *ends: Exception | None) -> None:
        self.did, self._ends = list[str](), list(ends)

    async def play_round(self, mistake: str | None) -> None:
        self._end(f"round {mistake}")

    async def go_on(self) -> None:
        self._end("goes on")

    def _end(self, did: str) -> None:
        self.did.append(did)
        if self._ends and (error := self._ends.pop(0)) is not None:
            raise error


def worked(table: RemoteTable, dealer: ScriptedDealer, rounds: int | None, empty_after: int | None = None) -> Hands:
    """Work a shift of this many rounds; `empty_after`: rounds after which the given cards are used up."""

    async def steps():
        hands = dealing(table, given=empty_after is not None)
        hands.begin = lambda: asyncio.sleep(0)
        hands.over = 0

        def round_over():
            hands.over += 1

        hands.round_over = round_over
        if empty_after is not None:
            play = dealer.play_round

            async def played(mistake):
                await play(mistake)
                hands.empty = len(dealer.did) == empty_after

            dealer.play_round = played
        await Shift(hands, table, dealer).work(repeat("unread"), rounds)
        return hands

    return on_loop(steps)


def test_a_shift_has_as_many_rounds_as_were_asked_for():
    dealer = ScriptedDealer()
    worked(RemoteTable(), dealer, 3)
    assert dealer.did == ["round unread"] * 3


def test_a_shift_ends_with_the_cards_that_were_given():
    table, dealer = RemoteTable(), ScriptedDealer()
    worked(table, dealer, None, empty_after=2)
    assert (len(dealer.did), table.told) == (2, ["the cards that were given are dealt"])


def test_a_stuck_round_is_continued_or_is_over():
    table, dealer = RemoteTable(), ScriptedDealer(StuckDemo("stays paused"), NoTable("gone"), None)
    lives = iter(["dealing", "settled"])

    async def pause(_):
        table._see(state(next(lives)))

    table.pause, table.watch = pause, asyncio.Event().wait
    hands = worked(table, dealer, 1)
    assert (dealer.did, table.told) == (["round unread", "goes on", "round unread"], ["stays paused", "gone"])
    assert hands.over == 1


def test_a_round_begun_elsewhere_is_waited_for():
    table, dealer = RemoteTable(), ScriptedDealer()
    table.state = state("dealing")

    async def watch():
        await turns()
        table._see(state("cancelled", seq=9))
        await asyncio.Event().wait()

    table.watch = watch
    worked(table, dealer, 1)
    assert table.told == ["a round is on that was not begun here: the shift manager has to cancel it"]
    assert dealer.did == ["round unread"]


def test_a_line_that_is_refused_ends_the_shift():
    class NotIn(Exception):
        pass

    async def refused():
        raise NotIn

    table, dealer = RemoteTable(), ScriptedDealer()
    table.watch, dealer.play_round = refused, lambda _: asyncio.Event().wait()
    with pytest.raises(NotIn):
        worked(table, dealer, None)
