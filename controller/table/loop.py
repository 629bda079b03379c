"""Live table: takes events and writes records, one after the other, on one event loop.

While nothing can be written the table is halted: events wait. Once writing works again the failure is recorded first,
then the waiting events, in order.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..core import events as e
from ..core.bounds import MOST_WAITING
from ..core.clock import SECOND, Time, to_text
from ..core.coded_message import CodedMessage
from ..core.decide import next_deadline
from ..core.decide.input_groups import GroupPart
from ..core.decide.resettlements import ComputedResettlement
from ..core.decide.shoe_change import is_ready_at_once
from ..core.house import House
from ..core.life import RESTING
from ..core.odds import computations_ahead
from ..core.position import Position
from ..core.records import Record
from ..core.refused_starts import RefusedStarts
from ..core.state import State
from ..games import GAMES
from ..journal import new_epoch
from ..rules.procedure import Step
from ..text.coded import sentence_and_code
from .beats import seconds_to_beat
from .clocks import STEP, Clock, SteadyClock
from .deciding import decide_group, must_wait
from .idle import Idle
from .input_queue import MANY, Gathering, InputGroup, InputQueue
from .recorder import Recorder
from .writable import Writable

RETRY = 0.5  # seconds between attempts to write again
LOOK = 1.0  # seconds between two checks that the journal is still there, also at a table at rest
T = TypeVar("T")


class Table(Recorder):
    """Live table, which alone changes the state. All of it runs in the thread of the event loop."""

    def __init__(self, house: House, journal: Writable, clock: Clock | None = None) -> None:
        super().__init__(house, journal, clock or SteadyClock())
        self._position = Position(GAMES)
        self._starts = RefusedStarts()
        self._waiting, self._gathering = InputQueue(), Gathering(self._work)
        self._busy = False
        self._stopped = False
        self._paid, self._finished, self._done = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._next_look: asyncio.TimerHandle | None = None
        self._idle = Idle()
        self._tell_who_waits()

    @property
    def due(self) -> Step | None:
        """The step expected next."""
        return self._position.due(self.state)

    def ask(self, question: Callable[[House, Position, State], T]) -> T:
        """Answer to a question about the present state that drives the round."""
        return question(self.house, self._position, self.state)

    def start(self, dealer: str | None, first_round: int = 1, dealer_id: str | None = None) -> None:
        """Continue after the journal's last record; an empty journal begins with an open table and a full shoe.

        If a new shoe must be burnt from or counted in, the journal begins with a change of the shoe instead.
        `first_round`: the number of the first round of such a journal. `dealer_id`: if it is not the name.
        """
        if self.state.seq:
            self.take(e.ProgramBack())
        else:
            self.take(e.Begin(new_epoch(), first_round - 1))
        if not self.state.shoes and not self.state.shoe.changing:  # a new journal, or one killed at its beginning
            if not self.state.open:
                self.take(e.OpenTable("config"))
            self.take(e.LoadShoe("config") if is_ready_at_once(self.house) else e.ChangeShoe("config"))
        if dealer and (self.state.dealer, self.state.dealer_id) != (dealer, dealer_id) and self.state.life in RESTING:
            self.take(e.DealerOn(dealer, id=dealer_id))
        self._set_timer()
        self._look()
        self._idle.do(computations_ahead(self.house, self.state))

    def stop(self) -> None:
        """Stop the table: no further input, listeners or timers.

        Waiting inputs are recorded and unfinished payments made before.
        """
        self._work()
        while self.state.is_unfinished and self.halted is None and not self._busy:
            self._tick()
        if self.halted is None:
            self._record_starts(self._starts.count_to_record, self.now())
        self._stopped = True
        self._tell_who_waits()
        self._listeners.clear()
        self._set_timer()
        if self._next_look is not None:
            self._next_look.cancel()
        self._idle.do(())

    def take(self, event: e.Event, origin: e.Origin | None = None) -> None:
        """Handle an event that happened now.

        Its records are written and announced after those of all earlier events. While nothing can be recorded, at most
        MOST_WAITING events wait; the others are dropped, and their number is recorded later.
        """
        self.take_all([GroupPart(event, origin)])

    def take_all(self, parts: Sequence[GroupPart]) -> int:
        """Handle events that happened now and together; returns how many were taken.

        Each is accepted, or all are refused.
        """
        if self._stopped:
            return 0
        if self.is_full and not isinstance(parts[0].event, e.Babbles):
            self._waiting.dropped += len(parts)
            return 0
        self._follow_clock()
        self._waiting.add(InputGroup(parts, self.now()))
        self._work()
        return len(parts)

    def take_soon(self, parts: Sequence[GroupPart]) -> int:
        """Take events of players, one after the other; they are recorded together with others that arrive now.

        Returns how many were taken.
        """
        if self._stopped or self.is_full:
            return 0
        self._follow_clock()
        if len(self._waiting) + len(parts) > MANY:
            self._work()
        self._waiting.add(*(InputGroup([part], self.now()) for part in parts))
        self._tell_who_waits()
        self._gathering.note_input()
        return len(parts)

    async def wait_until_recorded(self) -> None:
        """Wait until all that was taken is recorded; at once if the table cannot record now."""
        await self._done.wait()

    async def wait_until_paid(self) -> None:
        """Wait until no bet of the last round is left to pay; at once if the table cannot pay now."""
        await self._paid.wait()

    async def wait_until_finished(self) -> None:
        """Wait until nothing is left to pay or to settle anew; at once if the table cannot record now."""
        while not self._finished.is_set():  # another resettlement may have begun before this one had its turn
            await self._finished.wait()

    def prepare(self, event: e.Resettle, result: ComputedResettlement | None) -> None:
        """Keep the result of the resettlement that is taken next, so that the loop need not work it out."""
        self._position.prepare(event, result)

    @property
    def is_full(self) -> bool:
        """True if the table is halted and no further events can wait."""
        return self.halted is not None and len(self._waiting) >= MOST_WAITING

    def _follow_clock(self) -> None:
        """Follow the PC's clock if it was set: at once when the table is at rest, else when the round is over."""
        at_rest = self.state.life in RESTING and self.state.seq and not self._busy and self.halted is None
        if at_rest and not self.state.owes and abs(self.behind) >= STEP:
            now = self.now()
            self._waiting.add(InputGroup([GroupPart(e.SetClock(to_text(now + self.behind)))], now))
            self._work()

    def _work(self) -> None:
        """Record the waiting inputs, unless that is in progress already or the table is halted."""
        if self._busy or self.halted is not None:
            return
        self._busy = True
        try:
            while (first := self._waiting.first) and self.halted is None and not must_wait(self.state, first):
                self._handle(self._waiting.take_group())
        finally:
            self._busy = False
        self._tell_who_waits()
        self._set_timer()

    def _tick(self) -> None:
        """Handle a deadline, or decide on the next slice of unfinished work; both come before waiting inputs."""
        if not self.state.is_unfinished:
            self.take(e.Tick())
            return
        if self.state.owes and self._position.work_on_owed(self.state):
            self._set_timer()
            return
        self._waiting.put_first([InputGroup([GroupPart(e.Tick())], self.now())])
        self._work()

    def _handle(self, group: Sequence[InputGroup]) -> None:
        if not (self._record_starts(self._starts.due(group[0].at), group[0].at) and self._decide(group)):
            self._waiting.put_first(group)

    def _decide(self, group: Sequence[InputGroup]) -> bool:
        """Decide on these inputs and record it in one transaction. Returns whether that succeeded."""
        drafts, later = decide_group(self.house, self._position, self.state, group)
        if (reason := self._starts.counts(drafts)) is not None:
            self._announce_count(group[0].parts[0], reason)
            return True
        if (ended := self._starts.count_if_ended(drafts)) is not None:
            return self._record_starts(ended, group[0].at) and self._decide(group)
        if not self._record(drafts):
            return False
        if later:
            self._waiting.put_first(later)
        return True

    def _record_starts(self, counted: e.CountedStarts | None, at: Time) -> bool:
        return counted is None or self._decide([InputGroup([GroupPart(counted)], at)])

    def _handle_records(self, before: State, records: Sequence[Record]) -> None:
        self._starts.hear(records)
        self._announce(records)
        if self.state.life != before.life:
            self._idle.do(computations_ahead(self.house, self.state))
        if self.state.life in RESTING and not self.state.is_unfinished:
            asyncio.get_running_loop().call_soon(self._tidy)

    def _halt(self, reason: CodedMessage | str) -> None:
        super()._halt(reason)
        self._tell_who_waits()
        self._set_timer()

    def _tell_who_waits(self) -> None:
        idle = self._stopped or self.halted is not None
        unfinished = self.state.is_unfinished
        owes = unfinished and self.state.owes
        for what, so in ((self._paid, not owes), (self._finished, not unfinished), (self._done, not self._waiting)):
            what.set() if idle or so else what.clear()

    def _tidy(self) -> None:
        if not self._stopped and not self.state.is_unfinished:
            self._attempt(self._tidy_journal)

    def _tidy_journal(self) -> None:
        if self.journal.tidy():
            self.take(e.NewFile())

    def _look(self) -> None:
        self._next_look = asyncio.get_running_loop().call_later(seconds_to_beat(LOOK), self._look)
        self._attempt(self.journal.watch)
        if self.halted is None and not self._busy:
            self._record_starts(self._starts.due(now := self.now()), now)
        self._follow_clock()

    def _set_timer(self) -> None:
        """Set the timer for the next deadline; while halted, for the next attempt to write."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._stopped:
            return
        loop = asyncio.get_running_loop()
        if self.halted is not None:
            self._timer = loop.call_later(RETRY, self._heal)
        elif (deadline := self.ask(next_deadline)) is not None:
            wait = max(0, deadline - self.now()) / SECOND
            self._timer = loop.call_later(wait, self._tick)

    def _heal(self) -> None:
        """Try to record the failure; then record the waiting inputs, in order.

        If the start of this program waits, it comes first, since no input before it was missed. Then the failure is
        recorded only if inputs were dropped.
        """
        self._busy = True
        waiting, dropped = self._waiting.take_all(), self._waiting.dropped
        try:
            reason, message = sentence_and_code(self.halted or "")
            back = InputGroup([GroupPart(e.JournalBack(reason, dropped, message))], self.now())
            begun = waiting[:1] if _starts(waiting) else []
            inputs = [*begun, *([back] if dropped or not begun else []), *waiting[len(begun) :]]
            self._handle(inputs[:1])
        finally:
            self._busy = False
        if self.halted is not None:  # restore the queue: the event that was tried must not wait twice
            self._waiting.take_all()
            self._waiting.put_first(waiting)
            return
        self._log.info("healed", waiting=len(waiting), dropped=dropped)
        self._waiting.dropped = 0
        self._waiting.put_first(inputs[1:])
        self._work()


def _starts(waiting: Sequence[InputGroup]) -> bool:
    """True if the first of these inputs is the start of the program, or of the journal."""
    return bool(waiting) and isinstance(waiting[0].parts[0].event, e.Begin | e.ProgramBack)
