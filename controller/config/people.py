"""Registry of persons, `people.toml`: people at the tables with badge number, roles and hashes.

    [people.1042]
    name = "Anna Pop"
    roles = ["dealer", "manager"]
    pin = "$argon2id$..."
    badge = "$argon2id$..."

Invariant: no two persons can be taken for each other. A name or badge number that looks like another's is refused,
whoever wrote it into the file. People who have left stay in the file, so that a badge number in a record always means
the same person.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from ..core.persons import NOBODY, likeness
from ..text.errors import quote, shorten_to_line, system_message, toml_error
from ..text.spelling import Misspelt, check_name
from .badges import BadgeUse, matching_hashes
from .kept_file import KeptFile
from .mistakes import BadUsers
from .sections import Section, Text

PersonRole = Literal["dealer", "supervisor", "manager", "engineer", "auditor"]
PERSON_ROLES: tuple[PersonRole, ...] = get_args(PersonRole)
FILE = "people.toml"
NAMES = r"^[^\W_][\w .'-]{0,39}(?![\s\S])"  # names are in records, on screens and in command arguments
IDS = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,19}(?![\s\S])"  # ASCII, as printed on badges and allowed as bare keys of TOML
Name = Annotated[str, Meta(pattern=NAMES)]
_NOBODY = {likeness(one): one for one in NOBODY}


class PeopleSection(Section, frozen=True):
    """Settings of the registry of persons."""

    file: Text | None = None  # registry of people; by default people.toml beside the config, if it is there
    badge: BadgeUse = "with_pin"  # how a person signs in: with badge and PIN, or with the badge alone


class Person(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Person in the registry. `pin`, `badge`: hashes; with neither they cannot sign in by themselves."""

    name: str
    roles: tuple[PersonRole, ...] = ()
    pin: str | None = None
    left: bool = False
    badge: str | None = None

    @property
    def rules(self) -> bool:
        """True if the person can sign in as a shift manager."""
        return "manager" in self.roles and (self.pin is not None or self.badge is not None)

    @property
    def credentials_mark(self) -> str:
        """Text that changes with the PIN or badge; a change of it ends the person's sessions."""
        return f"{self.pin or ''} {self.badge or ''}"


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    people: dict[str, Person] = {}


class KnownPerson(Struct, frozen=True):
    """Person with their badge number (`id`)."""

    id: str
    person: Person


class People:
    """Persons of the registry at one moment. Raises BadUsers if two look alike."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self.by_id = people
        self._alike: dict[str, str] = {}
        self._badges: dict[str, str] = {}
        for number, person in people.items():
            for key in dict.fromkeys(map(likeness, (number, person.name))):
                if key in self._alike:
                    other = self._alike[key]
                    raise BadUsers(
                        f"{number} {person.name} can be taken for {other} {people[other].name}: give one another name"
                    )
                self._alike[key] = number
            self._add_badge(number, person)

    def _add_badge(self, number: str, person: Person) -> None:
        if person.badge is None or person.left:
            return
        if (other := self._badges.setdefault(person.badge, number)) != number:
            raise BadUsers(
                f"{number} {person.name} has the badge of {other} {self.by_id[other].name}: give one another"
            )

    def find(self, text: str) -> KnownPerson | None:
        """Return the person with this badge number or name; None if unknown or left."""
        number = self._alike.get(likeness(text))
        return None if number is None or self.by_id[number].left else KnownPerson(number, self.by_id[number])

    @property
    def badges(self) -> Collection[str]:
        """Stored hashes of all badges."""
        return self._badges.keys()

    def holder(self, code: str) -> KnownPerson | None:
        """Return the holder of a badge code; None if unknown. Takes about as long as checking a PIN."""
        number = next((self._badges[one] for one in matching_hashes(code, self.badges) if one in self._badges), None)
        return None if number is None else KnownPerson(number, self.by_id[number])

    def by_number(self, number: str) -> Person | None:
        """Return the person with this badge number; None if unknown or left."""
        person = self.by_id.get(number)
        return None if person is None or person.left else person


class PeopleFile:
    """Registry file, read again after each change.

    `needed`: True if the config names it, so that it must exist; `badge`: whether a badge also needs the PIN.
    """

    def __init__(
        self, path: Path, *, needed: bool = False, group_of: Path | None = None, badge: BadgeUse = "with_pin"
    ) -> None:
        self.path, self.badge = path, badge
        self._needed = needed
        self.kept = KeptFile(path, group_of)
        self._read: People | None = None

    def people(self) -> People | None:
        """Return the persons now in the file; None if the studio has no registry.

        Raises BadUsers if the file cannot be read or has disappeared: without it, one person could pass for another.
        """
        try:
            if (content := self.kept.read_if_changed()) is not None:
                self._read = People(_parse_people(content))
        except FileNotFoundError as error:
            if self._needed or self._read is not None:
                raise BadUsers(f"{self.path}: {system_message(error)}") from None
            return None
        except OSError as error:
            raise BadUsers(f"{self.path}: {system_message(error)}") from None
        except BadUsers as error:
            self.kept.forget()
            raise BadUsers(f"{self.path}: {error}") from None
        return self._read


def registry(config: Path, section: PeopleSection) -> PeopleFile:
    """Return the registry of a table: the file in the section, else `people.toml` beside the config."""
    path = config.absolute().parent / (section.file or FILE)
    return PeopleFile(path, needed=section.file is not None, badge=section.badge)


def _parse_people(content: bytes) -> Mapping[str, Person]:
    """Decode and check the registry's TOML. Raises BadUsers."""
    try:
        people = msgspec.convert(tomllib.loads(content.decode("utf-8-sig")), _File).people
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadUsers(f"not TOML: {shorten_to_line(toml_error(error))}") from None
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadUsers(f"no registry of persons: {shorten_to_line(str(error))}") from None
    for number, person in people.items():
        check_id(number)
        check_person(person.name)
    return people


def check_id(number: str) -> None:
    """Check that a text can be a badge number. Raises BadUsers if not."""
    if not re.match(IDS, number) or number.lower() in NOBODY:
        raise BadUsers(
            f"expected a badge number of up to 20 letters A to Z, digits, - or _, got {quote(number)}"
            + (": that is a role's or the program's name" if number.lower() in NOBODY else "")
        )


def check_person(name: str) -> None:
    """Check that a text can be a person's name. Raises BadUsers if not."""
    twin = _NOBODY.get(likeness(name))
    if twin is not None:
        raise BadUsers(
            f"expected a name of their own, {quote(name)} looks like {twin}, which is a role's or the program's"
        )
    try:
        check_name(name)
    except Misspelt as error:
        raise BadUsers(str(error)) from None
    if not unicodedata.is_normalized("NFKC", name):
        raise BadUsers(f"expected a name in Unicode's form NFKC, of ordinary letters alone, got {quote(name)}")
    if not re.match(NAMES, name):
        raise BadUsers(
            "expected a name of up to 40 letters, digits, spaces or . ' - that begins with a letter or digit, "
            f"got {quote(name)}"
        )
