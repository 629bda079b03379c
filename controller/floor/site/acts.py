"""Web route for the acts of people at the floor.

    POST /api/floor/acts?lang=     one act, answered {"done", "reason", "says"}

    {"act": "claim", "table", "fault"}       "I am coming": claims the call; the table is told that somebody comes
    {"act": "release", "table", "fault", "person"}      the claim of that person on that call
    {"act": "acknowledge", "key"}            an alarm
    {"act": "shelve", "key", "minutes", "because"}    {"act": "unshelve", "key"}
    {"act": "assign", "table", "person"}     null: to nobody
    {"act": "hand_over", "to", "own", "notes", "shown"}      see `hand_over`

Invariant: a table is told that a person comes only after that person's claim was stored.
"""

from collections.abc import Awaitable, Callable

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...bus.requests import COMMANDS
from ...core.coded_message import coded
from ...text.coded import message_of, render
from ...text.faults import Words
from ...web.api.commands import Forbidden
from ...web.api.request_parameters import language_of
from ...web.net.bodies import body_of
from ...web.net.replies import as_json
from ..consoles.table_requests import verdicts_of
from ..people import act_messages as a
from ..people.viewers import OWN_TABLES, Viewer, refusal_message, viewer_of
from ..shared_state.state import ActOutcome
from ..storage.floor_record import Kind
from ..storage.table_events import Unanswered
from .components import FloorComponents

LARGEST = 16_384  # bytes of a body
HandingOver = Callable[[a.HandOverAct, Viewer, Request, Words], Awaitable[a.ActAnswer]]
HAVE_TABLES = frozenset({OWN_TABLES, "manager"})


class Acts:
    """Handler of the acts at one floor. `hand_over`: hands a shift over; None: not available."""

    def __init__(self, components: FloorComponents) -> None:
        self._live_tables, self._shared, self._table_client = (
            components.live_tables,
            components.shared,
            components.table_client,
        )
        self._notes, self._people, self._at_most = components.notes, components.people, components.config.floor.at_most
        self.hand_over: HandingOver | None = None
        self.routes = [Route("/api/floor/acts", self.act, methods=["POST"])]

    async def act(self, request: Request) -> Response:
        """POST /api/floor/acts: carry out one act.

        Raises MalformedCommand for a bad body, Forbidden if the viewer may not do this at the table.
        """
        viewer, words = viewer_of(request), Words(language_of(request))
        message = a.read_act(await body_of(request, LARGEST))
        table, act = a.table_of_act(message), a.name_of(message)
        if not viewer.may(act, None if table is None else self._live_tables.owner(table)):
            raise Forbidden(refusal_message(viewer, act, table or ""))
        if isinstance(message, a.HandOverAct) and self.hand_over is not None:
            return as_json(await self.hand_over(message, viewer, request, words))
        return as_json(await self._do(message, viewer, words))

    async def _do(self, message: a.FloorAct, viewer: Viewer, words: Words) -> a.ActAnswer:
        match message:
            case a.ClaimAct():
                return await self._claim(message, viewer, words)
            case a.Release(table=table, fault=fault, person=person):
                anybodys = "release" in viewer.acts_anywhere
                outcome = await self._shared.release(table, fault, person, viewer, anybodys=anybodys)
                return await self._record_act(outcome, words, "released", by=viewer.id, table=table, fault=fault)
            case a.Assign():
                return await self._assign(message, viewer, words)
            case a.AcknowledgeAct(key=key):
                outcome = await self._shared.acknowledge(key, viewer)
                return await self._record_act(outcome, words, "acknowledged", by=viewer.id, key=key)
            case a.Shelve(key=key, minutes=minutes, because=because):
                outcome = await self._shared.shelve(key, minutes, because, viewer)
                about = {"key": key, "minutes": minutes, "because": because}
                return await self._record_act(outcome, words, "shelved", by=viewer.id, **about)
            case a.Unshelve(key=key):
                outcome = await self._shared.unshelve(key)
                return await self._record_act(outcome, words, "unshelved", by=viewer.id, key=key)
        raise Forbidden(coded("not_handed_here"))

    async def _record_act(self, outcome: ActOutcome, words: Words, kind: Kind, **what: object) -> a.ActAnswer:
        """Record an act that was done, or that may have been done (`unsure`); return the answer."""
        if outcome.done:
            await self._notes(kind, **what)
        elif outcome.reason == "unsure":
            await self._notes(kind, **what, unsure=True)
        return a.ActAnswer(outcome.says(words), outcome.reason, outcome.done)

    async def _assign(self, message: a.Assign, viewer: Viewer, words: Words) -> a.ActAnswer:
        """Assign a table. A supervisor may have `at_most` tables, a shift manager any number."""
        people = self._people.people()
        person = None if message.person is None or people is None else people.by_number(message.person)
        if message.person is not None and (person is None or not HAVE_TABLES & set(person.roles)):
            return a.ActAnswer(words.tell(coded("no_person")), "no_person")
        at_most = None if person is None or "manager" in person.roles else self._at_most
        outcome = await self._shared.assign(message.table, message.person, at_most)
        kind: Kind = "unassigned" if message.person is None else "assigned"
        return await self._record_act(outcome, words, kind, by=viewer.id, table=message.table, person=message.person)

    async def _claim(self, message: a.ClaimAct, viewer: Viewer, words: Words) -> a.ActAnswer:
        """Claim the call, then tell the table that somebody comes. If the table refuses, give the claim back.

        A halted table (`fault` 0) cannot record that, so it is not told.
        """
        table, fault = message.table, message.fault
        outcome = await self._shared.claim(table, fault, viewer)
        answered = await self._record_act(outcome, words, "claimed", by=viewer.id, table=table, fault=fault)
        if not outcome.done or not fault:
            return answered
        claim = f"come-{fault}-{viewer.id}-{dict(outcome.terms)['at']}"
        verdict, reason = await self._tell(message, claim, viewer, words)
        if verdict == "done":
            return answered
        if verdict == "refused":
            released = await self._shared.release(table, fault, viewer.id, viewer)
            await self._record_act(released, words, "released", by=viewer.id, table=table, fault=fault)
            return a.ActAnswer(reason, verdict)
        says = words.tell(coded("unheard", name=viewer.name, reason=reason))
        return a.ActAnswer(says, "unheard", done=True)

    async def _tell(self, message: a.ClaimAct, claim: str, viewer: Viewer, words: Words) -> tuple[str, str]:
        """Acknowledge the fault at the table; return the table's verdict and its sentence.

        `claim`: id of the claim, by which the table counts repeated clicks once.
        """
        command = {"command": "ack", "id": claim, "by": viewer.id, "fault": message.fault}
        to = f"{COMMANDS}?lang={words.language}"
        try:
            answer = await self._table_client.post(message.table, to, msgspec.json.encode(command))
        except Unanswered as silence:
            verdict, reason = "unanswered", words.tell(message_of(silence))
        else:
            (verdict_on_ack,) = verdicts_of(answer, 1)
            verdict, reason = verdict_on_ack.verdict, verdict_on_ack.says
            if verdict_on_ack.message is not UNSET:
                reason = render(verdict_on_ack.message, words.say, verdict_on_ack.says)
        about = {"table": message.table, "command": "ack", "fault": message.fault, "verdict": verdict}
        await self._notes("commanded", by=viewer.id, **about)
        return verdict, reason
