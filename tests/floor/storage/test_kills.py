"""Whatever breaks while tables deal: nothing of it is lost at the floor, and nothing is there twice."""

import pytest

from tests.floor.kills import SHORT, all_of_it
from tests.patience import on_loop


@pytest.mark.proof
def test_after_every_failure_the_floor_equals_the_journals(tmp_path):
    """At full length: `python -m tests.floor.kills`."""
    print(on_loop(lambda: all_of_it(tmp_path, SHORT)))
