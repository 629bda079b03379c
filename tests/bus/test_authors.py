"""Authors of signed messages: on each subject only the keys count that may write there."""

import pytest

from controller.bus import names as n
from controller.bus.keys import new_seed
from controller.bus.seals import Seals

SEEDS = {who: new_seed() for who in ("t1", "t2", "floor", "admin", "stranger")}
PUBLIC = {who: Seals(seed, {}, {}).public for who, seed in SEEDS.items()}
AUTHORS = {
    "tablectl.main.t1.head": {"t1"},
    "tablectl.main.t2.beat": {"t2"},
    f"$KV.{n.STATUS}.main.t1": {"t1"},
    f"$KV.{n.CLAIMS}.main.t1.claim": {"floor"},
    f"$KV.{n.KEYS}.main.roster": {"admin"},
    "_INBOX_floor.main.t1.x": {"t1"},
    "tablectl.main.t3.head": set(),
}


def trusted_by_a_floor() -> Seals:
    """Return the seals of a floor that trusts two tables, one floor and an admin."""
    tables = {table: PUBLIC[table] for table in ("t1", "t2")}
    return Seals(new_seed(), tables, {"main": PUBLIC["floor"]}, PUBLIC["admin"])


@pytest.mark.parametrize("subject", AUTHORS)
def test_a_message_counts_from_its_subjects_authors_only(subject):
    seals, body = trusted_by_a_floor(), b"{}"
    sealed = {who: Seals(seed, {}, {}).seal(subject, body) for who, seed in SEEDS.items()}
    assert {who for who, headers in sealed.items() if seals.is_sound(subject, headers, body)} == AUTHORS[subject]


@pytest.mark.parametrize("subject", AUTHORS)
def test_a_key_is_removed_by_its_authors_and_the_admin(subject):
    seals, removal = trusted_by_a_floor(), "DEL"
    sealed = {
        who: {**Seals(seed, {}, {}).seal(subject, b"", removal), n.REMOVAL: removal} for who, seed in SEEDS.items()
    }
    may = {who for who, headers in sealed.items() if seals.is_sound(subject, headers, b"")}
    assert may == AUTHORS[subject] | {"admin"}
