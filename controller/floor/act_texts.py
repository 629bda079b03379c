"""What is said of acts at the floor, in English; the other languages are in `locale/`."""

from collections.abc import Mapping

from ..config.people import PersonRole

NOT_ASSIGNED = "table {table} is not assigned to {name}"
NOT_YOURS = "This table is not assigned to you. A shift manager rules."
NOT_FOR = "{name} may not do this here; who may: {roles}"
NO_PERSON = "there is no supervisor or shift manager of that number"
UNHEARD = "{name} has it; the table was not told: {reason}"

ROLES: Mapping[PersonRole, str] = {"supervisor": "supervisor", "manager": "shift manager", "engineer": "engineer"}
