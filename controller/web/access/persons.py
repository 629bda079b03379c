"""Who may sign in at a table: the persons of a registry; where nobody keeps one, the managers of the users file."""

import hashlib
import hmac
import secrets

from ...config.badges import BadgeUse
from ...config.people import Known, People, PeopleFile, Person, PersonRole
from .users import UsersFile

NOBODY = People({})
BROWSER = 16  # letters by which a person's browsers are told apart
PAGES: frozenset[PersonRole] = frozenset({"supervisor", "manager", "engineer", "auditor"})  # who signs in at a page


class Persons:
    """Both files, read again when they have changed. All of it raises BadUsers."""

    def __init__(self, users: UsersFile, registry: PeopleFile | None) -> None:
        self.users, self._registry = users, registry

    @property
    def badge(self) -> BadgeUse:
        """What one is enough for at this table."""
        return "with_pin" if self._registry is None else self._registry.badge

    def people(self) -> People | None:
        """The registry, where somebody keeps one."""
        return None if self._registry is None else self._registry.people()

    def find(self, said: str) -> Known | None:
        """Whom somebody says they are, by badge number or name."""
        people = self.people()
        return self.of(said) if people is None else people.find(said)

    def holder(self, code: str) -> Known | None:
        """Whose badge this is. It takes as long as to try a PIN."""
        people = self.people()
        return (NOBODY if people is None else people).holder(code)

    def of(self, number: str) -> Known | None:
        """The person with this badge number."""
        people = self.people()
        if people is not None:
            person = people.of(number)
            return None if person is None else Known(number, person)
        pin = self.users.users().managers.get(number)
        return None if pin is None else Known(number, Person(number, ("manager",), pin))

    def mark(self, known: Known, browser: str | None = None) -> str:
        """What a browser keeps in which this person has signed in, each another one. With another PIN it is void;
        nobody else can make it, and it lets nobody in."""
        browser = browser or secrets.token_hex(BROWSER // 2)
        said = f"known {known.id} {browser}"
        proof = hmac.digest((known.person.pin or "").encode(), said.encode(), hashlib.sha256).hex()
        return f"{known.id}.{browser}.{proof}"

    def is_marked(self, known: Known, mark: str) -> bool:
        """Whether this browser is one of theirs; of who has no PIN none is."""
        if known.person.pin is None:
            return False
        browser = mark.removeprefix(f"{known.id}.")[:BROWSER]
        return hmac.compare_digest(self.mark(known, browser or "none").encode(), mark.encode())
