"""Players at a table: they bet when a round opens, think better of it, and decide what they are asked. All by dice.

Usage: TABLECTL_TOKEN=... python play.py http://127.0.0.1:8032 wallet.db [PLAYERS]

Stopped and started again, whatever was on, it goes on where it was: it hears the round from its beginning, says the
same as before under the same ids (an event's number, and a number of its own), and the table does nothing twice.
"""

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from contextlib import aclosing
from itertools import count
from pathlib import Path

from tablectl_client import Command, Event, Table, Verdict, Wallet

STAKES = (500, 1000, 2500)  # in minor units
SEATS = tuple(f"seat{number}" for number in range(1, 8))
MARKETS = {
    "baccarat": ("player", "banker", "tie"),
    "thirty_two": ("player8", "player9", "player10", "player11"),
    "casino_holdem": ("ante",),
    "blackjack": tuple(f"{seat} main" for seat in SEATS),
    "rhum32": tuple(f"{seat} ante" for seat in SEATS),
}


class Players:
    """So many of them. What they say to an event hangs on it alone, so that they would say it again."""

    def __init__(self, number: int) -> None:
        self._names = [f"p{player}" for player in range(1, number + 1)]
        self._game = ""
        self._asked: Event = {}

    def answer(self, event: Event) -> list[Command]:
        """What they say to an event: each command with an id of its own."""
        said = (f"{event['seq']}.{number}" for number in count(1))
        return [{"id": next(said), **command} for command in self._commands(event)]

    def _commands(self, event: Event) -> Iterator[Command]:
        dice = random.Random(event["seq"])
        match event:
            case {"kind": "opened"}:
                self._game = event["game"]
                yield from self._bets(event["round"], dice)
            case {"kind": "resumed", "state": "betting"}:  # what came during the pause was refused
                yield from self._bets(event["round"], dice)
            case {"kind": "asked"}:
                self._asked = event
                yield from self._decisions(dice)
            case {"kind": "resumed", "state": "deciding"}:
                yield from self._decisions(dice)

    def _bets(self, on: int, dice: random.Random) -> Iterator[Command]:
        """Everybody stakes, some take it back, some lose their line; then no more bets."""
        stakes = {}
        for player in dice.sample(self._names, len(self._names)):
            stakes[player] = {"round": on, "player": player, "market": dice.choice(MARKETS[self._game])}
            yield {"command": "bet", "stake": dice.choice(STAKES), **stakes[player]}
        for player in dice.sample(self._names, len(self._names) // 20):
            yield {"command": "unbet", **stakes[player]}
        gone = dice.sample(self._names, len(self._names) // 50)
        yield from ({"command": "gone", "player": player} for player in gone)
        yield {"command": "close", "round": on}
        yield from ({"command": "back", "player": player} for player in gone)

    def _decisions(self, dice: random.Random) -> Iterator[Command]:
        for who in self._asked["who"]:
            choice = dice.choice(self._asked["options"])
            yield {"command": "decide", "question": self._asked["seq"], "who": who, "decision": choice}


def tell(verdicts: list[Verdict]) -> None:
    """What came of the commands, in a line."""
    refused = [f"{verdict['id']} {verdict['reason']}" for verdict in verdicts if verdict["verdict"] == "refused"]
    print(len(verdicts) - len(refused), "done;", len(refused), "refused:", ", ".join(refused[:3]), flush=True)


async def play(url: str, wallet: Wallet, players: Players) -> None:
    """Until the table closes."""
    async with Table(url, os.environ["TABLECTL_TOKEN"]) as table, aclosing(table.events(wallet.place)) as events:
        async for event in events:
            wallet.hear(event)
            if commands := players.answer(event):
                tell(await table.send(commands))
            if event["kind"] == "table_closed":
                return


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or "TABLECTL_TOKEN" not in os.environ:
        sys.exit(__doc__)
    everybody = Players(int(sys.argv[3]) if len(sys.argv) == 4 else 5)
    asyncio.run(play(sys.argv[1], Wallet(Path(sys.argv[2])), everybody))
