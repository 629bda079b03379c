"""Table with its network door on a real port of this PC, and people who connect to it.

A person has a browser's memory (cookies, the page's CSRF token) and nothing else.
"""

import asyncio
import http.client
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from controller.config.people import PeopleFile
from controller.config.web import WebSection
from controller.core.house import House
from controller.web.access import kiosk
from controller.web.access.users import UsersFile
from controller.web.listeners import TableDoors
from controller.web.net import listening
from controller.web.site import Site
from tests.patience import PATIENCE
from tests.pins import hashed_quickly
from tests.table.test_table import HOUSE
from tests.web.rig import Spoken

ELSEWHERE = {"x-forwarded-for": "10.0.0.9"}  # header that a proxy on this PC adds for a caller elsewhere
PIN = "2580"


class Answer(Struct):
    status: int
    body: Any
    headers: dict[str, str]
    cookies: tuple[str, ...] = ()


class NetworkTable(Spoken):
    """Table with both doors, the socket and a network port.

    Its shift managers are anna and bea, its program is `platform`. `people`: registry of persons.
    """

    def __init__(self, path: Path, house: House = HOUSE, people: PeopleFile | None = None, **section: Any) -> None:
        at_hand = section.pop("at_hand", False)
        self.people = people
        self.users = UsersFile(path / "t.users")
        self.token = "" if self.users.path.exists() else self._begun()
        web = WebSection(**{"listen": "127.0.0.1:0", **section})
        self.net = listening.listen(web, self.users.path, at_hand=at_hand)
        self.port = self.net.socket.getsockname()[1]
        super().__init__(path, house)

    def _begun(self) -> str:
        """Write the users of a new folder; return the program's token."""
        with hashed_quickly(), self.users.change() as change:
            change.set_pin("anna", PIN)
            change.set_pin("bea", "1379")
            return change.add_token("platform")

    def doors(self) -> TableDoors:
        return TableDoors(self.table, self.rig.path, self.listening, self.net, people=self.people)

    @property
    def site(self) -> Site:
        site = self.api.site
        assert site is not None
        return site

    async def __aexit__(self, *errors: object) -> None:
        await super().__aexit__(*errors)
        self.net.close()


class BrowserPerson:
    """Person with a browser. `headers`: sent with every request. `host`: the person's IP address."""

    def __init__(self, table: NetworkTable, headers: Mapping[str, str] = {}, host: str = "127.0.0.1") -> None:
        self._table, self.headers, self._host = table, dict(headers), host
        self.cookie: str | None = None
        self.csrf: str | None = None

    async def ask(self, method: str, target: str, body: object = None, headers: Mapping[str, str] = {}) -> Answer:
        return await asyncio.to_thread(self._ask, method, target, body, headers)

    def _ask(self, method: str, target: str, body: object, more: Mapping[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self._table.port, PATIENCE, (self._host, 0))
        headers = {**self.headers, **self._kept(), **more}
        content = None
        if body is not None:
            content, headers = json.dumps(body), {"content-type": "application/json", **headers}
        try:
            connection.request(method, target, content, headers)
            response = connection.getresponse()
            text = response.read()
            headers = {k.lower(): v for k, v in response.getheaders()}
            set_ = (cookie.partition(";")[0] for cookie in response.headers.get_all("set-cookie", ()))
            return Answer(response.status, _content(text), headers, tuple(set_))
        finally:
            connection.close()

    def _kept(self) -> dict[str, str]:
        headers = {} if self.cookie is None else {"cookie": self.cookie}
        return headers if self.csrf is None else {**headers, "x-csrf": self.csrf}

    async def sign_in(self, name: str = "anna", pin: str = PIN, **headers: str) -> Answer:
        answer = await self.ask("POST", "/session", {"name": name, "pin": pin}, headers)
        if answer.status == 200:
            self.cookie = "; ".join(answer.cookies)
            self.csrf = answer.body["csrf"]
        return answer

    async def be_the_screen(self) -> Answer:
        """Open the link that `tablectl kiosk` prints in this browser: it becomes the dealer's screen."""
        code = await asyncio.to_thread(kiosk.offer, self._table.users)
        answer = await self.ask("GET", f"/kiosk/{code}")
        self.cookie = "; ".join([*([self.cookie] if self.cookie else []), *answer.cookies]) or None
        return answer

    async def open_page(self, role: str = "") -> Answer:
        """Request the session as a page does first, and keep its CSRF token."""
        answer = await self.ask("GET", f"/session?role={role}" if role else "/session")
        self.csrf = answer.body["csrf"]
        return answer


def _content(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
