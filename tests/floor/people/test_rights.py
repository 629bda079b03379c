"""Rights at the floor: each role, alone and with another role, against each act at each table."""

from itertools import combinations

import pytest

from controller.config.people import PERSON_ROLES
from controller.floor.people.viewers import ACTS, Viewer

TABLE = """
                    claim release acknowledge shelve unshelve assign hand_over command
manager               +      +         +         +       +       +       +        +
supervisor at own     +      +         +         .       .       .       .        +
supervisor            .      .         .         .       .       .       .        .
engineer              .      .         +         +       +       .       .        .
auditor               .      .         .         .       .       .       .        .
dealer                .      .         .         .       .       .       .        .
"""
OWN, OTHER = "102", "103"


def rows() -> dict[str, dict[str, bool]]:
    """Return the rights in TABLE by role and act."""
    acts, *lines = (line.split() for line in TABLE.strip("\n").splitlines())
    return {
        " ".join(line[: -len(acts)]): {act: cell == "+" for act, cell in zip(acts, line[-len(acts) :], strict=True)}
        for line in lines
    }


RIGHTS = rows()


def allowed(roles: tuple[str, ...], owner: str | None) -> dict[str, bool]:
    """Return which acts any of the roles may do, by TABLE."""
    named = [f"{role} at own" if role == "supervisor" and owner == OWN else role for role in roles]
    return {act: any(RIGHTS[name][act] for name in named) for act in ACTS}


def test_the_table_has_every_role_and_act():
    assert {name.split()[0] for name in RIGHTS} == set(PERSON_ROLES)
    assert all(set(cells) == set(ACTS) for cells in RIGHTS.values())


@pytest.mark.parametrize("owner", [OWN, OTHER, None])
@pytest.mark.parametrize("count", [0, 1, 2, len(PERSON_ROLES)])
def test_people_may_do_what_one_of_their_roles_may(owner, count):
    for roles in combinations(PERSON_ROLES, count):
        viewer = Viewer(OWN, "Sandu", frozenset(roles))
        assert (roles, {act: viewer.may(act, owner) for act in ACTS}) == (roles, allowed(roles, owner))
        assert viewer.acts_at(owner) == viewer.may("command", owner)
        assert {act: act in viewer.acts_anywhere for act in ACTS} == allowed(roles, OTHER)
