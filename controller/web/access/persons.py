"""Persons who may sign in at a table: the registry's, or without one the managers in the users file."""

import hashlib
import hmac
import secrets

from ...config.badges import BadgeUse
from ...config.people import KnownPerson, People, PeopleFile, Person, PersonRole
from .users import UsersFile

NOBODY = People({})
BROWSER = 16  # letters of the random id that tells a person's browsers apart
PAGES: frozenset[PersonRole] = frozenset({"supervisor", "manager", "engineer", "auditor"})  # may sign in at a page


class Persons:
    """Registry and users file, read again after a change. Its methods raise BadUsers."""

    def __init__(self, users: UsersFile, registry: PeopleFile | None) -> None:
        self.users, self._registry = users, registry

    @property
    def badge(self) -> BadgeUse:
        """Use of badges at this table: alone or with a PIN."""
        return "with_pin" if self._registry is None else self._registry.badge

    def people(self) -> People | None:
        """Persons of the registry; None if none is kept."""
        return None if self._registry is None else self._registry.people()

    def find(self, key: str) -> KnownPerson | None:
        """Person by badge number or name; None if unknown."""
        people = self.people()
        return self.by_number(key) if people is None else people.find(key)

    def holder(self, code: str) -> KnownPerson | None:
        """Person with this badge code; None if unknown. Takes about as long as checking a PIN."""
        people = self.people()
        return (NOBODY if people is None else people).holder(code)

    def by_number(self, number: str) -> KnownPerson | None:
        """Person with this badge number; None if unknown."""
        return self.find_in(self.people(), number)

    def find_in(self, people: People | None, number: str) -> KnownPerson | None:
        """Person with this badge number, in a registry that `people` returned; None if unknown."""
        if people is not None:
            person = people.by_number(number)
            return None if person is None else KnownPerson(number, person)
        pin = self.users.users().managers.get(number)
        return None if pin is None else KnownPerson(number, Person(number, ("manager",), pin))

    def mark(self, user: KnownPerson, browser: str | None = None) -> str:
        """Token for a browser in which this person has signed in, different for each browser.

        A new PIN makes it void. Only somebody with the PIN's hash can make it, and it signs nobody in.
        """
        browser = browser or secrets.token_hex(BROWSER // 2)
        text = f"known {user.id} {browser}"
        proof = hmac.digest((user.person.pin or "").encode(), text.encode(), hashlib.sha256).hex()
        return f"{user.id}.{browser}.{proof}"

    def is_marked(self, user: KnownPerson, mark: str) -> bool:
        """True if the token proves a browser of this person; False for a person without a PIN."""
        if user.person.pin is None:
            return False
        browser = mark.removeprefix(f"{user.id}.")[:BROWSER]
        return hmac.compare_digest(self.mark(user, browser or "none").encode(), mark.encode())
