"""The same line between a game server and one table, over the studio's bus (NATS) instead of HTTP.

Take it home beside `tablectl_client.py`. It needs nats-py, nkeys and PyNaCl. The seed is NAME.nk of `tablectl bus
init`, with the platform's name; the key is the table's, in tables/TABLE.pub.

    async with BusTable("nats://10.0.0.5:4222/main/t1", Path("game.nk"), key) as table:
        async for event in table.events(after=0):
            verdicts = await table.send([{"command": "bet", "id": "57.1", "round": 12, "window": 1, ...}])

The place in the record is the client's own, as over HTTP. The client asks the table for the events behind it, page by
page until one is empty, and takes events from these signed answers alone. A message on the subject of the events has no
signature and may come late or never: it only says that it is time to ask. So no event overtakes another, whichever
program was killed.
"""

import asyncio
import base64
import hashlib
import json
import ssl
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

import nats
import nats.errors
import nkeys
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey
from nats.aio.client import Client
from nats.aio.msg import Msg
from tablectl_client import AGAIN, LATER, Busy, Command, Event, Gap, Lost, Patience, Refused, Verdict, epoch_of

COMMANDS = "/api/v1/commands"
AT_MOST = 500  # commands of one message: what is answered to them must fit into one as well
NOBODY = "503"  # what the server itself answers where nobody is asked
ANSWER = 2.0  # seconds for an answer; then it is asked for again
PRESENT = 1.0  # seconds between two signed questions: by these a table knows that its game server is there
BROKEN = (nats.errors.Error, TimeoutError, OSError)  # what becomes of a line


class BusTable:
    """One table. `url`: SERVER/STUDIO/TABLE; `key`: the table's public nkey."""

    def __init__(self, url: str, seed: Path, key: str) -> None:
        place = urlsplit(url)
        _, studio, table = place.path.split("/")
        self._server, self._subject = f"{place.scheme}://{place.netloc}", f"tablectl.{studio}.{table}"
        self._prefix = f"_INBOX_platform.{seed.stem}"  # where this platform may be answered, by table
        self._inbox = f"{self._prefix}.{table}"
        self._seed, self._key = seed.read_text(encoding="ascii").strip(), key
        self._answers: dict[str, asyncio.Future[Msg]] = {}  # by inbox
        self._epoch = ""  # the table's, which each answer names: signatures are made for it
        self._due = 0.0  # when the next question is to be signed
        self._news = asyncio.Event()
        self._nats: Client

    async def __aenter__(self) -> Self:
        self._nats = await nats.connect(
            self._server,
            nkeys_seed_str=self._seed,
            inbox_prefix=self._prefix.encode(),
            ping_interval=2,
            reconnect_time_wait=0.2,
            max_reconnect_attempts=-1,
            **({"tls": ssl.create_default_context()} if self._server.startswith("tls:") else {}),
        )
        await self._nats.subscribe(f"{self._inbox}.>", cb=self._answered)
        await self._nats.subscribe(f"{self._subject}.event.server", cb=self._heard)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._nats.close()

    async def events(self, after: int, epoch: str = "") -> AsyncGenerator[Event, None]:
        """Every event behind that one, for ever, as `Table.events` has them. Raises Lost."""
        while True:
            self._news.clear()
            query = urlencode({"after": after, **({"epoch": epoch} if epoch else {})})
            page: list[Event] = json.loads(await self._ask(f"events?{query}"))
            for event in page:
                if event["seq"] != after + 1:
                    raise Gap(f"after event {after} came {event['seq']}")
                after, epoch = after + 1, epoch_of(event, epoch)
                yield event
            if not page:
                await self._wait()

    async def _wait(self) -> None:
        """Until an event is heard, at most until the next question is due anyway."""
        try:
            async with asyncio.timeout(PRESENT):
                await self._news.wait()
        except TimeoutError:
            pass

    async def send(self, commands: Sequence[Command]) -> list[Verdict]:
        """The verdict on each, in their order: done, or refused with a reason."""
        verdicts: list[Verdict] = []
        for start in range(0, len(commands), AT_MOST):
            body = json.dumps(commands[start : start + AT_MOST]).encode()
            verdicts += json.loads(await self._get("command", body, COMMANDS))["verdicts"]
        return verdicts

    async def look(self, what: str) -> dict[str, Any]:
        """`state`: where the table stands; `game`: which rules run, and what can be bet and decided."""
        found: dict[str, Any] = json.loads(await self._ask(what))
        return found

    async def _ask(self, path: str) -> bytes:
        return await self._get("ask", f"/api/v1/{path}".encode())

    async def _get(self, what: str, body: bytes, to: str = "") -> bytes:
        """The answer, asked for until it comes."""
        patience = Patience()
        while True:
            try:
                message = await self._request(what, body, to)
                self._check(message)
            except (*BROKEN, Busy) as error:
                await patience.wait(error)
            else:
                return message.data

    async def _request(self, what: str, body: bytes, to: str) -> Msg:
        """One answer to one question. A command is signed, and a question now and then."""
        subject, inbox, headers = f"{self._subject}.{what}.platform", f"{self._inbox}.{token_hex(16)}", {}
        if what == "command" or time.monotonic() >= self._due:
            self._due = time.monotonic() + PRESENT
            headers = self._signed(subject, body, to)
        self._answers[inbox] = asyncio.get_running_loop().create_future()
        try:
            await self._nats.publish(subject, body, inbox, headers)
            async with asyncio.timeout(ANSWER):
                message = await self._answers[inbox]
        finally:
            del self._answers[inbox]
        if (message.headers or {}).get("Status") == NOBODY:
            raise Busy("the table is not on the bus")
        asked = "\n".join((subject, headers.get("Tablectl-Nonce", ""), headers.get("Tablectl-To", ""), "")).encode()
        if not self._is_sound(message, hashlib.sha256(asked + body).hexdigest()):
            raise Busy("an answer that the table has not signed")
        return message

    def _is_sound(self, answer: Msg, asked: str) -> bool:
        """Whether the table has signed it, as the answer to this."""
        said = answer.headers or {}
        at, epoch, status, signature = (
            said.get(f"Tablectl-{name}", "") for name in ("At", "Epoch", "Status", "Signature")
        )
        signed = "\n".join((answer.subject, at, asked, epoch, status, "")).encode() + answer.data
        try:
            VerifyKey(base64.b32decode(self._key)[1:-2]).verify(signed, base64.b64decode(signature))
        except (BadSignatureError, ValueError):
            return False
        return True

    def _signed(self, subject: str, body: bytes, to: str) -> dict[str, str]:
        """Headers by which the table knows whose this is; valid for one minute, once."""
        pair, nonce = nkeys.from_seed(bytearray(self._seed.encode())), f"{time.time_ns() // 10**6}-{token_hex(8)}"
        said = "\n".join((subject, self._epoch, nonce, to, "")).encode() + body
        made = {"Tablectl-Key": pair.public_key.decode(), "Tablectl-Nonce": nonce}
        return made | {"Tablectl-To": to, "Tablectl-Signature": base64.b64encode(pair.sign(said)).decode()}

    def _check(self, message: Msg) -> None:
        """Raises Busy for what may be asked again, Lost for what does not count, Refused for the rest."""
        said = message.headers or {}
        status, epoch = int(said["Tablectl-Status"]), said["Tablectl-Epoch"]
        before, self._epoch = self._epoch, epoch
        if status == 200:
            return
        if status in AGAIN or status >= 500:
            raise Busy(message.data.decode())
        if status == 403 and epoch != before:
            raise Busy("signed for another epoch: to be signed anew")
        if status == LATER and (problem := json.loads(message.data)).get("reason") == "epoch_lost":
            raise Lost(problem["last"])
        raise Refused(f"{status}: {message.data.decode()}")

    async def _answered(self, message: Msg) -> None:
        waiting = self._answers.get(message.subject)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    async def _heard(self, _: Msg) -> None:
        self._news.set()
