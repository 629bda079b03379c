"""Permissions for commands: by the role at the door, and by the roles of the person.

Where nobody keeps a registry of persons, the role at the door says it all. Where somebody does, whom a command names is
a person of it: by the badge number, or by the name.

Invariant: a supervisor rules at the tables that are assigned to them. A table knows no assignments: so they rule
from a floor, which knows them and signs what it sends, and by no door of the table's own.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from ...config.people import KnownPerson, People, Person, PersonRole
from ...core.coded_message import CodedMessage, coded
from ...text.coded import one_of
from ...text.errors import shown
from . import commands as c
from .commands import MAY, Caller, Command, Forbidden, word

RULING = frozenset[type](
    {c.RuleCommand, c.ResettleCommand, c.DismissCommand}
)  # what a supervisor does from a floor alone
# What each may do by themselves, at a door that lets them do it; who is in several roles may do what any of them may.
BY_PERSON: Mapping[PersonRole, frozenset[type]] = {
    "dealer": MAY["dealer"],
    "supervisor": MAY["manager"] - RULING,
    "manager": MAY["manager"],
    "engineer": frozenset(),
    "auditor": frozenset(),
}
# The same from a floor, which has seen to it that the table is theirs.
AT_A_FLOOR: Mapping[PersonRole, frozenset[type]] = {**BY_PERSON, "supervisor": MAY["manager"]}


def permit(caller: Caller, command: Command) -> None:
    """Check that the role and the person may do this, in this name. Raises Forbidden."""
    if type(command) not in MAY[caller.role]:
        roles = one_of([coded(f"role_{role}") for role, commands in MAY.items() if type(command) in commands])
        role = coded(f"role_{caller.role}")
        raise Forbidden(coded("for_roles", command=_named(command), roles=roles, role=role))
    if caller.role == "manager" and not caller.for_others and command.by not in (None, caller.name, caller.person):
        raise Forbidden(coded("by_others", name=caller.name, by=str(command.by)))
    if caller.lapsed and isinstance(command, c.ResettleCommand):  # its preview names players and their bets
        raise Forbidden(coded("lapsed"))
    named(acting(caller, command), command)


def may_rule(person: Person) -> bool:
    """True if it is a shift manager, who rules by any door and may be the second of two."""
    return any(c.RuleCommand in BY_PERSON[role] for role in person.roles)


def looks_on(person: Person) -> bool:
    """True if they do nothing at a table but look."""
    return not any(BY_PERSON[role] for role in person.roles)


def acting(caller: Caller, command: Command) -> Caller:
    """Acting caller: the caller, or the person in whose name they speak. Raises Forbidden."""
    people = caller.people
    if people is None or caller.role not in ("manager", "dealer"):
        return caller
    if caller.person is None and caller.role == "manager":
        caller = _in_whose_name(people, caller, command)
    if caller.person is not None:
        _check_roles(people.of(caller.person), caller, command)
    return caller


def _check_roles(person: Person | None, caller: Caller, command: Command) -> None:
    by_person = AT_A_FLOOR if caller.at_floor else BY_PERSON
    if person is None or not any(type(command) in by_person[role] for role in person.roles):
        roles = one_of([coded(f"role_{role}") for role, may in by_person.items() if type(command) in may])
        raise Forbidden(coded("for_persons", command=_named(command), roles=roles, name=caller.name))


def _named(command: Command) -> CodedMessage:
    return coded(f"command_{word(command)}")


def named(caller: Caller, command: Command) -> KnownPerson | None:
    """Person named in a command beside the actor: the new dealer, or the witness of a count.

    Raises Forbidden.

    Raises Forbidden.
    """
    if caller.people is None:
        return None
    if isinstance(command, c.ShoeCommand) and command.witness is not None:
        return _person(caller.people, "witness", command.witness)
    if isinstance(command, c.DealerCommand) and command.name is not None:
        return _dealer(caller.people, command.name)
    return None


def _dealer(people: People, said: str) -> KnownPerson:
    known = _person(people, "name", said)
    if "dealer" not in known.person.roles:
        raise Forbidden(coded("no_dealer", name=known.person.name, id=known.id))
    return known


def _in_whose_name(people: People, caller: Caller, command: Command) -> Caller:
    """Over its own socket anybody may speak for another. Rulings and acknowledgements need the name of a person."""
    if command.by is None:
        if type(command) in RULING or isinstance(command, c.AcknowledgeCommand):
            raise Forbidden(coded("by_whom"))
        return caller
    known = _person(people, "by", command.by)
    return replace(caller, name=known.person.name, person=known.id)


def _person(people: People, field: str, said: str) -> KnownPerson:
    known = people.find(said)
    if known is None:
        raise Forbidden(coded("nobody", field=field, said=shown(said)))
    return known
