"""Changes of the registry of persons, as `tablectl people` makes them."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from ..text.errors import quote
from .badges import hashed_badge
from .mistakes import BadUsers
from .people import PERSON_ROLES, People, PeopleFile, Person, PersonRole, check_id, check_person
from .pins import hash_pin

_HEAD = (
    "# Who works at the tables. Kept by `tablectl people`, which writes it anew; neither PINs nor badges can be read "
    "from it.\n"
)


class RegistryChange:
    """Changed copy of the registry, not yet written."""

    def __init__(self, people: People | None) -> None:
        self.people: dict[str, Person] = {} if people is None else dict(people.by_id)

    def add(self, number: str, name: str, roles: Iterable[PersonRole], pin: str | None) -> None:
        """Add a person, or one of the same name who had left. Raises BadUsers."""
        check_id(number)
        check_person(name)
        person = self.people.get(number)
        if person is not None and not (person.left and person.name == name):
            raise BadUsers(f"{number} is the badge number of {person.name}: badge numbers are never used again")
        self._set(number, Person(name, _sort_roles(roles), _hash_pin(number, pin)))

    def rename(self, number: str, name: str) -> None:
        """Change a person's name from now on. Raises BadUsers."""
        check_person(name)
        self._set(number, replace(self._require(number), name=name))

    def set_pin(self, number: str, pin: str) -> None:
        """Set a new PIN; sessions with the old one end. Raises BadUsers."""
        self._set(number, replace(self._require(number), pin=_hash_pin(number, pin)))

    def set_badge(self, number: str, code: str | None) -> None:
        """Set a new badge, None: no badge; sessions with the old one end. Raises BadUsers."""
        people, person = People(self.people), self._require(number)
        if code is not None and people.find(code) is not None:
            raise BadUsers(
                "expected what the reader types for the badge, got the badge number or name of somebody here"
            )
        self._set(number, replace(person, badge=None if code is None else hashed_badge(code, people.badges)))

    def set_roles(self, number: str, roles: Iterable[PersonRole]) -> None:
        """Set a person's roles to exactly these. Raises BadUsers."""
        self._set(number, replace(self._require(number), roles=_sort_roles(roles)))

    def remove(self, number: str) -> None:
        """Mark a person as left, without any rights. Raises BadUsers."""
        self._set(number, Person(self._require(number).name, left=True))

    def _require(self, number: str) -> Person:
        person = self.people.get(number)
        if person is None or person.left:
            numbers = ", ".join(sorted(key for key, one in self.people.items() if not one.left)) or "none"
            raise BadUsers(f"no person with the badge number {quote(number)}; there are {numbers}")
        return person

    def _set(self, number: str, person: Person) -> None:
        changed = {**self.people, number: person}
        People(changed)
        self.people = changed


@contextmanager
def change_registry(file: PeopleFile) -> Iterator[RegistryChange]:
    """Lock the registry, yield its changes, and write them at the end. Raises BadUsers."""
    with file.kept.lock():
        change = RegistryChange(file.people() if file.path.exists() else None)
        yield change
        file.kept.write(_registry_text(change.people).encode())


def _hash_pin(number: str, pin: str | None) -> str | None:
    if pin is not None and pin == number:
        raise BadUsers("expected a PIN that is harder to guess, got the badge number")
    return None if pin is None else hash_pin(pin)


def _sort_roles(roles: Iterable[PersonRole]) -> tuple[PersonRole, ...]:
    role_set = set(roles)
    return tuple(role for role in PERSON_ROLES if role in role_set)


def _registry_text(people: dict[str, Person]) -> str:
    return _HEAD + "".join(_section(number, person) for number, person in sorted(people.items()))


def _section(number: str, person: Person) -> str:
    """Format a person as a TOML section; quoted texts of TOML are those of JSON."""
    lines = [f"name = {json.dumps(person.name, ensure_ascii=False)}", f"roles = {json.dumps(person.roles)}"]
    lines += [] if person.pin is None else [f"pin = {json.dumps(person.pin)}"]
    lines += [] if person.badge is None else [f"badge = {json.dumps(person.badge)}"]
    lines += ["left = true"] if person.left else []
    return "\n".join(["", f"[people.{number}]", *lines, ""])
