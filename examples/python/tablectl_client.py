"""The line between a game server and one table: every event once and in order, every command done once.

Take this module home as it is; `play.py` beside it shows it at work. It needs httpx and httpx-sse.

    async with Table("http://127.0.0.1:8032", token) as table:
        async for event in table.events(after=0):
            verdicts = await table.send([{"command": "bet", "id": "57.1", "round": 12, "window": 1, ...}])

Events have numbers without a gap (`seq`), and who comes back with the last one they have misses nothing. A command has
an id of the sender's own: sent again under it, it is answered as the first time and not done again, so whatever is not
answered is simply sent again. Bets name their round and window, decisions their question: what comes too late is
refused and never counts for the next one.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from httpx_sse import aconnect_sse

Event = dict[str, Any]
Command = Mapping[str, Any]
Verdict = dict[str, Any]

LOG = logging.getLogger(__name__)
PAUSE, LONGEST_PAUSE = 0.05, 2.0  # seconds before something is tried again: twice as long each time
SILENCE = 40.0  # seconds after which a line is given up; a stream that lives says so every 15
BROKEN = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)  # what becomes of a line
AGAIN = (408, 429)  # what is answered so may be asked again, as may all from 500 on
LATER = 409  # what was heard does not count here

# What a movement of money is, by the kind of its event: which field says how much, and whether it is a credit.
AMOUNTS = {
    "bet_accepted": "stake",  # a debit, as is `decided` where a stake comes with the decision
    "decided": "stake",
    "paid": "returned",  # a credit, as are the two that follow; of a lost bet it is 0
    "bet_withdrawn": "stake",
    "refunded": "stake",
}
DEBITS = ("bet_accepted", "decided")


class Refused(Exception):
    """The table does not answer this, however often it is asked: a wrong token, a place beyond the record's end."""


class Lost(Exception):
    """The table went on without records that were heard. `last`: the last one that counts."""

    def __init__(self, last: int) -> None:
        super().__init__(f"records after {last} do not count")
        self.last = last


class Gap(Exception):
    """An event is missing, or came twice. This would be the table's mistake."""


class Unsound(Exception):
    """A movement that cannot be: twice with another content, or a credit without its debit."""


class Busy(Exception):
    """The table cannot answer now. `seconds`: when it may be asked again, where it says so."""

    def __init__(self, says: str, seconds: float | None = None) -> None:
        super().__init__(says)
        self.seconds = seconds


class Patience:
    """How long to wait before the next try."""

    def __init__(self) -> None:
        self._pause = PAUSE

    async def wait(self, error: Exception) -> None:
        """As long as the table says, or longer each time."""
        LOG.warning("no answer, asking again: %r", error)
        said = error.seconds if isinstance(error, Busy) else None
        await asyncio.sleep(self._pause if said is None else said)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)


class Table:
    """One table, by its address and the token that `tablectl token add` has printed."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.AsyncClient(base_url=f"{url}/api/v1", headers=headers, timeout=SILENCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def events(self, after: int, epoch: str = "") -> AsyncGenerator[Event, None]:
        """Every event behind that one, for ever. Where the line breaks it goes on after the last that came whole.

        `epoch`: that of the last event heard, where one was. Raises Lost: undo what was booked, and ask again.
        """
        patience = Patience()
        while True:
            try:
                headers = {"Last-Event-ID": str(after)}
                of = {"epoch": epoch} if epoch else {}
                async with aconnect_sse(self._http, "GET", "/events", headers=headers, params=of) as source:
                    await _check(source.response)
                    async for said in source.aiter_sse():
                        event = said.json()
                        if event["seq"] != after + 1:
                            raise Gap(f"after event {after} came {event['seq']}")
                        after, epoch, patience = after + 1, epoch_of(event, epoch), Patience()
                        yield event
                await patience.wait(Busy("the stream has ended"))
            except (*BROKEN, Busy) as error:
                await patience.wait(error)

    async def send(self, commands: Sequence[Command]) -> list[Verdict]:
        """The verdict on each, in their order: done, or refused with a reason."""
        answer = await self._ask("POST", "/commands", list(commands))
        verdicts: list[Verdict] = answer["verdicts"]
        return verdicts

    async def look(self, what: str) -> dict[str, Any]:
        """`state`: where the table stands; `game`: which rules run, and what can be bet and decided."""
        return await self._ask("GET", f"/{what}")

    async def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """The answer, asked for until it comes."""
        patience = Patience()
        while True:
            try:
                response = await self._http.request(method, path, json=body)
                await _check(response)
                answer: dict[str, Any] = response.json()
            except (*BROKEN, Busy) as error:
                await patience.wait(error)
            else:
                return answer


async def _check(response: httpx.Response) -> None:
    """Raises Busy for what may be asked again, Refused for what would be answered the same."""
    if response.is_success:
        return
    await response.aread()
    if response.status_code in AGAIN or response.is_server_error:
        said = response.headers.get("Retry-After", "")
        raise Busy(response.text, float(said) if said.isdecimal() else None)
    if response.status_code == LATER and (problem := response.json()).get("reason") == "epoch_lost":
        raise Lost(problem["last"])
    raise Refused(f"{response.status_code}: {response.text}")


def epoch_of(event: Event, before: str) -> str:
    """The epoch that an event begins; else the one before it."""
    return str(event["epoch"]) if event["kind"] in ("configured", "loss_accepted") else before


class Wallet:
    """The players' money, in minor units, on disk: each movement is booked once, whatever is heard twice.

    A movement's id is unique in the world: it is the key of the book. `place` is where the record is to be followed
    from after a crash: the beginning of the round that was on. What had been booked of it is heard again, as no news.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;  -- what a power cut takes off the end is heard again
            CREATE TABLE IF NOT EXISTS movements
              (id TEXT PRIMARY KEY, seq INTEGER, player TEXT, amount INTEGER, currency TEXT) STRICT;
            CREATE TABLE IF NOT EXISTS place (seq INTEGER) STRICT;
            CREATE TABLE IF NOT EXISTS epochs (epoch TEXT) STRICT;
            """
        )
        self._staked: dict[str, int] = {}  # the bets of this round of which nothing has come back yet
        self._due = (0, 0)  # how many of them are to go back now, and how much in all

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @property
    def place(self) -> int:
        """The last event that is done with for good."""
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM place").fetchone()
        return int(seq)

    @property
    def epoch(self) -> str:
        """The epoch of what was heard last; empty before anything was."""
        row = self._db.execute("SELECT epoch FROM epochs ORDER BY rowid DESC").fetchone()
        return str(row[0]) if row else ""

    def undo(self, last: int) -> None:
        """Take back what was booked after the last event that counts; what follows `place` is heard again."""
        self._take_back(last)
        self._staked, self._due = {}, (0, 0)

    def _take_back(self, last: int) -> None:
        """Delete it: a platform's wallet books it in reverse, under ids of its own."""
        self._db.execute("DELETE FROM movements WHERE seq > ?", (last,))
        self._db.execute("DELETE FROM place WHERE seq > ?", (last,))

    def balances(self) -> dict[str, int]:
        """What each player has won or lost so far."""
        return dict(self._db.execute("SELECT player, sum(amount) FROM movements GROUP BY player"))

    def hear(self, event: Event) -> None:
        """Book what an event moves. Raises Unsound."""
        if (epoch := epoch_of(event, before := self.epoch)) != before:
            self._enter(epoch, event["seq"])
        match event:
            case {"kind": "opened", "seq": seq}:
                if self._staked or self._due != (0, 0):
                    raise Unsound(f"nothing came back for {', '.join(self._staked)}; still to go back: {self._due}")
                self._db.execute("INSERT INTO place VALUES (?)", (seq - 1,))
            case {"kind": "rewound" | "cancelled", "bets": bets, "amount": amount}:
                self._due = (bets, amount)
            case {"kind": "resettled", "movements": moved, "currency": currency}:  # a round that was over before
                for one in moved:
                    self._book((one["id"], event["seq"], one["player"], one["difference"], currency))
            case {"movement": {}}:
                self._move(event)

    def _enter(self, epoch: str, first: int) -> None:
        """An epoch begins: of the one before, what was booked from here on does not count."""
        self._take_back(first - 1)
        self._db.execute("INSERT INTO epochs VALUES (?)", (epoch,))

    def _move(self, event: Event) -> None:
        movement, kind = event["movement"], event["kind"]
        bet, amount = event["bet"], movement["amount"]
        if amount != event[AMOUNTS[kind]]:
            raise Unsound(f"event {event['seq']}: the movement is {amount}, its event says {event[AMOUNTS[kind]]}")
        if kind in DEBITS:
            self._staked[bet] = amount
        elif self._staked.pop(bet, None) is None:
            raise Unsound(f"event {event['seq']}: a credit for {bet}, which has none to come")
        else:
            self._count_down(amount)
        signed = -amount if kind in DEBITS else amount
        self._book((movement["id"], event["seq"], event["player"], signed, movement["currency"]))

    def _count_down(self, credit: int) -> None:
        """Compare what goes back bet by bet with what was said to go back in all."""
        bets, amount = self._due
        self._due = (bets - 1, amount - credit) if bets else (0, 0)
        if bets == 1 and credit != amount:
            raise Unsound(f"of what was to go back in all {amount} are left, and {credit} is the last of it")

    def _book(self, entry: tuple[str, int, str, int, str]) -> None:
        """Book one movement, and never again."""
        if self._db.execute("INSERT OR IGNORE INTO movements VALUES (?, ?, ?, ?, ?)", entry).rowcount:
            return
        known = self._db.execute("SELECT * FROM movements WHERE id = ?", entry[:1]).fetchone()
        if known != entry:
            raise Unsound(f"two movements with one id: {known} and {entry}")
