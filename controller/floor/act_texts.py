"""Texts for the outcomes of acts at the floor, in English; other languages are in `locale/`."""

from collections.abc import Mapping

from ..config.people import PersonRole

NOT_ASSIGNED = "table {table} is not assigned to {name}"
NOT_YOURS = "This table is not assigned to you. A shift manager rules."
NOT_FOR = "{name} may not do this here; who may: {roles}"
NO_PERSON = "there is no supervisor or shift manager of that number"
SIGNED_IN = "expected somebody who is signed in at the floor"
NO_TABLE = "there is no such table"
NOT_ON_BUS = "table {table} is not on the bus: walk to it"
NO_BUS = "the bus is not reached: walk to table {table}"
SILENT = "table {table} does not answer: walk to it"
NOT_ASKED = "table {table} was not asked: {reason}"
NO_OWNER = "the bus does not say whose table {table} is: {reason}"
GONE = "round {number} of table {table} is not here"
ANOTHER_NOW = "round {number} of table {table} is not here, and the table has another one of that number by now"
NOT_HERE = "round {number} of table {table} is not here: {reason}"
UNHEARD = "{name} has it; the table was not told: {reason}"

ROLES: Mapping[PersonRole, str] = {"supervisor": "supervisor", "manager": "shift manager", "engineer": "engineer"}
