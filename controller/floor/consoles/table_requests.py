"""Requests of a floor to a table over the bus, with the same answers as over the table's HTTP.

Invariant: only the table itself answers; the floor never answers for it.
"""

from collections.abc import Callable
from http import HTTPStatus

import msgspec
import nats.errors
from msgspec import UNSET, Struct, UnsetType

from ...bus import names as n
from ...bus.bus_client import BusClient, reason_of
from ...bus.names import TableNames
from ...bus.relay import RelayedAnswer
from ...bus.request_client import RequestClient
from ...bus.seals import Seals
from ...bus.signed_commands import signed_headers
from ...bus.status import Status
from ...core.coded_message import CodedMessage, coded
from ...text.coded import sentence_and_code
from ..storage.table_events import Unanswered

PATIENCE = 5.0  # seconds for an answer; a table that is there takes some milliseconds
EVENTS = "/api/v1/events"


class TableClient:
    """Client of a floor for all tables of a studio.

    `floor`: its name; `seed`: its signing key; `status`: returns the last known status of a table.
    """

    def __init__(
        self,
        line: BusClient,
        studio: str,
        floor: str,
        seed: str,
        seals: Seals,
        status: Callable[[str], Status | None],
    ) -> None:
        self._line, self._studio, self._seed, self._status = line, studio, seed, status
        self._asker = RequestClient(line.client, "floor", floor, seals)

    async def get(self, table: str, target: str) -> RelayedAnswer:
        """Answer of the table to GET of this path and query. Raises Unanswered."""
        return await self._answer(table, self._subject(table, "ask"), target.encode(), None)

    async def post(self, table: str, to: str, body: bytes) -> RelayedAnswer:
        """Send a signed request in the floor's name; return the table's answer. Raises Unanswered."""
        subject, status = self._subject(table, "command"), self._status(table)
        if status is None:
            raise Unanswered(coded("not_on_bus", table=table))
        return await self._answer(table, subject, body, signed_headers(self._seed, subject, status.epoch, to, body))

    async def events(self, table: str, epoch: str, after: int) -> list[bytes]:
        """Events of a table's epoch behind `after`, as many as the table sends at once.

        Empty if the table no longer has them. Raises Unanswered.
        """
        answer = await self.get(table, f"{EVENTS}?role=manager&after={after}&epoch={epoch}")
        if answer.status == HTTPStatus.CONFLICT:
            return []
        if answer.status != HTTPStatus.OK:
            raise Unanswered(coded("events_refused", table=table, after=after, reason=_reason_in(answer.body)))
        try:
            events = [bytes(event) for event in msgspec.json.decode(answer.body, type=list[msgspec.Raw])]
        except (msgspec.MsgspecError, RecursionError):
            raise Unanswered(coded("events_odd", table=table, after=after)) from None
        if not events:  # the table has these events, but did not read them in time
            raise Unanswered(coded("events_late", table=table, after=after))
        return events

    def _subject(self, table: str, what: str) -> str:
        return TableNames(self._studio, table).subject(what, "floor")

    async def _answer(self, table: str, subject: str, body: bytes, headers: dict[str, str] | None) -> RelayedAnswer:
        if not self._line.client.is_connected:
            raise Unanswered(coded("no_bus", table=table))
        try:
            response = await self._asker.ask(subject, body, self._asker.inbox(table), PATIENCE, headers)
            return RelayedAnswer(int((response.headers or {}).get(n.CODE, "500")), response.data)
        except nats.errors.NoRespondersError:
            raise Unanswered(coded("not_on_bus", table=table)) from None
        except TimeoutError:
            raise Unanswered(coded("table_silent", table=table)) from None
        except (nats.errors.Error, OSError, ValueError) as error:
            raise Unanswered(coded("not_asked", table=table, reason=reason_of(error))) from None


class TableVerdict(Struct):
    """Verdict of a table on one command."""

    verdict: str
    says: str = ""
    message: CodedMessage | UnsetType = UNSET


class _TableAnswer(Struct):
    verdicts: list[TableVerdict] = []
    detail: str = ""
    message: CodedMessage | UnsetType = UNSET


def _decode(body: bytes) -> _TableAnswer:
    try:
        return msgspec.json.decode(body, type=_TableAnswer)
    except msgspec.MsgspecError:
        return _TableAnswer()


def _reason_in(body: bytes) -> CodedMessage | str:
    """Message of a problem document: why the table refused; its text if it has no code."""
    content = _decode(body)
    return (content.detail or coded("no_reason")) if content.message is UNSET else content.message


def verdicts_of(answer: RelayedAnswer, count: int) -> list[TableVerdict]:
    """Verdicts on `count` commands; if the table sent no list of them, the same general answer for each."""
    content = _decode(answer.body)
    return (
        content.verdicts
        if len(content.verdicts) == count
        else [TableVerdict(str(answer.status), *sentence_and_code(_reason_in(answer.body)))] * count
    )
