"""Players at a table: they bet when a round opens, think better of it, and decide what they are asked. All by dice.

Usage: TABLECTL_TOKEN=... python play.py http://127.0.0.1:8032 wallet.db [PLAYERS]
       TABLECTL_SEED=game.nk TABLECTL_TABLE=U... python play.py nats://10.0.0.5:4222/main/t1 wallet.db [PLAYERS]

Stopped and started again, whatever was on, it goes on where it was: it hears the round from its beginning, says the
same as before under the same ids (an event's number, and a number of its own), and the table does nothing twice.
"""

import asyncio
import os
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import aclosing, closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl_client import Command, Event, Lost, Table, Verdict, Wallet

if TYPE_CHECKING:
    from tablectl_nats import BusTable

TIMES = (1, 2, 5)  # of the least stake that is worth a decision
LEAST = 500  # in minor units


class Players:
    """So many of them. What they say to an event hangs on it alone, so that they would say it again."""

    def __init__(self, number: int, game: Mapping[str, Any]) -> None:
        self._names = [f"p{player}" for player in range(1, number + 1)]
        self._spots = dict(_spots(game))
        self._window: Event = {}  # what opened the betting window that is on
        self._asked: Event = {}

    def answer(self, event: Event) -> list[Command]:
        """What they say to an event: each command with an id of its own."""
        said = (f"{event['seq']}.{number}" for number in count(1))
        return [{"id": next(said), **command} for command in self._commands(event)]

    def _commands(self, event: Event) -> Iterator[Command]:
        dice = random.Random(event["seq"])
        match event:
            case {"kind": "opened" | "window_opened"}:
                self._window = event
                yield from self._bets(dice)
            case {"kind": "resumed", "state": "betting"}:  # what came during the pause was refused
                yield from self._bets(dice)
            case {"kind": "asked"}:
                self._asked = event
                yield from self._decisions(dice)
            case {"kind": "resumed", "state": "deciding"}:
                yield from self._decisions(dice)

    def _bets(self, dice: random.Random) -> Iterator[Command]:
        """Everybody stakes, some take it back, some lose their line; then no more bets.

        All of it names its betting window, so that what comes late acts in no other; a bet also the odds it is made at.
        """
        stakes, on = {}, {"round": self._window["round"], "window": self._window["window"]}
        for player in dice.sample(self._names, len(self._names)):
            market = dice.choice(list(self._spots))
            stakes[player] = {**on, "player": player, "market": market}
            odds = {"odds": self._window["odds"][market]} if market in self._window["odds"] else {}
            yield {"command": "bet", "stake": dice.choice(TIMES) * self._spots[market], **odds, **stakes[player]}
        for player in dice.sample(self._names, len(self._names) // 20):
            yield {"command": "unbet", **stakes[player]}
        gone = dice.sample(self._names, len(self._names) // 50)
        yield from ({"command": "gone", "round": on["round"], "player": player} for player in gone)
        yield {"command": "close", **on}
        yield from ({"command": "back", "round": on["round"], "player": player} for player in gone)

    def _decisions(self, dice: random.Random) -> Iterator[Command]:
        for who in self._asked["who"]:
            choice = dice.choice(self._asked["options"])
            yield {"command": "decide", "question": self._asked["seq"], "who": who, "decision": choice}


def _spots(game: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What can be staked on without another bet, each with its least stake: as it is, or at each seat."""
    for market in game["markets"]:
        if market["needs"] is None:
            for spot in [f"{seat} {market['name']}" for seat in game["seats"]] or [market["name"]]:
                yield spot, max(market["minimum"], LEAST)


def tell(verdicts: list[Verdict]) -> None:
    """What came of the commands, in a line."""
    refused = [f"{verdict['id']} {verdict['reason']}" for verdict in verdicts if verdict["verdict"] == "refused"]
    print(len(verdicts) - len(refused), "done;", len(refused), "refused:", ", ".join(refused[:3]), flush=True)


def table_at(url: str) -> "Table | BusTable":
    """The line to the table: by the bus where the address is one of NATS."""
    if url.startswith("http"):
        return Table(url, os.environ["TABLECTL_TOKEN"])
    from tablectl_nats import BusTable  # its packages are needed only there

    return BusTable(url, Path(os.environ["TABLECTL_SEED"]), os.environ["TABLECTL_TABLE"])


async def play(url: str, wallet: Wallet, number: int) -> None:
    """Until the table closes. What does not count after a takeover is undone."""
    async with table_at(url) as table:
        players, closed = Players(number, await table.look("game")), False
        while not closed:
            try:
                closed = await follow(table, wallet, players)
            except Lost as lost:
                print(lost, flush=True)
                wallet.undo(lost.last)


async def follow(table: "Table | BusTable", wallet: Wallet, players: Players) -> bool:
    """Hear every event, and answer, until the table closes. Raises Lost."""
    async with aclosing(table.events(wallet.place, wallet.epoch)) as events:
        async for event in events:
            wallet.hear(event)
            if commands := players.answer(event):
                tell(await table.send(commands))
            if event["kind"] == "table_closed":
                return True
    return False


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or not {"TABLECTL_TOKEN", "TABLECTL_SEED"} & os.environ.keys():
        sys.exit(__doc__)
    with closing(Wallet(Path(sys.argv[2]))) as mine:
        asyncio.run(play(sys.argv[1], mine, int(sys.argv[3]) if len(sys.argv) == 4 else 5))
