"""Pytest plugin for tests that a PC cannot run because root rights, mounts or a program are missing.

On a person's PC they are skipped, with the reason. In CI each of them fails with the reason: nobody reads there which
tests were skipped.
"""

import os
from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
SAYS = "left out, and in CI nothing may be: {reason}"


class NothingLeftOut:
    """Pytest plugin for CI: skipped tests and skipped files fail."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn a skipped setup, call or teardown of a test into a failure."""
        return failed(report) if (report := (yield)).skipped else report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Turn a skipped file into a failure."""
        return failed(report) if (report := (yield)).skipped else report


def failed(report: Report) -> Report:
    """Change a skip report to a failure with one line, the reason; return the report."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome, report.longrepr = "failed", SAYS.format(reason=reason.removeprefix("Skipped: "))
    return report


def register_in_ci(config: pytest.Config) -> None:
    """Register the plugin if the environment variable CI is set."""
    if os.environ.get("CI"):
        config.pluginmanager.register(NothingLeftOut(), "nothing left out")
