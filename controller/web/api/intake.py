"""Intake of commands: each is carried out once and answered with a verdict.

Many commands together are taken in portions, short enough that no card has to wait; between portions the devices are
served. An exception here is a bug of the core, as with a device's event.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence

from ...core import events as e
from ...core.decide.input_groups import NOT_ALL, GroupPart
from ...core.decide.openings import obstacle
from ...core.decide.resettlements import ComputedResettlement
from ...core.events import Origin
from ...core.records import Record
from ...core.windows import has_several
from ...table.input_queue import MANY
from ...table.loop import Table
from . import commands as c
from .answered_commands import TAKEN_BACK, AnsweredCommands
from .command_events import as_event, possible_events
from .commands import Caller, Command
from .record_feed import RecordFeed
from .verdicts import Verdict, command_verdict, id_reused_verdict, refused_verdict, untaken_verdict, waiting_verdict

ReadRound = Callable[[e.Resettle], Awaitable[e.Resettle]]
WorkOutRound = Callable[[e.Resettle], Awaitable[tuple[e.Resettle, ComputedResettlement | None]]]
AT_ONCE = c.BetCommand | c.Unbet | c.Decide | c.GoneCommand | c.Back  # taken many at a time: independent of each other


class Intake:
    """Intake of the commands of all clients of one table."""

    def __init__(self, table: Table, feed: RecordFeed, answered: AnsweredCommands, work_out: WorkOutRound) -> None:
        """Connect the intake to its table. `work_out`: reads the round of a resettlement and computes the result."""
        self._table, self._feed, self._answered, self._work_out = table, feed, answered, work_out

    def hear(self, records: Iterable[Record]) -> None:
        """Handle durable records, which may answer commands."""
        self._answered.hear(records)

    def count(self, part: GroupPart, reason: str) -> None:
        """Handle a start that was refused again and only counted: its command is answered with the reason."""
        if part.origin is not None and part.origin.command is not None:
            self._answered.note_refused_start(part.origin, part.event, reason)

    async def one_by_one(self, caller: Caller, commands: Sequence[Command]) -> AsyncIterator[Verdict]:
        """Carry out commands one after the other; iterate over their verdicts in order."""
        while commands:
            portion = _portion(commands)
            await self._wait_until_paid(portion)
            new = [command for command in portion if self._is_new(caller, command)]
            why_not, origins = self._reason_against(caller, new), frozenset[Origin]()
            if new and why_not is None:
                take = self._table.take_soon if isinstance(new[0], AT_ONCE) else self._table.take_all
                parts = [await self._with_round(part) for part in self._parts(caller, new)]
                parts = [part for part in parts if part.origin not in self._answered]  # answered during `_with_round`
                if parts:
                    origins = self._take(parts, take)
                    why_not = None if origins else "ending"
            await self._table.wait_until_recorded()
            for command in portion:
                yield await self._verdict(caller, command, why_not, origins)
            commands = commands[len(portion) :]
            if commands:
                await asyncio.sleep(0)  # a card that has arrived meanwhile is processed next

    async def all_or_none(self, caller: Caller, commands: Sequence[Command]) -> AsyncIterator[Verdict]:
        """Carry out all commands or none; iterate over their verdicts in order."""
        await self._wait_until_paid(commands)
        keys = [_key(caller, command) for command in commands]
        often = Counter(keys)
        again = [key in self._answered or often[key] > 1 for key in keys]
        unplaced = [self._lacks_window(one) and _key(caller, one) not in self._answered for one in commands]
        if any(unplaced) and not all(again):
            for command, lacks in zip(commands, unplaced, strict=True):
                yield refused_verdict(command.id, "window_missing" if lacks else NOT_ALL)
            return
        if any(again) and not all(key in self._answered for key in keys):
            for command, is_repeat in zip(commands, again, strict=True):
                yield (
                    self._verdict_on_repeat(_key(caller, command))
                    if is_repeat
                    else refused_verdict(command.id, NOT_ALL)
                )
            return
        new = [] if any(again) else commands
        why_not, origins = self._reason_against(caller, new), frozenset[Origin]()
        if new and why_not is None:
            origins = self._take(self._parts(caller, new), self._table.take_all)
            why_not = None if origins else "ending"
        await self._table.wait_until_recorded()
        for place, command in enumerate(commands):
            if place % MANY == 0:
                await asyncio.sleep(0)
            yield await self._verdict(caller, command, why_not, origins)

    async def _wait_until_paid(self, commands: Sequence[Command]) -> None:
        """Wait until the last round is paid, unless all of these commands are players' (`AT_ONCE`)."""
        if not all(isinstance(command, AT_ONCE) for command in commands):
            await self._table.wait_until_paid()

    def _verdict_on_repeat(self, key: Origin) -> Verdict:
        """Verdict on a command of a list whose id is known: `taken_back` for such a bet, else `id_reused`."""
        took_back = self._answered.refusal_reason(key) == TAKEN_BACK
        return refused_verdict(str(key.command), TAKEN_BACK) if took_back else id_reused_verdict(str(key.command))

    def _is_new(self, caller: Caller, command: Command) -> bool:
        """True if the command must go to the table: it is not answered yet and has all required fields."""
        return _key(caller, command) not in self._answered and not self._lacks_window(command)

    def _lacks_window(self, command: Command) -> bool:
        """True if the command names no betting window in a game that has several."""
        named = not isinstance(command, c.BetCommand | c.Unbet | c.CloseCommand) or command.window is not None
        return not named and has_several(self._table.house, self._table.state)

    def _reason_against(self, caller: Caller, new: Sequence[Command]) -> str | None:
        """Reason why new commands are not taken now; None if they are."""
        if not new:
            return None
        if self._feed.closed:
            return "ending"
        if self._table.halted is not None:
            return "halted"
        opens = isinstance(new[0], c.OpenCommand) and obstacle(self._table.house, self._table.state) is None
        return "too_many" if self._answered.is_full_for(caller.via) and not opens else None

    def _parts(self, caller: Caller, commands: Sequence[Command]) -> list[GroupPart]:
        state = self._table.state
        return [GroupPart(as_event(caller, command, state), _key(caller, command)) for command in commands]

    async def _with_round(self, part: GroupPart) -> GroupPart:
        """Return the input; a resettlement with its round added, after the one before is completely recorded."""
        if not isinstance(part.event, e.Resettle):
            return part
        event, result = await self._work_out(part.event)
        await self._table.wait_until_finished()
        if part.origin not in self._answered:
            self._table.prepare(event, result)
        return GroupPart(event, part.origin)

    def _take(self, parts: Sequence[GroupPart], take: Callable[[Sequence[GroupPart]], int]) -> frozenset[Origin]:
        """Pass commands to the table; return the keys of those it took. An exception is a bug and is reported."""
        try:
            taken_parts = parts[: take(parts)]
        except Exception as error:
            context = {"message": "command_failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)
            raise
        for part in taken_parts:
            if part.origin is not None:
                self._answered.note_taken(part.origin, part.event, alone=take == self._table.take_soon)
        return frozenset(part.origin for part in taken_parts if part.origin is not None)

    async def _verdict(
        self, caller: Caller, command: Command, why_not: str | None, origins: Collection[Origin]
    ) -> Verdict:
        """Verdict on a command. `origins`: keys that the table took just now, for these very commands."""
        key = _key(caller, command)
        if self._lacks_window(command) and key not in self._answered:
            return refused_verdict(command.id, "window_missing")
        if why_not is not None and key not in self._answered:
            return untaken_verdict(command.id, why_not)
        if key not in origins and self._answered.differs(key, possible_events(caller, command, self._table.state)):
            return id_reused_verdict(command.id)
        if (reason := self._answered.refusal_reason(key)) is not None:
            return refused_verdict(command.id, reason)
        span = self._answered.span(key)
        if span is None and self._table.halted is not None:
            return waiting_verdict(command.id)
        records = [] if span is None else await self._feed.records_between(span.first, span.last)
        return command_verdict(command.id, records, caller.role)


def _key(caller: Caller, command: Command) -> Origin:
    return Origin(caller.via, command.id)


def _portion(commands: Sequence[Command]) -> Sequence[Command]:
    """First commands that can be taken together: no id twice, no bet behind its `unbet`; some kinds only alone."""
    ids = set[str | None]()
    for place, command in enumerate(commands[:MANY]):
        if command.id in ids or not isinstance(command, AT_ONCE):
            return commands[: max(1, place)]
        ids.add(command.id)
        if isinstance(command, c.Unbet):
            ids.add(command.bet)
    return commands[:MANY]
