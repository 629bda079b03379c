"""Test one mutant in a copy of the project."""

import time
from collections.abc import Iterable, Sequence

from .copies import NOT_FOUND, ProjectCopy, PytestResult
from .mutant import Mutant
from .results import MutantVerdict
from .suite import Suite

HANGS = 30.0  # seconds for a test, at least
SLOWER = 15  # times as long as in the first run, for a busy machine
WAITING = 0.5  # seconds: a test that takes longer waits for something, and may fail without a mutant


class Examiner:
    """Runs the tests chosen for a mutant in one copy of the project."""

    def __init__(self, copy: ProjectCopy, suite: Suite) -> None:
        self._copy, self._suite = copy, suite

    def verdict(self, mutant: Mutant, batches: Iterable[Sequence[str]]) -> MutantVerdict:
        """Run the batches on a mutant until a test fails, hangs or cannot be collected; return the verdict."""
        began, tried, by = time.monotonic(), 0, ""
        unchanged = self._copy.text(mutant.path)
        self._copy.put(mutant.path, mutant.code)
        try:
            for batch in batches:
                tried += len(batch)
                if by := self._killer(batch):
                    break
        finally:
            self._copy.put(mutant.path, unchanged)
        return MutantVerdict.of(mutant, killed=bool(by), by=by, tried=tried, seconds=round(time.monotonic() - began, 1))

    def _killer(self, batch: Sequence[str]) -> str:
        """Return the test that fails, or an empty text; a test that waits for something must fail twice."""
        left = list(batch)
        while left:
            outcome = self._run(left)
            if outcome.passed:
                break
            if not outcome.by or not self._waits(outcome.by) or not self._run([outcome.by]).passed:
                return outcome.by or "the start of pytest"
            left = left[left.index(outcome.by) + 1 :] if outcome.by in left else []
        return ""

    def _run(self, tests: Sequence[str]) -> PytestResult:
        """Run tests; if a mutant changed the names of parametrized tests, run them with all parameters."""
        cases = [self._suite.cases[name] for name in tests if name in self._suite.cases]
        hangs = max([HANGS, *(SLOWER * case.wall for case in cases)])
        patience = hangs + 60 + SLOWER * sum(case.cost for case in cases)
        options = ("-x", "-p", "no:xdist", "-o", f"timeout={hangs:.0f}")
        outcome = self._copy.run(tests, options, patience)
        if outcome.code == NOT_FOUND:
            plain = list(dict.fromkeys(name.partition("[")[0] for name in tests))
            outcome = self._copy.run(plain, options, patience)
        return outcome

    def _waits(self, name: str) -> bool:
        case = self._suite.cases.get(name)
        return case is not None and case.wall > WAITING
