"""Failures of every part while tables deal: the floor loses no event and has none twice."""

import pytest

from tests.floor.failures import SHORT, all_of_it
from tests.patience import on_loop


@pytest.mark.proof
def test_after_every_failure_the_floor_equals_the_journals(tmp_path):
    """Six tables, 300 rounds; `python -m tests.floor.failures` runs the full length."""
    print(on_loop(lambda: all_of_it(tmp_path, SHORT)))
