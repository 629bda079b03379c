"""What all tests rely on: Ctrl-C is heard. A shell has its background jobs ignore it, and they whatever they start.

And a property holds however long the machine takes: no example has a deadline. Proofs draw from the seed of the commit.
"""

import platform
import signal

import pytest
from hypothesis import is_hypothesis_test, seed, settings

from tests.chance import SEED, VARIABLE

signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

collect_ignore = [] if platform.machine() == "x86_64" else ["rules/test_poker_peer.py"]  # eval7 has no wheels elsewhere


def pytest_report_header() -> str:
    return f"seed of the proofs: {SEED} (repeat: {VARIABLE}={SEED})"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """A proof with hypothesis draws from SEED, also in CI, where hypothesis would draw the same each time."""
    test = getattr(item, "obj", None)
    if item.get_closest_marker("proof") is None or not is_hypothesis_test(test):
        return (yield)
    seed(f"{SEED} {item.nodeid}")(test)
    try:
        return (yield)
    finally:
        seed(None)(test)
