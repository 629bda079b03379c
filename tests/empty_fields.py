"""Pytest plugin that fails each test in which a log line or a coded message has a field without value.

Nobody misses the reason in a log line until an engineer needs it; a coded message shows "None" for a missing part. The
plugin sees the test's own process. Exceptions: the fields of EMPTY, and log lines of records.
"""

from collections.abc import Generator
from functools import wraps
from typing import Any

import pytest
import structlog

from controller.core import coded_message

EMPTY = {
    ("verified", "found"),  # the record is sound
    ("sign_in_refused", "name"),  # unknown names are not logged: such a name may be a PIN
    ("bets", "window"),  # of a cancelled round
}
_Bound = structlog.make_filtering_bound_logger(0)
_coded = coded_message.coded
_lost: list[str] = []


def _note(what: str | None, fields: dict[str, Any]) -> None:
    empty = [name for name, one in fields.items() if one is None]
    _lost.extend(f"{what}: {name}" for name in empty if (what, name) not in EMPTY)


class EmptyFieldLogger(_Bound):  # type: ignore[misc, valid-type] # a class that structlog makes
    """A logger that notes fields without a value."""

    def _proxy_to_logger(self, method_name: str, event: str | None = None, **fields: Any) -> Any:
        if "at" not in fields:  # only log lines of records have this field
            _note(event, fields)
        return super()._proxy_to_logger(method_name, event, **fields)


@wraps(_coded)
def checked_coded(code: str, /, **parts: Any) -> coded_message.CodedMessage:
    """Make a coded message, and note parts without a value."""
    _note(code, parts)
    return _coded(code, **parts)


coded_message.coded = checked_coded  # before the other modules of the program import it


class EmptyFieldPlugin:
    """Pytest plugin: fails a test in which a field or a part had no value."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        _lost.clear()
        found = yield
        assert _lost == [], f"expected each field of the log and each part of a message to say something: {_lost}"
        return found


def register(config: pytest.Config) -> None:
    """Check all log lines and coded messages from now on."""
    structlog.configure(wrapper_class=EmptyFieldLogger)
    config.pluginmanager.register(EmptyFieldPlugin())
