"""Lines of the log, as tests see them: none says a field without what it is.

A line whose reason is lost on its way is seen by nobody until an engineer needs it. Whatever a test is about, no line
written meanwhile in its own process may have a field that is None, but for those below and for the lines of records.
"""

from collections.abc import Generator
from typing import Any

import pytest
import structlog

EMPTY = {
    ("verified", "found"),  # nothing is wrong
    ("sign_in_refused", "name"),  # nobody is known by it: it may be a PIN
    ("bets", "window"),  # of a cancelled round
}
_Bound = structlog.make_filtering_bound_logger(0)
_lost: list[str] = []


class Watched(_Bound):  # type: ignore[misc, valid-type] # a class that structlog makes
    """A logger that notes fields without a value."""

    def _proxy_to_logger(self, method_name: str, event: str | None = None, **fields: Any) -> Any:
        if "at" not in fields:  # when it was recorded
            empty = [name for name, said in fields.items() if said is None]
            _lost.extend(f"{event}: {name}" for name in empty if (event, name) not in EMPTY)
        return super()._proxy_to_logger(method_name, event, **fields)


class Look:
    """What pytest asks of each test."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        _lost.clear()
        found = yield
        assert _lost == [], f"expected each field of a line of the log to say something, not so: {_lost}"
        return found


def watch(config: pytest.Config) -> None:
    """Watch what is logged from now on."""
    structlog.configure(wrapper_class=Watched)
    config.pluginmanager.register(Look())
