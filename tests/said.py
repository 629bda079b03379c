"""Lines of the log and coded messages, as tests see them: each field and each part says something.

A line whose reason is lost on its way is seen by nobody until an engineer needs it; a message without a part has "None"
in its place. Whatever a test is about, nothing of the kind may be said meanwhile in its own process, but for the fields
below and for the lines of records.
"""

from collections.abc import Generator
from functools import wraps
from typing import Any

import pytest
import structlog

from controller.core import coded_message

EMPTY = {
    ("verified", "found"),  # nothing is wrong
    ("sign_in_refused", "name"),  # nobody is known by it: it may be a PIN
    ("bets", "window"),  # of a cancelled round
}
_Bound = structlog.make_filtering_bound_logger(0)
_coded = coded_message.coded
_lost: list[str] = []


def _note(what: str | None, said: dict[str, Any]) -> None:
    empty = [name for name, one in said.items() if one is None]
    _lost.extend(f"{what}: {name}" for name in empty if (what, name) not in EMPTY)


class Watched(_Bound):  # type: ignore[misc, valid-type] # a class that structlog makes
    """A logger that notes fields without a value."""

    def _proxy_to_logger(self, method_name: str, event: str | None = None, **fields: Any) -> Any:
        if "at" not in fields:  # when it was recorded
            _note(event, fields)
        return super()._proxy_to_logger(method_name, event, **fields)


@wraps(_coded)
def watched(code: str, /, **parts: Any) -> coded_message.CodedMessage:
    """Make a coded message, and note parts without a value."""
    _note(code, parts)
    return _coded(code, **parts)


coded_message.coded = watched  # before the other modules of the program take it


class Look:
    """What pytest asks of each test."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        _lost.clear()
        found = yield
        assert _lost == [], f"expected each field of the log and each part of a message to say something: {_lost}"
        return found


def watch(config: pytest.Config) -> None:
    """Watch what is said from now on."""
    structlog.configure(wrapper_class=Watched)
    config.pluginmanager.register(Look())
