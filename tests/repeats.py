"""Values of a test's parameter that only the proofs try, as they repeat the test to be surer."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(count: int, values: Iterable[Any]) -> list[Any]:
    """Values of a parameter: the first `count` for `make test`, the others for `make proof`."""
    return [value if number < count else in_proofs(value) for number, value in enumerate(values)]


def in_proofs(value: Any) -> Any:
    """Value of a parameter that only `make proof` tries."""
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.proof)
