"""Conversion of callers' commands to events of the core, with the person who acts.

The core decides whether a command can be carried out and with which result.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from ...core import events as e
from ...core.persons import deals
from ...core.state import State
from ...rules.cards import parse_card
from . import commands as c
from .commands import Caller, Command
from .staff import acting_caller, named_person


def as_event(caller: Caller, command: Command, state: State) -> e.Event:
    """Event of the core for a command, with persons by name and badge number.

    Raises Forbidden.
    """
    who = acting_caller(caller, command)
    return _convert(who, command, actor(who, command, state))


def possible_events(caller: Caller, command: Command, state: State) -> set[e.Event]:
    """Events that the same command may have been converted to earlier, while other people dealt.

    Raises Forbidden.
    """
    who = acting_caller(caller, command)
    names = {actor(who, command, state), who.name, command.by or who.name}
    return {_convert(who, command, by) for by in names}


def _convert(who: Caller, command: Command, by: str) -> e.Event:
    event, user = _EVENTS[type(command)](command, by), named_person(who, command)
    if isinstance(event, e.PlaceBet | e.WithdrawBet):
        return replace(event, via=who.via)
    if user is not None and isinstance(event, e.DealerOn):
        event = replace(event, dealer=user.person.name, id=user.id)
    if user is not None and isinstance(event, e.LoadShoe):
        event = replace(event, witness=user.person.name)
    if who.second is not None and isinstance(event, e.Rule | e.Resettle):
        number = None if who.people is None else who.second.id
        event = replace(event, second=who.second.person.name, second_id=number)
    return replace(event, person=who.person) if who.person is not None and isinstance(event, e.Act) else event


def actor(caller: Caller, command: Command, state: State) -> str:
    """Name of the acting person in the record: a person for the shift manager, else the role.

    A person who is signed on as the dealer is named as the dealer, whatever name the command gives.
    """
    if caller.role != "manager":
        return caller.role
    if caller.person is not None or deals(caller.name, state):
        return caller.name
    return command.by or caller.name


def _ruling(command: c.RuleCommand, by: str) -> e.Rule:
    """Convert a ruling command to the core's event, in the name `by`."""
    card = None if command.card is None else parse_card(command.card)
    about = (command.draw, card, command.place, command.fault, command.checked, command.touched, command.seen)
    return e.Rule(command.ruling, by, command.because, *about)


def _resettle(command: c.ResettleCommand, by: str) -> e.Resettle:
    fields = ((one.ruling, one.draw, one.card and parse_card(one.card), one.place) for one in command.amendments)
    amendments = tuple(e.Amendment(*one) for one in fields)
    return e.Resettle(command.round, amendments, by, command.because, revision=command.revision)


def _shoe(command: c.ShoeCommand, by: str) -> e.Event:
    if command.do == "ready":
        return e.LoadShoe(by, command.shoe, command.counted, command.receipt, command.witness)
    if command.do == "cut":
        return e.CutShoe(by)
    if command.do == "uncut":
        return e.SkipCut(by=by, because=command.because or "")
    return e.ChangeShoe(by, command.left, command.do == "readout")


_EVENTS: Mapping[type[Command], Callable[[Any, str], e.Event]] = {
    c.OpenCommand: lambda command, by: e.Open(by, command.round),
    c.CloseCommand: lambda command, by: e.Close(by, command.round, command.window),
    c.Press: lambda command, _: e.KeyPressed(command.key),
    c.ShuffledCommand: lambda command, by: e.NewDeck(by, command.deck),
    c.ShoeCommand: _shoe,
    c.TableDoor: lambda command, by: (e.OpenTable if command.do == "open" else e.CloseTable)(by),
    c.DealerCommand: lambda command, by: e.DealerOn(command.name, by),
    c.LeaveCommand: lambda _, by: e.Leave(by),
    c.RuleCommand: _ruling,
    c.ResettleCommand: _resettle,
    c.DismissCommand: lambda command, by: e.Dismiss(command.case, by, command.because),
    c.AcknowledgeCommand: lambda command, by: e.Acknowledge(by, command.fault),
    c.BetCommand: lambda bet, _: e.PlaceBet(
        bet.player, bet.market, bet.stake, bet.round, bet.window, bet.odds, bet.player_class, bet.id
    ),
    c.Unbet: lambda bet, _: e.WithdrawBet(bet.player, bet.market, bet.round, bet.window, bet.bet),
    c.Decide: lambda command, _: e.Choose(command.who, command.decision, command.question),
    c.GoneCommand: lambda command, _: e.LineCut(command.player, command.round),
    c.Back: lambda command, _: e.LineBack(command.player, command.round),
}
