"""Permissions for commands, by the caller's role and by the roles of the person.

Without a registry of persons only the caller's role counts. With one, each person named in a command must be in the
registry, by badge number or name.

Invariant: a supervisor rules only at assigned tables. Only floors know the assignments, so a supervisor's ruling is
accepted from a floor, which signs it, and refused at the table's own doors.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from ...config.people import KnownPerson, People, Person, PersonRole
from ...core.coded_message import CodedMessage, coded
from ...text.coded import join_with_or
from ...text.errors import quote
from . import commands as c
from .commands import MAY, Caller, Command, Forbidden, word

RULING = frozenset[type](
    {c.RuleCommand, c.ResettleCommand, c.DismissCommand}
)  # commands that a supervisor may send only from a floor
# Commands of each person's role at the table's own doors. A person with several roles has the rights of all of them.
BY_PERSON: Mapping[PersonRole, frozenset[type]] = {
    "dealer": MAY["dealer"],
    "supervisor": MAY["manager"] - RULING,
    "manager": MAY["manager"],
    "engineer": frozenset(),
    "auditor": frozenset(),
}
# The same from a floor, which has checked that the table is assigned to the person.
AT_A_FLOOR: Mapping[PersonRole, frozenset[type]] = {**BY_PERSON, "supervisor": MAY["manager"]}


def permit(caller: Caller, command: Command) -> None:
    """Check that the caller's role and person may send this command in this name. Raises Forbidden."""
    if type(command) not in MAY[caller.role]:
        roles = join_with_or([coded(f"role_{role}") for role, commands in MAY.items() if type(command) in commands])
        role = coded(f"role_{caller.role}")
        raise Forbidden(coded("for_roles", command=_command_name(command), roles=roles, role=role))
    if caller.role == "manager" and not caller.for_others and command.by not in (None, caller.name, caller.person):
        raise Forbidden(coded("by_others", name=caller.name, by=str(command.by)))
    if caller.lapsed and isinstance(command, c.ResettleCommand):  # its preview names players and their bets
        raise Forbidden(coded("lapsed"))
    named_person(acting_caller(caller, command), command)


def may_rule(person: Person) -> bool:
    """True if the person is a shift manager, who may rule anywhere and confirm as the second person."""
    return any(c.RuleCommand in BY_PERSON[role] for role in person.roles)


def looks_on(person: Person) -> bool:
    """True if the person may only read: none of their roles may send a command."""
    return not any(BY_PERSON[role] for role in person.roles)


def acting_caller(caller: Caller, command: Command) -> Caller:
    """Acting caller: the caller, or the person in whose name they speak. Raises Forbidden."""
    people = caller.people
    if people is None or caller.role not in ("manager", "dealer"):
        return caller
    if caller.person is None and caller.role == "manager":
        caller = _named_caller(people, caller, command)
    if caller.person is not None:
        _check_roles(people.by_number(caller.person), caller, command)
    return caller


def _check_roles(person: Person | None, caller: Caller, command: Command) -> None:
    by_person = AT_A_FLOOR if caller.at_floor else BY_PERSON
    if person is None or not any(type(command) in by_person[role] for role in person.roles):
        roles = join_with_or([coded(f"role_{role}") for role, may in by_person.items() if type(command) in may])
        raise Forbidden(coded("for_persons", command=_command_name(command), roles=roles, name=caller.name))


def _command_name(command: Command) -> CodedMessage:
    return coded(f"command_{word(command)}")


def named_person(caller: Caller, command: Command) -> KnownPerson | None:
    """Person named in a command beside the actor: the new dealer, or the witness of a count.

    Raises Forbidden.
    """
    if caller.people is None:
        return None
    if isinstance(command, c.ShoeCommand) and command.witness is not None:
        return _person(caller.people, "witness", command.witness)
    if isinstance(command, c.DealerCommand) and command.name is not None:
        return _dealer(caller.people, command.name)
    return None


def _dealer(people: People, name: str) -> KnownPerson:
    user = _person(people, "name", name)
    if "dealer" not in user.person.roles:
        raise Forbidden(coded("no_dealer", name=user.person.name, id=user.id))
    return user


def _named_caller(people: People, caller: Caller, command: Command) -> Caller:
    """Caller at the socket, replaced by the registered person that the command names.

    Rulings and acknowledgements must name a person. Raises Forbidden.
    """
    if command.by is None:
        if type(command) in RULING or isinstance(command, c.AcknowledgeCommand):
            raise Forbidden(coded("by_whom"))
        return caller
    user = _person(people, "by", command.by)
    return replace(caller, name=user.person.name, person=user.id)


def _person(people: People, field: str, value: str) -> KnownPerson:
    user = people.find(value)
    if user is None:
        raise Forbidden(coded("nobody", field=field, said=quote(value)))
    return user
