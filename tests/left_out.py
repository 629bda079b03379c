"""Tests that a PC cannot run, for want of root, of mounts or of a program.

Where a person works they are left out, with the reason. In CI each of them fails with that reason: nobody reads there
what was left out.
"""

import os
from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
SAYS = "left out, and in CI nothing may be: {reason}"


class NothingLeftOut:
    """Plugin of pytest for CI: what is skipped fails, tests and whole files alike."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Report of a test's setup, call or teardown."""
        return failed(report) if (report := (yield)).skipped else report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Report of a file that was collected."""
        return failed(report) if (report := (yield)).skipped else report


def failed(report: Report) -> Report:
    """The same report, as a failure with one line."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome, report.longrepr = "failed", SAYS.format(reason=reason.removeprefix("Skipped: "))
    return report


def hold(config: pytest.Config) -> None:
    """Hold the tests of this run to that, if it is CI's."""
    if os.environ.get("CI"):
        config.pluginmanager.register(NothingLeftOut(), "nothing left out")
